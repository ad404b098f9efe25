import type { Sql } from '../store/sql.ts';
import type { ChannelHandler } from './listener.ts';

const SETTING = 'clock_offset_seconds';
export const CLOCK_CHANNEL = 'huella_reloj';
const RETRY_MS = 500;
/** Fifty years: later, days and expiries leave the range of their columns. */
const MAX_AHEAD_SECONDS = 1_576_800_000;

/** The application's clock: the real one, plus an offset that only development can move. */
export interface AppClock {
  readonly now: () => Date;
  /** Seconds ahead of the real time. */
  readonly offsetSeconds: () => number;
  /** Moves the clock of every process that shares the database; false, and nothing moves, when it is too far. */
  readonly advance: (seconds: number) => Promise<boolean>;
  /** Follows changes made by other processes, announced on `CLOCK_CHANNEL`. */
  readonly handler: ChannelHandler;
}

/**
 * Reads the offset from the database and follows changes made by other processes.
 *
 * It allows testing the expiry of subscriptions, sessions and codes without waiting.
 */
export async function openClock(sql: Sql): Promise<AppClock> {
  let offsetSeconds = 0;
  const load = async () => {
    const [row] = await sql<{ value: number }[]>`
      select value from app_settings where key = ${SETTING}`;
    offsetSeconds = Number(row?.value ?? 0);
  };
  const reload = () => {
    load().catch(() => setTimeout(reload, RETRY_MS).unref());
  };
  await load();
  return {
    now: () => new Date(Date.now() + offsetSeconds * 1000),
    offsetSeconds: () => offsetSeconds,
    advance: async (seconds) => {
      if (seconds > MAX_AHEAD_SECONDS) return false;
      const [row] = await sql<{ value: number }[]>`
        insert into app_settings (key, value) values (${SETTING}, to_jsonb(${seconds}::int))
            on conflict (key) do update
           set value = to_jsonb((app_settings.value)::int + ${seconds}::int)
         where (app_settings.value)::bigint + ${seconds}::int <= ${MAX_AHEAD_SECONDS}
     returning value`;
      if (!row) return false;
      offsetSeconds = Number(row.value);
      await sql.notify(CLOCK_CHANNEL, '');
      return true;
    },
    handler: { onMessage: reload, onReconnect: reload },
  };
}

/** In production the clock is the machine's. */
export const realClock = (): Date => new Date();
