import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long an idle connection may be used again, as every answer announces (`Keep-Alive: timeout=5`). A client that
 * respects it closes first, so no connection is closed while a request is on its way. This long after draining begins,
 * every such client has either been told with an answer or gone away.
 */
export const ANNOUNCED_MS = 5_000;
/**
 * How long it is kept for those that do not read that: proxies and load balancers, which close it after 60 s if they
 * are not told otherwise. One that we closed first would lose the request that it sends at that moment.
 */
const KEPT_MS = 65_000;

export interface DrainTimes {
  /**
   * How long new connections are still accepted, for one request each: the load balancer has not noticed yet that
   * this process is ending.
   */
  readonly listenMs: number;
  /** From the beginning: when the remaining connections are cut off. */
  readonly patienceMs: number;
}

/**
 * Lets a server end without cutting anybody off: its next answer on each connection tells the client to go elsewhere,
 * after a while it accepts no more connections, and it waits until those that it has are gone.
 *
 * Closing idle connections at once, as `Server.close` does, meets requests that are on their way: the client sees its
 * connection reset and does not know whether its request was processed.
 */
export function prepareDrain(server: Server): (times: DrainTimes) => Promise<void> {
  let isDraining = false;
  server.keepAliveTimeout = KEPT_MS;
  server.prependListener('request', (_request, response) => {
    if (isDraining) response.shouldKeepAlive = false;
    if (response.shouldKeepAlive) {
      response.setHeader('keep-alive', `timeout=${ANNOUNCED_MS / 1000}`);
    }
  });
  return async ({ listenMs, patienceMs }) => {
    if (!server.listening) return;
    isDraining = true;
    const signal = AbortSignal.timeout(patienceMs);
    const gone = once(server, 'close', { signal }).catch(() => undefined);
    if (listenMs > 0) await sleep(listenMs);
    await untilNobodyComes(server);
    // That of `net`, because that of `http` also closes idle connections.
    NetServer.prototype.close.call(server);
    await gone;
  };
}

/** A turn of the event loop shorter than this had nothing to do; and the longest time to wait for one. */
const QUIET_TURN_MS = 0.1;
const QUIET_PATIENCE_MS = 500;

/**
 * Each turn of the event loop accepts pending connections, and while it answers some, others arrive. Connections
 * pending when the socket closes are reset; after a turn without new ones and without work there are hardly any.
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
