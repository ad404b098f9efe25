/**
 * Mends the database driver as it is bundled (postgres 3.4.9; porsager/postgres issues 1066, 1154
 * and 1208, open since 2025). When a connection is lost
 *
 * - a statement on a reserved connection, as a transaction's is, writes to a socket that is no more,
 *   from a timer, and the exception ends the whole process: here it rejects the statement;
 * - what was about to be written stays in the way of the next connection, which never begins;
 * - a connection lost while it asks for the types of arrays, its first question, rejects a promise
 *   that nobody has: whoever waits for the connection is told all the same;
 * - or a statement fails, while a copy comes whose reader was not told of it yet, nobody listens to its failure,
 *   which ends the process: it is kept in the stream, where the reader finds it;
 * - what was being asked, and the error with which the server closed, stay behind: whoever asks for the next connection
 *   is refused with that error, and who closes the pool waits for that answer for ever;
 * - with several hosts, the first statement of a connection is never answered: the loss is held for one of a connection
 *   that is being made, of which another host is tried; and so is none of those that wait in the driver for one that
 *   is described first, on a reserved connection: here all of them are refused;
 * - whoever had it reserved can still write to it, when it is another's by now, inside their transaction, and give it
 *   back under their hands: here a reservation ends with its connection;
 * - and the server says so (FATAL) before its end of the socket is closed, whoever asks in between is refused: here the
 *   connection is over as soon as that is read, and the next one is asked.
 *
 * And of the connections that are free it takes the one used last, not each in its turn: a statement is prepared once
 * for each connection, and takes two round trips there the first time. What a query with `onCopied` copies out it gives
 * to that, as it comes (`store/copied-rows.ts`): a stream would keep pieces for later, and take as long as checking them.
 *
 * A version of the driver in which these lines are others stops the build: read them again then.
 */
const LOST = [
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
  [
    `    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
`,
    `    const asked = query
    query = results = errorResponse = null
    result = new Result()
    rows = 0
    if (initial)
      return reconnect()

    const lost = Errors.connection('CONNECTION_CLOSED', options, socket)
    stream && (stream.destroy(lost), stream = null)
    asked && queryError(asked, lost)
    while (sent.length)
      queryError(sent.shift(), lost)
`,
  ],
  ['        return fetchArrayTypes()\n', '        return fetchArrayTypes().catch(() => {})\n'],
  [
    `    stream = new Stream.Readable({
      read() { socket.resume() }
    })`,
    `    stream = new Stream.Readable({
      read() { socket && socket.resume() }
    }).on('error', () => {})`,
  ],
  [
    `  function ErrorResponse(x) {
`,
    `  function ErrorResponse(x) {
    if (!initial && parseError(x).severity === 'FATAL')
      return socket.destroy()
`,
  ],
];

const COPIED = [
  [
    '  function CopyOutResponse() {\n',
    `  function CopyOutResponse() {
    socket.onCopied = query.onCopied
    if (query.onCopied)
      return
`,
  ],
  [
    '  function CopyData(x) {\n',
    `  function CopyData(x) {
    if (query.onCopied)
      return query.onCopied(x, 0, x.length)
`,
  ],
];

const USED_LAST = [[', open = Queue()\n', ', open = Stack()\n']];

const RESERVED = [
  ['    c.reserved = () => queue.length\n', '    const mine = c.reserved = () => queue.length\n'],
  [
    '    c.reserved.release = true\n',
    `    c.reserved.release = true
    c.onclose = refuseAll(queue)
`,
  ],
  [
    `    sql.release = () => {
      c.reserved = null`,
    `    sql.release = () => {
      if (c.reserved !== mine) return
      c.reserved = c.onclose = null`,
  ],
  [
    `    function handler(q) {
      c.queue === full
        ? queue.push(q)`,
    `    function handler(q) {
      if (c.reserved !== mine) return q.reject(lost())
      c.queue === full
        ? queue.push(q)`,
  ],
];

const BEGUN = [
  [
    '      , connection\n      , prepare = null\n',
    '      , connection\n      , mine\n      , prepare = null\n',
  ],
  ['      c.reserved = () => queries.length\n', '      mine = c.reserved = () => queries.length\n'],
  [
    'connection.onclose = reject)',
    'connection.onclose = (error) => (refuseAll(queries)(error), reject(error)))',
  ],
  [
    `        c.queue === full
          ? queries.push(q)`,
    `        if (c.reserved !== mine) return q.reject(lost())
        c.queue === full
          ? queries.push(q)`,
  ],
];

const HELPERS = [
  [
    'export default Postgres\n',
    `export default Postgres

function lost() {
  return Object.assign(new Error('The connection was lost before'), { code: 'CONNECTION_CLOSED' })
}

function refuseAll(queue) {
  return (error) => {
    while (queue.length)
      queue.shift().reject(error)
  }
}

function Stack() {
  const xs = []
  return {
    get length() {
      return xs.length
    },
    remove: (x) => xs.includes(x) ? xs.splice(xs.indexOf(x), 1)[0] : null,
    push: (x) => (xs.push(x), x),
    shift: () => xs.pop()
  }
}
`,
  ],
];

const CHANGES = {
  'connection.js': [...LOST, ...COPIED],
  'index.js': [...USED_LAST, ...RESERVED, ...BEGUN, ...HELPERS],
};

/** A file of the driver with its changes; null for any other file. */
function guarded(code, id) {
  const file = /\/node_modules\/postgres\/src\/(\w+\.js)$/.exec(id)?.[1] ?? '';
  if (!Object.hasOwn(CHANGES, file)) return null;
  return CHANGES[file].reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) {
      throw new Error('The driver has changed: see scripts/guard-postgres.mjs');
    }
    return text.replace(from, () => to);
  }, code);
}

/** Plugin of Vite, for what is built and for the tests. */
export const guardPostgres = () => ({ name: 'guard-postgres', transform: guarded });

/** Hook of Node, for what runs from its sources (`module.register`, in run.mjs). */
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  const source = guarded(String(loaded.source ?? ''), url);
  return source === null ? loaded : { ...loaded, source };
}
