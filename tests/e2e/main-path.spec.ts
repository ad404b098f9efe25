import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { rasterise, readPdf, readQrs } from '../pdf/read-pdf.ts';
import { expectAccessible } from '../support/accessible.ts';
import { goWithin } from '../support/go-within.ts';
import { randomCompanyNif } from '../support/random-nif.ts';
import { eventually } from '../support/wait.ts';

const COMPANY = 'Carpintería Belmonte e Hijos, S.L.';
const CUSTOMER = 'Instalaciones Europeas de Climatización y Frío Industrial, S.L.';
const PASSWORD = 'una frase larga cualquiera';

/**
 * From signing up to the PDF of an invoice that the AEAT accepted, as a person would do it. Axe checks only the states
 * that no other file checks: the screens at rest are in shell-accessible.spec.ts.
 */
test('signs up, uploads the certificate, invoices a new client and downloads the accepted PDF', async ({
  page,
}, { project }) => {
  test.setTimeout(240_000);
  const nif = randomCompanyNif();
  const email = `${nif.toLowerCase()}@ejemplo.es`;

  await test.step('signing up for the demo', async () => {
    await page.goto('/registro');
    // A phone has room for the form only.
    const points = page.getByRole('complementary', { name: 'Qué es Huella' }).getByRole('listitem');
    if (project.name === 'phone') await expect(points.first()).toBeHidden();
    await page.getByLabel('Correo electrónico').fill(email);
    await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Repite la contraseña').fill(PASSWORD);
    await page.getByRole('checkbox', { name: /términos y condiciones/ }).check();
    await page.getByRole('button', { name: 'Siguiente' }).click();
    await page.getByLabel('Nombre de la empresa').fill(COMPANY);
    await page.getByLabel('NIF/CIF').fill(nif);
    await page.getByLabel('Dirección').fill('Av. de la Industria 18, nave 4');
    await page.getByLabel('Código postal').fill('28823');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Subscripción Demo' }).click();
    await expect(page).toHaveURL(/\/registro\/completado/);
    await expectAccessible(page);
  });

  await test.step('the e-mail has the access details, but never the password', async () => {
    const mail = await eventually(async () => {
      const answer = await page.request.get(`/desarrollo/correo?para=${email}`);
      const [first] = (await answer.json()) as { asunto: string; texto: string }[];
      return first;
    });
    expect(mail.asunto).toContain('Huella');
    expect(mail.texto).toContain(email);
    expect(mail.texto).not.toContain(PASSWORD);
  });

  await test.step('after signing in, only the profile is open until there is a certificate', async () => {
    await page.getByRole('link', { name: 'Iniciar sesión' }).last().click();
    await expect(page.getByLabel('Correo electrónico')).toHaveValue(email);
    await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Iniciar sesión' }).click();
    await expect(page).toHaveURL(/\/panel\/perfil/);
    await expect(
      page.getByText('Se necesita cargar el certificado digital para poder acceder.').first(),
    ).toBeVisible();
    expect(await storedToken(page)).toMatch(/^[\w-]+\./);
  });

  await test.step('uploading the certificate', async () => {
    const query = new URLSearchParams({ nif, nombre: COMPANY });
    const file = await page.request.get(`/desarrollo/certificado?${query}`);
    await page
      .locator('input[type=file]')
      .last()
      .setInputFiles({
        name: 'certificado.p12',
        mimeType: 'application/x-pkcs12',
        buffer: await file.body(),
      });
    const password = page.getByLabel('Contraseña del certificado');
    await password.fill('otra');
    await page.getByRole('button', { name: 'Comprobar y guardar' }).click();
    await expect(
      page.getByText('La contraseña del certificado no es correcta.').first(),
    ).toBeVisible();
    await password.fill('prueba');
    await page.getByRole('button', { name: 'Comprobar y guardar' }).click();
    await expect(page.getByText('Certificado válido').first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('Inicio shows the first steps', async () => {
    await goWithin(page, '/panel/inicio');
    await expect(page.getByRole('heading', { level: 1, name: 'Inicio' })).toBeVisible();
    const steps = page.getByRole('region', { name: 'Primeros pasos' });
    await expect(steps.getByText('Datos de la empresa, por hacer')).toBeVisible();
    await expect(steps.getByText('Falta el municipio')).toBeVisible();
    await expectAccessible(page);
    await steps.getByRole('link', { name: 'Completar datos' }).click();
    await expect(page.getByLabel('Municipio')).toBeFocused();
    await page.getByLabel('Municipio').fill('Madrid');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await expect(page.getByText('Los datos de tu empresa están guardados.')).toBeVisible();
    await goWithin(page, '/panel/inicio');
    await expect(steps.getByText('Datos de la empresa, hecho')).toBeVisible();
  });

  await test.step('adding a new client from the form', async () => {
    await goWithin(page, '/panel/crear');
    await page.getByRole('combobox', { name: 'Cliente' }).click();
    await page.getByText('Crear Nuevo Cliente').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Nombre').fill(CUSTOMER);
    await dialog.getByLabel('CIF').fill('A58818501');
    await dialog.getByLabel('Dir. facturación').fill('C/ Sierra de Guadarrama 32, 2.º');
    await dialog.getByLabel('Código postal').fill('28830');
    await dialog.getByLabel('Email').fill('compras@ejemplo.es');
    await expectAccessible(page);
    await dialog
      .getByRole('button', { name: /Guardar|Crear/ })
      .last()
      .click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('combobox', { name: 'Cliente' })).toHaveValue(CUSTOMER);
  });

  await test.step('two lines with different rates', async () => {
    const lines = [
      { description: 'Puerta de paso maciza de roble', quantity: '6', price: '214,50' },
      { description: 'Renovación de tarima', quantity: '22', price: '24.9', rate: '10 %' },
    ];
    for (const [index, line] of lines.entries()) {
      await (project.name === 'phone' ? fillSheet(page, line) : fillRow(page, index + 1, line));
    }
    await expect(page.getByText('2.159,85 €').first()).toBeVisible();
    await expect(page.getByText('Se puede registrar')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('registering, after a confirmation', async () => {
    await page.getByRole('button', { name: 'Enviar factura' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('no se puede cambiar')).toBeVisible();
    await expect(dialog.getByText('2.159,85 €')).toBeVisible();
    await dialog.getByRole('checkbox').check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Enviar factura', exact: true }).dblclick();
  });

  const number = `00001/${new Date().getFullYear() % 100}`;
  await test.step('the receipt updates automatically when the AEAT accepts the invoice', async () => {
    await expect(page.getByRole('heading', { name: `Factura ${number}` })).toBeVisible();
    await expect(page.getByText('Registrada, eslabón 1 de la cadena')).toBeVisible();
    await expect(page.getByRole('main').getByRole('status').last()).toHaveText('Registrada', {
      timeout: 60_000,
    });
    await expectAccessible(page);
  });

  await test.step('the PDF: its text and its QR', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Descargar PDF' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${number.replace('/', '-')}.pdf`);
    const pdf = new Uint8Array(await readFile(await download.path()));
    const { text } = await readPdf(pdf);
    for (const mention of [
      COMPANY,
      nif,
      'A58818501',
      number,
      '2.159,85',
      'QR tributario:',
      'VERI*FACTU',
    ]) {
      expect(text).toContain(mention);
    }
    const [firstPage] = await rasterise(pdf, 150);
    const [qr] = firstPage ? await readQrs(firstPage) : [];
    const url = new URL(qr?.text ?? '');
    expect(url.searchParams.get('nif')).toBe(nif);
    expect(url.searchParams.get('numserie')).toBe(number);
    expect(url.searchParams.get('importe')).toBe('2159.85');
  });

  await test.step('the invoice is in the history, none is pending, and the client has received it', async () => {
    await goWithin(page, '/panel/historial');
    await expect(page.getByText(number).first()).toBeVisible();
    await goWithin(page, '/panel/clientes');
    await expect(page.getByText(CUSTOMER).first()).toBeVisible();
    await goWithin(page, '/panel/pendientes');
    await expect(page.getByText('No tienes facturas pendientes')).toBeVisible();
    const held = await page.request.get(`/desarrollo/aeat/registros?nif=${nif}`);
    expect(await held.json()).toHaveLength(1);
    const mail = await eventually(async () => {
      const answer = await page.request.get('/desarrollo/correo?para=compras@ejemplo.es');
      const mails = (await answer.json()) as { asunto: string; adjuntos: { nombre: string }[] }[];
      return mails.find(({ asunto }) => asunto.includes(COMPANY));
    });
    expect(mail.adjuntos.map(({ nombre }) => nombre)).toEqual([`${number.replace('/', '-')}.pdf`]);
  });

  await test.step('the page of the invoice shows its history', async () => {
    await goWithin(page, '/panel/historial');
    if (project.name === 'phone') {
      await page.getByRole('button', { name: new RegExp(number) }).click();
      await page.getByRole('link', { name: /^Ver factura/ }).click();
    } else {
      await page.getByRole('link', { name: number }).first().click();
    }
    await expect(page.getByText('Aceptada por la AEAT')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('signing out ends the session on the server too', async () => {
    const token = await storedToken(page);
    await goWithin(page, '/panel/perfil');
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Menú de / })
      .click();
    await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
    await expect(page).toHaveURL(/\/iniciosesion/);
    const answer = await page.request.get('/api/GetData/GetClientes', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status()).toBe(401);
  });
});

interface Line {
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  readonly rate?: string;
}

async function fillRow(page: Page, row: number, line: Line): Promise<void> {
  await page.getByLabel(`Descripción, línea ${row}`).fill(line.description);
  await page.getByLabel(`Cantidad, línea ${row}`).fill(line.quantity);
  await page.getByLabel(`Precio, línea ${row}`).fill(line.price);
  if (line.rate) await chooseRate(page.getByLabel(`Impuesto, línea ${row}`), line.rate);
  await page.keyboard.press('Tab');
}

/** On a phone each line opens in a sheet. */
async function fillSheet(page: Page, line: Line): Promise<void> {
  await page.getByRole('button', { name: 'Añadir línea' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel(/^Descripción/).fill(line.description);
  await sheet.getByLabel(/^Cantidad/).fill(line.quantity);
  await sheet.getByLabel(/^Precio/).fill(line.price);
  if (line.rate) await chooseRate(sheet.getByLabel(/^Impuesto/), line.rate);
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Listo' }).click();
  await expect(sheet).toBeHidden();
}

async function chooseRate(select: ReturnType<Page['getByLabel']>, rate: string): Promise<void> {
  await select.focus(); // Its options are loaded when it gets the focus.
  const label = await select.locator('option', { hasText: rate }).first().innerText();
  await select.selectOption({ label });
}

async function storedToken(page: Page): Promise<string> {
  return page.evaluate<string>("localStorage.getItem('authToken')");
}
