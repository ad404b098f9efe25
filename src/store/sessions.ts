import { ofOneCompany, type Tx } from './sql.ts';

/** A session on the server: a token is only valid while its session is. */
export interface Session {
  readonly companyId: number;
  readonly sid: string;
  readonly createdAt: Date;
  /** When the password was last typed. */
  readonly authenticatedAt: Date;
  readonly lastSeenAt: Date;
}

interface SessionRow {
  company_id: number;
  sid: string;
  created_at: Date;
  authenticated_at: Date;
  last_seen_at: Date;
}

/** A session ends by itself after this time without a call (ASVS 7.3.1)… */
const IDLE_HOURS = 8;
/** …and after this time however much it is used (ASVS 7.3.2). */
export const MAX_DAYS = 7;

export async function insertSession(
  tx: Tx,
  session: Pick<Session, 'companyId' | 'sid' | 'authenticatedAt'> & {
    readonly createdAt: Date;
    readonly userAgent: string;
    /** Address of the caller, without its last part. */
    readonly address?: string;
  },
): Promise<void> {
  await tx`
    insert into sessions
           (company_id, sid, created_at, authenticated_at, last_seen_at, user_agent, address)
    values (${session.companyId}, ${session.sid}, ${session.createdAt},
            ${session.authenticatedAt}, ${session.createdAt}, ${session.userAgent.slice(0, 300)},
            ${session.address ?? ''})`;
}

/** How a token names its session. */
export type SessionName = Pick<Session, 'companyId' | 'sid'>;

/** The sessions that are open at `now`, in the order of the names; null for one that is not. */
export async function findOpenSessions(
  tx: Tx,
  wanted: readonly SessionName[],
  now: Date,
): Promise<(Session | null)[]> {
  const rows = await tx<SessionRow[]>`
    select s.company_id, s.sid, s.created_at, s.authenticated_at, s.last_seen_at
      from unnest(${wanted.map(({ companyId }) => companyId)}::int[],
                  ${wanted.map(({ sid }) => sid)}::uuid[]) as t (company_id, sid)
      join sessions s on s.company_id = t.company_id and s.sid = t.sid
     where ${isOpen(tx, now)} ${ofOneCompany(tx, 's.company_id', wanted)}`;
  const found = new Map(rows.map((row) => [`${row.company_id} ${row.sid}`, fromRow(row)]));
  return wanted.map(({ companyId, sid }) => found.get(`${companyId} ${sid.toLowerCase()}`) ?? null);
}

/** The session if it is open at `now`, or null. */
export async function findOpenSession(
  tx: Tx,
  companyId: number,
  sid: string,
  now: Date,
): Promise<Session | null> {
  const [row] = await tx<SessionRow[]>`
    select company_id, sid, created_at, authenticated_at, last_seen_at
      from sessions
     where company_id = ${companyId} and sid = ${sid} and ${isOpen(tx, now)}`;
  return row ? fromRow(row) : null;
}

function isOpen(tx: Tx, now: Date) {
  return tx`ended_at is null
    and last_seen_at > ${now}::timestamptz - make_interval(hours => ${IDLE_HOURS})
    and created_at > ${now}::timestamptz - make_interval(days => ${MAX_DAYS})`;
}

/** The open sessions of a company, the one used last first. */
export async function listOpenSessions(
  tx: Tx,
  companyId: number,
  now: Date,
): Promise<(Session & { readonly userAgent: string; readonly address: string })[]> {
  const rows = await tx<(SessionRow & { user_agent: string; address: string })[]>`
    select company_id, sid, created_at, authenticated_at, last_seen_at, user_agent, address
      from sessions
     where company_id = ${companyId} and ${isOpen(tx, now)}
     order by last_seen_at desc`;
  return rows.map((row) => ({ ...fromRow(row), userAgent: row.user_agent, address: row.address }));
}

export async function touchSession(
  tx: Tx,
  companyId: number,
  sid: string,
  now: Date,
): Promise<void> {
  await tx`
    update sessions set last_seen_at = ${now} where company_id = ${companyId} and sid = ${sid}`;
}

/** Records that the password was typed again in an open session. */
export async function reauthenticateSession(
  tx: Tx,
  companyId: number,
  sid: string,
  now: Date,
): Promise<void> {
  await tx`
    update sessions
       set authenticated_at = ${now}
     where company_id = ${companyId} and sid = ${sid}`;
}

export async function endSession(tx: Tx, companyId: number, sid: string, now: Date): Promise<void> {
  await tx`
    update sessions
       set ended_at = ${now}
     where company_id = ${companyId} and sid = ${sid} and ended_at is null`;
}

/**
 * Ends every open session except one.
 *
 * @returns how many
 */
export async function endOtherSessions(
  tx: Tx,
  companyId: number,
  sid: string,
  now: Date,
): Promise<number> {
  const rows = await tx`
    update sessions set ended_at = ${now}
     where company_id = ${companyId} and sid <> ${sid} and ended_at is null
 returning sid`;
  return rows.length;
}

export async function endAllSessions(tx: Tx, companyId: number, now: Date): Promise<void> {
  await tx`
    update sessions set ended_at = ${now} where company_id = ${companyId} and ended_at is null`;
}

/** Ends the sessions of an account that is being closed, and deletes which browsers they came from. */
export async function closeSessions(tx: Tx, companyId: number, now: Date): Promise<void> {
  await tx`
    update sessions
       set ended_at = coalesce(ended_at, ${now}), user_agent = '', address = ''
     where company_id = ${companyId}`;
}

function fromRow(row: SessionRow): Session {
  return {
    companyId: row.company_id,
    sid: row.sid,
    createdAt: row.created_at,
    authenticatedAt: row.authenticated_at,
    lastSeenAt: row.last_seen_at,
  };
}
