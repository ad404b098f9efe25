import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { goWithin } from '../support/go-within.ts';
import { enterFullCompany } from '../support/signed-in.ts';

// What only a phone has. What is the same at any width is checked once, on a desktop.

test('lists have rows that unfold, with their order above them', async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 4);
  await page.goto('/panel/historial');

  await test.step('history: filters, order and actions', async () => {
    await expect(page.getByText(/^4 facturas$/)).toBeVisible();
    const top = async (field: Locator) => (await field.boundingBox())?.y;
    const filter = page.getByRole('combobox', { name: 'Cobro', exact: true });
    expect(await top(filter), 'beside the other filters').toBe(
      await top(page.getByRole('combobox', { name: 'Periodo' })),
    );
    await expect(page.getByRole('button', { name: 'Orden descendente' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Ordenar por' }).click();
    await page.getByRole('option', { name: 'Base imponible' }).click();
    await expect(page).toHaveURL(/sort=-Amount/);
    await page.getByRole('button', { name: 'Orden descendente' }).click();
    await expect(page).toHaveURL(/sort=Amount/);
    await expect(page.getByRole('button', { name: 'Orden ascendente' })).toBeVisible();

    await unfoldFirst(page);
    await expect(page.getByText('BASE IMPONIBLE')).toBeVisible();
    const actions = [
      page.getByRole('listitem').getByRole('button', { name: /^Descargar factura / }),
      // Several rows may be unfolded: each link says which invoice is its own.
      page.getByRole('listitem').getByRole('link', { name: /^Ver factura 0/ }),
      page.getByRole('listitem').getByRole('link', { name: /^¿Qué hago\? Factura 0/ }),
    ];
    const tops = await Promise.all(actions.map(top));
    expect(new Set(tops).size, 'its actions are in one row').toBe(1);

    const ticks = page.getByRole('checkbox', { name: /^Seleccionar \d/ });
    const before = await ticks.nth(1).boundingBox();
    await ticks.nth(0).check();
    await expect(page.getByText('1 seleccionada')).toBeVisible();
    expect(await ticks.nth(1).boundingBox(), 'what is ticked next has not moved').toEqual(before);
    await expectAccessible(page);
  });

  await test.step('pending: what is said about a row does not cover the bar', async () => {
    await goWithin(page, '/panel/pendientes');
    await expect(page.getByText(/^2 facturas$/)).toBeVisible();
    await unfoldFirst(page);
    await page.getByRole('button', { name: /^Editar borrador B-/ }).click();
    await page.getByRole('button', { name: 'Cerrar', exact: true }).click();
    await expect(page.getByText(/^2 facturas$/)).toBeVisible();
    await unfoldFirst(page);
    await page.getByRole('button', { name: /^Eliminar borrador B-/ }).click();
    await page
      .getByRole('dialog', { name: 'Eliminar borrador' })
      .getByRole('button', { name: 'Eliminar borrador' })
      .click();
    const toast = page.getByRole('alert').filter({ hasText: /El borrador B-\d se ha eliminado/ });
    await toast.hover(); // It stays while the mouse is over it.
    await expect.poll(async () => (await toast.boundingBox())?.y).toBe(56 + 8);
    await expectAccessible(page);
  });

  await test.step('Inicio: three invoices, without columns', async () => {
    await goWithin(page, '/panel/inicio');
    const history = page.getByRole('region', { name: 'Historial de facturas' });
    await expect(history.getByRole('listitem')).toHaveCount(3);
  });

  await test.step('clients', async () => {
    await goWithin(page, '/panel/clientes');
    await expect(page.getByRole('heading', { name: 'LISTADO DE CLIENTES' })).toBeVisible();
    await page.getByRole('button', { name: 'Crear Nuevo Cliente' }).click();
    const form = page.getByRole('form', { name: 'Nuevo cliente' });
    await form.getByRole('button', { name: 'Guardar' }).click();
    await expect(form.getByText('Escribe el nombre del cliente.')).toBeVisible();
    await expectAccessible(page);
    await form.getByLabel('Nombre').press('Escape');
    await page.getByRole('searchbox', { name: 'Buscar clientes' }).fill('belt');
    await page.getByRole('button', { name: /Ana Beltrán Ruiz/ }).tap();
    await page.getByRole('link', { name: 'Ver sus facturas: Ana Beltrán Ruiz' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Historial de facturas');
    await expect(page.getByRole('searchbox')).toHaveValue('12345678Z');
  });

  await test.step('products', async () => {
    await goWithin(page, '/panel/productos');
    await expect(page.getByRole('heading', { name: 'LISTADO DE PRODUCTOS' })).toBeVisible();
    await page.getByRole('button', { name: 'Crear Nuevo Producto' }).click();
    const added = page.getByRole('form', { name: 'Nuevo producto' });
    await added.getByLabel('Nombre').fill('Ensaimada');
    await added.getByLabel('Precio').fill('2,5');
    await expectAccessible(page);
    await added.getByRole('button', { name: 'Guardar' }).click();
    await expect(page.getByText('«Ensaimada» está guardado.')).toBeVisible();
    const row = page.getByRole('button', { name: /^Ensaimada/ });
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
    await page.getByRole('button', { name: 'Editar Ensaimada' }).click();
    const form = page.getByRole('form', { name: 'Editar Ensaimada' });
    await expect(form.getByLabel('Precio')).toHaveValue('2,50');
    await form.getByLabel('Nombre').press('Escape');
    await expect(form).toBeHidden();
  });
});

test('the lines of an invoice are written in a sheet', async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/crear');
  const { add, sheet, done } = partsOf(page);
  const total = page.getByRole('region', { name: 'Registrar la factura' }).getByText(/€$/);
  await chooseClient(page, 'Ana Beltrán');

  await test.step('a finding leads to the amount that it is about', async () => {
    await add.tap();
    await sheet.getByLabel('Descripción').fill('Taller de pan');
    await done.tap();
    const finding = page
      .getByRole('listitem')
      .filter({ hasText: 'Comprueba que no falta ningún precio.' });
    await finding.getByRole('button', { name: 'Ir al campo' }).click();
    const price = sheet.getByLabel('Precio');
    await expect(price).toBeFocused();
    await price.fill('38');
  });

  await test.step('it has the discount', async () => {
    await sheet.getByRole('button', { name: 'Añadir descuento' }).tap();
    const discount = sheet.getByLabel('Descuento, %');
    await expect(discount).toBeFocused();
    await discount.fill('12.5');
    await expectAccessible(page);
    await done.tap();
    await expect(page.getByRole('button', { name: /^Editar la línea 1/ })).toBeFocused();
    await expect(page.getByText('1 × 38,00 − 12,5 % · 21 %')).toBeVisible();
    await expect(total).toHaveText('40,23 €');
  });

  await test.step('it offers the products, at prices that include tax if the others do', async () => {
    await page.getByRole('checkbox', { name: 'Factura simplificada' }).check();
    await page.getByRole('switch', { name: 'Precios con IVA incluido' }).check();
    await expect(total).toHaveText('33,25 €');
    await add.tap();
    await sheet.getByLabel('Descripción').fill('tarta');
    await page.getByRole('option', { name: /^Tarta de queso entera/ }).click();
    await expect(sheet.getByLabel('Precio (IVA incl.)')).toHaveValue('38,72');
    await done.tap();
    await expect(total).toHaveText('71,97 €');
  });
});

test('what a line lacks is written in its sheet too', async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL);
  await page.request.post('/api/PostData/SetClientes', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      Name: 'Dupont & Fils SARL',
      VATRegistrationNo: 'FR83404833048',
      Address: 'Rue de la Paix, 1',
      postCode: '75002',
      countryCode: 'FR',
      CustomerPostingGroup: 'UE',
    },
  });
  await page.goto('/panel/crear');
  const { add, sheet, done } = partsOf(page);

  await test.step('without lines, what is missing is behind the button that opens it', async () => {
    await chooseClient(page, 'Dupont');
    await page.getByRole('button', { name: /Vendo mercancía a una empresa de Francia/ }).click();
    await page.getByRole('button', { name: 'Ver qué falta' }).click();
    await expect(add).toBeFocused();
  });

  await test.step('it has what a used good cost', async () => {
    const situation = page.getByRole('combobox', { name: '¿Qué vendes y a quién?' });
    await situation.click();
    await situation.fill('segunda mano');
    await page.getByRole('option', { name: /Vendo bienes usados.*El IVA va dentro/ }).click();
    await add.tap();
    await sheet.getByLabel('Descripción').fill('Furgoneta de ocasión');
    await sheet.getByLabel('Precio').fill('1000');
    await sheet.getByLabel('Lo que te costó, con impuestos').fill('758');
    await expectAccessible(page);
    await done.tap();
    await expect(page.getByText('200,00').first()).toBeVisible();
  });
});

test('the guide keeps its next question in view', async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 1);
  const number = `00001/${new Date().getFullYear() % 100}`;
  await page.goto(`/panel/facturas/${encodeURIComponent(number)}/que-hago`);
  for (const name of ['¿Ya la tiene tu cliente?', '¿Esta factura tenía que existir?']) {
    await page.getByRole('radiogroup', { name }).getByRole('radio', { name: 'Sí' }).check();
  }
  await page.getByRole('radio', { name: 'El precio o la cantidad' }).check();
  const meantTotal = page.getByLabel('¿Cuánto tenía que ser el total?');
  await expect(meantTotal).toBeInViewport({ ratio: 1 });
  await meantTotal.fill('100');
  await meantTotal.blur();
  await expect(page.getByRole('link', { name: 'Hacer la rectificativa' })).toBeInViewport({
    ratio: 1,
  });
  await expectAccessible(page);
});

async function unfoldFirst(page: Page): Promise<void> {
  await page.getByRole('listitem').getByRole('button', { expanded: false }).first().click();
}

function partsOf(page: Page) {
  const sheet = page.getByRole('dialog');
  return {
    add: page.getByRole('button', { name: 'Añadir línea' }),
    sheet,
    done: sheet.getByRole('button', { name: 'Listo' }),
  };
}

async function chooseClient(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Cliente', exact: true }).fill(name);
  await page.getByRole('option', { name }).click();
}
