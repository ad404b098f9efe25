import { expect, type Page, test } from '@playwright/test';
import { enterFullCompany } from '../support/signed-in.ts';

async function openDraft(page: Page) {
  await page.goto('/panel/crear');
  const client = page.getByRole('combobox', { name: 'Cliente', exact: true });
  await client.fill('Ana Beltrán');
  await client.press('Enter');
}

const total = (page: Page) =>
  page.getByRole('region', { name: 'Registrar la factura' }).getByText(/€$/);

test('a discount is typed in a line, put in all of them, and taken back', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await openDraft(page);
  await page.getByLabel('Descripción, línea 1').fill('Taller de pan');
  await page.getByLabel('Cantidad, línea 1').fill('5');
  await page.getByLabel('Precio, línea 1').fill('38');
  await page.getByLabel('Descripción, línea 2').fill('Reparto');
  await page.getByLabel('Precio, línea 2').fill('6');
  await expect(total(page)).toHaveText('237,16 €');
  await expect(page.getByRole('columnheader', { name: 'Dto. %' })).toBeHidden();

  const first = page.getByLabel('Descuento, %, línea 1');
  const second = page.getByLabel('Descuento, %, línea 2');
  await test.step('the column is there for all lines, and its first cell has the focus', async () => {
    await page.getByRole('button', { name: 'Añadir descuento' }).click();
    await expect(first).toBeFocused();
    await expect(page.getByRole('columnheader', { name: 'Dto. %' })).toBeVisible();
    await first.pressSequentially('120');
    await expect(page.getByText('Escribe un porcentaje entre 0 y 100.')).toBeVisible();
    await first.fill('10 %');
    await first.press('Tab');
    await expect(first).toHaveValue('10');
    // 171,00 + 6,00 = 177,00; 37,17 of VAT.
    await expect(total(page)).toHaveText('214,17 €');
  });

  await test.step('it is put in all the lines, which can be undone', async () => {
    await page.getByRole('button', { name: 'Más acciones de la línea 1' }).click();
    await page.getByRole('menuitem', { name: 'El mismo descuento en todas' }).click();
    const undo = page.getByRole('button', { name: 'Deshacer' });
    await undo.hover(); // It stays while the mouse is over it.
    await expect(second).toHaveValue('10');
    await expect(total(page)).toHaveText('213,44 €');
    await undo.click();
    await expect(second).toHaveValue('');
    await expect(total(page)).toHaveText('214,17 €');
  });

  await test.step('where there is no room beside it, the description stands above the figures', async () => {
    const widthOf = async () => (await description.boundingBox())?.width ?? 0;
    const description = page.getByLabel('Descripción, línea 1');
    await page.setViewportSize({ width: 1200, height: 900 });
    await expect.poll(widthOf).toBeGreaterThan(400);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(widthOf).toBeLessThan(400);
    await page.getByLabel('Precio, línea 1').fill('1234567,891');
    await expect.poll(widthOf).toBeGreaterThan(400);
    await page.getByLabel('Precio, línea 1').fill('38');
  });

  await test.step('it is kept with the draft, and printed', async () => {
    await page.keyboard.press('Control+s');
    await expect(page.getByText(/Borrador guardado/).first()).toBeVisible();
    const paper = page.getByRole('region', { name: 'Vista previa de la factura' });
    await expect(paper).toContainText('Dto.');
    await page.reload();
    await expect(first).toHaveValue('10');
  });
});
