import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { openFullCompany } from '../support/full-company.ts';
import { goWithin } from '../support/go-within.ts';
import { randomCompanyNif, randomDni } from '../support/random-nif.ts';
import { enter, enterFullCompany } from '../support/signed-in.ts';

test('a draft is calculated with the current group of its client', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL);
  await post(page, token, 'UpdateClientes', { No: 'C00004', CustomerPostingGroup: 'NACRE' });
  await page.goto('/panel/pendientes?editar=B-1');
  // 132 × 32,00 at 21 % + 5,2 %, and 2 × 38,00 at 10 % + 1,4 %: 4.300,00 + 894,64 + 220,71.
  const total = page.getByRole('region', { name: 'Registrar la factura' }).getByText('5.415,35');
  await expect(total).toBeVisible();
  // The quota of a row is of the rate that it names.
  const tipo = page.getByRole('columnheader', { name: 'Tipo', exact: true });
  const rates = page.getByRole('table').filter({ has: tipo }).getByRole('row');
  await expect(rates).toHaveText([
    'TipoBaseCuota',
    'IVA 21\u00a0%4.224,00887,04',
    'R.E. 5,2\u00a0%4.224,00219,65',
    'IVA 10\u00a0%76,007,60',
    'R.E. 1,4\u00a0%76,001,06',
  ]);
  await page.getByRole('button', { name: 'Reenviar factura corregida' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('5.415,35');
  await dialog.getByRole('button').last().click();
  await expect(page.getByText(/^Registrada, eslabón/)).toBeVisible();
  await expect(page.getByText('5.415,35').first()).toBeVisible();

  await test.step('reloading the receipt shows the same amounts', async () => {
    await page.reload();
    await expect(page.getByText(/^Registrada, eslabón/)).toBeVisible();
    await expect(page.getByText('5.415,35').first()).toBeVisible();
  });
});

test('a long number has room in the form, and its summary is confirmed above the keyboard of a phone', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL);
  await post(page, token, 'reiniciarContador', { NoSerie: '00001/ABCDEFGHIJKLMN' });
  await page.goto('/panel/pendientes?editar=B-1');
  await expect(page.getByText('Previsto: 00001/ABCDEFGHIJKLMN')).toBeVisible();
  await expect(page.getByText('previsto 00001/ABCDEFGHIJKLMN', { exact: true })).toBeHidden();
  await page.setViewportSize({ width: 390, height: 420 });
  await page.getByRole('button', { name: 'Reenviar factura corregida' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('no se puede cambiar')).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByRole('button').last()).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
});

test('an invoice of a deleted client still shows who it is for', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL, 1);
  const name = 'Cafetería La Plaza, S.L.';
  await post(page, token, 'DeleteCliente', { No: 'C00004' });
  await page.goto('/panel/pendientes?editar=B-1');
  const client = page.getByRole('combobox', { name: 'Cliente', exact: true });
  await expect(client).toHaveValue(name);
  await expect(page.getByText('Ya no está en tus clientes.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Editar ficha' })).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Reenviar factura corregida' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(`${name} (ya no está en tus clientes)`);
  await dialog.getByRole('button').last().click();
  await expect(page.getByText(/^Registrada, eslabón/)).toBeVisible();

  await test.step('so does an invoice made from it', async () => {
    await post(page, token, 'DeleteCliente', { No: 'C00002' });
    const rows = await page.request.get('/api/GetData/GetInvoices', {
      headers: { authorization: `Bearer ${token}` },
    });
    const [{ DocNo }] = (await rows.json()) as [{ DocNo: string }];
    await goWithin(page, `/panel/crear?rectificar=${encodeURIComponent(DocNo)}`);
    await expect(client).toHaveValue(/^(Hoteles y Apartamentos|Cafetería La Plaza)/);
    await expect(page.getByText('Ya no está en tus clientes.')).toBeVisible();
    await client.click();
    await client.fill('Colegio');
    await page.getByRole('option', { name: /^Colegio San Isidro/ }).click();
    await expect(page.getByText('Ya no está en tus clientes.')).toBeHidden();
  });
});

test('a client deleted by somebody else is reported beside its field, and removed with one press', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL);
  await post(page, token, 'SetClientes', { No: 'EFIMERA', Name: 'Efímera, S.L.' });
  // No draft is saved with this client, so deleting it leaves no trace of it.
  await page.route('**/api/PostData/SetFacturas', (route) => route.abort());
  await page.goto('/panel/crear');
  const client = page.getByRole('combobox', { name: 'Cliente', exact: true });
  await client.click();
  await client.fill('Efímera');
  await page.getByRole('option', { name: /^Efímera/ }).click();
  await post(page, token, 'DeleteCliente', { No: 'EFIMERA' });
  await page.unroute('**/api/PostData/SetFacturas');
  const note = page.getByText(
    'El cliente «EFIMERA» no existe. Elige en «Cliente» uno de los tuyos',
  );
  await expect(client).toHaveValue('', { timeout: 60_000 });
  await client.blur();
  await expect(note.first()).toBeVisible();
  await expect(client).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('button', { name: 'Completar la ficha' })).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Quitar el cliente' }).first().click();
  await expect(note).toHaveCount(0);
});

test('an invalid field in a client’s card is not hidden under the title of its dialog', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/crear');
  await page.getByRole('combobox', { name: 'Cliente', exact: true }).click();
  await page.getByText('Crear Nuevo Cliente').click();
  const dialog = page.getByRole('dialog', { name: 'Crear Nuevo Cliente' });
  await expect(dialog.getByRole('button', { name: 'Guardar' })).toBeInViewport();
  await dialog.getByLabel('Nombre').fill('Panadería Sol');
  const email = dialog.getByLabel('Email');
  await email.fill('sol@ejemplo');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect(email).toBeFocused();
  const label = dialog.getByText('Email', { exact: true });
  const header = dialog.getByRole('heading', { name: 'Crear Nuevo Cliente' });
  const top = async (of: typeof label) => (await of.boundingBox())?.y ?? 0;
  expect(await top(label)).toBeGreaterThan(await top(header));
  await page.setViewportSize({ width: 390, height: 844 });
  await email.blur();
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect(email).toBeFocused();
  expect(await top(label), 'on a phone').toBeGreaterThan(await top(header));
  await page.setViewportSize({ width: 1440, height: 900 });

  await email.fill('sol@ejemplo.es');
  await dialog.getByLabel('CIF').fill(randomCompanyNif());
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await page.getByRole('button', { name: 'Completar la ficha' }).first().click();
  const card = page.getByRole('dialog', { name: 'Ficha del cliente' });
  await expect(card.getByLabel('Dir. facturación'), 'it opens at what it lacks').toBeFocused();
});

test('before registering, a transfer without IBAN is mentioned, and a ticket’s client without e-mail is not', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  const register = page.getByRole('button', { name: 'Reenviar factura corregida' });
  const dialog = page.getByRole('dialog');
  await page.goto('/panel/pendientes?editar=B-1');
  await register.click();
  await expect(dialog).toContainText('no has puesto tu IBAN');
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'Poner el IBAN' }).click();
  const iban = page.getByLabel('IBAN');
  await iban.fill('ES91 2100 0418 4502 0005 1332');
  await iban.blur();
  await expect(page.getByText('Guardado').first()).toBeVisible();
  await goWithin(page, '/panel/pendientes?editar=B-1');
  await register.click();
  await expect(dialog).toContainText('Enviar el PDF a');
  await expect(dialog).not.toContainText('no has puesto tu IBAN');

  await page.goto('/panel/crear');
  await page.getByLabel('Factura simplificada').check();
  await page.getByLabel('Descripción, línea 1').fill('Café');
  await page.getByLabel('Precio, línea 1').fill('2');
  await page.getByRole('button', { name: 'Enviar factura' }).click();
  await expect(dialog).toContainText('Cliente de mostrador');
  await expect(dialog).not.toContainText('no tiene correo');
});

test('a half-typed client inside an invoice survives a reload, until it is cancelled', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/crear');
  await page.getByLabel('Descripción, línea 1').fill('Asesoría');
  const client = page.getByRole('combobox', { name: 'Cliente', exact: true });
  await client.click();
  await client.fill('Panadería');
  await page.getByRole('option', { name: 'Crear Nuevo Cliente' }).click();
  const dialog = page.getByRole('dialog', { name: 'Crear Nuevo Cliente' });
  await dialog.getByLabel('Dir. facturación').fill('Calle Nueva, 7');

  for (const goesOn of [true, false]) {
    await page.reload();
    await expect(dialog.getByLabel('Nombre')).toHaveValue('Panadería');
    await expect(dialog.getByLabel('Dir. facturación')).toHaveValue('Calle Nueva, 7');
    if (!goesOn) await dialog.getByRole('button', { name: 'Cancelar' }).click();
  }
  await expect(dialog).toBeHidden();
  await page.reload();
  await expect(page.getByLabel('Descripción, línea 1')).toHaveValue('Asesoría');
  await expect(dialog).toBeHidden();

  await client.click();
  await client.fill('Panadería');
  await page.getByRole('option', { name: 'Crear Nuevo Cliente' }).click();
  await dialog.getByLabel('Dir. facturación').fill('Calle Nueva, 8');
  await page.reload();
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect(client).toHaveValue('Panadería');
  await page.reload();
  await expect(client).toHaveValue('Panadería');
  await expect(dialog).toBeHidden();
});

test('the usual retention applies to clients who withhold, until another choice is made', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await openFullCompany(baseURL ?? '', randomDni(), { invoices: 0 });
  await enter(page, token);
  await page.goto('/panel/perfil');
  const usual = page.getByRole('combobox', { name: 'Retención habitual' });
  await usual.click();
  await page.getByRole('option', { name: '15 %, profesionales' }).click();
  await expect(page.getByText('Guardado').first()).toBeVisible();

  await goWithin(page, '/panel/crear');
  const lines = page.getByRole('region', { name: 'Líneas' });
  const toPay = lines.getByText('A cobrar');
  const choose = async (name: string) => {
    const client = page.getByRole('combobox', { name: 'Cliente', exact: true });
    await client.click();
    await client.fill(name);
    await page.getByRole('option', { name }).first().click();
  };
  await page.getByLabel('Descripción, línea 1').fill('Asesoría');
  await page.getByLabel('Precio, línea 1').fill('100');
  await expect(lines.getByText('121,00').first()).toBeVisible();
  await expect(toPay).toBeHidden();

  await choose('Cafetería La Plaza');
  await expect(toPay).toBeVisible();
  // 100,00 + 21,00 − 15,00.
  await expect(lines.getByText('106,00')).toBeVisible();
  await expect(lines.getByText('Con la retención de tu perfil')).toBeVisible();
  await expectAccessible(page);

  await test.step('with a person the form asks, and a ticket has no retention', async () => {
    await choose('Ana Beltrán');
    await expect(toPay).toBeHidden();
    await expect(lines.getByText('Si Ana Beltrán Ruiz te paga por su negocio')).toBeVisible();
    await page.getByLabel('Factura simplificada').check();
    await expect(lines.getByText('retención habitual')).toBeHidden();
    await page.getByLabel('Factura simplificada').uncheck();
    await choose('Colegio San Isidro');
    await expect(lines.getByText('106,00')).toBeVisible();
    await page.reload();
    await expect(lines.getByText('106,00')).toBeVisible();
  });

  await test.step('an explicit choice is kept', async () => {
    await lines.getByRole('button', { name: 'Quitarla' }).click();
    await expect(lines.getByRole('button', { name: 'Ponerla' })).toBeFocused();
    await choose('Cafetería La Plaza');
    await expect(toPay).toBeHidden();
    await lines.getByRole('button', { name: 'Ponerla' }).click();
    await choose('Ana Beltrán');
    await expect(lines.getByText('106,00')).toBeVisible();
  });
});

test('new lines begin with the usual tax, except for a client with another tax', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL);
  await post(page, token, 'SetClientes', {
    Name: 'Berliner Bäckerei GmbH',
    VATRegistrationNo: 'DE123456788',
    countryCode: 'DE',
    postCode: '10115',
    Address: 'Hauptstraße 1',
    CustomerPostingGroup: 'UE',
  });
  await page.goto('/panel/perfil');
  const usual = page.getByRole('combobox', { name: 'Impuesto habitual' });
  await expect(usual).toHaveAttribute('placeholder', 'IVA general 21 %');
  await usual.click();
  await usual.fill('módulos');
  await page.getByRole('option', { name: /^10.%.*módulos/ }).click();
  await expect(page.getByText('Guardado').first()).toBeVisible();
  await expectAccessible(page);

  await goWithin(page, '/panel/crear');
  const client = page.getByRole('combobox', { name: 'Cliente', exact: true });
  await client.click();
  await client.fill('Cafetería La Plaza');
  await page.getByRole('option', { name: 'Cafetería La Plaza' }).first().click();
  await expect(page.getByText('Con este cliente, lo normal')).toBeHidden();
  for (const position of [1, 2]) {
    await expect(page.getByLabel(`Impuesto, línea ${position}`)).toHaveValue('MODULOS10');
    await page.getByLabel(`Descripción, línea ${position}`).fill('Menú del día');
  }

  await test.step('a line for a foreign client does not begin with it', async () => {
    await client.click();
    await client.fill('Berliner');
    await page.getByRole('option', { name: 'Berliner' }).first().click();
    await expect(page.getByLabel('Impuesto, línea 3')).toHaveValue('IVA21');
    await expect(page.getByText('Con este cliente, lo normal')).toBeVisible();
  });

  await test.step('without a usual tax, the general one applies again', async () => {
    await goWithin(page, '/panel/perfil');
    await expect(usual).toHaveValue(/^10.% · Estoy en el régimen simplificado/);
    await page.getByLabel('Quitar el impuesto habitual').click();
    await expect(page.getByText('Guardado').first()).toBeVisible();
    await expect(usual).toHaveValue('');
  });
});

async function post(page: Page, token: string, call: string, data: object): Promise<unknown> {
  const answer = await page.request.post(`/api/PostData/${call}`, {
    headers: { authorization: `Bearer ${token}` },
    data,
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return answer.json();
}

test('a finding leads to the amount that it is about', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/crear');
  await page.getByLabel('Descripción').first().fill('Pan de molde');
  const finding = page
    .getByRole('region', { name: 'Comprobaciones de la AEAT' })
    .getByRole('listitem')
    .filter({ hasText: 'Comprueba que no falta ningún precio.' });
  await finding.getByRole('button', { name: 'Ir al campo' }).click();
  const price = page.getByLabel('Precio').first();
  await expect(price).toBeFocused();
  await price.fill('4');
  await expect(finding).toBeHidden();
});

test('the field of the client offers, finds and chooses', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/crear');
  const client = page.getByRole('combobox', { name: 'Cliente', exact: true });
  const first = page.getByRole('option').filter({ visible: true }).first();

  await test.step('in a short window, the list ends inside it, with the option for a new one', async () => {
    const size = page.viewportSize();
    await page.setViewportSize({ width: 320, height: 560 });
    await client.click();
    await expect(page.getByRole('option', { name: 'Academia Norte' })).toBeVisible();
    const list = page.getByRole('listbox').filter({ visible: true });
    await expect
      .poll(async () => {
        const { y = 0, height = 0 } = (await list.boundingBox()) ?? {};
        return y + height;
      })
      .toBeLessThanOrEqual(560);
    await client.press('Escape');
    if (size) await page.setViewportSize(size);
  });

  await test.step('those used most are offered first, also before those without a tax number', async () => {
    await client.click();
    // Each of the two drafts has one of them. «Academia Norte», the first by name, has neither invoices nor a NIF.
    const offered = page.getByRole('listbox', { name: 'Cliente' }).getByRole('option');
    await expect(offered.nth(0)).toContainText('Colegio San Isidro');
    await expect(offered.nth(1)).toContainText('Cafetería La Plaza, S.L.');
    await expect(offered.nth(2)).toContainText('Academia Norte');
    await client.press('Escape');
  });

  await test.step('the first one found is chosen by Enter, after a single key too', async () => {
    // The second time, another client is chosen already.
    for (const [key, name] of [
      ['z', /^Cafetería La Plaza/],
      ['b', /^Colegio San Isidro/],
    ] as const) {
      await client.focus();
      await client.press('Control+a');
      await client.press(key);
      await expect(first).toHaveText(name);
      await expect(first).toHaveAttribute('data-combobox-selected', 'true');
      await client.press('Enter');
      await expect(client).toHaveValue(name);
    }
  });

  await test.step('a whole name is chosen by leaving its field, and part of one changes nothing', async () => {
    for (const typed of ['ANA BELTRAN RUIZ', 'plaza']) {
      await client.press('Control+a');
      await client.pressSequentially(typed);
      await client.press('Tab');
      await expect(client).toHaveValue('Ana Beltrán Ruiz');
    }
  });

  await test.step('one is found by its tax number as people write it, and by the words of its name', async () => {
    for (const [searched, name] of [
      ['plaza cafeteria', 'Cafetería La Plaza, S.L.'],
      ['12.345.678-z', 'Ana Beltrán Ruiz'],
    ] as const) {
      await client.press('Control+a');
      await client.pressSequentially(searched);
      await expect(first).toContainText(name);
      await client.press('Enter');
      await expect(client).toHaveValue(name);
    }
  });

  await test.step('the name ends before the button that removes it', async () => {
    const end = await client.evaluate(
      (field) =>
        field.getBoundingClientRect().right -
        Number.parseFloat(getComputedStyle(field).paddingInlineEnd),
    );
    // Not a stop of the keyboard, so it is no button of the page for who cannot see it.
    const button = await page.locator('button[aria-label="Quitar el cliente"]').boundingBox();
    expect(end).toBeLessThanOrEqual(button?.x ?? 0);
  });

  await test.step('a tax number that nobody has starts a new client', async () => {
    await client.press('Control+a');
    await client.pressSequentially('11111111-H');
    await page.getByRole('option', { name: 'Crear Nuevo Cliente' }).click();
    const dialog = page.getByRole('dialog', { name: 'Crear Nuevo Cliente' });
    await expect(dialog.getByLabel('CIF')).toHaveValue('11111111H');
    await expect(dialog.getByLabel('Nombre')).toHaveValue('');
  });
});
