/** Error codes of Node for a connection that cannot be opened or was lost, and of the driver for one that it lost. */
const OF_CONNECTIONS = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED', 'CONNECT_TIMEOUT'],
]);

/**
 * SQLSTATEs of a PostgreSQL that starts, stops or has no free connection: connection exceptions (class 08), operator
 * intervention (57P01 to 57P03), too_many_connections, and read_only_sql_transaction, the answer of a server that is
 * no longer the primary. Source: PostgreSQL 18, appendix A.
 */
const OF_SERVERS = /^(08\w{3}|57P0[1-3]|53300|25006)$/;

/** PostgreSQL opens no session, whatever the reason (on a full disk, up to version 16, XX000), or ends itself. */
const ENDS_SESSION = /^(FATAL|PANIC)$/;

/**
 * Whether a statement failed for lack of disk or memory (class 53 of PostgreSQL, except connections): its transaction
 * was rolled back. A server that ends itself because it cannot write its log says so too, but nobody knows what became
 * of a commit under way.
 */
export function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return /^53[124]00$/.test(String(error.code)) && severityOf(error) !== 'PANIC';
}

/**
 * Whether the database aborted a statement because it waited too long for a lock (55P03), took too long (57014) or
 * was in a deadlock (40P01): its transaction was rolled back.
 */
export function isGivenUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(55P03|57014|40P01)$/.test(`${error.code}`);
}

/** Whether a statement failed because the database is away, or ended its session, not because of what it asked. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const code = String(error.code);
  if (OF_CONNECTIONS.has(code)) return true;
  // The Unix socket is a file, which does not exist while the server starts.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect';
  if (error.name !== 'PostgresError') return false;
  return OF_SERVERS.test(code) || ENDS_SESSION.test(severityOf(error));
}

function severityOf(error: Error): string {
  return 'severity' in error ? String(error.severity) : '';
}
