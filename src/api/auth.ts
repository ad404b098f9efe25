import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { type RequestScope, within } from '../store/company-wall.ts';
import { joined } from '../store/joined.ts';
import {
  findOpenSessions,
  type Session,
  type SessionName,
  touchSession,
} from '../store/sessions.ts';
import type { Sql } from '../store/sql.ts';
import { readToken } from './tokens.ts';

/** Who makes a private call. The company comes from here and never from what the call says. */
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
    /** Only in routes behind `sessionGuard`. */
    session: RequestSession;
    /** For whom the request is: nobody until `sessionGuard` says it. */
    scope: RequestScope;
  }
}

/**
 * Gives every request its scope. Twice, because the body is read from events of the connection, which
 * know nothing of the request.
 */
export function scopeRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    request.scope = {
      companyId: null,
      sid: null,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
    };
    within(request.scope, done);
  });
  app.addHook('preValidation', (request, _reply, done) => within(request.scope, done));
}

/** What looks up the session of a call together with those of the calls of every route that came in with it. */
const finders = new WeakMap<Sql, (name: SessionName) => Promise<Session | null>>();

function sessionsOf({ sql, clock }: Deps): (name: SessionName) => Promise<Session | null> {
  const known = finders.get(sql);
  if (known) return known;
  const find = joined(sql, (names: readonly SessionName[]) =>
    findOpenSessions(sql, names, clock()),
  );
  finders.set(sql, find);
  return find;
}

/** A session that is in use is noted once a minute, not at each call. */
const TOUCH_MS = 60_000;

/**
 * The hook of private calls: a token of ours, in date, whose session is still open on the server.
 *
 * As `onRequest` it runs before a body is read, so a stranger's upload costs nothing:
 * `{ onRequest: sessionGuard(deps) }` on a route, or `app.addHook('onRequest', sessionGuard(deps))`
 * in a plugin whose calls are all private.
 */
export function sessionGuard(deps: Deps) {
  const findSession = sessionsOf(deps);
  return async (request: FastifyRequest): Promise<void> => {
    const token = /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const claims = token ? await readToken(deps, token) : null;
    const session = claims ? await findSession(claims) : null;
    if (!claims || !session) {
      throw new DomainError('UNAUTHORIZED', 'Tu sesión ha caducado. Vuelve a iniciar sesión.');
    }
    const now = deps.clock();
    if (now.getTime() - session.lastSeenAt.getTime() > TOUCH_MS) {
      await touchSession(deps.sql, session.companyId, session.sid, now);
    }
    // From here on the database shows nothing of any other company.
    request.scope.companyId = session.companyId;
    request.scope.sid = session.sid;
    request.session = {
      companyId: session.companyId,
      email: claims.email,
      sid: session.sid,
      authenticatedAt: session.authenticatedAt,
      tokenIssuedAt: claims.issuedAt,
    };
  };
}
