import type { Page } from '@playwright/test';

const CHECK = '**/api/Auth/RefreshToken';

/**
 * Holds back the checks of the session that clicks make, as a slow connection does.
 *
 * @returns lets them go, and waits until the page has had time to do something about the answer
 */
export async function holdChecks(page: Page): Promise<() => Promise<void>> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
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
