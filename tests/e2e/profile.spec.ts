import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { unzipSync } from 'fflate';
import { bakeryLogo } from '../pdf/logo.ts';
import { expectAccessible } from '../support/accessible.ts';
import { holdChecks } from '../support/held-checks.ts';
import { watchPolicy } from '../support/policy.ts';
import { enterFullCompany, enterNewCompany } from '../support/signed-in.ts';
import { untilLetGo } from '../support/until-let-go.ts';
import { eventually } from '../support/wait.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name });

test('profile: company data is sent only if it has changed', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/PostData/')) calls.push(new URL(request.url()).pathname);
  });
  await page.goto('/panel/perfil');
  const company = section(page, 'Información de empresa');
  await expect(company.getByText('Datos modificados')).toBeHidden();
  const name = company.getByLabel('Nombre de la empresa');
  await name.press('Enter');
  await company.getByLabel('NIF/CIF').fill('B1234567');
  await company.getByLabel('NIF/CIF').blur();
  await expect(company.getByText(/NIF/).last()).toBeVisible();
  await company.getByLabel('Dirección').fill('Calle 静岡, 1');
  await expect(company.getByLabel('Dirección')).toHaveAccessibleDescription(
    'La dirección de la empresa se imprimirá con «□» en lugar de «静» y «岡»: la letra del PDF no los tiene.',
  );
  await company.getByRole('button', { name: 'Deshacer' }).click();
  await expect(company.getByText('Datos modificados')).toBeHidden();
  // The button pressed has disappeared, so the focus stays in the section.
  await expect(company.getByRole('heading')).toBeFocused();
  expect(calls).toEqual([]);

  await company.getByLabel('Dirección').fill('Plaza Mayor, 2');
  await expect(company.getByText('Datos modificados')).toBeVisible();
  await expectAccessible(page);
  await company.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(page.getByText('Los datos de tu empresa están guardados.')).toBeVisible();
  await expect(company.getByRole('heading')).toBeFocused();
  await expect(company.getByText('Datos modificados')).toBeHidden();
  expect(calls).toEqual(['/api/PostData/SetDatosEmpresa2']);

  await test.step('billing defaults are saved at once, and only if the value is another one', async () => {
    const billing = section(page, 'Datos de facturación');
    const choose = async (option: string) => {
      await billing.getByRole('combobox', { name: 'Término pago' }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('30 días fecha factura');
    await choose('Al contado');
    await expect(billing.getByText('Guardado')).toBeVisible();
    expect(calls).toEqual(['/api/PostData/SetDatosEmpresa2', '/api/PostData/SetDatosEmpresa3']);
  });

  await test.step('a choice made while another is being saved waits its turn', async () => {
    const billing = section(page, 'Datos de facturación');
    const { held, release: letGo } = untilLetGo();
    await page.route('**/SetDatosEmpresa3', async (route) => {
      await held;
      await route.continue();
    });
    await billing.getByRole('combobox', { name: 'Término pago' }).click();
    await page.getByRole('option', { name: '60 días fecha factura', exact: true }).click();
    await billing.getByRole('combobox', { name: 'Forma pago' }).click();
    await page.getByRole('option', { name: 'Tarjeta de crédito o débito', exact: true }).click();
    await billing.getByLabel('Teléfono').fill('910 000 000');
    await billing.getByLabel('Datos registrales').fill('Registro Mercantil de Zaragoza, tomo 4211');
    const iban = billing.getByLabel('IBAN');
    await iban.fill('ES00');
    await iban.blur();
    letGo();
    // Only the invalid field is refused, with an alert for screen readers; the others are saved.
    await expect(billing.getByRole('alert')).toContainText(/IBAN/);
    await page.unroute('**/SetDatosEmpresa3');
    await page.reload();
    await expect(billing.getByRole('combobox', { name: 'Término pago' })).toHaveValue(
      '60 días fecha factura',
    );
    await expect(billing.getByRole('combobox', { name: 'Forma pago' })).toHaveValue(
      'Tarjeta de crédito o débito',
    );
    await expect(billing.getByLabel('Teléfono')).toHaveValue('910 000 000');
    await expect(billing.getByLabel('Datos registrales')).toHaveValue(/tomo 4211$/);
    calls.length = 2;
  });

  await test.step('restarting the counter', async () => {
    const billing = section(page, 'Datos de facturación');
    await expect(billing.getByLabel('Contador de facturas')).toHaveAttribute('readonly', '');
    await billing.getByRole('button', { name: 'Reiniciar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Nuevo número de serie' });
    await expect(dialog.getByPlaceholder('Ej: 00001/LO')).toBeFocused();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Confirmar' }).click();
    await expect(dialog).toBeHidden();
    await billing.getByRole('button', { name: 'Reiniciar' }).click();
    await dialog.getByPlaceholder('Ej: 00001/LO').fill('  00001/LO ');
    await dialog.getByRole('button', { name: 'Confirmar' }).click();
    await expect(billing.getByLabel('Contador de facturas')).toHaveValue('00001/LO');
    expect(calls.slice(2)).toEqual(['/api/PostData/reiniciarContador']);
  });
});

test('profile: moving to the Canary Islands changes the form and the template too', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/importar');
  const downloadOf = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Descargar plantilla' }).click(),
    ]);
    const sheets = unzipSync(await readFile(await file.path()));
    return Object.values(sheets)
      .map((part) => Buffer.from(part).toString())
      .join('');
  };
  expect(await downloadOf()).not.toContain('IGIC7');
  await page.getByRole('link', { name: 'Perfil' }).click();
  const company = section(page, 'Información de empresa');
  await company.getByLabel('Código postal').fill('35001');
  await company.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(page.getByText('Los datos de tu empresa están guardados.')).toBeVisible();
  await page.getByRole('link', { name: 'Importar datos' }).click();
  expect(await downloadOf()).toContain('IGIC7');
});

test('profile: the counter advances with each registered invoice', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL);
  await page.goto('/panel/perfil#facturacion');
  const counter = section(page, 'Datos de facturación').getByLabel('Contador de facturas');
  await expect(counter).toHaveValue(/^00001/);
  // Registered on another device, while this page stays open.
  const headers = { authorization: `Bearer ${token}` };
  const clients = await page.request.get('/api/GetData/GetClientes', { headers });
  const client = ((await clients.json()) as { No: string; Name: string }[]).find(({ Name }) =>
    Name.startsWith('Ana'),
  );
  const registered = await page.request.post('/api/PostData/SetFacturas', {
    headers,
    data: {
      invoiceClient: client?.No,
      invoiceItems: [{ description: 'Pan', quantity: '1', price: '4', tax: 'IVA4' }],
      accionFactura: 1,
    },
  });
  expect(await registered.json()).toMatchObject({ DocNo: expect.stringMatching(/^00001/) });
  await expect(counter).toHaveValue(/^00002/);
});

test('profile: the certificate, from wrong files to a checked one', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { nif } = await enterNewCompany(page, baseURL);
  // As in newer browsers.
  await page.addInitScript({
    content: `const { scrollIntoView } = Element.prototype;
    Element.prototype.scrollIntoView = function (...args) {
      scrollIntoView.apply(this, args);
      return Promise.resolve();
    };`,
  });
  await page.goto('/panel/perfil#certificado');
  const certificate = section(page, 'Certificado Digital');
  await expect(certificate.getByText('Sin certificado')).toBeVisible();
  await certificate.getByRole('button', { name: 'Comprobar y guardar' }).click();
  await expect(certificate.getByText('Elige el archivo de tu certificado.')).toBeVisible();

  const query = new URLSearchParams({ nif, nombre: 'Obrador Candela, S.L.' });
  const file = await page.request.get(`/desarrollo/certificado?${query}`);
  const base64 = (await file.body()).toString('base64');
  // Dragged in, as from a folder.
  const transfer = await page.evaluateHandle((text) => {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], 'certificado.p12'));
    return data;
  }, base64);
  await certificate
    .getByText(/^(Arrastra aquí|Elige) tu certificado/)
    .dispatchEvent('drop', { dataTransfer: transfer });
  await expect(certificate.getByText('Certificado cambiado')).toBeVisible();
  const password = certificate.getByLabel('Contraseña del certificado');
  await password.fill('otra');
  await certificate.getByRole('button', { name: 'Comprobar y guardar' }).click();
  await expect(
    certificate.getByRole('alert').getByText('La contraseña del certificado no es correcta.'),
  ).toBeVisible();
  await expectAccessible(page);
  await expect(password).toBeFocused();
  const chosen = certificate.getByLabel('Archivo del certificado');
  const buffer = Buffer.from('Esto no es un certificado.');
  await chosen.setInputFiles({ name: 'notas.p12', mimeType: 'application/x-pkcs12', buffer });
  const ask = certificate.getByText('Escribe su contraseña para comprobarlo.');
  await expect(ask).toBeVisible();
  await password.press('Enter');
  await expect(
    certificate.getByRole('alert').getByText('El archivo no es un certificado.'),
  ).toBeVisible();
  await expect(ask).toBeHidden();
  await expect(certificate.getByRole('button', { name: 'Elegir otro' })).toBeFocused();
  await chosen.setInputFiles({
    name: 'certificado.p12',
    mimeType: 'application/x-pkcs12',
    buffer: await file.body(),
  });
  await password.fill('prueba');
  await certificate.getByRole('button', { name: 'Comprobar y guardar' }).click();
  await expect(certificate.getByText('Certificado válido')).toBeVisible();
  for (const told of [
    'La contraseña abre el archivo y contiene la clave privada',
    'AC de pruebas del simulador',
    'El NIF es el de tu empresa',
    nif,
    /quedan [\d.]+\sdías/,
  ]) {
    await expect(certificate.getByText(told).first()).toBeVisible();
  }
  await expect(section(page, 'Datos de suscripción').getByText('Suscripción activa')).toBeVisible();
});

test('profile: the logo is cropped, previewed and removed', { tag: '@any-width' }, async ({
  page,
  baseURL,
}) => {
  await enterNewCompany(page, baseURL);
  await page.goto('/panel/perfil#cuenta');
  const account = section(page, 'Datos de cuenta');
  const logo = await bakeryLogo();
  const choose = (buffer: Buffer) =>
    account
      .locator('input[type=file]')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  await choose(logo.subarray(20)); // Damaged: it has lost its beginning.
  const refused = page.getByRole('alertdialog', { name: 'Ha habido un error' });
  await expect(refused).toContainText('No se puede abrir esa imagen.');
  await refused.getByRole('button', { name: 'Cerrar' }).click();
  await choose(logo);
  const dialog = page.getByRole('dialog', { name: 'Ajusta tu logotipo' });
  const picture = dialog.getByRole('img', { name: 'El logotipo que has elegido' });
  await expect(picture).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  expect((await picture.boundingBox())?.width, 'on a phone').toBeLessThanOrEqual(350);
  await dialog.getByRole('button', { name: 'Quitar márgenes' }).click();
  const corner = dialog.getByRole('button', { name: 'Esquina superior derecha' });
  const before = await corner.boundingBox();
  await corner.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => (await corner.boundingBox())?.x).toBeLessThan(before?.x ?? 0);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Guardar logotipo' }).click();
  const kept = account.getByRole('img', { name: 'Logotipo de Obrador Candela, S.L.' });
  await expect(kept).toBeVisible();
  expect((await kept.boundingBox())?.width, 'on a phone').toBeLessThanOrEqual(350);
  await account.getByRole('button', { name: 'Quitar el logotipo' }).click();
  await expect(kept).toBeHidden();
});

test('profile: a new password works without typing the e-mail again', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { email } = await enterNewCompany(page, baseURL);
  await page.goto('/panel/perfil');
  const account = section(page, 'Datos de cuenta');
  await account.getByLabel('Contraseña nueva', { exact: true }).fill('cinco cigüeñas y una torre');
  await account.getByLabel('Repite la contraseña').fill('cinco cigüeñas y una torre');
  await account.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(page).toHaveURL(/\/iniciosesion$/);
  await expect(page.getByLabel('Correo electrónico')).toHaveValue(email);
});

test('profile: changing e-mail and password, and deleting the account', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(300_000);
  const expectNothingRefused = watchPolicy(page); // Dialogs insert styles of their own.
  const { email } = await enterNewCompany(page, baseURL);
  await page.goto('/panel/perfil');
  const account = section(page, 'Datos de cuenta');

  await test.step('passwords that differ and weak ones are refused', async () => {
    await account.getByLabel('Contraseña nueva', { exact: true }).fill('uno dos tres cuatro');
    await account.getByLabel('Repite la contraseña').fill('otra cosa');
    await expect(account.getByText('Datos modificados')).toBeVisible();
    await account.getByRole('button', { name: 'Guardar cambios' }).click();
    await expect(account.getByText('Las contraseñas no coinciden.')).toBeVisible();
    await account.getByLabel('Contraseña nueva', { exact: true }).fill('corta');
    await account.getByLabel('Repite la contraseña').fill('corta');
    await account.getByRole('button', { name: 'Guardar cambios' }).click();
    const error = page.getByRole('alertdialog', { name: 'Ha habido un error' });
    await expect(error.getByText(/8/)).toBeVisible();
    await error.getByRole('button', { name: 'Cerrar' }).click();
    await account.getByRole('button', { name: 'Deshacer' }).click();
  });

  await test.step('changing the e-mail needs confirmation, as it is also the login', async () => {
    const token = () => page.evaluate(() => localStorage.getItem('authToken'));
    const before = await token();
    await account.getByLabel('Correo de contacto').fill(`nuevo.${email}`);
    await account.getByRole('button', { name: 'Guardar cambios' }).click();
    const question = page.getByRole('dialog', { name: 'Cambio de correo de contacto' });
    await expect(question.getByText(/cambia también tu usuario/)).toBeVisible();
    await expect(account.getByText('Guardando…')).toBeHidden(); // Nothing is saved before the confirmation.
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cambiar el correo' }).click();
    await expect(page.getByText('Tus datos de cuenta están guardados.')).toBeVisible();
    expect(await token()).not.toBe(before);
  });

  let link = '';
  await test.step('a copy of all data is requested, and downloaded here and from the link in the e-mail', async () => {
    const section = page.locator('#mis-datos');
    await section.getByRole('button', { name: 'Descargar mis datos' }).click();
    await expect(section.getByText(/Tu copia está lista: un ZIP de/)).toBeVisible({
      timeout: 60_000,
    });
    await expectAccessible(page);
    const [here] = await Promise.all([
      page.waitForEvent('download'),
      section.getByRole('button', { name: 'Descargar mis datos' }).click(),
    ]);
    expect(here.suggestedFilename()).toMatch(/^datos-.*\.zip$/);
    const files = unzipSync(await readFile(await here.path()));
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['LEEME.txt', 'facturas.csv']));

    link = await eventually(async () => {
      const answer = await page.request.get(`/desarrollo/correo?para=nuevo.${email}`);
      const mails = (await answer.json()) as { asunto: string; texto: string }[];
      const mail = mails.find(({ asunto }) => asunto.startsWith('Tu copia de los datos'));
      return /\/copia#[\w.-]+/.exec(mail?.texto ?? '')?.[0];
    });
  });

  await test.step('deleting the account asks twice, and offers a copy of its data first', async () => {
    // These clicks check the session, and are answered when it is gone: then no other message must appear.
    const letChecksGo = await holdChecks(page);
    await page.getByRole('button', { name: 'Eliminar la cuenta…' }).click();
    const first = page.getByRole('dialog', { name: 'Eliminar la cuenta', exact: true });
    await expect(first.getByRole('button', { name: 'Descargar mis datos' })).toBeVisible();
    await expect(first.getByText(/Tu copia está lista/)).toBeVisible();
    await expectAccessible(page);
    await first.getByRole('button', { name: 'Eliminar la cuenta…' }).click();
    const second = page.getByRole('dialog', { name: 'Eliminar la cuenta para siempre' });
    await second.getByRole('button', { name: 'Eliminar para siempre' }).click();
    await expect(page).toHaveURL(/\/iniciosesion$/);
    await expect(page.getByRole('status')).toContainText('Tu cuenta se ha eliminado.');
    await letChecksGo();
    await expect(page.getByRole('status')).toContainText('Tu cuenta se ha eliminado.');
    expect(await page.evaluate(() => localStorage.getItem('authToken'))).toBeNull();
  });

  await test.step('the link still opens the copy after deleting the account; any other link opens nothing', async () => {
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Tu copia de los datos' })).toBeVisible();
    await expect(page.getByText(/^datos-.*\.zip$/)).toBeVisible();
    await expectAccessible(page);
    const [again] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Descargar mis datos' }).click(),
    ]);
    expect((await readFile(await again.path())).subarray(0, 2).toString()).toBe('PK');
  });
  expectNothingRefused();
  for (const broken of ['1.nada.nada', 'x'.repeat(300)]) {
    await page.goto('/iniciosesion');
    await page.goto(`/copia#${broken}`);
    await expect(page.getByRole('heading', { name: 'Este enlace ya no sirve' })).toBeVisible();
  }
  await expectAccessible(page);
});
