import { isIP, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const ROUND_PAUSE_MS = 100;
const CONNECT_SECONDS = 3;

/**
 * `DATABASE_URL` in the form that the driver needs: an address that it understands, and options.
 *
 * `?host=/var/run/postgresql` is how libpq names the folder of the Unix socket of a server on the same machine, which
 * the driver does not understand. A socket takes a tenth less processor time than TCP.
 */
export function serverOf(url: string): { readonly url: string; readonly options: object } {
  const [server = '', query] = url.split('?');
  const search = new URLSearchParams(query);
  const folder = search.get('host');
  if (!folder?.startsWith('/')) {
    return { url, options: { ...certifiedAddress(url), ...severalHosts(url) } };
  }
  search.delete('host');
  const [, start = '', port = '5432', base = ''] = ADDRESS.exec(server) ?? [];
  return {
    // The driver rejects a URL with an account but no host: `postgres://huella:clave@/huella`.
    url: `${start}localhost${base}?${search}`,
    options: { path: `${folder}/.s.PGSQL.${port}` },
  };
}

/**
 * Options that make the driver compare a certificate with the address of a server that has no name. It would compare
 * it with «localhost».
 */
function certifiedAddress(url: string): object {
  const [server, ...others] = hostsOf(url);
  const isChecked = /[?&]sslmode=verify-/.test(url);
  return isChecked && server && others.length === 0 && isIP(server.host)
    ? { ssl: { host: server.host } }
    : {};
}

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/**
 * Why the driver would not understand an address, as the end of a sentence, or null. It would fail with the whole
 * address in its error, and take any text as a number of connections.
 */
export function problemOfAddress(url: string): string | null {
  // One of several hosts stands for all: a URL has only one.
  const one = serverOf(url).url.replace(/^([a-z]+:\/\/(?:[^@/?#]*@)?[^,/?#]*)[^/?#]*/i, '$1');
  if (!URL.canParse(one)) return UNREADABLE;
  const { username, password, hash, pathname, searchParams } = new URL(one);
  // What comes after such a sign in a password is read as another part of the address.
  if (hash || pathname.includes('@') || !isEncoded(username) || !isEncoded(password))
    return UNREADABLE;
  const max = searchParams.get('max');
  if (max !== null && !/^[1-9]\d{0,3}$/.test(max)) {
    return `max tiene que ser un número entero de 1 a 9999, no «${max}».`;
  }
  const mode = searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode)) {
    return `sslmode tiene que ser ${SSL_MODES.join(', ')}, no «${mode}».`;
  }
  return null;
}

/** The end of a sentence about an address whose parts cannot be told apart. */
export const UNREADABLE =
  'no se entiende. Los signos que en una dirección significan otra cosa se escriben en el usuario y en la clave con su código: %40 por @, %23 por #, %2F por /, %3F por ?, %3A por : y %25 por %.';

/** Whether a user or a password has no `%` that means itself. */
export function isEncoded(text: string): boolean {
  try {
    // The result is looked at: the bundler leaves out a call whose result is not used.
    return decodeURIComponent(text).length <= text.length;
  } catch {
    return false;
  }
}

/** The part before the host of a server, its port, and the rest. */
const ADDRESS = /^([a-z]+:\/\/(?:[^@/]*@)?)[^@/:]*(?::(\d+))?(\/.*)?$/i;

/**
 * Options that make the driver follow a primary from one host of `DATABASE_URL` to another.
 *
 * Its `read-write` only checks `default_transaction_read_only`, which a hot standby leaves off, so it would be taken
 * for the primary; its `primary` asks the server. While no host accepts writes, the driver would try them in turn
 * without a pause: here each round waits a little, and a machine that has silently disappeared (its packets are lost)
 * is given up after 3 s instead of 30.
 */
export function severalHosts(url: string, times: Watch = WATCH): object {
  const hosts = hostsOf(url);
  if (hosts.length < 2) return {};
  const { searchParams } = new URL(url.replace(/@[^/?]*/, '@varios'));
  const wanted = searchParams.get('target_session_attrs');
  return {
    ...(wanted === 'read-write' && { target_session_attrs: 'primary' }),
    ...(!searchParams.has('connect_timeout') && { connect_timeout: CONNECT_SECONDS }),
    socket: nextOf(hosts, times),
  };
}

interface Host {
  readonly host: string;
  readonly port: number;
}

function hostsOf(url: string): Host[] {
  const list = /^[a-z]+:\/\/(?:[^@/?]*@)?([^/?]*)/i.exec(url)?.[1] ?? '';
  return list.split(',').map((one) => {
    const [host = '', port = '5432'] = one.split(':');
    return { host, port: Number(port) };
  });
}

/**
 * Opens sockets to the host that served last, moving on to the next when one ends. The driver writes at once: its
 * data waits in the socket until it is connected.
 */
function nextOf(hosts: readonly Host[], times: Watch): () => Promise<Socket> {
  let current = 0;
  let ends = 0;
  const watchers = hosts.map((host) => watch(host, times));
  return async () => {
    if (ends >= hosts.length) {
      await sleep(ROUND_PAUSE_MS);
      ends = 0;
    }
    const mine = current;
    const host = hosts[mine] as Host;
    // The driver checks the first of these names against the certificate, and Node the other one if it is an address.
    const socket = Object.assign(new HostSocket(), host, { _host: host.host });
    watchers[mine]?.(socket);
    socket.atEnd.push(() => {
      if (mine !== current) return;
      ends += 1;
      current = (mine + 1) % hosts.length;
    });
    socket.connect(host).setNoDelay(true);
    return socket;
  };
}

/** Reports its end whatever happens to its listeners: for TLS, the driver removes all of them. */
class HostSocket extends Socket {
  readonly atEnd: (() => void)[] = [];

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    for (const tell of this.atEnd.splice(0)) tell();
    super._destroy(error, callback);
  }
}

/** When a server that keeps its connections open and says nothing counts as gone. */
export interface Watch {
  /** How often each connection is checked. */
  readonly everyMs: number;
  /** How long a new connection may take to receive its first byte. */
  readonly patienceMs: number;
  /** How many new connections in a row have to stay silent. */
  readonly silences: number;
}

/** The state of a connection at its last check. */
interface Heard {
  readonly read: number;
  readonly sent: number;
  /**
   * Its last data may have been sent after it last received something, and so may need an answer: until more is
   * received, it counts as waiting.
   */
  isDoubtful: boolean;
}

const WATCH: Watch = { everyMs: 1_000, patienceMs: 3_000, silences: 3 };

/**
 * Ends the connections to a host that has stopped answering without closing them, because its machine froze or its
 * packets are lost. TCP would take a quarter of an hour to notice, and everybody would wait.
 *
 * A statement may legitimately take long, so the host is probed separately, and only while something waits for it.
 */
function watch(host: Host, { everyMs, patienceMs, silences }: Watch): (socket: HostSocket) => void {
  const open = new Map<Socket, Heard>();
  let silent = 0;
  let isAsking = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const waiting: Heard[] = [];
    for (const [socket, last] of open) {
      const { bytesRead: read, bytesWritten: sent } = socket;
      if (read !== last.read) open.set(socket, { read, sent, isDoubtful: true });
      else if (last.isDoubtful || sent > last.sent) waiting.push(last);
    }
    if (waiting.length === 0) silent = 0;
    if (waiting.length === 0 || isAsking) return;
    isAsking = true;
    const isThere = await answers(host, patienceMs);
    isAsking = false;
    silent = isThere ? 0 : silent + 1;
    if (isThere) for (const one of waiting) one.isDoubtful = false;
    if (silent < silences) return;
    silent = 0;
    for (const socket of [...open.keys()]) socket.destroy(); // The driver treats it as a closed connection.
  }

  return (socket) => {
    open.set(socket, { read: 0, sent: 0, isDoubtful: false });
    timer ??= setInterval(() => void look(), everyMs).unref();
    socket.atEnd.push(() => {
      open.delete(socket);
      if (open.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
  };
}

/** Length and code of `SSLRequest`, to which every PostgreSQL answers with a byte, whoever asks. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

function answers({ host, port }: Host, patienceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new Socket();
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(patienceMs, () => end(false));
    socket.once('data', () => end(true));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.connect(port, host, () => socket.write(SSL_REQUEST));
  });
}
