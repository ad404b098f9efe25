import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const ROUND_PAUSE_MS = 100;
const CONNECT_SECONDS = 3;

/**
 * Where `DATABASE_URL` goes, as the driver has to be told: the address that it understands, and options of its own.
 *
 * `?host=/var/run/postgresql` is how libpq is told of the folder with the Unix socket of a server on the same machine.
 * The driver knows no such word. Through a socket the processor works a tenth less than through TCP.
 */
export function serverOf(url: string): { readonly url: string; readonly options: object } {
  const [server = '', query] = url.split('?');
  const search = new URLSearchParams(query);
  const folder = search.get('host');
  if (!folder?.startsWith('/')) return { url, options: severalHosts(url) };
  search.delete('host');
  const [, start = '', port = '5432', base = ''] = ADDRESS.exec(server) ?? [];
  return {
    // Who has an account and no host is no URL to the driver: `postgres://huella:clave@/huella`.
    url: `${start}localhost${base}?${search}`,
    options: { path: `${folder}/.s.PGSQL.${port}` },
  };
}

/** What stands before the host of a server, its port, and what follows. */
const ADDRESS = /^([a-z]+:\/\/(?:[^@/]*@)?)[^@/:]*(?::(\d+))?(\/.*)?$/i;

/**
 * What the driver needs to be told to follow a primary from one host of `DATABASE_URL` to another.
 *
 * Its `read-write` only looks at `default_transaction_read_only`, which a hot standby leaves off: it
 * would be taken for the primary. Its `primary` asks the server. And while no host takes writes it would
 * go round them without a pause; here each round waits a little, and a machine that is gone without a
 * word (its packets are lost) is given up after 3 s instead of 30.
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
 * Opens sockets to the host that served last, moving on when one ends. The driver speaks at once: what it
 * says waits in the socket until it is connected.
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
    const socket = Object.assign(new HostSocket(), host); // The driver checks the name of the certificate.
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

/** Tells of its end whatever happens to its listeners: for TLS, the driver takes all of them away. */
class HostSocket extends Socket {
  readonly atEnd: (() => void)[] = [];

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    for (const tell of this.atEnd.splice(0)) tell();
    super._destroy(error, callback);
  }
}

/** When a server that keeps its connections open and says nothing is held for gone. */
export interface Watch {
  /** How often each connection is looked at. */
  readonly everyMs: number;
  /** How long it may take to say its first byte to a new connection. */
  readonly patienceMs: number;
  /** How many times in a row it has to say nothing. */
  readonly silences: number;
}

/** A connection at the look that found it had heard something. */
interface Heard {
  readonly read: number;
  readonly sent: number;
  /**
   * What it sent last may have gone out after what it heard last, and so want an answer: until more is heard, it
   * counts as waiting.
   */
  isDoubtful: boolean;
}

const WATCH: Watch = { everyMs: 1_000, patienceMs: 3_000, silences: 3 };

/**
 * Ends the connections to a host that has stopped answering without closing them: its machine froze, or
 * its packets are lost. TCP would take a quarter of an hour to notice, and whoever asked would wait.
 *
 * A statement may rightly take long; so the host is asked apart, and only while something waits for it.
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
    for (const socket of [...open.keys()]) socket.destroy(); // The driver calls it a closed connection.
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

/** Length and code of `SSLRequest`: the question that every PostgreSQL answers with a byte, whoever asks. */
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
