import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { enterFullCompany } from '../support/signed-in.ts';

/**
 * What a screen asks for, and how it looks while it waits, when nothing comes and when all is well.
 * Clients and products come with the panel: without them it does not open (shell.spec.ts).
 */
const SCREENS = [
  {
    path: 'pendientes',
    call: '**/GetPendingInvoices?page=1&pageSize=8*',
    failed: 'No hemos podido cargar tus facturas pendientes',
    full: (page: Page) => page.getByText('B-1', { exact: true }),
  },
  {
    path: 'facturas/B-1',
    call: '**/GetInvoiceDetail',
    failed: 'No hemos podido abrir la factura',
    full: (page: Page) => page.getByRole('heading', { name: 'Recorrido' }),
  },
] as const;

test('each screen waits, fails, is tried again and fills', async ({ page, baseURL }, {
  project,
}) => {
  await enterFullCompany(page, baseURL);
  for (const { path, call, failed, full } of SCREENS) {
    await test.step(path, async () => {
      let fail = () => {};
      const held = new Promise<void>((resolve) => {
        fail = resolve;
      });
      await page.route(call, async (route) => {
        await held;
        await route.fulfill({ status: 500, json: { message: 'No ha podido ser.' } });
      });
      await page.goto(`/panel/${path}`);
      await expect(page.locator('[aria-busy=true]').first()).toBeVisible();
      await expectAccessible(page);
      fail();
      await expect(page.getByText(failed)).toBeVisible();
      await expectAccessible(page);
      await page.unroute(call);
      await page.getByRole('button', { name: 'Intentar nuevamente' }).click();
      await expect(full(page).first()).toBeVisible();
      if (project.name === 'phone') return;
      const sections = page.getByRole('navigation', { name: 'Secciones' });
      await expect(sections.getByRole('link', { name: /^Facturas pendientes/ })).toHaveAttribute(
        'aria-current',
        'page',
      );
    });
  }
});
