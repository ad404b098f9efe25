import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { keepAnswers, releaseKeys, takeKeys } from '../store/idempotency.ts';

/** Keys of the requests under way whose answer is to be kept. */
const taken = new WeakMap<FastifyRequest, string>();

const MAX_KEY_LENGTH = 200;

/**
 * Lets every write of a plugin carry `Idempotency-Key`: a repeat within 24 hours gets the first
 * answer, and does nothing. Only what was done is kept; a refusal may be tried again under its key.
 *
 * For calls behind `sessionGuard` whose answer holds no token. Registering keeps its answers by
 * itself, in the transaction of the invoice.
 */
export function acceptIdempotencyKeys(app: FastifyInstance, deps: Pick<Deps, 'sql' | 'clock'>) {
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    if (request.method === 'GET' || typeof key !== 'string' || key === '') return;
    if (key.length > MAX_KEY_LENGTH) {
      throw new DomainError(
        'BAD_REQUEST',
        `Idempotency-Key no puede pasar de ${MAX_KEY_LENGTH} caracteres.`,
      );
    }
    const { companyId } = request.session;
    const requestHash = hashOf(request);
    const earlier = await deps.sql.begin((tx) =>
      takeKeys(tx, companyId, [{ key, requestHash }], deps.clock()),
    );
    const first = earlier.get(key);
    if (!first) {
      taken.set(request, key);
      return;
    }
    if (first.requestHash !== requestHash) {
      throw new DomainError(
        'CONFLICT',
        'Esa clave de idempotencia (Idempotency-Key) ya se usó con otros datos.',
      );
    }
    if (first.status === null) {
      throw new DomainError(
        'CONFLICT',
        'Esa petición todavía se está atendiendo. Vuelve a intentarlo en unos segundos.',
      );
    }
    await reply.status(first.status).send(first.body);
  });

  app.addHook('preSerialization', async (request, reply, payload) => {
    const key = taken.get(request);
    if (key === undefined) return payload;
    taken.delete(request);
    const { companyId } = request.session;
    if (reply.statusCode < 300) {
      await keepAnswers(deps.sql, companyId, [{ key, status: reply.statusCode, body: payload }]);
    } else {
      await releaseKeys(deps.sql, companyId, [key]);
    }
    return payload;
  });
}

function hashOf({ url, body }: FastifyRequest): string {
  return createHash('sha256')
    .update(`${url}\n${JSON.stringify(body ?? null)}`)
    .digest('hex');
}
