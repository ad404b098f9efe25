import type { Logger } from 'pino';
import type { Sql } from '../store/sql.ts';
import type { ChannelHandler } from './listener.ts';

export type Worker = 'dispatcher' | 'mail';

/** Tells the workers, wherever they run, that something waits for them. */
export interface Waker {
  readonly wake: (worker: Worker) => void;
  /** From here on, that worker runs in this process. */
  readonly attend: (worker: Worker, wake: () => void) => void;
  /** Receives the calls of other processes, made on `WORK_CHANNEL`. */
  readonly handler: ChannelHandler;
}

export const WORK_CHANNEL = 'huella_trabajo';
const GATHER_MS = 20;

/**
 * A worker in this process is called directly; those of other processes through `notify`, once for everything within
 * 20 ms. A lost call costs little, because workers also poll.
 */
export function createWaker(sql: Sql, log: Logger): Waker {
  const local = new Map<string, () => void>();
  const gathering = new Set<Worker>();

  function tellOthers(worker: Worker): void {
    if (gathering.has(worker)) return;
    gathering.add(worker);
    setTimeout(() => {
      gathering.delete(worker);
      sql.notify(WORK_CHANNEL, worker).catch((error: unknown) => {
        log.warn({ err: error, worker }, 'the worker could not be told');
      });
    }, GATHER_MS).unref();
  }

  return {
    wake: (worker) => {
      const here = local.get(worker);
      if (here) here();
      else tellOthers(worker);
    },
    attend: (worker, wake) => {
      local.set(worker, wake);
    },
    handler: {
      onMessage: (worker) => local.get(worker)?.(),
      onReconnect: () => {
        for (const wake of local.values()) wake();
      },
    },
  };
}
