import postgres from 'postgres';
import { type DatabaseAddress, isPooled } from './database.ts';
import { serverOf } from './hosts.ts';

/** What to do with notifications on a channel. */
export interface ChannelHandler {
  readonly onMessage: (payload: string) => void;
  /** Called when listening begins, and after each lost connection: check what was missed. */
  readonly onReconnect?: () => void;
}

/** Receives what other processes announce through the database (`notify`). */
export interface Listener {
  readonly close: () => Promise<void>;
}

const CHECK_MS = 1000;

/**
 * One connection that listens on the channels of `handlers`.
 *
 * The driver's own `listen` silently gives up when the server refuses it during recovery. So this checks every second
 * which connection it is on, and listens again when that has changed.
 *
 * Behind a pgbouncer nothing can be received, and every answer may come from another connection: there it opens none.
 */
export function openListener(
  address: DatabaseAddress,
  handlers: Readonly<Record<string, ChannelHandler>>,
): Listener {
  const { url, options } = serverOf(address.url);
  if (isPooled(url)) return { close: async () => undefined };
  const sql = postgres(url, {
    max: 1,
    ...options,
    max_lifetime: null,
    fetch_types: false,
    connection: { application_name: 'huella-oyente' },
    onnotice: () => {},
    ...onNotify(handlers),
  });
  let backend = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    if (!row || row.pid === backend) return;
    for (const channel of Object.keys(handlers)) await sql`listen ${sql(channel)}`;
    backend = row.pid;
    for (const { onReconnect } of Object.values(handlers)) onReconnect?.();
  }

  async function keepListening(): Promise<void> {
    await check().catch(() => undefined); // The database is away; it may be back next time.
    if (!isClosed) timer = setTimeout(keepListening, CHECK_MS).unref();
  }

  void keepListening();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await sql.end({ timeout: 1 });
    },
  };
}

/** The option behind the driver's `listen`, which its types leave out. */
function onNotify(handlers: Readonly<Record<string, ChannelHandler>>): object {
  return { onnotify: (channel: string, payload: string) => handlers[channel]?.onMessage(payload) };
}
