import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/**
 * Lets a server end without cutting anybody: it takes no more connections, and tells those that it has
 * to go elsewhere with their next answer. Waits until they are gone, or `patienceMs`.
 *
 * Closing at once what is quiet, as `Server.close` does, meets requests that are on their way: the
 * client sees its connection reset and does not know whether it was heard.
 */
export function prepareDrain(server: Server): (patienceMs: number) => Promise<void> {
  let isDraining = false;
  server.prependListener('request', (_request, response) => {
    if (isDraining) response.shouldKeepAlive = false;
  });
  return async (patienceMs) => {
    if (!server.listening) return;
    isDraining = true;
    const signal = AbortSignal.timeout(patienceMs);
    const gone = once(server, 'close', { signal }).catch(() => undefined);
    // The one of `net`: that of `http` also closes what is quiet.
    NetServer.prototype.close.call(server);
    await gone;
  };
}
