import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { AGAIN } from '../support/fetch-again.ts';
import { openFullCompany } from '../support/full-company.ts';
import { randomCompanyNif } from '../support/random-nif.ts';
import { enter, enterFullCompany } from '../support/signed-in.ts';

const madrid = () => new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' });

/** The drafts of the company. */
async function draftsOf(page: Page, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const list = await page.request.get('/api/GetData/GetPendingInvoices?page=1&pageSize=200', {
    headers,
  });
  const rows = (await list.json()).rows as { DocNo: string; PostingDate: string }[];
  return rows.filter(({ DocNo }) => DocNo.startsWith('B-'));
}

/** Ticks the first three invoices of the history and asks for copies of them. */
async function askForThree(page: Page) {
  await page.goto('/panel/historial');
  const ticks = page.getByRole('checkbox', { name: /^Seleccionar \d/ });
  for (const index of [0, 1, 2]) await ticks.nth(index).check();
  await page.getByRole('button', { name: 'Duplicar (3)' }).click();
}

test('ticked invoices of last month are duplicated with today’s date and registered', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(180_000);
  const { token } = await openFullCompany(baseURL ?? '', randomCompanyNif(), {
    invoices: 5,
    days: 30,
  });
  await enter(page, token);
  const headers = { authorization: `Bearer ${token}` };
  const before = await draftsOf(page, token);
  const ticks = page.getByRole('checkbox', { name: /^Seleccionar \d/ });
  const dialog = page.getByRole('dialog');
  const SAVING = '**/api/PostData/SetFacturas';
  let today = madrid();

  await test.step('an invoice that cannot be copied says why and stays ticked', async () => {
    await page.route(
      SAVING,
      (route) => route.fulfill({ status: 400, json: { message: 'La línea 1 es muy grande.' } }),
      { times: 3 },
    );
    await askForThree(page);
    await expect(dialog).toContainText('con fecha de hoy');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Duplicar 3' }).press('Enter');
    await expect(dialog).toContainText('No se ha hecho ningún borrador');
    await expect(dialog.getByText('La línea 1 es muy grande.')).toHaveCount(3);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Duplicar (3)' })).toBeFocused();
  });

  await test.step('a lost answer creates no second draft; copying works with a deleted client and an annulled invoice', async () => {
    today = madrid();
    const [first, second] = await ticks.evaluateAll((all) =>
      all.map((tick) => tick.getAttribute('aria-label')?.replace('Seleccionar ', '')),
    );
    const post = (call: string, data: object) =>
      page.request.post(`/api/PostData/${call}`, { headers, data });
    const { invoiceClient } = await (await post('GetEditInvoice', { No: first })).json();
    expect((await post('DeleteCliente', { No: invoiceClient })).ok()).toBe(true);
    const annulled = await post('AnularFactura', { No: second, motivo: 'No se hizo' });
    expect(annulled.ok()).toBe(true);
    await page.route(
      SAVING,
      async (route) => {
        await route.fetch(AGAIN);
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Duplicar (3)' }).click();
    await dialog.getByRole('button', { name: 'Duplicar 3' }).click();
    await expect(dialog).toContainText('3 borradores hechos');
    await expect(dialog).toContainText('3 borradores con fecha de hoy esperan');
    await expect(dialog).toContainText('su cliente está eliminado');
    await expectAccessible(page);
    const known = before.map(({ DocNo }) => DocNo);
    const made = (await draftsOf(page, token)).filter(({ DocNo }) => !known.includes(DocNo));
    expect(made).toHaveLength(3);
    for (const { PostingDate } of made) expect([today, madrid()]).toContain(PostingDate);
  });

  await test.step('the drafts are registered from the pending list', async () => {
    await dialog.getByRole('link', { name: 'Ver los borradores' }).click();
    await page.getByRole('button', { name: 'Registrar todas (5)' }).click();
    await page.getByRole('button', { name: 'Registrar todas', exact: true }).click();
    await expect(page.getByText('5 facturas registradas.')).toBeVisible({ timeout: 60_000 });
    expect(await draftsOf(page, token)).toEqual([]);
  });
});

test('after a lost connection, or leaving the page half way, the rest can be copied later', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await openFullCompany(baseURL ?? '', randomCompanyNif(), { invoices: 3 });
  await enter(page, token);
  const dialog = page.getByRole('dialog');
  const before = (await draftsOf(page, token)).length;
  const start = async () => {
    await askForThree(page);
    await dialog.getByRole('button', { name: 'Duplicar 3' }).click();
  };

  await test.step('the page is left before the answers arrive', async () => {
    await page.route('**/api/PostData/SetFacturas', async (route) => {
      await route.fetch(AGAIN);
      await new Promise(() => {});
    });
    await start();
    await expect(dialog.getByText('0 de 3')).toBeFocused();
    await expectAccessible(page);
    await expect.poll(async () => (await draftsOf(page, token)).length).toBe(before + 3);
    await page.goto('/panel/inicio');
    await page.unroute('**/api/PostData/SetFacturas'); // Only now: earlier, the held calls would be released.
  });

  await test.step('offline, it says how many are left; online again, nothing is copied twice', async () => {
    await page.route('**/api/PostData/GetEditInvoice', (route) => route.abort());
    await start();
    await expect(dialog).toContainText('Quedan 3 facturas por copiar', { timeout: 60_000 });
    await page.unroute('**/api/PostData/GetEditInvoice');
    await dialog.getByRole('button', { name: 'Seguir con 3 facturas' }).click();
    await expect(dialog).toContainText('lo que ya estaba hecho no se ha repetido');
    await expect(dialog).toContainText('3 borradores hechos');
    await dialog.getByRole('button', { name: 'Cerrar' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(page.getByRole('region', { name: 'Facturas seleccionadas' })).toBeHidden();
    expect(await draftsOf(page, token)).toHaveLength(before + 3);
  });
});

test('ticked invoices are e-mailed to their clients at once, and only once after a lost connection', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await openFullCompany(baseURL ?? '', randomCompanyNif(), { invoices: 5 });
  await enter(page, token);
  const SENDING = '**/api/PostData/EnviarFactura';
  const dialog = page.getByRole('dialog');
  await page.goto('/panel/historial');
  const ticks = page.getByRole('checkbox', { name: /^Seleccionar \d/ });
  for (const index of [0, 1, 2]) await ticks.nth(index).check();
  const send = page.getByRole('button', { name: 'Enviar por correo (3)' });
  await send.click();
  await expect(dialog).toContainText('¿Enviar 3 facturas por correo?');
  await expectAccessible(page);

  const answers: { readonly status: number; readonly No: string }[] = [];
  const refuse = { status: 400, json: { message: 'Este cliente no tiene correo en su ficha.' } };
  await page.route(SENDING, async (route) => {
    const { No } = route.request().postDataJSON() as { No: string };
    const isFirst = answers.length === 0;
    if (isFirst) {
      answers.push({ status: 400, No });
      return route.fulfill(refuse);
    }
    // The request arrives, and its answer is lost.
    const answer = await route.fetch(AGAIN);
    answers.push({ status: answer.status(), No });
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Enviar 3 facturas' }).press('Enter');
  await expect(dialog.getByText('Quedan 2 facturas por enviar.')).toBeVisible({ timeout: 60_000 });
  await expect(dialog.getByText('no tiene correo en su ficha')).toHaveCount(1);
  await expectAccessible(page);
  await page.unroute(SENDING);
  await dialog.getByRole('button', { name: 'Seguir con 2 facturas' }).click();
  await expect(dialog).toContainText('2 facturas en camino');
  // Repeated with the same key, each call gets its first answer again.
  expect(answers.slice(1).every(({ status }) => status === 200)).toBe(true);
  await dialog.getByRole('button', { name: 'Cerrar' }).click();
  await expect(page.getByRole('button', { name: 'Enviar por correo (1)' })).toBeVisible();
});

test('with more invoices ticked than the hourly limit, it says so beforehand and where it stopped', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 1);
  const rowOf = (number: number) => ({
    PostingDate: '2026-11-20',
    DocNo: `${String(number).padStart(5, '0')}/26`,
    CIF: '',
    Name: 'Ana Beltrán Ruiz',
    Status: number === 1 ? 'Anulada' : 'Registrada',
    Amount: 10,
    VatAmount: 2.1,
    AmountIncludingVat: 12.1,
    Tipo: 'F1',
  });
  const all = Array.from({ length: 105 }, (_, index) => rowOf(index + 1));
  await page.route('**/api/GetData/GetInvoices?*', (route) => {
    const { searchParams } = new URL(route.request().url());
    const [size, number] = [Number(searchParams.get('pageSize')), Number(searchParams.get('page'))];
    const rows = all.slice((number - 1) * size, number * size);
    return route.fulfill({ json: { rows, total: all.length, page: number, pageSize: size } });
  });
  let sent = 0;
  const limit =
    'En una hora salen 100 correos a clientes como mucho. Inténtalo de nuevo en 54 minutos.';
  await page.route('**/api/PostData/EnviarFactura', (route) =>
    ++sent <= 100
      ? route.fulfill({ json: { DocNo: '1', Email: 'ana@ejemplo.es' } })
      : route.fulfill({
          status: 429,
          headers: { 'retry-after': '3240' },
          json: { message: limit },
        }),
  );
  await page.goto('/panel/historial');
  const ticks = page.getByRole('checkbox', { name: /^Seleccionar \d/ });
  await expect(ticks).toHaveCount(8);
  for (const tick of await ticks.all()) await tick.check();
  await page.getByRole('button', { name: 'Seleccionar las 105' }).click();
  await page.getByRole('button', { name: 'Enviar por correo (104)' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('En una hora salen 100 correos como mucho.');
  await expect(dialog).toContainText('1 está anulada y no se envía.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Enviar 104 facturas' }).click();
  await expect(dialog).toContainText('100 facturas en camino');
  await expect(dialog).toContainText(`${limit} Quedan 4 facturas por enviar.`);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cerrar' }).click();
  await expect(page.getByRole('button', { name: 'Enviar por correo (4)' })).toBeVisible();
  // The annulled one is left ticked, for what else may be done with it.
  await expect(page.getByRole('button', { name: 'Duplicar (5)' })).toBeVisible();
});
