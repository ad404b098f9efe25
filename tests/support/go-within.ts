import { expect, type Page } from '@playwright/test';

/**
 * Goes to another address of the panel as its links do. Loading the page again would take over a second of the
 * processor. As text, because this folder's types know no browser.
 */
export async function goWithin(page: Page, path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await page.evaluate(`{
    history.pushState({}, '', ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  }`);
}
