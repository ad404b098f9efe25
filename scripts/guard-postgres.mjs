/**
 * Mends the database driver as it is bundled (postgres 3.4.9; porsager/postgres issues 1066, 1154
 * and 1208, open since 2025): when a connection is lost
 *
 * - a statement on a reserved connection, as a transaction's is, writes to a socket that is no more,
 *   from a timer, and the exception ends the whole process: here it rejects the statement;
 * - what was about to be written stays in the way of the next connection, which never begins;
 * - a connection lost while it asks for the types of arrays, its first question, rejects a promise
 *   that nobody has: whoever waits for the connection is told all the same.
 *
 * A version of the driver in which these lines are others stops the build: read them again then.
 */
const CHANGES = [
  [
    `  function nextWrite(fn) {
    const x = socket.write(chunk, fn)`,
    `  function nextWrite(fn) {
    if (socket === null) {
      clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      return false
    }
    const x = socket.write(chunk, fn)`,
  ],
  [
    `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)`,
    `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)`,
  ],
  ['        return fetchArrayTypes()\n', '        return fetchArrayTypes().catch(() => {})\n'],
];

/** Plugin of Vite. */
export function guardPostgres() {
  return {
    name: 'guard-postgres',
    transform(code, id) {
      if (!id.endsWith('/node_modules/postgres/src/connection.js')) return null;
      return CHANGES.reduce((text, [from, to]) => {
        if (text.split(from).length !== 2) {
          throw new Error('The driver has changed: see scripts/guard-postgres.mjs');
        }
        return text.replace(from, () => to);
      }, code);
    },
  };
}
