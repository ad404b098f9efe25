import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Request } from '@playwright/test';

const QUIET_MS = 500;

/**
 * Follows the requests of a page from now on. Unlike Playwright's `networkidle`, which stays reached once it has been
 * reached after opening the page, this can be waited for after any action.
 *
 * @returns waits until no request has been open for half a second
 */
export function followRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let lastChange = Date.now();
  const changed = () => {
    lastChange = Date.now();
  };
  page.on('request', (request) => {
    open.add(request);
    changed();
  });
  const ended = (request: Request) => {
    open.delete(request);
    changed();
  };
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return async () => {
    changed();
    while (open.size > 0 || Date.now() - lastChange < QUIET_MS) await sleep(50);
  };
}
