import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long a connection that nobody uses is kept, which every answer says (`Keep-Alive: timeout=5`). Who
 * minds it closes first, so none is closed under a request; and after this long from the beginning of
 * the end, each of them has been told with an answer or has gone.
 */
export const KEPT_MS = 5_000;

export interface DrainTimes {
  /**
   * How long it still lets in whoever comes, once each: whoever shares out the requests has not
   * noticed yet that this process ends.
   */
  readonly listenMs: number;
  /** From the beginning: when those who are still there are left to their luck. */
  readonly patienceMs: number;
}

/**
 * Lets a server end without cutting anybody: it tells all that they have to go elsewhere with their
 * next answer, takes no more connections after a while, and waits until those that it has are gone.
 *
 * Closing at once what is quiet, as `Server.close` does, meets requests that are on their way: the
 * client sees its connection reset and does not know whether it was heard.
 */
export function prepareDrain(server: Server): (times: DrainTimes) => Promise<void> {
  let isDraining = false;
  server.prependListener('request', (_request, response) => {
    if (isDraining) response.shouldKeepAlive = false;
  });
  return async ({ listenMs, patienceMs }) => {
    if (!server.listening) return;
    isDraining = true;
    const signal = AbortSignal.timeout(patienceMs);
    const gone = once(server, 'close', { signal }).catch(() => undefined);
    if (listenMs > 0) await sleep(listenMs);
    await untilNobodyComes(server);
    // The one of `net`: that of `http` also closes what is quiet.
    NetServer.prototype.close.call(server);
    await gone;
  };
}

/** A turn of the loop in which nothing happened; and how long at most one is waited for. */
const QUIET_TURN_MS = 0.1;
const QUIET_PATIENCE_MS = 500;

/**
 * A turn of the loop lets in one of those who have connected, and while it answers others, the next ones come. Who stands
 * at the door when it is shut is reset: after a turn without anybody, and with nothing to do, hardly anybody does.
 */
async function untilNobodyComes(server: Server): Promise<void> {
  const end = performance.now() + QUIET_PATIENCE_MS;
  let hasCome = false;
  const note = () => {
    hasCome = true;
  };
  server.on('connection', note);
  let isQuiet = false;
  while (!isQuiet && performance.now() < end) {
    hasCome = false;
    const start = performance.now();
    await new Promise(setImmediate);
    isQuiet = !hasCome && performance.now() - start < QUIET_TURN_MS;
  }
  server.off('connection', note);
}
