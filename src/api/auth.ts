import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { coalesced } from '../store/coalesced.ts';
import { lookingUp, type RequestScope, within } from '../store/row-security.ts';
import {
  findOpenSession,
  findOpenSessions,
  type Session,
  type SessionName,
  touchSession,
} from '../store/sessions.ts';
import type { Sql } from '../store/sql.ts';
import { type ReadToken, readToken } from './tokens.ts';

/** Who makes a private call. The company comes from here, never from the content of the call. */
export interface RequestSession {
  readonly companyId: number;
  readonly email: string;
  readonly sid: string;
  /** When the password of this session was last typed. */
  readonly authenticatedAt: Date;
  readonly tokenIssuedAt: Date;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Only set in routes behind `sessionGuard`. */
    session: RequestSession;
    /** Whom the request is for: nobody until `sessionGuard` sets it. */
    scope: RequestScope;
  }
}

/** The application, or a plugin of it. */
type Hooked<Logger extends FastifyBaseLogger = FastifyBaseLogger> = Pick<
  FastifyInstance<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    Logger,
    ZodTypeProvider
  >,
  'addHook'
>;

/**
 * Gives every request its scope, and runs everything that follows inside it. The scope is entered again before
 * validation: the body is read in socket events in between, whose async context is not the request's.
 */
export function scopeRequests<Logger extends FastifyBaseLogger>(app: Hooked<Logger>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    request.scope = {
      companyId: null,
      reqId: request.id,
      sid: null,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
    };
    within(request.scope, done);
  });
  app.addHook('preValidation', (request, _reply, done) => within(request.scope, done));
}

/** Looks up the sessions of calls of any route that come in together. */
const finders = new WeakMap<Sql, (name: SessionName) => Promise<Session | null>>();

function sessionsOf({ sql, clock }: Deps): (name: SessionName) => Promise<Session | null> {
  const known = finders.get(sql);
  if (known) return known;
  const find = coalesced(sql, (names: readonly SessionName[]) =>
    lookingUp(() => findOpenSessions(sql, names, clock())),
  );
  finders.set(sql, find);
  return find;
}

/** The use of a session is recorded once a minute, not at each call. */
const TOUCH_MS = 60_000;

/**
 * The hook for private calls: requires a valid token of ours whose session is still open on the server.
 *
 * As `onRequest` it runs before the body is read, so a stranger's upload costs nothing: `{ onRequest:
 * sessionGuard(deps) }` on a route, or `app.addHook('onRequest', sessionGuard(deps))` in a plugin in which all calls
 * are private.
 */
export function sessionGuard(deps: Deps) {
  const findSession = sessionsOf(deps);
  return async (request: FastifyRequest): Promise<void> => {
    const claims = await claimsOf(deps, request);
    const session = await findSession(claims);
    if (!session) throw ended();
    await touch(deps, session);
    open(request, claims, session);
  };
}

/**
 * The same for calls that only read, in a plugin of their own. Their session is looked up in the transaction of their
 * first reading, ahead of it and in the same flush (`RequestScope.admission`), so that a page waits for a single
 * round trip; calls that come in together share that transaction (reading-turns.ts). If the session has ended, the
 * call is refused as usual, and what was read is discarded. PostgreSQL keeps such a transaction from writing, and
 * row-level security shows it only the company of the token, which we signed.
 *
 * @param mayWrite for calls whose one transaction (`pipelined`) writes after reading: nothing is committed before the
 *   session is found open
 */
export function guardReadings(
  app: Hooked,
  deps: Pick<Deps, 'sql' | 'clock' | 'config'>,
  { mayWrite = false } = {},
): void {
  const seen = new WeakMap<FastifyRequest, Session>();
  /** A single look-up may have admitted several calls. */
  const noted = new WeakSet<Session>();
  app.addHook('onRequest', async (request) => {
    const claims = await claimsOf(deps, request);
    const { companyId, sid } = claims;
    open(request, claims, { ...claims, authenticatedAt: NEVER });
    request.scope.admission = {
      name: `${companyId} ${sid}`,
      lookUp: async (tx) => {
        const session = await findOpenSession(tx, companyId, sid, deps.clock());
        if (!session) throw ended();
        return session;
      },
      accept: (session) => {
        request.scope.admission = null;
        open(request, claims, session);
        seen.set(request, session);
      },
      mayWrite,
    };
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.scope.admission || reply.statusCode >= 400) done(null, payload);
    else done(new Error('Answered before its session was looked up.'));
  });
  app.addHook('onResponse', async (request) => {
    const session = seen.get(request);
    if (!session || noted.has(session)) return;
    noted.add(session);
    await within(request.scope, () => touch(deps, session));
  });
}

/** Stands for the time of the last password until the session is looked up: checks for a recent one fail. */
const NEVER = new Date(0);

function ended(): DomainError {
  return new DomainError('UNAUTHORIZED', 'Tu sesión ha caducado. Vuelve a iniciar sesión.');
}

/** @throws {DomainError} UNAUTHORIZED without a valid token of ours */
async function claimsOf(
  deps: Pick<Deps, 'clock' | 'config'>,
  { headers }: FastifyRequest,
): Promise<ReadToken> {
  const token = /^Bearer +([\w.-]+)$/i.exec(headers.authorization ?? '')?.[1];
  const claims = token ? await readToken(deps, token) : null;
  if (!claims) throw ended();
  return claims;
}

async function touch({ sql, clock }: Pick<Deps, 'sql' | 'clock'>, session: Session): Promise<void> {
  const now = clock();
  if (now.getTime() - session.lastSeenAt.getTime() <= TOUCH_MS) return;
  await touchSession(sql, session.companyId, session.sid, now);
}

/** From here on the database shows the request nothing of any other company. */
function open(
  request: FastifyRequest,
  claims: ReadToken,
  { companyId, sid, authenticatedAt }: Pick<Session, 'companyId' | 'sid' | 'authenticatedAt'>,
): void {
  request.scope.companyId = companyId;
  request.scope.sid = sid;
  request.session = {
    companyId,
    sid,
    authenticatedAt,
    email: claims.email,
    tokenIssuedAt: claims.issuedAt,
  };
}
