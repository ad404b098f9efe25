import { expect, type Page, test } from '@playwright/test';
import { enter, enterFullCompany } from '../support/signed-in.ts';

test('two devices on one draft: the second is told, nothing is overwritten', {
  tag: '@any-width',
}, async ({ page, browser, baseURL }) => {
  test.setTimeout(150_000);
  const { token } = await enterFullCompany(page, baseURL);
  const other = await browser.newContext({
    ...(baseURL && { baseURL }),
    viewport: page.viewportSize(),
    locale: 'es-ES',
  });
  const second = await other.newPage();
  await enter(second, token);
  for (const who of [page, second]) {
    await who.goto('/panel/pendientes?editar=B-1');
    await expect(dayField(who)).toBeVisible();
  }

  expect(await changeDay(page, '02/01/2026')).toBe(200);
  expect(await changeDay(second, '03/01/2026')).toBe(409);
  const told = second.getByText('Este borrador ha cambiado en otro sitio.');
  await expect(told).toBeVisible();
  // Also to who is typing further down.
  await second.getByRole('button', { name: 'Añadir línea' }).scrollIntoViewIfNeeded();
  await second.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  await expect(told).toBeInViewport({ ratio: 1 });
  await second.getByRole('button', { name: 'Ver lo guardado' }).click();
  await expect(dayField(second)).toHaveValue('02/01/2026');

  const answer = await page.request.post('/api/PostData/GetEditInvoice', {
    headers: { authorization: `Bearer ${token}` },
    data: { No: 'B-1' },
  });
  const { invoiceDate } = (await answer.json()) as { invoiceDate: string };
  expect(invoiceDate).toBe('2026-01-02');
  await other.close();
});

function dayField(page: Page) {
  return page.getByLabel('Fecha', { exact: true });
}

/** Types another day, and waits until the form has saved itself. @returns what the server said */
async function changeDay(page: Page, day: string): Promise<number> {
  await page.bringToFront();
  const saved = page.waitForResponse(/SetFacturas/, { timeout: 30_000 });
  await dayField(page).fill(day);
  await page.keyboard.press('Tab');
  return (await saved).status();
}
