import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { giveCertificate } from '../support/demo-company.ts';
import { AGAIN } from '../support/fetch-again.ts';
import { fillTemplate, line } from '../support/fill-template.ts';
import { goWithin } from '../support/go-within.ts';
import { enterNewCompany } from '../support/signed-in.ts';
import { untilLetGo } from '../support/until-let-go.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** From the template to registered invoices, including a row with an error. */
test('imports a filled-in template and registers its drafts all at once', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(180_000);
  const { token, nif } = await enterNewCompany(page, baseURL);
  await giveCertificate(baseURL ?? '', token, nif);

  await page.goto('/panel/importar');
  await expect(page.getByRole('heading', { level: 1, name: 'Importar datos' })).toBeVisible();
  await expectAccessible(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Descargar plantilla' }).click();
  expect((await downloading).suggestedFilename()).toBe('plantilla-importacion.xlsx');

  await test.step('a file that is not the template is refused', async () => {
    await choose(page, Buffer.from('nombre;nif'));
    const dialog = page.getByRole('alertdialog');
    await expect(
      dialog.getByText('El archivo no tiene filas debajo de los títulos.'),
    ).toBeVisible();
    await dialog.getByRole('button', { name: 'Cerrar' }).click();
  });

  await test.step('a list of companies and persons: the columns that name who has no name of a company', async () => {
    await choose(page, Buffer.from(PERSONS), 'personas.csv');
    const told = page.getByText('Donde el nombre está vacío, se toma de «Nombre» y «Apellidos».');
    await expect(told).toBeVisible();
    await expect(page.getByText('No se importan: «Color».')).toBeVisible();
    await page.getByRole('combobox', { name: 'Apellidos' }).click();
    await page.getByRole('option', { name: 'Apellidos' }).click();
    await expect(told).toBeHidden();
    await expect(page.getByText('No se importan: «Nombre», «Color».')).toBeVisible();
    await page.getByRole('button', { name: 'Subir otro archivo' }).click();
  });

  await test.step('a file of another program, whose columns are matched by the user', async () => {
    await choose(page, Buffer.from(CSV, 'latin1'), 'contactos.csv');
    const told = page.getByRole('combobox', { name: 'Nombre o razón social' });
    await expect(told).toHaveValue('Razón social');
    await expectAccessible(page);
    await expect(page.getByLabel('Los decimales llevan')).toBeHidden(); // Clients have no amounts.
    const address = page.getByRole('combobox', { name: 'Dirección' });
    const behind = page.getByRole('combobox', { name: 'Número o piso' });
    await expect(behind).toBeHidden();
    await expect(page.getByText('No se importan: «Teléfono».')).toBeVisible();
    await address.click();
    await page.getByRole('option', { name: 'Teléfono' }).click();
    await expect(page.getByText('No se importan:')).toBeHidden();
    await expect(behind).toHaveValue('Ninguna columna');
    await page.getByRole('button', { name: 'Ver qué pasará' }).click();
    await expect(page.getByText('Todo está bien.')).toBeVisible();
    await page.getByRole('button', { name: 'Cambiar las columnas' }).click();
    await expect(told).toHaveValue('Razón social');
    await expect(address).toHaveValue('Teléfono');
    await address.click();
    await page.getByRole('option', { name: 'Ninguna columna' }).click();
    await page.getByRole('button', { name: 'Ver qué pasará' }).click();
    await expect(page.getByText('Todo está bien.')).toBeVisible();
    await expect(page.getByText(/Mira (el aviso|los avisos) y confirma para/)).toBeVisible();
    await expect(page.getByText('Sin dirección no se le puede registrar')).toBeVisible();
    await page.getByText(/^Filas \(/).click();
    await expect(page.getByText('Cervezas Ñandú, S.L.')).toBeVisible();
    await page.getByRole('button', { name: 'Subir otro archivo' }).click();
  });

  await test.step('a price list whose price has an unknown name asks which of the two prices it is', async () => {
    await choose(page, Buffer.from('Descripción;PVP1\nCodo;1,20\nTubo;3,10'), 'tarifa.csv');
    const check = page.getByRole('button', { name: 'Ver qué pasará' });
    await expect(
      page.getByText('Falta decir qué columna es: Precio sin IVA o Precio con IVA (Productos).'),
    ).toBeVisible();
    await expect(check).toBeDisabled();
    await page.getByRole('combobox', { name: 'Precio con IVA' }).click();
    await page.getByRole('option', { name: 'PVP1' }).click();
    await check.click();
    await expect(page.getByText('Todo está bien.')).toBeVisible();
    await page.getByRole('button', { name: 'Subir otro archivo' }).click();
  });

  await test.step('the check says what would be imported and names the wrong cell', async () => {
    await choose(page, await workbook('B12345670'));
    await expect(page.getByText(/2\sfilas tienen errores/)).toBeVisible();
    await expect(page.getByText('Clientes, celda C5')).toBeVisible();
    await expectAccessible(page);
    const marked = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Descargar con los errores marcados' }).click();
    expect((await marked).suggestedFilename()).toBe('rellena-errores.xlsx');
    await page.getByRole('button', { name: 'Subir otro archivo' }).click();
  });

  await test.step('the corrected file is imported', async () => {
    await choose(page, await workbook('A28599033'));
    await expect(page.getByText('Todo está bien.')).toBeVisible();
    await expectAccessible(page);
    // A client that is left out takes its invoices with it, and all of them are counted as such.
    const client = page.getByRole('checkbox', { name: 'Clientes, fila 4' });
    await client.uncheck();
    await expect(page.getByText('1 nuevo · 1 se queda fuera')).toBeVisible();
    await expect(page.getByText('1 nueva · 2 se quedan fuera')).toBeVisible();
    await expect(page.getByText('Su cliente se queda fuera.')).toHaveCount(2);
    await expect(page.getByRole('button', { name: /Importar 3\sfilas/ })).toBeVisible();
    await client.check();
    await expect(page.getByText('3 nuevas')).toBeVisible();
    const { held: wasSeen, release: goOn } = untilLetGo();
    await page.route('**/api/PostData/SaveData', async (route) => {
      await wasSeen;
      await route.continue();
    });
    await page.getByRole('button', { name: /Importar 6\sfilas/ }).click();
    await expect(page.getByText('Guardando tus datos…')).toBeVisible();
    await expectAccessible(page);
    goOn();
    await expect(page.getByRole('heading', { name: 'Datos importados' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the same file again has nothing new to import', async () => {
    await page.getByRole('button', { name: 'Importar otro archivo' }).click();
    await expect(page.getByText(/Lo que importaste a las .* está guardado/)).toBeVisible();
    await choose(page, await workbook('A28599033'));
    await expect(page.getByText('Todo lo que trae este archivo ya lo tienes.')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Importar 0/ })).toBeDisabled();
  });

  await test.step('all drafts are registered', async () => {
    // As the server answers while a stopped run finishes its current batch.
    const RUN = '**/api/GetData/GetRegistrarTodas';
    await page.route(RUN, async (route) => {
      const response = await route.fetch(AGAIN);
      await route.fulfill({ response, json: { ...(await response.json()), estado: 'parando' } });
    });
    await goWithin(page, '/panel/pendientes');
    await expect(page.getByText('Se para al acabar las que está registrando.')).toBeVisible();
    await page.unroute(RUN);
    await page.getByRole('button', { name: 'Registrar todas (3)' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Registrar todas', exact: true }).click();
    await expect(page.getByRole('button', { name: /Registrar todas \(/ })).toBeHidden();
    await goWithin(page, '/panel/historial');
    await expect(page.getByText('3 facturas', { exact: true })).toBeVisible({
      timeout: 60_000,
    });
  });
});

test('after clients alone, the button of the result is as wide as its card on a phone', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token, nif } = await enterNewCompany(page, baseURL);
  await giveCertificate(baseURL ?? '', token, nif);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/panel/importar');
  await expect(page.getByRole('heading', { level: 1, name: 'Importar datos' })).toBeVisible();
  await choose(page, Buffer.from(CSV), 'contactos.csv');
  await page.getByRole('button', { name: 'Ver qué pasará' }).click();
  await page.getByRole('button', { name: /Importar 1\sfila/ }).click();
  await expect(page.getByRole('heading', { name: 'Datos importados' })).toBeVisible();
  const again = page.getByRole('button', { name: 'Importar otro archivo' });
  const { width = 0 } = (await again.boundingBox()) ?? {};
  expect(width).toBeGreaterThan(290);
});

/** A template with two customers, a product and three invoices, and the given NIF for the second customer. */
function workbook(nif: string): Promise<Buffer> {
  return fillTemplate({
    Clientes: [
      ['', 'Ferretería Muñoz, S.L.', 'A58818501', 'C/ Mayor, 3', '28013', '', 'España'],
      ['', 'Talleres Ruiz, S.A.', nif, 'Gran Vía, 7', '28013', '', 'España'],
    ],
    Productos: [['P001', 'Hora de consultoría', '45,00', 'Hora']],
    Facturas: [
      line('A-1', 'A58818501'),
      line('A-2', 'A58818501', { fecha: '02/01/2026' }),
      line('A-3', 'A28599033', { fecha: '20/01/2026' }),
    ],
  });
}

async function choose(page: Page, buffer: Buffer, name = 'rellena.xlsx'): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: XLSX, buffer });
}

const PERSONS =
  'Razón social;Nombre;Apellidos;NIF;Color\n;Ana;Beltrán Ruiz;12345678Z;rojo\nNorte, S.L.;Eva;Gil;B12345674;azul\n';

/** Contacts as a Spanish Windows program exports them. */
const CSV =
  'Razón social;CIF;C.P.;Teléfono\r\nCervezas Ñandú, S.L.;B12345674;01001;945 000 000\r\n';
