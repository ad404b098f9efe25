import { type APIRequestContext, expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { giveCertificate, signIn, signUp } from '../support/demo-company.ts';
import { goWithin } from '../support/go-within.ts';
import { randomCompanyNif } from '../support/random-nif.ts';

/**
 * A situation chosen in plain words, an exchange of simplified invoices, and the replacement of another program's
 * invoice.
 */
test('chooses a situation, exchanges simplified invoices and replaces an invoice of another program', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(240_000);
  const api = await enterPanel(page, baseURL ?? '');
  await api('SetClientes', {
    Name: 'Dupont & Fils SARL',
    VATRegistrationNo: 'FR83404833048',
    Address: 'Rue de la Paix, 1',
    postCode: '75002',
    countryCode: 'FR',
    CustomerPostingGroup: 'UE',
  });
  await api('SetClientes', {
    Name: 'Hotel Mirador, S.A.',
    VATRegistrationNo: 'A58818501',
    Address: 'Gran Vía, 2',
    postCode: '08013',
    countryCode: 'ES',
  });
  const ticket = (price: string) =>
    api('SetFacturas', {
      invoiceDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
      isSimplificada: 'true',
      invoiceType: '1',
      invoiceItems: JSON.stringify([
        { description: 'Menú del día', quantity: '2', price, tax: 'IVA10' },
      ]),
      accionFactura: '1',
    });
  const tickets = [await ticket('11'), await ticket('14')].map(({ DocNo }) => DocNo as string);

  await test.step('a situation suggested by the client, and its consequences', async () => {
    await page.goto('/panel/crear');
    await chooseClient(page, 'Dupont & Fils SARL');
    await page.getByRole('button', { name: /Vendo mercancía a una empresa de Francia/ }).click();
    const situation = page.getByRole('combobox', { name: '¿Qué vendes y a quién?' });
    await expect(situation).toHaveValue(/Vendo mercancía a una empresa de Francia/);
    // Nothing is wrong in an invoice that has only just begun.
    const verdict = page.getByRole('region', { name: 'Registrar la factura' }).getByRole('status');
    await expect(verdict).toHaveText('Faltan datos');
    await page.getByRole('button', { name: 'Ver qué falta' }).click();
    await expect(page.getByLabel('Descripción, línea 1', { exact: true })).toBeFocused();
    await writeLine(page, 'Cerámica pintada', '300');
    await expect(page.getByText('Entrega intracomunitaria exenta').first()).toBeAttached();
    await expect(page.getByRole('table').getByText('Exenta').first()).toBeAttached();
    await expectAccessible(page);
    await picture(page, 'situacion');
  });

  await test.step('a client of the Union who is charged Spanish VAT: said until it is decided', async () => {
    await startOver(page);
    await chooseClient(page, 'Dupont & Fils SARL');
    await writeLine(page, 'Stand de feria', '900');
    const checks = page.getByRole('region', { name: 'Comprobaciones de la AEAT' });
    const said = checks.getByText(/empresa de la UE con NIF-IVA y le cobras IVA español/);
    await expect(said).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'iva-a-la-union');
    await checks.getByRole('button', { name: 'Sí, lleva IVA español' }).click();
    await expect(said).toHaveCount(0);
    await expect(checks.getByText('Todo correcto.')).toBeVisible();
    // Nor in the next invoice of that client.
    await startOver(page);
    await chooseClient(page, 'Dupont & Fils SARL');
    await writeLine(page, 'Stand de feria', '900');
    await expect(checks.getByText('Todo correcto.')).toBeVisible();
  });

  await test.step('a situation found by a word, and what it requires in the line', async () => {
    await startOver(page);
    const situation = page.getByRole('combobox', { name: '¿Qué vendes y a quién?' });
    await situation.click();
    await situation.fill('segunda mano');
    await page.getByRole('option', { name: /Vendo bienes usados.*El IVA va dentro/ }).click();
    await writeLine(page, 'Furgoneta de ocasión', '1000', { coste: '758' });
    await expect(page.getByText('200,00').first()).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'rebu');
  });

  await test.step('why a type cannot be chosen is read, and simplified invoices are found in a list', async () => {
    await startOver(page);
    await page.getByRole('combobox', { name: 'Tipo de factura' }).click();
    await expect(page.getByText('no admitida por VERI*FACTU')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('option', { name: 'F3 Sustitutiva de simplificadas' }).click();
    // It fits in the field, which is narrower than the list.
    const kind = page.getByRole('combobox', { name: 'Tipo de factura' });
    await expect(kind).toHaveValue('F3 Sustitutiva');
    const field = page.getByRole('combobox', { name: 'Facturas simplificadas que sustituye' });
    await field.click();
    // The box has the ring: a second one inside it would cut its hint.
    await expect(field).toBeFocused();
    await expect(field).toHaveCSS('outline-style', 'none');
    const figure = page.getByRole('option', { name: tickets[0] as string }).getByText('24,20');
    const [option, amount] = await Promise.all([
      page.getByRole('listbox').last().boundingBox(),
      figure.boundingBox(),
    ]);
    const right = (box: typeof option) => (box ? box.x + box.width : Number.NaN);
    expect(right(option) - right(amount)).toBeGreaterThanOrEqual(0);
    expect(right(option) - right(amount)).toBeLessThan(32);
  });

  await test.step('two simplified invoices are exchanged for a full one', async () => {
    await page.goto(`/panel/crear?canjear=${encodeURIComponent(tickets.join(','))}`);
    await expect(page.getByText(tickets[0] as string).first()).toBeVisible();
    await expect(page.getByText(/Suman 55,00/)).toBeVisible();
    await chooseClient(page, 'Hotel Mirador, S.A.');
    // The tickets were paid when they were issued.
    const owed = page.getByRole('term').filter({ hasText: 'A cobrar' });
    await expect(owed.locator('+ dd').first()).toHaveText('0,00\u00a0€');
    await picture(page, 'canje');
    await expectAccessible(page);
    await register(page);
    const number = await registeredNumber(page);
    await goWithin(page, `/panel/facturas/${encodeURIComponent(number)}`);
    await expect(page.getByText(tickets[1] as string).first()).toBeAttached();
    await goWithin(page, `/panel/facturas/${encodeURIComponent(tickets[1] as string)}`);
    await expect(page.getByText('Canjeada', { exact: true })).toBeVisible();

    await goWithin(page, `/panel/crear?canjear=${encodeURIComponent(tickets[0] as string)}`);
    await chooseClient(page, 'Hotel Mirador, S.A.');
    await expect(page.getByText(/ya se canjeó por la/).first()).toBeVisible();
  });

  await test.step('an abono of a simplified invoice is filled in from it', async () => {
    const { DocNo } = await ticket('16');
    await fillInAbono(page, DocNo as string);
  });

  await test.step('invoices of another program are replaced', async () => {
    await startOver(page);
    await page.getByText('Abono', { exact: true }).click();
    await chooseClient(page, 'Hotel Mirador, S.A.');
    const rectified = page.getByRole('combobox', { name: 'Factura a rectificar' });
    await rectified.fill('VIEJA/77, VIEJA/78');
    await expect(page.getByRole('textbox', { name: 'Fecha de la VIEJA/78' })).toBeVisible();
    await rectified.fill('VIEJA/77');
    await expect(page.getByText('externa', { exact: true })).toBeVisible();
    const day = page.getByRole('textbox', { name: 'Fecha de esa factura' });
    await day.fill('01/10/2026');
    await day.press('Tab');
    // The page may move under the click while the calendar closes.
    await expect(async () => {
      await page.getByText('Por sustitución', { exact: true }).click();
      await expect(page.getByLabel('Base imponible', { exact: true })).toBeVisible({
        timeout: 2_000,
      });
    }).toPass();
    await page.getByLabel('Base imponible', { exact: true }).fill('100');
    await page.getByLabel('Cuota', { exact: true }).fill('21');
    await writeLine(page, 'Cena de empresa', '90');
    const change = page.getByRole('table', { name: /Qué cambia en la factura VIEJA\/77/ });
    await expect(change.getByRole('row', { name: /Diferencia/ })).toContainText('−12,10');
    await picture(page, 'externa');
    await expectAccessible(page);
    await register(page);
    await registeredNumber(page);
  });
});

/** Looks for a simplified invoice to rectify, and lets it fill in the abono. */
async function fillInAbono(page: Page, free: string): Promise<void> {
  await startOver(page);
  await page.getByText('Abono', { exact: true }).click();
  const rectified = page.getByRole('combobox', { name: 'Factura a rectificar' });
  const kind = page.getByRole('combobox', { name: 'Tipo de rectificación' });
  const simplified = page.getByRole('checkbox', { name: 'Factura simplificada' });
  const choose = async () => {
    await rectified.fill(free);
    await page.getByRole('option', { name: free }).click();
  };
  await rectified.fill(free);
  await expect(page.getByText('No hay facturas completas así. Las simplificadas')).toBeVisible();
  await expect(page.getByText('externa', { exact: true })).toHaveCount(0);
  await rectified.fill('0000');
  await expect(page.getByRole('option').filter({ hasText: '€' })).not.toHaveCount(0);
  await expect(page.getByRole('option', { name: /Simplificada/ })).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await expectAccessible(page);
  await rectified.fill('');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Buscar una simplificada' }).click();
  await expect(kind).toHaveValue(/^R5/);
  await expect(rectified).toBeFocused();
  await expect(page.getByText('Aquí salen las simplificadas sin canjear.')).toBeVisible();
  await choose();
  const question = page.getByRole('dialog', { name: 'Rellenar datos?' });
  await expect(
    question.getByText('¿Quieres rellenar con los datos de la factura a corregir?'),
  ).toBeVisible();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'No rellenar' }).click();
  await expect(page.getByText('Aquí salen las simplificadas')).toHaveCount(0);
  await rectified.fill('');
  await choose();
  await question.getByRole('button', { name: 'Rellenar datos', exact: true }).click();
  await expect(simplified).toBeChecked();
  await expect(kind).toHaveValue(/^R5/);
  await expect(page.getByText('32,00').first()).toBeVisible();
  await rectified.fill('0000');
  await expect(page.getByRole('option', { name: /Simplificada/ })).toHaveCount(1);
  await expect(page.getByRole('option').filter({ hasText: '€' })).toHaveCount(1);
  await simplified.uncheck();
  await expect(kind).toHaveValue(/^R1/);
}

for (const { metodo, price } of [
  { metodo: 'I', price: '4' },
  { metodo: 'S', price: '6' },
]) {
  test(`a simplified invoice and the R5 that corrected it (${metodo}) are exchanged for the remaining amount`, {
    tag: '@any-width',
  }, async ({ page, baseURL }) => {
    const api = await enterPanel(page, baseURL ?? '');
    const issue = (fields: Record<string, string>, amount: string) =>
      api('SetFacturas', {
        invoiceDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
        isSimplificada: 'true',
        invoiceType: '1',
        crmemoType: '4',
        invoiceItems: JSON.stringify([
          { description: 'Menú del día', quantity: '1', price: amount, tax: 'IVA10' },
        ]),
        accionFactura: '1',
        ...fields,
      });
    const ticket = (await issue({}, '10')).DocNo as string;
    const abono = { type: 'abono', tipoRectificativa: metodo, invoiceToRectify: ticket };
    const { DocNo } = await issue(abono, price);
    await page.goto(`/panel/facturas/${encodeURIComponent(ticket)}`);
    await page.getByRole('link', { name: 'Factura completa' }).click();
    await expect(page).toHaveURL(
      `/panel/crear?canjear=${encodeURIComponent(`${ticket},${DocNo}`)}`,
    );
    await expect(page.getByText(/Suman 6,60/)).toBeVisible();
    const bar = page.getByRole('region', { name: 'Registrar la factura' });
    await expect(bar.getByText('6,60')).toBeVisible();
    await expect(page.getByLabel('Precio, línea 1')).toHaveValue('6,00');
  });
}

/** Its editor offers only ours, but an abono that names others may become an F3. */
test('asks an F3 for the dates of simplified invoices that it does not know', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const api = await enterPanel(page, baseURL ?? '');
  const { DocNo } = await api('SetFacturas', {
    invoiceType: '2',
    invoiceToRectify: 'VIEJA/77,VIEJA/78',
    invoiceItems: JSON.stringify([
      { description: 'Menú del día', quantity: '1', price: '10', tax: 'IVA10' },
    ]),
    accionFactura: '0',
  });
  await page.goto(`/panel/pendientes?editar=${encodeURIComponent(DocNo as string)}`);
  const first = page.getByRole('textbox', { name: 'Fecha de la VIEJA/77' });
  const second = page.getByRole('textbox', { name: 'Fecha de la VIEJA/78' });
  await expect(first).toHaveAccessibleDescription(/La factura VIEJA\/77 no está en Huella/);
  await first.fill('01/10/2026');
  await first.press('Tab');
  await expect(second).toHaveAccessibleDescription(/La factura VIEJA\/78 no está en Huella/);
  await expect(first).not.toHaveAccessibleDescription(/./);
  // Each keeps its date when the other is removed.
  await page.getByRole('combobox', { name: 'Facturas simplificadas que sustituye' }).click();
  await page.keyboard.press('Backspace');
  await expect(page.getByRole('textbox', { name: 'Fecha de esa factura' })).toHaveValue(
    '01/10/2026',
  );
  await expect(page.getByText(/no está en Huella/)).toHaveCount(0);
});

/** A finding in a column of its field alone would be eleven lines long. */
test('what is wrong with the date or the type is as wide as both fields', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const api = await enterPanel(page, baseURL ?? '');
  const { DocNo } = await api('SetFacturas', {
    invoiceDate: '2024-01-01',
    invoiceItems: JSON.stringify([
      { description: 'Menú del día', quantity: '1', price: '10', tax: 'IVA10' },
    ]),
    accionFactura: '0',
  });
  await page.goto(`/panel/pendientes?editar=${encodeURIComponent(DocNo as string)}`);
  const day = page.getByRole('textbox', { name: 'Fecha', exact: true });
  await expect(day).toHaveAccessibleDescription(/VERI\*FACTU no admite facturas anteriores/);
  const note = page.getByText(/VERI\*FACTU no admite facturas anteriores/).first();
  const endOf = async (element: Locator) => {
    const { x = 0, width = 0 } = (await element.boundingBox()) ?? {};
    return x + width;
  };
  const kind = page.getByRole('combobox', { name: 'Tipo de factura' });
  // On a phone they stand one above the other.
  for (const [width, last] of [
    [1440, kind],
    [390, day],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const space = async () => (await endOf(last)) - (await endOf(note));
    await expect.poll(space, `at ${width} px`).toBeLessThan(40);
    expect(await space(), `at ${width} px`).toBeGreaterThanOrEqual(-1);
  }
});

/** Spanish VAT is preselected: choosing it changes nothing, but confirms that it is intended. */
test('suggests the usual situation of a foreign client until the user has chosen one', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const api = await enterPanel(page, baseURL ?? '');
  await api('SetClientes', {
    Name: 'Acme Trading Inc',
    VATRegistrationNo: 'US-12345',
    Address: 'Main Street, 1',
    postCode: '10001',
    countryCode: 'US',
    CustomerPostingGroup: 'EXT',
  });
  await page.goto('/panel/crear');
  await chooseClient(page, 'Acme Trading Inc');
  const proposed = page.getByText('Con este cliente, lo normal:');
  await expect(proposed).toBeVisible();
  const situation = page.getByRole('combobox', { name: '¿Qué vendes y a quién?' });
  await situation.click();
  await situation.fill('lo entrego');
  await page.getByRole('option', { name: /^Cliente de fuera, pero lo entrego/ }).click();
  await expect(proposed).toBeHidden();
});

/** A ticket of 10,00 €, which no price without tax adds up to, its product, and the full invoice that replaces it. */
test('sells at prices that include tax, and exchanges the ticket for an invoice of the same total', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const api = await enterPanel(page, baseURL ?? '');
  await api('SetClientes', {
    Name: 'Hotel Mirador, S.A.',
    VATRegistrationNo: 'A58818501',
    Address: 'Gran Vía, 2',
    postCode: '08013',
    countryCode: 'ES',
  });
  await api('SetProductos', { Name: 'Taza de loza', UnitOfMeasure: 'UD', UnitPrice: '8,26' });
  const taxIn = page.getByRole('switch', { name: 'Precios con IVA incluido' });
  const simplified = page.getByRole('checkbox', { name: 'Factura simplificada' });
  const bar = page.getByRole('region', { name: 'Registrar la factura' });

  await test.step('the price typed is the price paid', async () => {
    await page.goto('/panel/crear');
    await expect(taxIn).toBeHidden();
    await simplified.check();
    await writeLine(page, 'Camiseta', '10');
    await expect(bar.getByText('12,10')).toBeVisible();
    await taxIn.check();
    await expect(bar.getByText('10,00')).toBeVisible();
    await expect(page.getByText('8,26', { exact: true }).first()).toBeVisible();
    await expect(page.getByText('1,74', { exact: true }).first()).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'iva-incluido');
  });

  await test.step('a full invoice needs prices without tax: it says so and converts them', async () => {
    await simplified.uncheck();
    const fix = page.getByRole('button', { name: 'Quitar los impuestos de los precios' }).first();
    await expect(fix).toBeVisible();
    await expect(bar.getByText('10,00')).toBeVisible();
    await picture(page, 'iva-incluido-completa');
    await fix.click();
    const undo = page.getByRole('button', { name: 'Deshacer' });
    await undo.hover(); // It stays while the mouse is over it.
    await expect(taxIn).toBeHidden();
    await expect(bar.getByText('9,99')).toBeVisible();
    await undo.click();
    await expect(bar.getByText('10,00')).toBeVisible();
    await simplified.check();
    await expect(taxIn).toBeChecked();
  });

  const ticket = await test.step('the ticket is registered at that price', async () => {
    await register(page);
    return registeredNumber(page);
  });

  await test.step('the next ticket starts with tax included, also in the price of a product', async () => {
    await page.getByRole('button', { name: 'Crear otra' }).click();
    await expect(simplified).toBeChecked();
    await expect(taxIn).toBeChecked();
    await expect(page.getByRole('combobox', { name: 'Cliente', exact: true })).not.toHaveValue('');
    await page.getByLabel('Descripción').first().fill('Taza');
    await page.getByRole('option', { name: /Taza de loza\s*9,99/ }).click();
    await expect(page.getByLabel('Precio (IVA incl.)').first()).toHaveValue('9,99');
    await expect(bar.getByText('9,99')).toBeVisible();
  });

  await test.step('the full invoice that replaces it has the same total', async () => {
    await goWithin(page, `/panel/facturas/${encodeURIComponent(ticket)}`);
    await page.getByRole('link', { name: 'Factura completa' }).click();
    await expect(taxIn).toBeChecked();
    await chooseClient(page, 'Hotel Mirador, S.A.');
    await expect(bar.getByText('10,00')).toBeVisible();
    await register(page);
    await goWithin(page, `/panel/facturas/${encodeURIComponent(await registeredNumber(page))}`);
    const paper = page.getByRole('region', { name: /^Factura / });
    await expect(paper.getByRole('row', { name: /Camiseta/ })).toContainText('8,26');
    await expect(paper.getByText('10,00 €', { exact: true })).toBeVisible();
    await picture(page, 'iva-incluido-canje');
  });

  await test.step('the ticket shows its prices as they were typed', async () => {
    await goWithin(page, `/panel/facturas/${encodeURIComponent(ticket)}`);
    const paper = page.getByRole('region', { name: /^Factura / });
    await expect(paper.getByText('Precio (IVA incl.)')).toBeVisible();
    await expect(paper.getByRole('row', { name: /Camiseta/ })).toContainText('10,00');
    await picture(page, 'iva-incluido-factura');
  });
});

/** Signs in to a new company with a certificate. @returns a function that calls the API, to prepare data */
async function enterPanel(page: Page, baseUrl: string) {
  const company = await signUp(baseUrl, randomCompanyNif());
  const token = await signIn(baseUrl, company);
  const request: APIRequestContext = page.request;
  const api = async (call: string, fields: Record<string, string>) => {
    const answer = await request.post(`/api/PostData/${call}`, {
      headers: { authorization: `Bearer ${token}` },
      multipart: fields,
    });
    expect(answer.status(), await answer.text()).toBe(200);
    return (await answer.json()) as Record<string, unknown>;
  };
  await giveCertificate(baseUrl, token, company.nif);
  await page.addInitScript((value) => localStorage.setItem('authToken', value), token);
  return api;
}

async function chooseClient(page: Page, name: string) {
  const field = page.getByRole('combobox', { name: 'Cliente', exact: true });
  await field.click();
  await field.fill(name);
  await page.getByRole('option', { name: new RegExp(name.slice(0, 8)) }).click();
  await expect(field).toHaveValue(name);
}

async function writeLine(
  page: Page,
  description: string,
  price: string,
  { coste }: { coste?: string } = {},
) {
  await page.getByLabel('Descripción, línea 1').fill(description);
  await page.getByLabel('Precio, línea 1').fill(price);
  if (coste) await page.getByLabel('Lo que te costó, con impuestos, línea 1').fill(coste);
  await page.getByLabel('Cantidad, línea 1').press('Tab');
}

/** Leaves a half-typed invoice, which the form restores, and discards it. */
async function startOver(page: Page) {
  await goWithin(page, '/panel/ayuda');
  await expect(page.getByRole('heading', { level: 1, name: 'Ayuda y soporte' })).toBeVisible();
  await goWithin(page, '/panel/crear');
  const button = page.getByRole('button', { name: 'Empezar otra' });
  await page.getByRole('combobox', { name: 'Cliente', exact: true }).waitFor();
  if (await button.isVisible()) await button.click();
  await expect(page.getByRole('combobox', { name: 'Cliente', exact: true })).toHaveValue('');
}

async function register(page: Page) {
  await expect(page.getByText('Se puede registrar').first()).toBeVisible();
  await page.getByRole('button', { name: 'Enviar factura' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Enviar factura', exact: true }).click();
}

async function registeredNumber(page: Page): Promise<string> {
  await expect(page).toHaveURL(/recibo=/);
  return new URL(page.url()).searchParams.get('recibo') ?? '';
}

/** Saved only if the variable PICTURES names a folder. */
async function picture(page: Page, name: string) {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
