import { expect, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { goWithin } from '../support/go-within.ts';
import { enterFullCompany } from '../support/signed-in.ts';

test('products: listed, added with a decimal comma, changed, deleted', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(180_000);
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/productos');
  await expect(
    page.getByRole('heading', { level: 1, name: 'Productos / Servicios' }),
  ).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    'Código',
    'Nombre',
    'Precio',
    'Unidad',
    'Impuesto',
    'Acción',
  ]);
  await expect(page.getByText('Taller de pan')).toBeVisible();

  await test.step('added: a point or a comma is accepted, and shown as a comma', async () => {
    await page.getByRole('button', { name: 'Añadir Producto' }).click();
    const form = page.getByRole('form', { name: 'Nuevo producto' });
    await form.getByLabel('Nombre').fill('Ensaimada');
    await form.getByLabel('Precio').fill('mucho');
    await form.getByRole('button', { name: 'Guardar' }).click();
    await expect(form.getByText('Escribe un precio, como 1.234,50.')).toBeVisible();
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    await page.setViewportSize({ width: 600, height }); // The table becomes a list.
    await expect(page.getByRole('heading', { name: /^LISTADO/ })).toBeVisible();
    await expect(form.getByText('Escribe un precio, como 1.234,50.')).toBeVisible();
    await page.setViewportSize({ width, height });
    await form.getByLabel('Precio').fill('1234.5');
    await form.getByLabel('Precio').blur();
    await expect(form.getByLabel('Precio')).toHaveValue('1.234,50');
    await form.getByRole('combobox', { name: 'Unidad' }).click();
    await page.getByRole('option', { name: 'Hora', exact: true }).click();
    await form.getByRole('combobox', { name: 'Impuesto' }).click();
    await page.getByRole('option', { name: 'IVA reducido 10 %' }).click();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Guardar' }).click();
    await expect(page.getByText('«Ensaimada» está guardado.')).toBeVisible();
    await expect(page.getByText('1.234,50 €').first()).toBeVisible();
  });

  await test.step('a product brings its tax to an invoice', async () => {
    await goWithin(page, '/panel/crear');
    await page.getByLabel('Descripción').first().fill('ensaim');
    await page.getByRole('option', { name: /Ensaimada/ }).click();
    await expect(page.getByLabel('Impuesto').first()).toHaveValue('IVA10');
    await goWithin(page, '/panel/productos');
  });

  await test.step('searched, changed and deleted', async () => {
    await page.getByRole('searchbox', { name: 'Buscar productos' }).fill('ensaimada');
    await expect(page.getByText(/^1 (cliente|factura|producto)$/)).toBeVisible();
    await page.getByRole('button', { name: 'Editar Ensaimada' }).click();
    const form = page.getByRole('form', { name: 'Editar Ensaimada' });
    await form.getByLabel('Nombre').press('Escape');
    await expect(form).toBeHidden();
    await page.getByRole('button', { name: 'Editar Ensaimada' }).click();
    await form.getByLabel('Precio').fill('2,5');
    await form.getByLabel('Precio').press('Enter');
    await expect(page.getByText('2,50 €').first()).toBeVisible();
    await page.getByRole('button', { name: 'Eliminar Ensaimada' }).click();
    await page
      .getByRole('dialog', { name: 'Eliminar producto' })
      .getByRole('button', { name: 'Eliminar producto' })
      .click();
    await expect(page.getByText('«Ensaimada» se ha eliminado.')).toBeVisible();
    await expect(page.getByRole('status').getByText('Ningún producto coincide')).toBeVisible();
  });
});
