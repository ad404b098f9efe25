import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { AGAIN } from '../support/fetch-again.ts';
import { goWithin } from '../support/go-within.ts';
import { enterFullCompany } from '../support/signed-in.ts';
import { untilLetGo } from '../support/until-let-go.ts';

interface Screen {
  readonly path: string;
  /** The call that it makes when it opens. */
  readonly call: string;
  readonly failed: string;
  /** An element that is shown once it has loaded. */
  readonly full: (page: Page) => ReturnType<Page['getByText']>;
  /** The menu entry that is marked as current. */
  readonly section: string;
  /** Whether it is loaded with the panel: then the page is loaded again. */
  readonly isKnown?: true;
}

/**
 * The call of each screen, and what it shows while it waits, when the call fails and when it succeeds. Clients and
 * products load with the panel, which does not open without them (shell.spec.ts).
 */
const SCREENS: readonly Screen[] = [
  {
    path: 'inicio',
    call: '**/GetResumen',
    failed: 'No hemos podido calcular tus cifras',
    full: (page) => page.getByRole('heading', { name: 'Facturado, últimos 12 meses' }),
    section: 'Inicio',
    isKnown: true,
  },
  {
    path: 'historial',
    call: '**/GetInvoices?page=1&pageSize=8*',
    failed: 'No hemos podido cargar tu historial',
    full: (page) => page.getByText('Todavía no has registrado ninguna factura'),
    section: 'Historial de facturas',
    isKnown: true,
  },
  {
    path: 'pendientes',
    call: '**/GetPendingInvoices?page=1&pageSize=8*',
    failed: 'No hemos podido cargar tus facturas pendientes',
    full: (page) => page.getByText('B-1', { exact: true }),
    section: 'Facturas pendientes',
    isKnown: true,
  },
  {
    path: 'pendientes?editar=B-1',
    call: '**/GetEditInvoice',
    failed: 'No hemos podido abrir el borrador B-1',
    full: (page) => page.getByRole('combobox', { name: 'Cliente', exact: true }),
    section: 'Facturas pendientes',
  },
  {
    path: 'facturas/B-1',
    call: '**/GetInvoiceDetail',
    failed: 'No hemos podido abrir el borrador B-1',
    full: (page) => page.getByRole('heading', { name: 'Recorrido' }),
    section: 'Facturas pendientes',
  },
  {
    path: 'facturas/B-2/que-hago',
    call: '**/GetInvoiceDetail',
    failed: 'No hemos podido abrir el borrador B-2',
    full: (page) => page.getByRole('link', { name: 'Volver a la factura' }),
    section: 'Facturas pendientes',
  },
  {
    path: 'integraciones/business-central',
    call: '**/GetBusinessCentral',
    failed: 'No hemos podido consultar tu conexión',
    full: (page) => page.getByRole('heading', { name: 'Conecta tu Business Central' }),
    section: 'Perfil empresa',
  },
  {
    path: 'perfil',
    call: '**/GetSesiones',
    failed: 'No hemos podido consultar tus sesiones',
    full: (page) => page.getByText('Esta sesión', { exact: true }),
    section: 'Perfil empresa',
  },
  {
    path: 'declaracion-responsable',
    call: '**/GetDeclaracionResponsable',
    failed: 'No hemos podido abrirla',
    full: (page) => page.getByRole('heading', { name: /DEL SISTEMA INFORMÁTICO/ }),
    section: 'Acerca de',
  },
];

test('each screen shows that it loads, fails, is retried and fills', { tag: '@any-width' }, async ({
  page,
  baseURL,
}) => {
  test.setTimeout(240_000);
  await enterFullCompany(page, baseURL);
  for (const { path, call, failed, full, section, isKnown } of SCREENS) {
    await test.step(path, async () => {
      const { held, release: fail } = untilLetGo();
      await page.route(call, async (route) => {
        await held;
        await route.fulfill({ status: 500, json: { message: 'No ha podido ser.' } });
      });
      await (isKnown ? page.goto(`/panel/${path}`) : goWithin(page, `/panel/${path}`));
      // The heading of the screen itself, not of the placeholder shown until its code is loaded.
      await expect(page.locator('#contenido h1').first()).toBeVisible();
      await expect(page.locator('[aria-busy=true]').first()).toBeVisible();
      await expectAccessible(page);
      fail();
      await expect(page.getByText(failed)).toBeVisible();
      await expectAccessible(page);
      await page.unroute(call);
      await page.getByRole('button', { name: 'Intentar nuevamente' }).click();
      await expect(full(page).first()).toBeVisible();
      await expect(page.getByText(failed)).toBeHidden();
      const sections = page.getByRole('navigation', { name: 'Secciones' });
      await expect(sections.getByRole('link', { name: new RegExp(`^${section}`) })).toHaveAttribute(
        'aria-current',
        'page',
      );
    });
  }
});

/** Screens that work without the answer of this call, which may fail separately. */
const PARTS = [
  {
    path: 'subir',
    call: '**/GetSubidas',
    failed: 'No hemos podido consultar lo que subiste antes',
    usable: 'Elegir archivos',
  },
  {
    path: 'importar',
    call: '**/GetImportacion',
    failed: 'No hemos podido consultar tu última importación',
    usable: 'Elegir archivo',
  },
  {
    path: 'perfil',
    call: '**/GetCopiaDatos',
    failed: 'No hemos podido consultar tu copia',
    usable: 'Eliminar la cuenta…',
  },
  {
    path: 'acerca',
    call: '**/GetInstalacion',
    failed: 'No hemos podido consultarlo.',
    usable: 'Tu cuenta',
  },
  {
    path: 'acerca',
    call: '**/GetConfiguracion',
    failed: 'No hemos podido consultarlo.',
    usable: 'Tu cuenta',
  },
];

test('a screen works although one part fails to load, and offers to retry that part', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(240_000);
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/ayuda');
  for (const { path, call, failed, usable } of PARTS) {
    await test.step(path, async () => {
      await page.route(call, (route) =>
        route.fulfill({ status: 500, json: { message: 'No ha podido ser.' } }),
      );
      // What was looked at already is loaded again.
      const isKnown = new URL(page.url()).pathname === `/panel/${path}`;
      await (isKnown ? page.reload() : goWithin(page, `/panel/${path}`));
      await page.getByRole('button', { name: usable }).waitFor();
      await expect(page.getByRole('alert').getByText(failed)).toBeVisible();
      await expect(page.getByRole('button', { name: usable })).toBeEnabled();
      await expectAccessible(page);
      await page.unroute(call);
      await page.getByRole('button', { name: 'Intentar nuevamente' }).click();
      await expect(page.getByText(failed)).toBeHidden();
      await expect(page.getByRole('button', { name: usable })).toBeEnabled();
    });
  }
  await test.step('registros, which calls nothing until its button is pressed', async () => {
    const call = '**/VerificarCadena*';
    await page.route(call, (route) =>
      route.fulfill({ status: 500, json: { message: 'No ha podido ser.' } }),
    );
    await goWithin(page, '/panel/registros');
    const button = page.getByRole('button', { name: 'Verificar mi cadena' });
    await button.click();
    await expect(page.getByRole('alert')).toContainText('No hemos podido verificar tu cadena.');
    await expectAccessible(page);
    await page.unroute(call);
    await button.click();
    await expect(page.getByText('Todavía no hay nada que verificar')).toBeVisible();
    await expect(page.getByRole('alert')).toBeHidden();
  });
  await test.step('the spinner of a working button is centred, also with reduced motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const { held, release: letGo } = untilLetGo();
    await page.route('**/VerificarCadena*', async (route) => {
      await held;
      await route.continue();
    });
    const button = page.getByRole('button', { name: /^Verificar (mi cadena|otra vez)/ });
    await button.click();
    const loader = button.locator('.mantine-Button-loader');
    await loader.waitFor();
    const [outer, inner] = [await button.boundingBox(), await loader.boundingBox()];
    letGo();
    const middle = (box: typeof outer) => (box ? box.y + box.height / 2 : Number.NaN);
    expect(Math.abs(middle(outer) - middle(inner))).toBeLessThan(2);
  });
});

test('Inicio keeps its figures when refreshing them fails', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 1);
  // In the Canary Islands the tax is the IGIC, declared in the modelo 420.
  await page.route('**/GetDatosEmpresa', async (route) => {
    const response = await route.fetch(AGAIN);
    await route.fulfill({ response, json: { ...(await response.json()), postCode: '35001' } });
  });
  await page.route('**/GetTrimestrePorTipo', (route) => route.fulfill({ json: { filas: null } }));
  await page.goto('/panel/inicio');
  const chart = page.getByRole('heading', { name: 'Facturado, últimos 12 meses' });
  const figures = page.getByRole('region', { name: 'Facturado', exact: true });
  await expect(chart).toBeVisible();
  await expect(figures).toContainText(/IGIC repercutido, \d\.º trimestre/);
  await expect(figures).toContainText(/Modelo 420 de (abril|julio|octubre|enero)/);
  await expect(figures).not.toContainText(/IVA|303/);
  await expect(figures, 'no rates of more invoices than are added up at once').toContainText(
    'Base ',
  );

  let asked = 0;
  await page.route('**/GetResumen', (route) => {
    asked++;
    return route.fulfill({ status: 500, json: { message: 'No ha podido ser.' } });
  });
  // Refreshed when the page is visible again: three attempts, and then it gives up.
  await expect(async () => {
    await page.evaluate(() => {
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    });
    expect(asked).toBeGreaterThanOrEqual(3);
  }).toPass();
  await expect(chart).toBeVisible();
  await expect(page.getByText('No hemos podido calcular tus cifras')).toBeHidden();
});

test('the connection of Inicio does not say that it is connected once nobody answers', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 1);
  await page.clock.install();
  await page.goto('/panel/inicio');
  const connection = page.getByRole('region', { name: 'Conexión con la AEAT' });
  await expect(connection.getByText('Conectada', { exact: true })).toBeVisible();
  await page.route('**/api/**', (route) => route.abort());
  await page.clock.runFor(90_000);
  await expect(connection.getByText('Sin actualizar')).toBeVisible();
  await expect(connection.getByText('Conectada', { exact: true })).toBeHidden();
  await expect(connection).toContainText('Huella no responde. Así estaba el');
  await expectAccessible(page);
  await page.unroute('**/api/**');
  await page.clock.runFor(90_000);
  await expect(connection.getByText('Conectada', { exact: true })).toBeVisible();
});

test('the focus goes through Inicio in the order in which its cards are seen', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 1);
  await page.goto('/panel/inicio');
  const asTable = page.getByRole('button', { name: 'Ver como tabla' });
  const missing = page.getByRole('link', { name: 'Completar datos' });
  await expect(asTable).toBeVisible();
  const evidence = page.getByRole('link', { name: 'Registros y evidencias' });
  const inOrder = async (...elements: Locator[]) => {
    await evidence.focus();
    for (const element of elements) {
      await page.keyboard.press('Tab');
      await expect(element).toBeFocused();
    }
  };
  await inOrder(asTable, missing);
  await page.setViewportSize({ width: 820, height: 1180 });
  await inOrder(missing, asTable);
});

test('Inicio adds the figures and the quarter’s tax by rate once they arrive, without moving the layout', async ({
  page,
  baseURL,
}) => {
  await enterFullCompany(page, baseURL, 1);
  const holding = async (call: string) => {
    const { held, release } = untilLetGo();
    await page.route(call, async (route) => {
      await held;
      await route.continue();
    });
    return () => release();
  };
  const releaseFigures = await holding('**/GetResumen');
  const releaseRates = await holding('**/GetTrimestrePorTipo');
  await page.goto('/panel/inicio');
  const figures = page.getByRole('region', { name: 'Facturado', exact: true });
  const chart = page.getByRole('region', { name: 'Facturado, últimos 12 meses' });
  const boxes = async () => [await figures.boundingBox(), await chart.boundingBox()];
  await expect(page.getByText('Conectada', { exact: true })).toBeVisible();
  const before = await boxes();
  releaseFigures();
  await expect(figures).toContainText(/Modelo 303 de/);
  expect(await boxes()).toEqual(before);
  releaseRates();
  await expect(figures).toContainText(/21\u00a0%: [\d.]+,\d\d/);
  expect(await boxes()).toEqual(before);
});

test('the three figures of Inicio have the size of the longest, and the labels of its chart stay clear of its lines', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 1);
  await page.route('**/GetResumen', async (route) => {
    const response = await route.fetch(AGAIN);
    const resumen = await response.json();
    resumen.mes.base = 9_876.54;
    resumen.trimestre.base = 102_030_405.06;
    resumen.trimestre.iva = 21_426_385.06;
    for (const mes of resumen.meses) mes.base = 9_876_543_210.99;
    await route.fulfill({ response, json: resumen });
  });
  await page.goto('/panel/inicio');
  const figures = page.getByRole('region', { name: 'Facturado', exact: true });
  await expect(figures).toContainText('102.030.405,06');
  // What separates two words is drawn only between those of one line: none ends with it.
  await expect(figures).toContainText('IVA 21.426.385,06');
  await expect(figures).not.toContainText('·');
  const sizes = await figures
    .locator('p.hu-figures')
    .evaluateAll((found) => found.map((figure) => parseFloat(getComputedStyle(figure).fontSize)));
  expect(sizes).toHaveLength(3);
  // The line between two of them takes a pixel of their width.
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(0.5);

  const label = page.getByText('2.500 M', { exact: true });
  await expect(label).toBeVisible();
  const gap = () =>
    label.evaluate((span) => {
      const text = document.createRange();
      text.selectNodeContents(span);
      const line = span.parentElement as HTMLElement;
      const { left } = getComputedStyle(line, '::before');
      return (
        line.getBoundingClientRect().left +
        Number.parseFloat(left) -
        text.getBoundingClientRect().right
      );
    });
  expect(await gap(), 'between a label of the chart and its line').toBeGreaterThanOrEqual(8);
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  expect(await gap(), 'with text twice as large').toBeGreaterThanOrEqual(8);
});

test('rows without columns stand where their skeleton was, and an empty history has nothing to filter', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.setViewportSize({ width: 820, height: 1100 });
  const { held, release } = untilLetGo();
  await page.route('**/GetPendingInvoices?page=1&pageSize=8*', async (route) => {
    await held;
    const response = await route.fetch(AGAIN);
    const [row] = (await response.json()).rows;
    const rows = Array.from({ length: 8 }, (_, i) => ({ ...row, DocNo: `B-${i + 1}` }));
    await route.fulfill({ response, json: { rows, total: 8, page: 1, pageSize: 8 } });
  });
  await page.goto('/panel/pendientes');
  const list = page.getByRole('list', { name: 'Facturas pendientes' });
  await expect(list).toHaveAttribute('aria-busy', 'true');
  const before = await list.boundingBox();
  release();
  await expect(list.getByText('B-8', { exact: true })).toBeVisible();
  expect(await list.boundingBox()).toEqual(before);
  await page.unrouteAll({ behavior: 'wait' });

  await goWithin(page, '/panel/historial');
  await expect(page.getByText('Todavía no has registrado ninguna factura')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Cobro' })).toHaveCount(0);

  // On a phone the state of a pending invoice is whole beside an amount of thirteen digits.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.route('**/GetPendingInvoices?page=1&pageSize=8*', async (route) => {
    const response = await route.fetch(AGAIN);
    const { rows, ...rest } = await response.json();
    const row = {
      ...rows[0],
      Status: 'Aceptado con errores',
      AmountIncludingVat: 11_950_617_296.1,
    };
    await route.fulfill({ response, json: { ...rest, total: 1, rows: [row] } });
  });
  await page.goto('/panel/pendientes');
  const chip = page.getByRole('listitem').getByText('Aceptado con errores');
  await expect(chip).toBeVisible();
  // What is cut off is not hit.
  const isWhole = await chip.evaluate((element) => {
    const { right, top, height } = element.getBoundingClientRect();
    const seen = document.elementFromPoint(right - 2, top + height / 2);
    return element.contains(seen);
  });
  expect(isWhole).toBe(true);
});

/** The page of the only invoice of a company. */
async function openInvoice(page: Page, baseURL: string | undefined) {
  const { token } = await enterFullCompany(page, baseURL, 1);
  const list = await page.request.get('/api/GetData/GetInvoices?page=1&pageSize=1', {
    headers: { authorization: `Bearer ${token}` },
  });
  const { rows } = await list.json();
  await page.goto(`/panel/facturas/${encodeURIComponent(rows[0].DocNo)}`);
}

test('the actions of an invoice stand beside its title even if its client has a long name, and its paper below its story', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await openInvoice(page, baseURL);
  const client = page.getByText(/^Hoteles y Apartamentos .*\s€$/);
  await expect(client).toBeVisible();
  const words = await client.boundingBox();
  const action = await page.getByRole('button', { name: 'Descargar PDF' }).boundingBox();
  expect(action?.y).toBeLessThan((words?.y ?? 0) + (words?.height ?? 0));

  // Where there is one column.
  await page.setViewportSize({ width: 820, height: 1180 });
  const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;
  const later = page.getByRole('heading', { name: 'Factura electrónica' });
  await expect(later).toBeVisible();
  const paper = await topOf(page.locator('[data-paper]'));
  expect(paper).toBeGreaterThan(await topOf(page.getByRole('heading', { name: 'Recorrido' })));
  expect(paper).toBeLessThan(await topOf(later));
});

const WIDTHS = [320, 390, 820, 1110, 1280, 1440];

test('Inicio has room for what the connection says when invoices wait and the AEAT is away', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 1);
  // Of this same day: another one would be named, in a longer sentence.
  const now = Date.now();
  const away = {
    estado: 'sin-conexion',
    enEspera: 3,
    teNecesitan: 0,
    esperandoDesde: new Date(now).toISOString(),
    proximoEnvio: new Date(now + 60_000).toISOString(),
  };
  const { held, release } = untilLetGo();
  await page.route('**/GetConexionAEAT', async (route) => {
    await held;
    const response = await route.fetch(AGAIN);
    await route.fulfill({ response, json: { ...(await response.json()), ...away } });
  });
  await page.goto('/panel/inicio');
  const connection = page.getByRole('region', { name: 'Conexión con la AEAT' });
  await expect(page.getByText(/Modelo 303 de/)).toBeVisible();
  const boxAt = async (width: number) => {
    await page.setViewportSize({ width, height: 900 });
    return connection.boundingBox();
  };
  const before: Awaited<ReturnType<typeof boxAt>>[] = [];
  for (const width of WIDTHS) before.push(await boxAt(width));
  release();
  await expect(connection.getByText('Sin conexión', { exact: true })).toBeVisible();
  await expect(connection.getByText('3 facturas esperan respuesta de la AEAT')).toBeVisible();
  for (const [index, width] of WIDTHS.entries()) {
    const box = await boxAt(width);
    expect(box, `${width} px wide`).toEqual(before[index]);
    const last = await connection.getByText('te necesitan').boundingBox();
    const end = (last?.x ?? 0) + (last?.width ?? 0);
    expect(end, `${width} px wide`).toBeLessThan((box?.x ?? 0) + (box?.width ?? 0) - 12);
  }
});

test('lists, calendars and menus that open over a screen are accessible, and a list says that it is open', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(240_000);
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/crear');
  const client = page.getByRole('combobox', { name: 'Cliente', exact: true });
  await client.waitFor();
  await expect(client).toHaveAttribute('aria-expanded', 'false');
  await client.click();
  await expect(client).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('option', { name: /Ana Beltrán/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByLabel('Fecha', { exact: true }).click();
  await expect(page.getByRole('button', { name: 'Mes anterior' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('banner').getByRole('button', { name: 'Tu cuenta' }).click();
  await expect(page.getByRole('menuitem', { name: 'Cerrar sesión' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  for (const [path, name] of [
    ['productos', /^Eliminar/],
    ['perfil', /^Reiniciar/],
  ] as const) {
    await test.step(`a dialog that closes returns the focus to what opened it: ${path}`, async () => {
      await goWithin(page, `/panel/${path}`);
      const opener = page.getByRole('button', { name }).first();
      await opener.focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
      await expect(opener).toBeFocused();
    });
  }
});
