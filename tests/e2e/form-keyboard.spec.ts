import { expect, test } from '@playwright/test';
import { enterFullCompany } from '../support/signed-in.ts';

test('Ctrl+Enter waits for the last keystroke to be checked, and leads to what is missing', async ({
  page,
  baseURL,
}) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/pendientes?editar=B-1');
  const verdict = page.getByRole('region', { name: 'Registrar la factura' }).getByRole('status');
  const dialog = page.getByRole('dialog', { name: /Reenviar|Registrar/ });
  const price = page.getByLabel('Precio, línea 1');
  await expect(verdict).toHaveText('Se puede registrar');

  await test.step('what blocks it is shown, and nothing opens', async () => {
    await price.fill('12,3456789');
    await page.keyboard.press('Control+Enter');
    await expect(price).toBeFocused();
    await expect(verdict).toHaveText('No se puede registrar');
    await expect(dialog).toBeHidden();
  });

  await test.step('what is mended at once is checked before it is asked', async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/ValidarFactura', async (route) => {
      await held;
      await route.continue();
    });
    await price.fill('12,34');
    await page.keyboard.press('Control+Enter');
    await expect(verdict).toHaveText('Comprobando…');
    await expect(dialog).toBeHidden();
    letGo();
    await expect(dialog).toBeVisible();
    await expect(dialog).toContainText('no se puede cambiar');
  });
});
