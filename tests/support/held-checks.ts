import type { Page } from '@playwright/test';
import { untilLetGo } from './until-let-go.ts';

const CHECK = '**/api/Auth/RefreshToken';

/**
 * Holds back the checks of the session that clicks make, as a slow connection does.
 *
 * @returns lets them go, and waits until the page has had time to do something about the answer
 */
export async function holdChecks(page: Page): Promise<() => Promise<void>> {
  const { held, release: letGo } = untilLetGo();
  await page.route(CHECK, async (route) => {
    await held;
    await route.continue();
  });
  const checked = page.waitForResponse(CHECK);
  return async () => {
    letGo();
    await (await checked).finished();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    await page.unroute(CHECK);
  };
}
