import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { enterFullCompany } from '../support/signed-in.ts';

test('clients: listed, searched, sorted, added, changed, archived', { tag: '@any-width' }, async ({
  page,
  baseURL,
}) => {
  test.setTimeout(180_000);
  await enterFullCompany(page, baseURL, 1);
  await page.goto('/panel/clientes');
  await expect(page.getByRole('heading', { level: 1, name: 'Clientes' })).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    'Nombre',
    'CIF',
    'Dir. facturación',
    'Código postal',
    'País',
    'Email',
    'Término pago',
    'Forma pago',
    'Grupo contable',
    'Acción',
  ]);
  await expect(page.getByRole('row')).toHaveCount(9); // Eight on a page, and the header row.
  await expect(page.getByText(/^1–8 de 11/)).toBeVisible();

  await test.step('one row for adding, with the defaults of the company', async () => {
    await addButton(page).click();
    const form = page.getByRole('form', { name: 'Nuevo cliente' });
    await expect(form.getByLabel('Nombre')).toBeFocused();
    await expect(form.getByLabel('Término pago')).toHaveValue('30 días fecha factura');
    await expect(form.getByLabel('Grupo contable')).toHaveValue('Nacional');
    await form.getByRole('button', { name: 'Guardar' }).click();
    await expect(form.getByText('Escribe el nombre del cliente.')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the address suggests the group; the NIF is checked while typing', async () => {
    const form = page.getByRole('form', { name: 'Nuevo cliente' });
    await form.getByLabel('Código postal').fill('35001');
    await expect(form.getByLabel('Grupo contable')).toHaveValue(/Canarias/);
    await form.getByLabel('Código postal').fill('52001');
    await expect(form.getByLabel('Grupo contable')).toHaveValue(/Canarias|Ceuta|Melilla/);
    await form.getByLabel('Código postal').fill('28013');
    await expect(form.getByLabel('Grupo contable')).toHaveValue('Nacional');
    await form.getByLabel('CIF').fill('a-58.818.502');
    await expect(form.getByText(/NIF .*no|letra|control|cifra/i).first()).toBeVisible();
    await form.getByLabel('CIF').fill('a-58.818.501');
    await form.getByLabel('CIF').blur();
    await expect(form.getByLabel('CIF')).toHaveValue('A58818501');
    await expect(form.getByText(/Ya lo tiene tu cliente «Hoteles/)).toBeVisible();
  });

  await test.step('an error with a button that mends it is as tall as any other', async () => {
    const form = page.getByRole('form', { name: 'Nuevo cliente' });
    await form.getByLabel('Código postal').fill('8001');
    await form.getByLabel('Email').fill('compras');
    await form.getByLabel('Email').blur();
    const heights = await form
      .locator('.mantine-InputWrapper-error', { hasText: /Le falta una cifra|Escribe el nombre/ })
      .evaluateAll((errors) => errors.map((error) => error.clientHeight));
    expect(heights).toHaveLength(2);
    expect(heights[0]).toBe(heights[1]);
  });

  await test.step('turning the tablet keeps what was typed, and its errors', async () => {
    const form = page.getByRole('form', { name: 'Nuevo cliente' });
    const errors = [
      'Escribe el nombre del cliente.',
      'Le falta una cifra.',
      /correo electrónico no/,
    ];
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    await page.setViewportSize({ width: 820, height });
    await expect(form.getByLabel('CIF')).toHaveValue('A58818501');
    for (const error of errors) await expect(form.getByText(error)).toBeVisible();
    await page.setViewportSize({ width, height });
    await expect(form.getByLabel('CIF')).toHaveValue('A58818501');
    await form.getByRole('button', { name: 'Poner 08001' }).click();
    await form.getByLabel('Email').fill('');
  });

  await test.step('opening another row asks before discarding what was typed', async () => {
    await page.getByRole('button', { name: 'Editar' }).first().click();
    const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
    await question.getByRole('button', { name: 'Seguir editando' }).click();
    const form = page.getByRole('form', { name: 'Nuevo cliente' });
    await form.getByLabel('Nombre').fill('Bodega Alta, S.L.');
    await form.getByLabel('CIF').fill('');
    await form.getByRole('button', { name: 'Guardar' }).click();
    await expect(page.getByText('«Bodega Alta, S.L.» está guardado.')).toBeVisible();
    await expect(page.getByText(/^1–8 de 12/)).toBeVisible();
  });

  await test.step('a search, and one without results', async () => {
    const search = page.getByRole('searchbox', { name: 'Buscar clientes' });
    await search.fill('bodega ALTA');
    await expect(page.getByText(/^1 (cliente|factura|producto)$/)).toBeVisible();
    // As the table shows it, not as it is stored: 30D.
    await search.fill('30 días');
    await expect(page.getByText(/^1–8 de 1[12]/)).toBeVisible();
    await search.fill('nadie que exista');
    await expect(page.getByRole('status').getByText('Ningún cliente coincide')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Limpiar' }).click();
    await expect(page.getByText(/^1–8 de 12/)).toBeVisible();
  });

  await test.step('a client with invoices is archived, and the screen says so', async () => {
    await page.getByRole('searchbox', { name: 'Buscar clientes' }).fill('Hoteles');
    await expect(page.getByText(/^1 (cliente|factura|producto)$/)).toBeVisible();
    await page.getByRole('button', { name: /^Eliminar Hoteles/ }).click();
    const question = page.getByRole('dialog', { name: 'Eliminar cliente' });
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Eliminar cliente' }).click();
    await expect(page.getByText(/no se elimina, queda archivado/)).toBeVisible();
    await expect(page.getByText('Ningún cliente coincide')).toBeVisible();
  });
});

test('clients: the empty list', { tag: '@any-width' }, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.route(/GetClientes/, (route) => route.fulfill({ json: [] }));
  await page.goto('/panel/clientes');
  await expect(page.getByText('Todavía no tienes clientes')).toBeVisible();
  await expect(addButton(page)).toBeVisible();
  await expectAccessible(page);
});

function addButton(page: Page) {
  return page.getByRole('button', { name: 'Añadir Cliente' });
}

test('a client leads to its invoices, and back to where the list was', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 3);
  await page.goto('/panel/clientes?search=belt');
  await page.getByRole('link', { name: 'Ver sus facturas: Ana Beltrán Ruiz' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Historial de facturas');
  await expect(page.getByRole('searchbox')).toHaveValue('12345678Z');
  await expect(page.getByText(/^1 factura$/)).toBeVisible();
  await page.goBack();
  await expect(page.getByText(/^1 cliente$/)).toBeVisible();
});
