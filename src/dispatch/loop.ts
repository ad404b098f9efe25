import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps, Runtime } from '../deps.ts';
import { createAlarm } from '../operations/alarm.ts';
import { isDatabaseAway } from '../store/database-away.ts';
import { findDue } from '../store/despachos.ts';
import { answerWithin } from '../store/sql.ts';
import { AeatClient } from './aeat-client.ts';
import { createPace } from './pace.ts';
import { retrySeconds } from './policy.ts';
import { TurnFailed, takeTurn } from './turn.ts';

export interface Dispatcher {
  /** An invoice was registered, so something may be due: look now instead of at the next tick. */
  readonly wake: () => void;
  /** Lets the exchanges under way finish, cuts them off after `graceMs`, and ends. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

/** How often it looks for companies that are due, when nobody wakes it. */
const TICK_MS = 500;
const COMPANIES_PER_LOOK = 50;
const SIDE_BY_SIDE = 8;
const ERROR_PAUSE_MS = 1000;
const LONGEST_LOOK_MS = 30_000;

/** The pause of a company whose turn failed when the failure could not be written to the database. */
interface Rest {
  readonly failures: number;
  /** On the monotonic clock, which is never set back. */
  readonly until: number;
}

/**
 * Sends what waits, company by company: one sender per cadena, in order; different companies side by side, each at
 * the pace the AEAT asks for (Orden HAC/1177/2024 art. 16.2). Nothing is sent from inside a request. Any number of
 * dispatchers may share a database: a lease per company keeps them apart.
 */
export function startDispatcher(
  deps: Deps,
  runtime: Runtime,
  client: AeatClient = new AeatClient(runtime),
): Dispatcher {
  const abort = new AbortController();
  const pace = createPace();
  const turnDeps = { ...deps, client, pace, signal: abort.signal };
  const underWay = new Map<number, Promise<void>>();
  const resting = new Map<number, Rest>();
  let isStopping = false;
  let alarm = createAlarm();

  async function run(): Promise<void> {
    while (!isStopping) {
      const started = await look().catch(async (error: unknown) => {
        deps.log.error({ err: error }, 'the dispatcher could not look for work');
        await sleep(ERROR_PAUSE_MS);
        return 0;
      });
      if (started === 0) await alarm.ring(TICK_MS);
      alarm = createAlarm();
    }
  }

  /**
   * Starts turns for the companies that are due, as far as there are free slots.
   *
   * @returns how many it started
   */
  async function look(): Promise<number> {
    const free = SIDE_BY_SIDE - underWay.size;
    if (free <= 0) return 0;
    const due = await answerWithin(LONGEST_LOOK_MS, () =>
      findDue(deps.sql, deps.aheadSeconds(), COMPANIES_PER_LOOK + resting.size),
    );
    const companies = due
      .filter((companyId) => !underWay.has(companyId) && !isResting(companyId))
      .slice(0, free);
    for (const companyId of companies) {
      const turn = takeTurn(turnDeps, companyId)
        .then(() => {
          resting.delete(companyId);
        })
        .catch((error: unknown) => {
          deps.log.error({ err: error, companyId }, 'a turn of the dispatch failed');
          rest(companyId, error);
        })
        .finally(() => {
          underWay.delete(companyId);
          alarm.now();
        });
      underWay.set(companyId, turn);
    }
    return companies.length;
  }

  function isResting(companyId: number): boolean {
    const { until } = resting.get(companyId) ?? { until: 0 };
    return until > performance.now();
  }

  /**
   * A pause in the database already delays the next turn, and lets a person end it early: only others are kept here.
   */
  function rest(companyId: number, error: unknown): void {
    const wasTaken = error instanceof TurnFailed;
    if (wasTaken && error.isNoted) {
      resting.delete(companyId);
      return;
    }
    const before = resting.get(companyId)?.failures ?? 0;
    const failures = wasTaken ? before + 1 : before;
    // A turn that could not be taken has sent nothing.
    const pause = wasTaken ? pauseAfter(failures, error) : ERROR_PAUSE_MS;
    resting.set(companyId, { failures, until: performance.now() + pause });
  }

  const running = run();
  return {
    wake: () => {
      pace.heardRegistering();
      alarm.now();
    },
    stop: async (graceMs = 5000) => {
      isStopping = true;
      pace.hurry();
      alarm.now();
      await running;
      const turns = Promise.all(underWay.values());
      const timer = setTimeout(() => abort.abort(), graceMs);
      await turns;
      clearTimeout(timer);
      await client.close();
    },
  };
}

/**
 * @returns milliseconds; a database that was away is no fault of the message, but a message that was sent is followed by
 *   the wait that the AEAT asks for all the same
 */
function pauseAfter(failures: number, { cause, waitMs }: TurnFailed): number {
  const wasDatabaseAway = isDatabaseAway(cause);
  return Math.max(retrySeconds(failures, Math.random(), { wasDatabaseAway }) * 1000, waitMs);
}
