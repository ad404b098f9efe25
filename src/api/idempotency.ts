import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { endKeyedCall, type KeyedCall, startKeyedCall } from '../operations/keep-answer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Repeated with its `Idempotency-Key`, the call gets its first answer and does nothing. */
    keepsAnswers?: boolean;
  }
}

/** Calls under way whose answer is to be kept. */
const started = new WeakMap<FastifyRequest, KeyedCall>();

const MAX_KEY_LENGTH = 200;

/**
 * Lets every write of a plugin carry `Idempotency-Key`: a repeat within 24 hours gets the first
 * answer, and does nothing.
 *
 * For calls behind `sessionGuard` whose answer holds no token. Calls that `keepsItsOwn` picks are let
 * through: registering keeps its answers by itself, in the transaction of the invoice.
 */
export function acceptIdempotencyKeys(
  app: FastifyInstance,
  deps: Pick<Deps, 'sql' | 'clock'>,
  keepsItsOwn: (request: FastifyRequest) => boolean = () => false,
) {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET') route.config = { ...route.config, keepsAnswers: true };
  });
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    if (request.method === 'GET' || typeof key !== 'string' || key === '') return;
    if (keepsItsOwn(request)) return;
    if (key.length > MAX_KEY_LENGTH) {
      throw new DomainError(
        'BAD_REQUEST',
        `Idempotency-Key no puede pasar de ${MAX_KEY_LENGTH} caracteres.`,
      );
    }
    const call = { companyId: request.session.companyId, key, requestHash: hashOf(request) };
    const first = await startKeyedCall(deps, call);
    if (first) await reply.status(first.status).send(first.body);
    else started.set(request, call);
  });

  app.addHook('preSerialization', async (request, reply, payload) => {
    const call = started.get(request);
    if (!call) return payload;
    started.delete(request);
    await endKeyedCall(deps, call, { status: reply.statusCode, body: payload });
    return payload;
  });

  // What was not serialized is a file: there is no answer to keep, and the call may be made again. Not before it is
  // sent: whoever asked may be gone, and ask anew, while it is still under way.
  app.addHook('onSend', async (request, _reply, payload) => {
    const call = started.get(request);
    if (call && started.delete(request)) await endKeyedCall(deps, call, null);
    return payload;
  });
}

function hashOf({ url, body }: FastifyRequest): string {
  return createHash('sha256')
    .update(`${url}\n${JSON.stringify(digested(body ?? null))}`)
    .digest('hex');
}

/** With the hash of each file in its place: the JSON of its bytes would be four times as long. */
function digested(value: unknown): unknown {
  if (value instanceof Uint8Array) return createHash('sha256').update(value).digest('base64');
  if (Array.isArray(value)) return value.map(digested);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, digested(held)]));
}

/** What the API says of the calls that keep their answers: that they take `Idempotency-Key`. */
export const idempotencyKeyHeader = {
  type: 'object',
  properties: { 'Idempotency-Key': { type: 'string', maxLength: MAX_KEY_LENGTH } },
} as const;
