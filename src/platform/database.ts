import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { answerWithin, NoAnswer, type Sql } from '../store/sql.ts';
import { serverOf } from './hosts.ts';
import { oneMemorySocket } from './one-memory-socket.ts';
import { StartError } from './start-error.ts';

export interface DatabaseAddress {
  /**
   * `postgres://user:password@host:port/base`; several hosts are separated by commas. The query string takes the
   * driver's options (`prepare=false` for a pgbouncer in transaction mode, `max` connections, `target_session_attrs`,
   * `sslmode`), and `host=/folder` for a Unix socket, which replaces the host.
   */
  readonly url: string;
}

const CONNECTIONS = 16;
const OLDEST_SERVER = 15;
/** How long one attempt of {@link waitForDatabase} may take: a firewall that drops packets gives no answer at all. */
const ATTEMPT_MS = 5_000;
const DATE_OID = 1082;

/**
 * A pool of connections. It opens nothing until the first query, and reconnects by itself.
 *
 * `int8` is read as `bigint`, `numeric` and `date` as text (`'121.00'`, `'2026-11-20'`), `timestamptz` as `Date`:
 * money and days never become floats or hours.
 */
export function openDatabase(address: DatabaseAddress): Sql {
  const { url, options } = serverOf(address.url);
  return postgres(url, {
    max: connectionsOf(url),
    ...options,
    connection: { application_name: 'huella', ...sessionSettings(url) },
    // The driver's own delay grows to 20 s: a database that is back would seem to be down.
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 0.25),
    onnotice: () => {},
    types: { bigint: postgres.BigInt, date: plainDate },
  }) as unknown as Sql;
}

/**
 * A pool for copying many rows out (`eachCopied`): each connection reads into a single buffer (`oneMemorySocket`).
 * With TLS or several hosts, it reads as usual.
 */
export function openToCopy(address: DatabaseAddress): Sql {
  const sql = openDatabase(address);
  const { ssl, socket, path, host, port } = sql.options as unknown as DriverOptions;
  if (ssl || socket) return sql;
  const place = path ? { path } : { host: host[0] ?? '', port: port[0] ?? 0 };
  const options = { ...sql.options, socket: () => oneMemorySocket(place) };
  return postgres(options as object) as unknown as Sql;
}

/** The driver's (postgres 3.4.9, pinned) interpretation of its address. */
interface DriverOptions {
  readonly ssl: unknown;
  readonly socket?: unknown;
  readonly path: string | false;
  readonly host: readonly string[];
  readonly port: readonly number[];
}

/**
 * One more connection to the same place as the pool, whatever the pool's size. It opens with the first query, and the
 * caller has to end it.
 */
export function openBeside(sql: Sql): Sql {
  // The driver accepts its own parsed options: it opens the connection that listens in this way.
  return postgres({ ...sql.options, max: 1 } as object) as unknown as Sql;
}

/**
 * Settings of each session. If a process goes silent in a transaction, its locks are released after a minute;
 * otherwise the head of a cadena would be locked until TCP notices. JIT is off: our queries are short, and compiling
 * them, PostgreSQL's default, makes a list take ten times as long. A pgbouncer refuses settings that it does not
 * know: there they belong in the server's own configuration.
 */
function sessionSettings(url: string): Record<string, string | number> {
  if (isPooled(url)) return {};
  return { idle_in_transaction_session_timeout: 60_000, jit: 'off' };
}

/**
 * Whether there is a pgbouncer in transaction mode in between, which `prepare=false` indicates: each transaction may
 * use another connection to the server, so nothing that belongs to a connection survives.
 */
export function isPooled(url: string): boolean {
  return /[?&]prepare=false(&|$)/.test(url);
}

/** Replaces the driver's reading of `date` as a moment in a time zone. */
const plainDate = {
  to: DATE_OID,
  from: [DATE_OID],
  parse: (text: string) => text,
  serialize: (text: string) => text,
};

/** The driver would use the text of `?max=` as the number of connections. */
function connectionsOf(url: string): number {
  const max = Number(/[?&]max=(\d+)/.exec(url)?.[1] ?? CONNECTIONS);
  return max >= 1 ? max : CONNECTIONS;
}

/**
 * Waits until the server accepts a query, and checks that it is one that we support. `onWaiting` is called once, if
 * there is something to wait for.
 *
 * @throws {StartError} when it refuses us, is too old or not in UTF-8, or does not answer within `patienceSeconds`
 */
export async function waitForDatabase(
  sql: Sql,
  patienceSeconds: number,
  onWaiting: (error: unknown) => void = () => {},
): Promise<void> {
  const deadline = Date.now() + patienceSeconds * 1000;
  let known: unknown = null;
  for (;;) {
    try {
      const left = Math.max(1, deadline - Date.now());
      const [row] = await answerWithin(
        Math.min(left, ATTEMPT_MS),
        () => sql<{ version: string; encoding: string; source: string }[]>`
        select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
               (select source from pg_settings where name = 'jit') as source`,
      );
      const major = Math.floor(Number(row?.version) / 10_000);
      if (major < OLDEST_SERVER) {
        throw new StartError(
          `La base de datos es PostgreSQL ${major}: hace falta la ${OLDEST_SERVER} o una posterior.`,
        );
      }
      if (row?.encoding !== 'UTF8') {
        throw new StartError(
          `La base de datos guarda los textos en ${row?.encoding}, donde no cabe todo lo que lleva una factura: créala con encoding 'UTF8'.`,
        );
      }
      const isDropped = 'jit' in sql.options.connection && row.source !== 'client';
      if (isDropped && (await answerWithin(ATTEMPT_MS, () => changesConnections(sql)))) {
        throw withoutPrepare();
      }
      return;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal) throw refusal;
      if (known === null) onWaiting(error);
      if (Date.now() > deadline) {
        // The last attempt may have been too short to learn the reason.
        const cause = known ?? error;
        throw new StartError(silenceOf(cause), { cause });
      }
      known = error;
      await sleep(200);
    }
  }
}

/** Tries of {@link changesConnections}: others may use the same pgbouncer meanwhile. */
const TRIES = 3;

/**
 * Whether what answers one connection of ours depends on what the others do: there is a pgbouncer in transaction mode
 * in between. Asked only if the settings of the session did not arrive, which one in session mode may drop too.
 */
async function changesConnections(sql: Sql): Promise<boolean> {
  const [one, other] = [openBeside(sql), openBeside(sql)];
  const behind = async (connection: Pick<Sql, 'unsafe'>) => {
    const [row] = await connection.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid');
    return row?.pid;
  };
  try {
    for (let i = 0; i < TRIES; i++) {
      const before = await behind(one);
      const now = await other.begin(async (tx) => {
        // Takes the connection that is free, which was that of `one`.
        await behind(tx);
        return behind(one);
      });
      if (now !== before) return true;
    }
    return false;
  } finally {
    await Promise.all([one.end({ timeout: 0 }), other.end({ timeout: 0 })]);
  }
}

function withoutPrepare(): StartError {
  return new StartError('DATABASE_URL lleva a un pgbouncer: añádele ?prepare=false.');
}

function silenceOf(error: unknown): string {
  if (error instanceof NoAnswer) {
    return 'La base de datos no responde: revisa DATABASE_URL, y que ningún cortafuegos separe su servidor de esta máquina.';
  }
  const { message } = error as Error;
  // A server without TLS closes the connection; so does one that is just ending.
  const isWithoutTls = message.includes('before secure TLS connection');
  return isWithoutTls
    ? 'La base de datos corta la conexión sin llegar a cifrarla: probablemente su servidor no tiene TLS (ssl = on), que pide el sslmode de DATABASE_URL.'
    : `La base de datos no responde (${message}): revisa DATABASE_URL.`;
}

/** Node's codes for a certificate that it does not trust. */
const UNTRUSTED =
  /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET_ISSUER)|CERT_HAS_EXPIRED|CERT_ALTNAME_INVALID/;

/** Failures that waiting longer would not fix. */
function refusalOf(error: unknown): StartError | null {
  if (error instanceof StartError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (UNTRUSTED.test(code)) {
    return new StartError(
      `No se puede comprobar el certificado de la base de datos (${message}): su autoridad se da en NODE_EXTRA_CA_CERTS, y el servidor se nombra como dice el certificado.`,
    );
  }
  switch (code) {
    case '08P01':
      return message.includes('unsupported startup parameter') ? withoutPrepare() : null;
    case '26000': // What was prepared a moment ago was prepared in another connection.
      return withoutPrepare();
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return new StartError(
        'El servidor de DATABASE_URL no tiene TLS, que pide su sslmode: actívalo allí, o quita sslmode.',
      );
    case '28P01':
      return new StartError('La base de datos no acepta el usuario o la clave de DATABASE_URL.');
    case '28000': // Also for who comes without TLS where it is asked for.
      return new StartError(`La base de datos no deja entrar con DATABASE_URL: ${message}.`);
    case '42704': // What the driver does not know travels to the server.
      return new StartError(`DATABASE_URL pide algo que no existe: ${message}.`);
    case '3D000':
      return new StartError('La base de datos que nombra DATABASE_URL no existe: créala antes.');
    case 'ENOTFOUND':
      return new StartError('No se encuentra el servidor que nombra DATABASE_URL.');
    default:
      return null;
  }
}
