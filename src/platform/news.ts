import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Sql } from '../store/sql.ts';
import type { ChannelHandler } from './listener.ts';

/** Tells held calls of a company that something its screens show has changed. */
export interface News {
  /**
   * Call it after the commit, because the listeners read at once. Never inside a transaction, whose commit it would
   * queue.
   */
  readonly tell: (companyId: number) => void;
  /** Null when the session or company already holds as many calls as it may, and while the process ends. */
  readonly listen: (companyId: number, sid: string) => Listening | null;
  /** Releases all held calls, and holds no more: the process is ending. */
  readonly release: () => void;
  /** Waits until other processes have been told everything, as long as the database is there. */
  readonly close: () => Promise<void>;
  /** Receives what other processes announce on `NEWS_CHANNEL`. */
  readonly handler: ChannelHandler;
}

/** One held call. It receives everything told since it began, even while it is busy reading. */
export interface Listening {
  /** Whether something was told within that time; also false after it was released. */
  readonly told: (milliseconds: number) => Promise<boolean>;
  readonly leave: () => void;
}

interface Listener extends Listening {
  readonly sid: string;
  readonly wake: () => void;
}

export const NEWS_CHANNEL = 'huella_novedades';
/** Each announcement is a small commit of its own, and nobody would notice it sooner. */
const GATHER_MS = 100;
/** Ten digits and a comma each: PostgreSQL allows less than 8,000 bytes per notification. */
const COMPANIES_IN_ONE = 700;
const MOST_OF_SESSION = 8;
const MOST_OF_COMPANY = 32;

/**
 * Listeners in this process are told directly; other processes by `pg_notify`, in one statement for all companies
 * with changes within a tenth of a second. A lost notification costs little: a held call reads again when its time is
 * over, and what it compares is in the database.
 */
export function createNews(sql: Sql, log: Logger): News {
  const listeners = new Map<number, Set<Listener>>();
  const untold = new Set<number>();
  let isTelling = false;
  let telling = Promise.resolve();
  let isEnding = false;

  function tellHere(companyId: number): void {
    for (const { wake } of listeners.get(companyId) ?? []) wake();
  }

  function everyone(act: (listener: Listener) => void): void {
    for (const ofCompany of [...listeners.values()]) for (const one of [...ofCompany]) act(one);
  }

  async function tellOthers(): Promise<void> {
    isTelling = true;
    while (untold.size > 0) {
      await sleep(GATHER_MS, undefined, { ref: false });
      const companyIds = [...untold];
      untold.clear();
      await tellProcesses(sql, companyIds).catch((error: unknown) =>
        log.warn({ err: error }, 'screens of other processes could not be told'),
      );
    }
    isTelling = false;
  }

  return {
    tell(companyId) {
      tellHere(companyId);
      untold.add(companyId);
      if (!isTelling) telling = tellOthers();
    },
    listen(companyId, sid) {
      const held = listeners.get(companyId) ?? new Set();
      const ofSession = [...held].filter((one) => one.sid === sid).length;
      if (isEnding || held.size >= MOST_OF_COMPANY || ofSession >= MOST_OF_SESSION) return null;
      const listener = createListener(sid, () => {
        if (held.delete(listener) && held.size === 0) listeners.delete(companyId);
      });
      listeners.set(companyId, held.add(listener));
      return listener;
    },
    release() {
      isEnding = true;
      everyone(({ leave }) => leave());
    },
    close: () => telling,
    handler: {
      onMessage: (payload) => {
        for (const companyId of payload.split(',')) tellHere(Number(companyId));
      },
      onReconnect: () => everyone(({ wake }) => wake()),
    },
  };
}

/** Tells the processes that serve screens. For processes that serve none, such as an administrator's command. */
export async function tellProcesses(sql: Sql, companyIds: readonly number[]): Promise<void> {
  const payloads = payloadsOf(companyIds);
  await sql`select pg_notify(${NEWS_CHANNEL}, ids) from unnest(${payloads}::text[]) as t (ids)`;
}

function createListener(sid: string, forget: () => void): Listener {
  let wasTold = false;
  let hasLeft = false;
  let waiting: AbortController | null = null;
  return {
    sid,
    wake() {
      wasTold = true;
      waiting?.abort();
    },
    leave() {
      hasLeft = true;
      waiting?.abort();
      forget();
    },
    async told(milliseconds) {
      if (!wasTold && !hasLeft) {
        waiting = new AbortController();
        await sleep(Math.max(0, milliseconds), undefined, { signal: waiting.signal }).catch(
          () => undefined,
        );
        waiting = null;
      }
      const isNews = wasTold && !hasLeft;
      wasTold = false;
      return isNews;
    },
  };
}

/** @returns ids separated by commas, in as many texts as needed */
function payloadsOf(companyIds: readonly number[]): string[] {
  const payloads: string[] = [];
  for (let first = 0; first < companyIds.length; first += COMPANIES_IN_ONE) {
    payloads.push(companyIds.slice(first, first + COMPANIES_IN_ONE).join(','));
  }
  return payloads;
}
