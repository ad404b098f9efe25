/** What Node says of a connection that cannot be opened or went away, and the driver of one that it lost. */
const OF_CONNECTIONS = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED', 'CONNECT_TIMEOUT'],
]);

/**
 * What PostgreSQL says while it starts, stops or has no place for another: connection exceptions (class 08),
 * operator intervention (57P01 to 57P03), too_many_connections, and read_only_sql_transaction, which is how
 * a server answers that is not the primary any more. Source: PostgreSQL 18, appendix A.
 */
const OF_SERVERS = /^(08\w{3}|57P0[1-3]|53300|25006)$/;

/**
 * Whether a statement failed for want of disk or memory (class 53 of PostgreSQL, without its
 * connections): nothing of its transaction was kept.
 */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^53[124]00$/.test(String(error.code));
}

/**
 * Whether the database gave a statement up, because it waited too long for a lock (55P03), took too long (57014) or
 * waited for somebody who waited for it (40P01): nothing of its transaction was kept.
 */
export function isGivenUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(55P03|57014|40P01)$/.test(`${error.code}`);
}

/** Whether a statement failed because the database is away, not for what was asked of it. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const code = String(error.code);
  if (OF_CONNECTIONS.has(code)) return true;
  // Its socket is a file, which is not there while the server starts.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect';
  return error.name === 'PostgresError' && OF_SERVERS.test(code);
}
