import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { openFile } from '../../src/import/open-file.ts';
import { expectAccessible } from '../support/accessible.ts';
import { giveCertificate } from '../support/demo-company.ts';
import { AGAIN } from '../support/fetch-again.ts';
import { goWithin } from '../support/go-within.ts';
import { enterFullCompany, enterNewCompany } from '../support/signed-in.ts';
import { untilLetGo } from '../support/until-let-go.ts';

/** A promise that resolves when `letGo` is called. */
function held() {
  const { held: until, release: letGo } = untilLetGo();
  return { until, letGo };
}

test('history: loading, failed, full, sorted, searched, ticked, downloaded', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(180_000);
  await enterFullCompany(page, baseURL, 10);

  await test.step('a failed list can be retried', async () => {
    await page.route('**/api/GetData/GetInvoices?*pageSize=8*', (route) =>
      route.fulfill({ status: 500, json: { message: 'Ha ocurrido un error inesperado.' } }),
    );
    await page.goto('/panel/historial');
    await expect(page.getByText('No hemos podido cargar tu historial')).toBeVisible();
    await page.unroute('**/api/GetData/GetInvoices?*pageSize=8*');
    await page.getByRole('button', { name: 'Intentar nuevamente' }).click();
    await expect(page.getByText(/^1–8 de 10/)).toBeVisible();
  });

  await test.step('a failed search keeps its text and the focus', async () => {
    const failing = '**/api/GetData/GetInvoices?*search=000*';
    await page.route(failing, (route) => route.fulfill({ status: 500, json: {} }));
    const search = page.getByRole('searchbox');
    await search.pressSequentially('000');
    await expect(page.getByText('No hemos podido cargar tu historial')).toBeVisible();
    await expect(search).toBeFocused();
    await page.unroute(failing);
    await search.pressSequentially('10');
    await expect(page.getByText(/^1 (cliente|factura|producto)$/)).toBeVisible();
    await search.clear();
    await expect(page.getByText(/^1–8 de 10/)).toBeVisible();
  });

  const rows = page.getByRole('row');
  await test.step('the columns and the pages', async () => {
    await expect(page.getByRole('columnheader')).toHaveText([
      '',
      'Fecha',
      'Nº FACTURA',
      'Cliente',
      'BASE IMPONIBLE',
      'IVA',
      'TOTAL',
      'Acción',
    ]);
    await expect(rows).toHaveCount(9);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Página 2' }).click();
    await expect(page.getByText(/^9–10 de 10/)).toBeVisible();
    await page.getByRole('button', { name: 'Página 1' }).click();
    await expect(page.getByText(/^1–8 de 10/)).toBeVisible();
  });

  await test.step('a column is sorted ascending, descending and not at all', async () => {
    const head = page.getByRole('columnheader', { name: 'TOTAL' });
    await expect(page.getByRole('columnheader', { name: 'Fecha' })).toHaveAttribute(
      'aria-sort',
      'descending',
    );
    for (const sort of ['ascending', 'descending', 'none']) {
      await head.getByRole('button').click();
      await expect(head).toHaveAttribute('aria-sort', sort);
    }
  });

  await test.step('ticked invoices are downloaded together', async () => {
    const ticks = page.getByRole('checkbox', { name: /^Seleccionar \d/ });
    const all = page.getByRole('checkbox', { name: 'Seleccionar las de esta página' });
    const face = () => all.evaluate((tick) => getComputedStyle(tick).backgroundColor);
    const none = await face();
    const place = () => ticks.nth(1).boundingBox();
    const before = await place();
    await ticks.nth(0).check();
    await expect(page.getByText('1 seleccionada')).toBeVisible();
    expect(await place(), 'what is ticked next has not moved').toEqual(before);
    await page.getByRole('button', { name: 'Página 2' }).click();
    await expect(page.getByText(/^9–10 de 10/)).toBeVisible();
    await expect.poll(face, 'none of this page is ticked').toBe(none);
    await ticks.nth(1).check();
    await expect(page.getByText('2 seleccionadas')).toBeVisible();
    await expect.poll(face, 'some are ticked, and it shows').not.toBe(none);
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Descargar PDF (ZIP)' }).click();
    expect((await download).suggestedFilename()).toMatch(/^facturas-.*\.zip$/);
    await expect(page.getByRole('link', { name: 'Canjear por factura completa' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Quitar selección' }).click();
    await expect(page.getByText('2 seleccionadas')).toHaveCount(0);
  });

  await test.step('all invoices of a page are ticked, and then those of the other pages', async () => {
    const all = page.getByRole('checkbox', { name: 'Seleccionar las de esta página' });
    await all.check();
    await page.getByRole('button', { name: 'Seleccionar las 10' }).press('Enter');
    await expect(page.getByText('10 seleccionadas')).toBeVisible();
    await expect(all).toBeFocused();
    await page.getByRole('button', { name: 'Quitar selección' }).click();
    await expect(page.getByText('10 seleccionadas')).toHaveCount(0);
  });

  await test.step('the whole list is downloaded as a table', () => downloadTables(page));

  await test.step('a long download shows its progress and can be stopped', async () => {
    const pages = '**/api/GetData/GetInvoices?*pageSize=200*';
    let second = held();
    await page.route(pages, async (route) => {
      const isFirst = new URL(route.request().url()).searchParams.get('page') === '1';
      if (!isFirst) await second.until;
      const rows = Array.from({ length: isFirst ? 200 : 10 }, (_, n) => ({
        PostingDate: '2026-01-02',
        DocNo: `${isFirst ? 'A' : 'B'}-${n}`,
        CIF: '',
        Name: '',
        Status: 'Registrada',
        Tipo: 'F1',
        Amount: 1,
        VatAmount: 0,
        AmountIncludingVat: 1,
      }));
      await route.fulfill({ json: { rows, total: 210, page: 1, pageSize: 200 } });
    });
    const start = page.getByRole('button', { name: 'Descargar la lista' });
    await startDownload(page, 'Esta lista para Excel');
    await expect(page.getByRole('progressbar', { name: 'Facturas descargadas' })).toBeVisible();
    await expect(page.getByText('200 de 210')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Parar' }).click();
    await expect(start).toBeFocused();
    second.letGo();
    await expect(
      page.getByText('Has parado la descarga: no se ha guardado ningún archivo.'),
    ).toBeVisible();
    second = held();
    const download = page.waitForEvent('download');
    await startDownload(page, 'Esta lista para Excel');
    await expect(page.getByText('200 de 210')).toBeVisible();
    second.letGo();
    await download;
    await expect(page.getByText(/^210\sfacturas guardadas en «facturas-/)).toBeVisible();
    await page.unroute(pages);
    await page.route('**/GetLibroExpedidas?*', () => {}); // Never answered.
    await startDownload(page, 'Libro registro de facturas expedidas');
    await page.getByRole('button', { name: 'Parar' }).click();
    await expect(start).toBeFocused();
    await expect(
      page.getByText('Has parado la descarga: no se ha guardado ningún archivo.'),
    ).toBeVisible();
    await page.unroute('**/GetLibroExpedidas?*');
  });

  await test.step('a month, a quarter or a year is chosen in one step and kept in the address', async () => {
    const period = page.getByRole('combobox', { name: 'Periodo' });
    const choose = async (option: RegExp) => {
      await period.click();
      const list = page.getByRole('listbox');
      // How much of the last option is seen.
      const cut = () =>
        list.evaluate(
          ({ clientHeight, firstElementChild }) =>
            (clientHeight / (firstElementChild?.clientHeight ?? 1)) % 1,
        );
      await expect.poll(cut, 'a cut option tells that more follow').toBeGreaterThan(0.2);
      await page.getByRole('option', { name: option }).click();
    };
    await choose(/^Este trimestre/);
    await expect(page).toHaveURL(/desde=\d{4}-\d\d-01&hasta=\d{4}-\d\d-3[01]/);
    await page.reload();
    await expect(period).toHaveValue(/^Este trimestre/);
    await expect(page.getByText(/^1–8 de 10/)).toBeVisible();
    await choose(/^Mes pasado/);
    await expect(page.getByText('En otras fechas sí')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Buscar en todas las fechas' }).click();
    await expect(period).toHaveValue('');
    await choose(/^Este año/);
    await page.getByText('Semana', { exact: true }).click();
    await expect(page).not.toHaveURL(/desde/);
    await page.getByRole('button', { name: 'Limpiar' }).click();
    await expect(page.getByText(/^1–8 de 10/)).toBeVisible();
  });

  await test.step('a search without results looks different from an empty list', async () => {
    const place = () => page.getByRole('main').locator('section').last().boundingBox();
    const top = (await place())?.y;
    await page.getByRole('searchbox').fill('zzz');
    // Screen readers say it.
    await expect(page.getByRole('status').getByText('Ninguna factura coincide')).toBeVisible();
    expect((await place())?.y, 'what clears the search pushes nothing down').toBe(top);
    await page.getByRole('button', { name: 'Limpiar' }).last().click();
    await expect(page.getByText(/^1–8 de 10/)).toBeVisible();
  });

  await test.step('whoever searches for the name of a month is offered that month', async () => {
    const name = new Intl.DateTimeFormat('es', { month: 'long' }).format(new Date());
    await page.getByRole('searchbox').fill(name);
    await page.getByRole('button', { name: `Ver ${name} de` }).click();
    await expect(page.getByText(/^1–8 de 10/)).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Periodo' })).toHaveValue(/^Este mes/);
  });
});

/** The list of ten invoices, its sums by client and by tax rate, and its book. */
async function downloadTables(page: Page): Promise<void> {
  const download = page.waitForEvent('download');
  await startDownload(page, 'Esta lista para Excel');
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^facturas-[A-Z0-9]{9}-\d{4}-\d\d-\d\d\.csv$/);
  expect((await readFile(await file.path(), 'utf8')).trimEnd().split('\n')).toHaveLength(11);
  await expect(page.getByText(/^10\sfacturas guardadas en «facturas-.*\.csv»\.$/)).toBeVisible();
  const sums = page.waitForEvent('download');
  await startDownload(page, 'Sumas por cliente');
  const ofClients = await readFile(await (await sums).path(), 'utf8');
  expect(ofClients).toMatch(/^.?NIF;Cliente;Facturas;\d{4}-\dT;.*Total\r\n/);
  await expect(
    page.getByText(/^Sumas de 10\sfacturas guardadas en «clientes-.*\.csv»\.$/),
  ).toBeVisible();
  const rates = page.waitForEvent('download');
  await startDownload(page, 'IVA por tipos (modelo 303)');
  const ofRates = await readFile(await (await rates).path(), 'utf8');
  expect(ofRates).toMatch(
    /^.?Trimestre;Impuesto;Operaciones;Tipo \(%\);Facturas;Base imponible;Cuota de IVA\r\n\d{4}-\dT;IVA;Con IVA;21;/,
  );
  await expect(
    page.getByText(/^IVA por tipos de \d+\sfacturas, guardado en «iva-por-tipos-.*\.csv».$/),
  ).toBeVisible();
  const book = page.waitForEvent('download');
  await startDownload(page, 'Libro registro de facturas expedidas');
  const libro = await book;
  expect(libro.suggestedFilename()).toMatch(/^libro-expedidas-[A-Z0-9]{9}-\d{4}-\d\d-\d\d\.xlsx$/);
  const { sheets } = await openFile(await readFile(await libro.path()));
  expect(sheets.map(({ name }) => name)).toEqual(['EXPEDIDAS']);
  expect(sheets[0]?.at(0, 0)).toMatchObject({ value: 'Autoliquidación' });
  expect(sheets[0]?.at(2, 5)).toMatchObject({ value: expect.stringMatching(/^[FR]\d$/) });
  await expect(
    page.getByText(/^Libro registro de \d+\sfacturas, guardado en «libro-expedidas-.*\.xlsx»\.$/),
  ).toBeVisible();
}

test('the toolbar is aligned in rows on a tablet, and the actions for ticked invoices do not cover a short window', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 8);
  const rows = async (width: number) => {
    await page.setViewportSize({ width, height: 900 });
    const places = [
      page.getByRole('searchbox'),
      page.getByRole('radiogroup', { name: 'Fechas' }),
      page.getByRole('combobox', { name: 'Periodo' }),
      page.getByRole('button', { name: 'Limpiar' }),
    ];
    const middles: (number | null)[] = [];
    for (const place of places) {
      const box = (await place.isVisible()) ? await place.boundingBox() : null;
      middles.push(box && Math.round(box.y + box.height / 2));
    }
    return middles.map((middle) => middle && [...new Set(middles)].indexOf(middle));
  };
  await page.goto('/panel/historial');
  await expect(page.getByText(/^8 facturas$/)).toBeVisible();
  for (const width of [768, 820, 991])
    await expect.poll(() => rows(width)).toEqual([0, 1, 1, null]);
  for (const width of [992, 1024]) await expect.poll(() => rows(width)).toEqual([0, 0, 0, null]);
  await page.getByRole('searchbox').fill('Hoteles');
  await expect(page.getByRole('button', { name: 'Limpiar' })).toBeVisible();
  for (const width of [768, 820, 991]) await expect.poll(() => rows(width)).toEqual([0, 1, 1, 0]);
  for (const width of [992, 1024]) await expect.poll(() => rows(width)).toEqual([0, 0, 0, 0]);

  await page.getByRole('button', { name: 'Limpiar' }).click();
  await expect(page.getByText(/^8 facturas$/)).toBeVisible();
  await page.setViewportSize({ width: 720, height: 450 }); // A laptop with zoom at 200 %.
  await page
    .getByRole('checkbox', { name: /^Seleccionar \d/ })
    .first()
    .check();
  await page.evaluate('scrollTo(0, 0)');
  const bar = page.getByRole('region', { name: 'Facturas seleccionadas' });
  await expect(bar).not.toBeInViewport();
  await page.getByRole('button', { name: 'Quitar selección' }).focus();
  await expect(bar).toBeInViewport();
});

test('the largest amounts fit in their columns, and a missing client name is pointed out', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(240_000);
  await enterFullCompany(page, baseURL, 3);
  const HUGE = -102_030_405_060.7;
  await page.route('**/GetInvoices?*', async (route) => {
    const answer = await route.fetch(AGAIN);
    const found = (await answer.json()) as { rows: object[] };
    const amounts = { Amount: HUGE, VatAmount: HUGE, AmountIncludingVat: HUGE };
    const rows = found.rows.map((row) => ({ ...row, ...amounts, Name: '' }));
    await route.fulfill({ response: answer, json: { ...found, rows } });
  });
  await page.goto('/panel/historial');
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ['historial', 'inicio']) {
      await goWithin(page, `/panel/${path}`);
      const amounts = page.getByText('−102.030.405.060,70\u00a0€', { exact: true });
      await amounts.first().waitFor();
      await expect(page.getByText('Sin cliente', { exact: true })).toHaveCount(3);
      const outside = await amounts.evaluateAll((found) =>
        found.filter((amount) => {
          const { left, right } = amount.getBoundingClientRect();
          const box = (amount.closest('td') ?? document.documentElement).getBoundingClientRect();
          return left < box.left || right > box.right;
        }),
      );
      expect(outside, `${path} at ${width}`).toEqual([]);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, `${path} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
});

test('a name without spaces and amounts of millions fit on every page of an invoice', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(240_000);
  const { token } = await enterFullCompany(page, baseURL);
  const post = async (call: string, data: object) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await page.request.post(`/api/PostData/${call}`, { headers, data });
    return (await answer.json()) as { readonly No: string; readonly DocNo: string };
  };
  const { No } = await post('SetClientes', {
    Name: `Hoteles${'y'.repeat(113)}`,
    VATRegistrationNo: 'B76543214',
    Address: 'C'.repeat(120),
    postCode: '28001',
    countryCode: 'ES',
  });
  const large = {
    invoiceClient: No,
    invoiceItems: [{ description: 'Catering', quantity: '999999', price: '9999,99', tax: 'IVA10' }],
  };
  const draft = (await post('SetFacturas', { ...large, accionFactura: 0 })).DocNo;
  const issued = encodeURIComponent(
    (await post('SetFacturas', { ...large, accionFactura: 1 })).DocNo,
  );
  const expectNothingWider = async (path: string) => {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, `${path} at ${width}`).toBeLessThanOrEqual(0);
    }
  };
  await page.goto('/panel/ayuda');
  for (const path of [`facturas/${issued}`, `facturas/${issued}/que-hago`]) {
    await goWithin(page, `/panel/${path}`);
    await page
      .getByText(/^Hotelesy+/)
      .first()
      .waitFor();
    await expectNothingWider(path);
  }
  await goWithin(page, `/panel/crear?rectificar=${issued}`);
  await page.getByRole('table', { name: /^Qué cambia/ }).waitFor();
  await expectNothingWider('rectificar');

  await post('SetProductos', { Name: `Tarta${'y'.repeat(90)}`, UnitPrice: '9999999,99' });
  await page.goto('/panel/crear');
  const isInside = async (name: RegExp) => {
    const option = page.getByRole('option', { name });
    await option.scrollIntoViewIfNeeded();
    const right = ({ x, width: wide }: { x: number; width: number }) => x + wide;
    const list = await page.getByRole('listbox').filter({ has: option }).boundingBox();
    const end = await option.locator('span').last().boundingBox();
    expect(right(end ?? { x: 0, width: 9999 })).toBeLessThan(right(list ?? { x: 0, width: 0 }));
  };
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole('combobox', { name: 'Cliente', exact: true }).click();
    await isInside(/^Hotelesy+/);
    await page.keyboard.press('Escape');
    if (width === 390) await page.getByRole('button', { name: 'Añadir línea' }).click();
    await page.getByLabel(/^Descripción/).click();
    await isInside(/^Tartay+/);
    await page.keyboard.press('Escape');
  }

  await goWithin(page, `/panel/pendientes?editar=${encodeURIComponent(draft)}`);
  await page.getByText('Se puede registrar').first().waitFor();
  await page.getByRole('button', { name: 'Reenviar factura corregida' }).click();
  const dialog = page.getByRole('dialog');
  const figure = dialog.getByRole('definition').filter({ hasText: '10.999.978.000,01' });
  const endOf = async (element: typeof dialog) => {
    const { x = 0, width = 0 } = (await element.boundingBox()) ?? {};
    return x + width;
  };
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await endOf(figure), `at ${width}`).toBeLessThan(await endOf(dialog));
  }
});

test('the column has the name of the company’s tax, and the kind of an invoice is shown beside its number', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL);
  await page.route('**/api/GetData/GetDatosEmpresa', async (route) => {
    const answer = await route.fetch(AGAIN);
    await route.fulfill({
      response: answer,
      json: { ...(await answer.json()), postCode: '35001' },
    });
  });
  const ticket = await page.request.post('/api/PostData/SetFacturas', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      isSimplificada: true,
      accionFactura: 1,
      invoiceItems: [{ description: 'Café', quantity: '1', price: '2', tax: 'IVA10' }],
    },
  });
  const { DocNo } = await ticket.json();
  await page.goto('/panel/historial');
  await expect(page.getByText(/^1 (cliente|factura|producto)$/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('columnheader', { name: 'IGIC' })).toBeVisible();
  const number = page.getByText(DocNo, { exact: true });
  const tag = page.getByText('Simpl.', { exact: true });
  const expectBeside = async () => {
    const { y = 0, height = 0 } = (await number.boundingBox()) ?? {};
    expect((await tag.boundingBox())?.y, 'not under it').toBeLessThan(y + height / 2);
  };
  await page.setViewportSize({ width: 1024, height: 900 });
  await expectBeside();
  await page.setViewportSize({ width: 1440, height: 900 });
  const gap = () =>
    tag.evaluate((element) => {
      const name = document.createRange();
      name.selectNodeContents(element.parentElement?.previousElementSibling ?? element);
      return element.getBoundingClientRect().left - name.getBoundingClientRect().right;
    });
  await expect.poll(gap, 'right after the words beside it').toBeLessThan(12);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('combobox', { name: 'Ordenar por' }).click();
  await expect(page.getByRole('option', { name: 'IGIC' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('listitem').getByRole('button', { expanded: false }).first().click();
  await expect(page.getByText('IGIC', { exact: true })).toBeVisible();
  await expectBeside();
});

test('pending: edited in place, deleted after a question; Inicio shows both lists', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(180_000);
  await enterFullCompany(page, baseURL, 4);
  await page.goto('/panel/pendientes');
  await expect(page.getByText(/^2 facturas$/)).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    '',
    'Fecha',
    'Nº Factura',
    'Cliente',
    'Estado',
    'Mensaje de error',
    'Acción',
  ]);
  await page.setViewportSize({ width: 1024, height: 900 });
  const client = await page.getByRole('columnheader', { name: 'Cliente' }).boundingBox();
  expect(client?.width, 'a name has room where the table is narrowest').toBeGreaterThan(150);
  await page.setViewportSize({ width: 1440, height: 900 });
  const errors = page.getByRole('columnheader', { name: 'Mensaje de error' });
  await errors.getByRole('button').click();
  await expect(errors).toHaveAttribute('aria-sort', 'ascending');
  await expect(page).toHaveURL(/sort=ErrorMessage/);
  await expect(page.getByText(/^2 facturas$/)).toBeVisible();

  await page
    .getByRole('button', { name: /^Editar borrador B-/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Cerrar', exact: true }).click();
  await expect(page.getByText(/^2 facturas$/)).toBeVisible();

  await page
    .getByRole('button', { name: /^Eliminar borrador B-/ })
    .first()
    .click();
  const question = page.getByRole('dialog', { name: 'Eliminar borrador' });
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await page
    .getByRole('button', { name: /^Eliminar borrador B-/ })
    .first()
    .click();
  await question.getByRole('button', { name: 'Eliminar borrador' }).click();
  const toast = page.getByRole('alert').filter({ hasText: /El borrador B-\d se ha eliminado/ });
  await toast.hover(); // It stays while the mouse is over it.
  await expect(toast.locator('svg').first()).toBeVisible();
  const place = async () => {
    const { y, height } = (await toast.boundingBox()) ?? { y: 0, height: 0 };
    return Math.round(900 - y - height);
  };
  await expect.poll(place, 'above the footer').toBe(36 + 16);
  await expect(page.getByText(/^1 (cliente|factura|producto)$/)).toBeVisible();
  await expectAccessible(page);

  await test.step('Inicio shows both lists', async () => {
    await goWithin(page, '/panel/inicio');
    const history = page.getByRole('region', { name: 'Historial de facturas' });
    const pending = page.getByRole('region', { name: 'Facturas pendientes' });
    await expect(history.getByRole('row')).toHaveCount(4);
    await expect(pending.getByRole('link', { name: /Ver más/ })).toHaveAttribute(
      'href',
      '/panel/pendientes',
    );
    await expect(page.getByText('4 facturas').first()).toBeVisible();
    await expect(page.getByText('Todo lo que has registrado consta en la AEAT.')).toBeVisible();
    await expectAccessible(page);
    await history.getByRole('link', { name: /Ver más/ }).click();
    await expect(page).toHaveURL(/\/panel\/historial$/);
  });
});

test('pending: only the ticked drafts are registered or deleted', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(180_000);
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/pendientes');
  await expect(page.getByText(/^2 facturas$/)).toBeVisible();

  await page.getByRole('checkbox', { name: 'Seleccionar B-1' }).check();
  await expect(page.getByText('1 seleccionada')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Registrar (1)' }).click();
  const question = page.getByRole('dialog', { name: '¿Registrar 1 borrador?' });
  await expect(question).toContainText('los que dejes sin registrar no podrán llevar después');
  await question.getByRole('button', { name: 'Registrar', exact: true }).press('Enter');
  await expect(page.getByText('1 factura registrada.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Facturas pendientes' })).toBeFocused();
  await expect(page.getByText('1 seleccionada')).toHaveCount(0);

  const left = page.getByRole('checkbox', { name: 'Seleccionar B-2' });
  await left.check();
  await page.getByRole('button', { name: 'Eliminar (1)' }).click();
  const warning = page.getByRole('dialog', { name: '¿Eliminar 1 borrador?' });
  await warning.getByRole('button', { name: 'Cancelar' }).click();
  await expect(left).toBeChecked();
  await page.getByRole('button', { name: 'Eliminar (1)' }).click();
  await warning.getByRole('button', { name: 'Eliminar 1 borrador' }).press('Enter');
  await expect(page.getByText('1 borrador eliminado.')).toBeVisible();
  await expect(left).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Facturas pendientes' })).toBeFocused();
});

test('the result above the pending invoices appears before their rows, and can be hidden', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 4);
  const { held: late, release: arrive } = untilLetGo();
  await page.route('**/api/GetData/GetRegistrarTodas', async (route) => {
    await late;
    const fallos = [{ DocNo: 'B-1', cliente: '', mensajes: ['Elige el cliente de la factura.'] }];
    const days = { desde: '2026-01-01', hasta: '2026-01-02' };
    const run = { estado: 'terminada', total: 2, registradas: 1, fallidas: 1, fallos, ...days };
    await route.fulfill({ json: { ...run, acabada: '2026-01-02T03:04:05Z', borradores: 2 } });
  });
  const rows = page.getByText(/^2 facturas$/);
  const list = page.waitForResponse('**/api/GetData/GetPendingInvoices?*pageSize=8*');
  await page.goto('/panel/pendientes');
  await list;
  // The response has arrived, but the rows are still held back.
  await expect(page.getByRole('progressbar', { name: 'Facturas pendientes' })).toBeVisible();
  await expect(rows).toBeHidden();
  arrive();
  await expect(rows).toBeVisible();
  const result = page.getByRole('region', { name: 'Resultado de registrar' });
  await expect(result).toContainText('1 factura registrada. Para enviarla por correo, márcala');
  await expect(result.getByRole('link', { name: 'Ver en el historial' })).toHaveAttribute(
    'href',
    '/panel/historial?desde=2026-01-01&hasta=2026-01-02',
  );
  await expectAccessible(page);
  await result.getByRole('button', { name: 'Ocultar' }).press('Enter');
  await expect(result).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.reload();
  await expect(rows).toBeVisible();
  await expect(result).toBeHidden();
});

/** As if the AEAT had not answered yet: every registered invoice is among the pending ones. */
async function waitForAll(page: Page) {
  await page.route('**/api/GetData/GetPendingInvoices?*', async (route) => {
    const url = route.request().url().replace('GetPendingInvoices', 'GetInvoices');
    const answer = await route.fetch({ url, ...AGAIN });
    const found = (await answer.json()) as { rows: object[] };
    const rows = found.rows.map((row) => ({ ...row, Status: 'En espera' }));
    await route.fulfill({ response: answer, json: { ...found, rows } });
  });
}

test('an invoice that waits for the AEAT can be opened from both lists', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 2);
  await waitForAll(page);
  await page.goto('/panel/inicio');
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const isWide = width > 390;
    for (const path of ['inicio', 'pendientes']) {
      await goWithin(page, `/panel/${path}`);
      const pending = page.getByRole(isWide ? 'table' : 'list', { name: 'Facturas pendientes' });
      await expect(pending).toBeVisible();
      if (isWide) {
        await pending.getByRole('link', { name: /^0000/ }).first().click();
      } else {
        await pending.getByRole('button', { expanded: false }).first().click();
        await pending.getByRole('link', { name: /^Ver factura 0000/ }).click();
      }
      await expect(page).toHaveURL(/\/panel\/facturas\/0000/);
    }
  }
});

test('the notice of invoices that wait for the AEAT says how many, since when, why and until when', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 2);
  await waitForAll(page);
  await page.route('**/api/GetData/GetConexionAEAT', async (route) => {
    const answer = await route.fetch(AGAIN);
    const waiting = {
      estado: 'sin-conexion',
      enEspera: 2,
      esperandoDesde: '2026-01-02T09:12:00Z',
      proximoEnvio: '2126-01-02T09:32:00Z',
      mensaje: 'La AEAT no está disponible (503).',
    };
    await route.fulfill({ json: { ...(await answer.json()), ...waiting } });
  });
  const words =
    '2 facturas esperan respuesta de la AEAT desde el 02/01/2026 a las 10:12. ' +
    'La AEAT no está disponible (503). El próximo intento es a las 10:32.';
  await page.goto('/panel/inicio');
  for (const path of ['inicio', 'pendientes']) {
    await goWithin(page, `/panel/${path}`);
    await expect(page.getByText(words)).toBeVisible();
    await expectAccessible(page);
  }
});

test('an invoice not yet accepted by the AEAT is not in the history, which says where it is', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { nif } = await enterFullCompany(page, baseURL);
  await page.request.post('/desarrollo/aeat/comportamiento', {
    data: { rechazar: { [nif]: 1103 } },
  });
  await page.goto('/panel/pendientes?editar=B-1');
  await page.getByRole('button', { name: 'Reenviar factura corregida' }).click();
  await page.getByRole('dialog').getByRole('button').last().click();
  await expect(page.getByText('Rechazado').first()).toBeVisible();
  for (const path of ['historial', 'inicio']) {
    await goWithin(page, `/panel/${path}`);
    await expect(
      page.getByText('Lo que has registrado está en Facturas pendientes hasta que la AEAT'),
    ).toBeVisible();
    await expect(page.getByText('Todavía no has registrado')).toBeHidden();
  }
  await expect(page.getByText('Abre lo que te necesita y verás qué corregir.')).toBeVisible();

  // What is registered next waits behind it, and its receipt leads there.
  await goWithin(page, '/panel/pendientes?editar=B-2');
  await page.getByRole('button', { name: 'Reenviar factura corregida' }).click();
  await page.getByRole('dialog').getByRole('button').last().click();
  await expect(page.getByText('Sale sola en cuanto corrijas la rechazada.')).toBeVisible();
  const { held: until, release: letGo } = untilLetGo();
  await page.route('**/GetPendingInvoices?*Rechazado*', async (route) => {
    await until;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Ver la rechazada' }).click();
  await expect(page).toHaveURL(/\/panel\/pendientes$/);
  // The number comes later than the rest, which does not change its words.
  await expect(page.getByText(/^Una factura rechazada frena 1\s?envío/)).toBeVisible();
  // It makes the notice higher, so until then nothing is below it.
  await expect(page.getByRole('progressbar', { name: 'Facturas pendientes' })).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeHidden();
  letGo();
  await expect(page.getByText(/^La 00001\/\d\d está rechazada y frena 1\s?envío/)).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeVisible();

  // And so does Inicio, whose three pending invoices may be others.
  await goWithin(page, '/panel/inicio');
  await expect(page.getByText('Todo lo que has registrado consta')).toBeHidden();
  await page.getByRole('link', { name: 'Ver la rechazada' }).click();
  await expect(page).toHaveURL(/\/panel\/pendientes$/);
});

test('a new company sees empty lists and the first steps', { tag: '@any-width' }, async ({
  page,
  baseURL,
}) => {
  const { token, nif } = await enterNewCompany(page, baseURL);
  await giveCertificate(baseURL ?? '', token, nif);
  await page.goto('/panel/historial');
  for (const [path, words] of [
    ['historial', 'Todavía no has registrado ninguna factura'],
    ['pendientes', 'No tienes facturas pendientes'],
    ['productos', /Todavía no tienes productos/],
  ] as const) {
    await goWithin(page, `/panel/${path}`);
    await expect(page.getByText(words)).toBeVisible();
    await expectAccessible(page);
  }
  // Those who come from another program can import a file.
  const imports = page.locator('main').getByRole('link', { name: 'Importar datos' });
  await expect(imports).toHaveAttribute('href', '/panel/importar');
  await goWithin(page, '/panel/inicio');
  await expect(page.getByRole('heading', { name: 'Primeros pasos' })).toBeVisible();
  const blocks = [
    ['Historial de facturas', 'Todavía no has registrado ninguna factura'],
    ['Facturas pendientes', 'No tienes facturas pendientes'],
  ] as const;
  for (const [name, words] of blocks) {
    await expect(page.getByRole('region', { name }).getByText(words)).toBeVisible();
  }
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Importar los que tienes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Importar datos' })).toBeVisible();
});

/** Chooses that download in the menu. */
async function startDownload(page: Page, what: string): Promise<void> {
  await page.getByRole('button', { name: 'Descargar la lista' }).click();
  await page.getByRole('menuitem', { name: what, exact: true }).click();
}

test('the amounts of the history stay in their columns, whatever their size', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 1);
  let amount = 0;
  let searches = 0;
  await page.route('**/GetInvoices?page=1&pageSize=8*', async (route) => {
    const response = await route.fetch(AGAIN);
    const answer = await response.json();
    const [row] = answer.rows;
    const rows = [
      { ...row, Amount: amount, VatAmount: amount, AmountIncludingVat: amount },
      { ...row, DocNo: '2' },
    ];
    await route.fulfill({ response, json: { ...answer, rows, total: 2 } });
  });
  const amounts = page.locator('tbody [data-field]');
  const outside = () =>
    amounts.evaluateAll((found) =>
      found.flatMap((text) => {
        const cell = text.closest('td');
        if (!cell) return ['no cell'];
        const padding = Number.parseFloat(getComputedStyle(cell).paddingInlineEnd);
        const [inner, outer] = [text.getBoundingClientRect(), cell.getBoundingClientRect()];
        const isInside =
          inner.right <= outer.right - padding + 1 && inner.left >= outer.left + padding - 1;
        return isInside ? [] : [text.textContent];
      }),
    );
  await page.goto('/panel/historial');
  for (const [next, shown] of [
    [-205_000.8, '−205.000,80'],
    [2_050_005.8, '2.050.005,80'],
    [22_050_005.8, '22.050.005,80'],
    [-22_050_005.8, '−22.050.005,80'],
    [9_999_999_999.99, '9.999.999.999,99'],
  ] as const) {
    amount = next;
    await page.getByRole('searchbox').fill('00001'.slice(0, ++searches)); // Another search asks again.
    await expect(amounts.first()).toContainText(shown);
    await expect(amounts).toHaveCount(6);
    for (const width of [1440, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(outside, `${shown} at ${width}`).toEqual([]);
    }
  }
});
