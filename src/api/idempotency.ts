import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import {
  endKeyedCall,
  type Keep,
  type KeyedCall,
  keepAnswer,
  renewKeyedCall,
  startKeyedCall,
} from '../operations/keep-answer.ts';
import { RENEW_MS } from '../store/idempotency.ts';
import { within } from '../store/row-security.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** When repeated with its `Idempotency-Key`, the call returns its first answer and does nothing. */
    keepsAnswers?: boolean;
  }
}

/** A running call whose answer has to be kept. */
interface StartedCall extends KeyedCall {
  readonly renewing: NodeJS.Timeout;
  /** Its operation has kept the answer. */
  isKept: boolean;
}

const started = new WeakMap<FastifyRequest, StartedCall>();

const MAX_KEY_LENGTH = 200;

/**
 * Lets every write of a plugin carry `Idempotency-Key`: a repeat within 24 hours gets the first answer and does
 * nothing.
 *
 * For calls behind `sessionGuard` whose answer contains no token. A call that creates something keeps its answer in
 * the same transaction (`keeperOf`). The answers of other calls are kept when they end: if the process is killed just
 * before, the call may be made again, which does no harm. Calls selected by `keepsItsOwn` are let through:
 * registering takes its keys in the transaction of the invoice as well.
 */
export function acceptIdempotencyKeys(
  app: FastifyInstance,
  deps: Pick<Deps, 'sql' | 'clock' | 'config'>,
  keepsItsOwn: (request: FastifyRequest) => boolean = () => false,
) {
  const hashOf = hasherOf(deps.config);
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET') route.config = { ...route.config, keepsAnswers: true };
  });
  app.addHook('preHandler', async (request, reply) => {
    if (request.method === 'GET' || keepsItsOwn(request)) return;
    const key = keyOf(request);
    if (key === null) return;
    const call = { companyId: request.session.companyId, key, requestHash: hashOf(request) };
    const first = await startKeyedCall(deps, call);
    if (first) await reply.status(first.status).send(first.body);
    else started.set(request, { ...call, renewing: renew(request, call), isKept: false });
  });

  function renew(request: FastifyRequest, call: KeyedCall): NodeJS.Timeout {
    return setInterval(() => {
      within(request.scope, () => renewKeyedCall(deps, call)).catch((error: unknown) => {
        request.log.warn({ err: error }, 'a call under way could not be told of');
      });
    }, RENEW_MS).unref();
  }

  function end(request: FastifyRequest): StartedCall | undefined {
    const call = started.get(request);
    clearInterval(call?.renewing);
    started.delete(request);
    return call;
  }

  app.addHook('preSerialization', async (request, reply, payload) => {
    const call = end(request);
    const { statusCode: status } = reply;
    if (call && !(call.isKept && status < 300))
      await endKeyedCall(deps, call, { status, body: payload });
    return payload;
  });

  // An answer that was not serialized is a file: it is not kept, and the call may be made again. The key is only
  // released when the answer is sent: a client that went away and asks again must not find it free while the call is
  // still running.
  app.addHook('onSend', async (request, _reply, payload) => {
    const call = end(request);
    if (call) await endKeyedCall(deps, call, null);
    return payload;
  });
}

/** @throws {DomainError} BAD_REQUEST */
function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return null;
  if (key.length > MAX_KEY_LENGTH) {
    throw new DomainError(
      'BAD_REQUEST',
      `Idempotency-Key no puede pasar de ${MAX_KEY_LENGTH} caracteres.`,
    );
  }
  return key;
}

/**
 * The key of a public call, which has no company until it creates one, and the HMAC of its request.
 *
 * @returns null for one without a key
 * @throws {DomainError} BAD_REQUEST
 */
export function keyOfPublicCall(
  config: Pick<Config, 'claveMaestra'>,
  request: FastifyRequest,
): Pick<KeyedCall, 'key' | 'requestHash'> | null {
  const key = keyOf(request);
  return key === null ? null : { key, requestHash: hasherOf(config)(request) };
}

/**
 * How the operation of a call keeps its answer.
 *
 * @param present turns what was made into the answer of the call
 */
export function keeperOf<Made>(
  request: FastifyRequest,
  present: (made: Made) => unknown = (made) => made,
): Keep<Made> {
  return async (tx, made) => {
    const call = started.get(request);
    if (!call) return;
    await keepAnswer(tx, call, { status: 200, body: present(made) });
    call.isKept = true;
  };
}

/**
 * Identifies a request. It may contain passwords: without our key, the HMAC cannot be used to test guesses. After a
 * change of the master key, repeats of earlier calls are refused as different requests.
 */
function hasherOf({ claveMaestra }: Pick<Config, 'claveMaestra'>) {
  const secret = Buffer.from(hkdfSync('sha256', claveMaestra, '', 'clave de idempotencia', 32));
  return ({ url, body }: FastifyRequest): string => {
    const asked = `${url}\n${JSON.stringify(digested(body ?? null))}`;
    return createHmac('sha256', secret).update(asked).digest('hex');
  };
}

/** With the hash of each file in place of the file: as JSON, its bytes would take four times the space. */
function digested(value: unknown): unknown {
  if (value instanceof Uint8Array) return createHash('sha256').update(value).digest('base64');
  if (Array.isArray(value)) return value.map(digested);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, digested(held)]));
}

/** How the API documents calls that keep their answers: they take `Idempotency-Key`. */
export const idempotencyKeyHeader = {
  type: 'object',
  properties: { 'Idempotency-Key': { type: 'string', maxLength: MAX_KEY_LENGTH } },
} as const;
