/**
 * Mends the database driver as it is bundled (postgres 3.4.9; porsager/postgres issues 1066, 1154
 * and 1208, open since 2025). What the driver does when a connection is lost, and what it does here:
 *
 * - A statement on a reserved connection, as those of a transaction, is written from a timer to a socket that is
 *   null, and the exception ends the process. Here the statement is rejected.
 * - A chunk that was waiting to be written stays, and the next connection never begins. Here it is dropped.
 * - A connection lost at its first question, the types of arrays, rejects a promise that nobody holds. That rejection
 *   is caught here: whoever waits for the connection is told in another way.
 * - A copy whose reader does not listen yet emits an `error` that ends the process, also when its statement fails.
 *   Here the stream listens, and the reader finds the error in it.
 * - The statement being asked and the server's last error stay in the connection: the next one to use it is refused
 *   with that error, and closing the pool waits for ever for the old answer. Here both are cleared.
 * - With several hosts, the loss is taken for that of a connection being made, for which another host is tried: its
 *   first statement is never answered. Nor are those that wait in the queue of a reserved connection. Here all of
 *   them are rejected.
 * - Whoever had it reserved can still write to it when it is another's by then, inside that transaction, and can
 *   release it. Here a reservation ends with its connection.
 * - Who waits for a connection of its own is in a queue, and is forgotten when the one being made for it is lost before
 *   its types of arrays are read: it waits for ever. Refused, it stays in the queue, and the next connection goes to it
 *   and to nobody else any more. Here it stays in the queue until it is served, or refused.
 * - Between the server's FATAL and the end of its socket, new statements are still sent there and refused. Here the
 *   socket is destroyed as soon as FATAL is read, and they go to the next connection.
 *
 * Three changes are for speed. Of the free connections the one used last is taken, not each in turn: a statement is
 * prepared once for each connection, with two round trips that first time. And a query with `onCopied` is given what
 * it copies out as it comes (`store/copied-rows.ts`): a stream would buffer the pieces, which takes as long as checking them. And no
 * function of a statement or of a reservation is written where it becomes a property (`x.f = () => …`): V8 puts those
 * where only a collection of the whole heap finds them dead, and all that they refer to survives with them, here each
 * statement with its texts and its rows (decision 1100).
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
  [
    `        const query = { reserve: resolve, reject }
`,
    `        const query = {
          reserve: resolve,
          reject: (error) => (queries.remove(query), reject(error))
        }
`,
  ],
  [
    `    queries.length && connect(c, queries.shift())
`,
    `    if (queries.length) {
      const next = queries.shift()
      next.reserve && queries.push(next)
      connect(c, next)
    }
`,
  ],
  ['    c.reserved = () => queue.length\n', '    const mine = () => queue.length\n'],
  [
    '    c.reserved.release = true\n',
    `    mine.release = true
    c.reserved = mine
    c.onclose = refuseAll(queue)
`,
  ],
  [
    `    sql.release = () => {
      c.reserved = null
      onopen(c)
    }
`,
    `    const release = () => {
      if (c.reserved !== mine) return
      c.reserved = c.onclose = null
      onopen(c)
    }
    sql.release = release
`,
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
  [
    `      c.reserved = () => queries.length
        ? c.execute(queries.shift())
        : move(c, reserved)
`,
    `      mine = () => queries.length
        ? c.execute(queries.shift())
        : move(c, reserved)
      c.reserved = mine
`,
  ],
  [
    `        new Promise((_, reject) => connection.onclose = reject)
`,
    `        new Promise((_, reject) => {
          const lose = (error) => (refuseAll(queries)(error), reject(error))
          connection.onclose = lose
        })
`,
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

const SETTLED = [
  [
    `    this.resolve = x => (this.active = false, resolve(x))
    this.reject = x => (this.active = false, reject(x))
`,
    `    const resolved = x => (this.active = false, resolve(x))
    const rejected = x => (this.active = false, reject(x))
    this.resolve = resolved
    this.reject = rejected
`,
  ],
];

const CHANGES = {
  'query.js': SETTLED,
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
