import { expect, type Page, test } from '@playwright/test';
import { enterFullCompany } from '../support/signed-in.ts';

const dayAfter = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('es-ES', {
    timeZone: 'Europe/Madrid',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  });

/** Focuses the window some days later: only the clock of the page moves. */
async function wakeAfter(page: Page, days: number): Promise<void> {
  await page.clock.setSystemTime(Date.now() + days * 86_400_000);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
}

test('a form open past midnight changes to the new day, unless its date was edited', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.clock.install();
  await page.goto('/panel/crear');
  const date = page.getByLabel('Fecha', { exact: true });
  await expect(date).toHaveValue(dayAfter(0));
  await wakeAfter(page, 1);
  await expect(date).toHaveValue(dayAfter(1));
  await expect(page.getByText('Ya es otro día')).toBeVisible();
  await wakeAfter(page, 2);
  await expect(date).toHaveValue(dayAfter(2));
  await date.fill(dayAfter(-1));
  await wakeAfter(page, 3);
  await expect(date).toHaveValue(dayAfter(-1));
});
