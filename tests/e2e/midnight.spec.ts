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

test('the months to compare with the AEAT begin with the present one, however long the page has been open', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const timeZone = 'Europe/Madrid';
  const now = new Date();
  const [year = 0, today = 0] = now
    .toLocaleDateString('sv-SE', { timeZone })
    .split('-')
    .map(Number);
  const lastMonth = new Date(Date.UTC(year, today - 1, 0, 12));
  const nameOf = (day: Date) =>
    day.toLocaleDateString('es-ES', { timeZone, month: 'long', year: 'numeric' });
  await enterFullCompany(page, baseURL);
  await page.clock.install({ time: lastMonth });
  await page.goto('/panel/registros');
  const month = page.getByRole('combobox', { name: 'Mes', exact: true });
  await expect(month).toHaveValue(nameOf(lastMonth));
  await page.clock.setSystemTime(now);
  await page.getByRole('link', { name: 'Acerca de' }).first().click();
  // Its address changes before it is shown, and until then the card is still there.
  await expect(page.getByRole('heading', { level: 1, name: 'Acerca de' })).toBeVisible();
  await page.goBack();
  await expect(month).toHaveValue(nameOf(now));
  // Nor does the card have to be opened again.
  await page.clock.setSystemTime(lastMonth);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(month).toHaveValue(nameOf(lastMonth));
  await page.clock.setSystemTime(now);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(month).toHaveValue(nameOf(now));
});

test.describe('in a browser of another time zone', () => {
  test.use({ timezoneId: 'Pacific/Auckland' });

  test('Inicio has the day where the company is, also past midnight', {
    tag: '@any-width',
  }, async ({ page, baseURL }) => {
    await enterFullCompany(page, baseURL);
    await page.clock.install({ time: '2026-11-20T22:30:00Z' }); // In Auckland it is the 21st.
    await page.goto('/panel/inicio');
    await expect(page.getByText('Viernes, 20 de noviembre de 2026')).toBeVisible();
    await page.clock.setSystemTime('2026-11-20T23:30:00Z');
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect(page.getByText('Sábado, 21 de noviembre de 2026')).toBeVisible();
  });
});
