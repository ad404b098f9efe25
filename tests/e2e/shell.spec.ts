import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { AGAIN } from '../support/fetch-again.ts';
import { goWithin } from '../support/go-within.ts';
import { followRequests } from '../support/quiet.ts';
import { enterFullCompany, enterNewCompany } from '../support/signed-in.ts';
import { UNHELD } from '../support/unheld.ts';
import { untilLetGo } from '../support/until-let-go.ts';

const run = promisify(execFile);

const START_UP = [
  'GetCompanyPicture',
  'GetDatosEmpresa',
  'GetProductos',
  'GetInvoices',
  'GetPendingInvoices',
  'GetClientes',
  'GetTerminosPago',
  'GetFormasPago',
  'GetGrupoContable',
  'GetGrupoIVA',
  'GetCertificate',
  'GetUnitOfMeasure',
  'GetDataBaseDemo',
  'GetSubscriptionExpired',
  'GetDatosSubscripcion',
  'GetPaises',
  'GetTemplateExcel',
  'GetClavesRegimen',
  'GetEnableMantenimiento',
  'GetTextMantenimiento',
] as const;

/** The limit for the scripts of the first panel screen, in bytes compressed with gzip. */
const FIRST_SCREEN_BYTES = 200 * 1024;
/** Over HTTP/1.1 a browser makes six requests at a time. */
const MOST_FILES = 6;

test('starts with the twenty calls in parallel, and little code in few files', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.addInitScript(UNHELD);
  const untilQuiet = followRequests(page);
  const asked: string[] = [];
  const { held, release } = untilLetGo();
  // None is answered until all have been made: if one waited for another, the test would hang.
  await page.route(/\/api\/GetData\//, async (route) => {
    const call = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    const isFirst = (START_UP as readonly string[]).includes(call) && !asked.includes(call);
    if (isFirst) asked.push(call);
    if (asked.length === START_UP.length) release();
    if (isFirst) await held;
    await route.continue();
  });
  const scripts = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith('.js')) return;
    scripts.set(
      pathname,
      response.body().then((body) => gzipSync(body, { level: 9 }).length),
    );
  });
  await page.goto('/panel');
  await expect(page.getByRole('heading', { level: 1, name: 'Inicio' })).toBeVisible();
  expect(asked.toSorted()).toEqual(START_UP.toSorted());

  await untilQuiet();
  const bytes = (await Promise.all(scripts.values())).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(20_000);
  const names = [...scripts.keys()].join(', ');
  expect(bytes, names).toBeLessThan(FIRST_SCREEN_BYTES);
  expect(scripts.size, names).toBeLessThanOrEqual(MOST_FILES);
});

test('says that it is loading, and that loading failed', { tag: '@any-width' }, async ({
  page,
  baseURL,
}) => {
  await enterNewCompany(page, baseURL);
  const { held, release } = untilLetGo();
  await page.route(/GetClavesRegimen/, async (route) => {
    await held;
    await route.fulfill({ status: 500, json: { message: 'Ha ocurrido un error inesperado.' } });
  });
  await page.goto('/panel');
  await expect(page.getByRole('heading', { name: 'Cargando tu información...' })).toBeVisible();
  await expect(page.getByText('Por favor espera mientras cargamos todos los datos.')).toBeVisible();
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByText(`© ${new Date().getFullYear()}`).first()).toBeVisible();
  await expectAccessible(page);
  release();
  await expect(page.getByRole('heading', { name: 'Error al cargar la información' })).toBeVisible();
  await expect(
    page.getByText('Hubo un problema al intentar cargar tus datos. Por favor, inténtalo de nuevo.'),
  ).toBeVisible();
  await expect(footer.getByText(`© ${new Date().getFullYear()}`).first()).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => localStorage.getItem('authToken'))).toBeNull();
  // Without a session there is nothing to reload, so the button leads to the home page.
  await page.getByRole('button', { name: 'Intentar nuevamente' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('every screen has its frame: greeting, menus, sections and footer; none is indexed', async ({
  page,
  baseURL,
}, { project }) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel');
  await expect(page).toHaveURL(/\/panel\/inicio$/);
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex');
  const answer = await page.request.get('/panel/inicio', { headers: { accept: 'text/html' } });
  expect(answer.headers()['x-robots-tag']).toContain('noindex');

  const bar = page.getByRole('banner');
  const isPhone = project.name === 'phone';
  const place = isPhone ? page.getByRole('dialog') : bar;
  if (isPhone) await bar.getByRole('button', { name: 'Menú', exact: true }).click();
  await expect(place.getByText('Hola, Obrador Candela, S.L.')).toBeVisible();
  await expect(place.getByText('Suscripción demo')).toBeVisible();

  const sections = page.getByRole('navigation', { name: 'Secciones' });
  const names = [
    'Inicio',
    'Historial de facturas',
    'Facturas pendientes',
    'Crear factura',
    'Importar datos',
    'Clientes',
    'Productos / Servicios',
    'Ayuda y soporte',
    'Preguntas frecuentes',
    'Acerca de',
    'Perfil empresa',
  ];
  for (const name of names) {
    await expect(sections.getByRole('link', { name: new RegExp(`^${name}`) })).toBeVisible();
  }
  await expect(sections.getByRole('button', { name: 'Cerrar sesión' })).toBeVisible();
  await test.step('a screen whose code is late shows that it is being opened', async () => {
    const { held, release } = untilLetGo();
    await page.route(/\/assets\/customers-page-.*\.js/, async (route) => {
      await held;
      await route.continue();
    });
    await sections.getByRole('link', { name: 'Clientes' }).click();
    const opening = page.locator('[aria-label="Abriendo la pantalla"]');
    await expect(opening).toBeInViewport();
    release();
    await expect(page.getByRole('heading', { level: 1, name: 'Clientes' })).toBeFocused();
    await expect(opening).toHaveCount(0);
    await expect(page).toHaveTitle(/^Clientes/);
  });

  await expect(bar.getByRole('button', { name: 'Tu cuenta' })).toHaveAttribute(
    'data-hint',
    'Tu cuenta',
  );
  for (const name of ['Menú de Obrador Candela, S.L.', 'Tu cuenta']) {
    const button = bar.getByRole('button', { name });
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    await button.click();
    await expect(page.getByRole('menuitem', { name: 'Perfil empresa' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Cerrar sesión' })).toBeVisible();
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    await expect(button).toBeFocused();
  }

  const footer = page.getByRole('contentinfo');
  if (!isPhone) {
    const cut = await footer
      .getByText(/Madrid\]?$/)
      .first()
      .evaluate(({ parentElement }) => {
        const { scrollWidth = 0, clientWidth = 0 } = parentElement ?? {};
        return scrollWidth - clientWidth;
      });
    expect(cut, 'the address is whole').toBeLessThanOrEqual(1);
  }
  await footer.getByRole('button', { name: 'Legal y contacto' }).click();
  await expect(footer.getByText(/Madrid\]?$/).last()).toBeInViewport({ ratio: 1 });
  const year = `© ${new Date().getFullYear()}`;
  await expect(footer.getByText(year).filter({ visible: true }).first()).toBeVisible();
  for (const name of [
    'Aviso legal',
    'Política de privacidad',
    'Términos y condiciones',
    'Pagos y devoluciones',
  ]) {
    const link = footer.getByRole('link', { name: new RegExp(`^${name}`) }).last();
    await expect(link).toBeVisible();
    await expect(link).toHaveAttribute('target', '_blank');
  }
});

test('an address without a screen, or an invoice that does not exist, leads on inside the frame', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 1);
  await page.goto('/panel/no-existe');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Página no encontrada');
  await expect(page.getByRole('navigation', { name: 'Secciones' })).toBeVisible();
  await page.getByRole('link', { name: 'Ir a Inicio', exact: true }).click();
  await expect(page).toHaveURL(/\/panel\/inicio$/);

  for (const path of ['facturas/99999', 'facturas/99999/que-hago']) {
    await goWithin(page, `/panel/${path}`);
    await expect(page.getByText('No existe la factura 99999.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Intentar nuevamente' })).toBeHidden();
    await page.getByRole('link', { name: 'Ver el historial' }).click();
    await expect(page).toHaveURL(/\/panel\/historial$/);
  }
  await goWithin(page, '/panel/facturas/B-99');
  await expect(page.getByText('No hemos podido abrir el borrador B-99')).toBeVisible();
  await expect(page.getByText('No existe el borrador B-99.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Facturas pendientes' }).last()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ver las pendientes' })).toBeVisible();
  await goWithin(page, '/panel/facturas/B-99/que-hago');
  await expect(page.getByText('No hemos podido abrir el borrador B-99')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ver las pendientes' })).toBeVisible();
  await goWithin(page, '/panel/pendientes?editar=B-99');
  await page.getByRole('link', { name: 'Ver las pendientes' }).click();
  await expect(page).toHaveURL(/\/panel\/pendientes$/);
  await expect(page.getByText('B-1', { exact: true }).first()).toBeVisible();
});

test('without a certificate it is closed, and says why and what to do', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterNewCompany(page, baseURL);
  const others = ['pendientes', 'crear', 'importar', 'clientes', 'productos'];
  await page.goto('/panel/inicio');
  await expect(page).toHaveURL(/\/panel\/perfil$/);
  for (const closed of others) {
    await goWithin(page, `/panel/${closed}`);
    await expect(page).toHaveURL(/\/panel\/perfil$/);
  }
  const sentence = 'Se necesita cargar el certificado digital para poder acceder.';
  await expect(page.getByRole('main').getByText(sentence)).toBeVisible();
  await expectAccessible(page);

  await page
    .getByRole('navigation', { name: 'Secciones' })
    .getByRole('button', { name: /^Clientes/ })
    .click({ force: true }); // It is marked as disabled, but still explains why when clicked.
  const dialog = page.getByRole('alertdialog', { name: 'Ha habido un error' });
  await expect(dialog.getByText(sentence)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cerrar' }).click();
  await expect(dialog).toBeHidden();
  await page
    .getByRole('navigation', { name: 'Secciones' })
    .getByRole('button', { name: /^Clientes/ })
    .click({ force: true });
  await dialog.getByRole('button', { name: 'Subir el certificado' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/panel\/perfil#certificado$/);
  await expect(page.locator('#certificado :focus')).toHaveCount(1);

  for (const [open, title] of [
    ['ayuda', 'Ayuda y soporte'],
    ['faq', 'Preguntas frecuentes'],
    ['acerca', 'Acerca de'],
    ['historial', 'Historial de facturas'],
  ] as const) {
    await goWithin(page, `/panel/${open}`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  }
  await expect(page.getByText('Todavía no has registrado ninguna factura')).toBeVisible();
  const ways = page.getByRole('main').getByRole('link', { name: /Crear factura|Importar datos/ });
  await expect(ways).toHaveCount(0);
});

test('with an expired subscription it is closed, except for what belongs to its owner', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { nif, token } = await enterFullCompany(page, baseURL, 1);
  await admin('suscripcion', nif, '--terminar');
  const sentence = 'La subscripción ha caducado, renueva tu subscripcion desde el panel de perfil.';
  await test.step('until the profile has arrived, the screen is not empty', async () => {
    const profile = '**/assets/profile-route-*.js';
    const { held, release: letGo } = untilLetGo();
    await page.route(profile, async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest(profile);
    await page.goto('/panel/inicio', { waitUntil: 'commit' });
    await asked;
    await expect(page.getByText('Cargando tu información...')).toBeVisible();
    await goWithin(page, '/panel/crear'); // Back or on, meanwhile: it is closed as well.
    letGo();
    await expect(page.getByRole('heading', { level: 1, name: 'Perfil empresa' })).toBeVisible();
    await expect(page).toHaveURL(/\/panel\/perfil$/);
    await page.unroute(profile);
  });
  for (const closed of ['inicio', 'crear']) {
    await goWithin(page, `/panel/${closed}`);
    await expect(page).toHaveURL(/\/panel\/perfil$/);
  }
  const main = page.getByRole('main');
  await expect(main.getByText(sentence)).toBeVisible();
  await expect(main.getByText('Suscripción expirada')).toBeVisible();
  await main.getByRole('link', { name: 'Ver la suscripción' }).click();
  await expect(main.getByRole('link', { name: /^(Renovar|Elegir|Contratar)/ })).toBeVisible();
  await expectAccessible(page);

  await goWithin(page, '/panel/historial');
  await expect(page.getByText(/^1 (cliente|factura|producto)$/)).toBeVisible();
  await goWithin(
    page,
    `/panel/facturas/${encodeURIComponent(`00001/${new Date().getFullYear() % 100}`)}`,
  );
  await expect(main.getByRole('button', { name: 'Descargar PDF' })).toBeVisible();
  await expect(main.getByText(sentence)).toBeVisible();
  const changes = /^(Rectificar|Duplicar|Corregir|Anular)$/;
  await expect(main.getByRole('link', { name: changes })).toHaveCount(0);
  await expect(main.getByRole('button', { name: changes })).toHaveCount(0);
  await main.getByRole('link', { name: '¿Qué hago?' }).click();
  await main.getByLabel('No', { exact: true }).nth(0).check();
  await main.getByLabel('No', { exact: true }).nth(1).check();
  await expect(main.getByRole('heading', { name: 'Anúlala' })).toBeVisible();
  await expect(main.getByRole('button', { name: /Anular/ })).toHaveCount(0);
  await expect(main.getByText(sentence)).toBeVisible();
  await expectAccessible(page);
  const answer = await page.request.post('/api/PostData/SetFacturas', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      accionFactura: 1,
      invoiceItems: [{ description: 'Pan', quantity: '1', price: '1', tax: 'IVA21' }],
    },
  });
  expect(answer.status()).toBe(403);
  expect(await answer.text()).toContain(sentence);
});

test('the warning of a certificate that is about to expire leads to where it is changed', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  const mensaje = 'Tu certificado digital caduca en 6 días.';
  const avisos = [{ tipo: 'certificado', gravedad: 'grave', mensaje }];
  await page.route('**/GetConexionAEAT', async (route) => {
    const response = await route.fetch(AGAIN);
    await route.fulfill({ response, json: { ...(await response.json()), avisos } });
  });
  await page.goto('/panel/historial');
  await expect(page.getByText(mensaje)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Renovar', exact: true }).click();
  await expect(page).toHaveURL(/\/panel\/perfil#certificado$/);
  await expect(page.locator('#certificado :focus')).toHaveCount(1);
  await page.unrouteAll({ behavior: 'wait' });
});

test('an expired certificate: it is said once on each screen, and Inicio says that registering goes on', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  let waiting = {};
  const mensaje = 'Tu certificado digital ha caducado. Puedes seguir registrando.';
  const avisos = [{ tipo: 'certificado', gravedad: 'grave', mensaje }];
  await page.route('**/GetConexionAEAT', async (route) => {
    const response = await route.fetch(AGAIN);
    const json = await response.json();
    const changes = { estado: 'sin-certificado', enEspera: 0, avisos, ...waiting };
    await route.fulfill({ response, json: { ...json, ...changes } });
  });
  await page.goto('/panel/inicio');
  const card = page.getByRole('region', { name: 'Conexión con la AEAT' });
  await expect(card.getByText('Envío detenido')).toBeVisible();
  await expect(card.getByText('lo que registres espera a que subas otro.')).toBeVisible();
  await expect(page.getByText('Tu certificado digital ha caducado.')).toBeVisible();

  waiting = { enEspera: 2, esperandoDesde: '2026-11-20T08:00:00Z' };
  await page.goto('/panel/inicio');
  await expect(card.getByText('Falta un certificado digital vigente.')).toBeVisible();
  await goWithin(page, '/panel/pendientes');
  await expect(page.getByText('Tu certificado digital ha caducado.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Facturas pendientes' })).toBeVisible();
  await expect(page.getByText('Falta un certificado digital vigente.')).toBeHidden();
  await page.unrouteAll({ behavior: 'wait' });
});

test('a subscription in its last week says so, and leads to its renewal', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  let days = 8;
  await page.route('**/GetDatosSubscripcion', async (route) => {
    const response = await route.fetch(AGAIN);
    const expirationdate = new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv-SE', {
      timeZone: 'Europe/Madrid',
    });
    await route.fulfill({ response, json: { ...(await response.json()), expirationdate } });
  });
  await page.goto('/panel/inicio');
  await expect(page.getByRole('heading', { level: 1, name: 'Inicio' })).toBeVisible();
  await expect(page.getByText(/Tu demo acaba/)).toBeHidden();
  days = 0;
  await page.reload();
  await expect(page.getByText('Tu demo acaba hoy. Después tendrás')).toBeVisible();
  days = 3;
  await page.reload();
  await expect(page.getByText(/^Tu demo acaba el [\d/]+: quedan 3\sdías\.$/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Elegir un plan' }).click();
  await expect(page.getByRole('heading', { name: 'Renovación de suscripción' })).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
});

test('the warning of a certificate that is about to expire is there when the panel opens', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  const mensaje = 'Tu certificado digital caduca en 6 días.';
  const avisos = [{ tipo: 'certificado', gravedad: 'grave', mensaje }];
  await page.route('**/GetCertificate', async (route) => {
    const response = await route.fetch(AGAIN);
    const inSixDays = new Date(Date.now() + 6 * 86_400_000).toISOString().slice(0, 10);
    await route.fulfill({ response, json: { ...(await response.json()), validoHasta: inSixDays } });
  });
  const { held, release } = untilLetGo();
  await page.route('**/GetConexionAEAT', async (route) => {
    await held;
    const response = await route.fetch(AGAIN);
    await route.fulfill({ response, json: { ...(await response.json()), avisos } });
  });
  const isAsked = page.waitForRequest('**/GetConexionAEAT');
  await page.goto('/panel/historial');
  await isAsked;
  // Until it is known, no screen is shown that the warning could push down.
  await expect(page.getByRole('heading', { name: 'Cargando tu información...' })).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: 'Historial de facturas' })).toBeVisible();
  await expect(page.getByText(mensaje)).toBeVisible();

  await test.step('an answer that does not come keeps nobody out', async () => {
    await page.route('**/GetConexionAEAT', () => {});
    const isAskedAgain = page.waitForRequest('**/GetConexionAEAT');
    await page.clock.install();
    await page.reload();
    await isAskedAgain;
    await expect(async () => {
      await page.clock.fastForward(5_000);
      await expect(page.getByRole('heading', { name: 'Historial de facturas' })).toBeVisible({
        timeout: 1_000,
      });
    }).toPass();
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('announces maintenance on open screens', { tag: '@any-width' }, async ({ page, baseURL }) => {
  const { token } = await enterNewCompany(page, baseURL);
  await page.clock.install();
  await page.goto('/panel/ayuda');
  await expect(page.getByRole('heading', { level: 1, name: 'Ayuda y soporte' })).toBeVisible();
  const text = `Esta noche paramos diez minutos (${token.slice(-6)}).`;
  const banner = page.getByText(text);
  await admin('mantenimiento', 'on', text);
  try {
    await expect(async () => {
      await page.clock.fastForward(30_000); // Two of these make a minute.
      await expect(banner).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expectAccessible(page);
  } finally {
    await admin('mantenimiento', 'off');
  }
  await expect(async () => {
    await page.clock.fastForward(30_000);
    await expect(banner).toBeHidden({ timeout: 1_000 });
  }).toPass();
});

/** Runs `npm run admin -- …` on the installation of these tests. */
async function admin(...words: readonly string[]): Promise<void> {
  const env = { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR };
  await run(process.execPath, ['dist/server/admin.js', ...words], { env });
}

test('reloads once if the code of a screen is missing, and then says so', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/ayuda');
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().endsWith('/panel/clientes')) loads += 1;
  });
  let isGone = true;
  await page.route(/\/assets\/customers-page-.*\.js/, async (route) => {
    if (!isGone) return route.continue();
    await route.abort();
  });
  await page
    .getByRole('navigation', { name: 'Secciones' })
    .getByRole('link', { name: 'Clientes' })
    .click();
  await expect(
    page.getByRole('heading', { name: 'Esta pantalla no se ha podido abrir' }),
  ).toBeVisible();
  expect(loads).toBe(1);
  await expect(page).toHaveURL(/\/panel\/clientes$/);
  isGone = false;
  await page.getByRole('button', { name: 'Recargar la página' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Clientes' })).toBeVisible();
});

test('offline nothing is queued to be done later, and screens open when the connection is back', {
  tag: '@any-width',
}, async ({ page, baseURL, context }) => {
  const { token } = await enterFullCompany(page, baseURL);
  const clients = async () => {
    const answer = await page.request.get('/api/GetData/GetClientes', {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await answer.json()) as { Name: string }[]).map(({ Name }) => Name);
  };
  await page.addInitScript(UNHELD);
  const untilQuiet = followRequests(page);
  const loadedAhead = ['company-menu-list', 'dialogs', 'toasts'].map((name) =>
    page.waitForRequest(new RegExp(`/assets/${name}-`)),
  );
  await page.goto('/panel/clientes');
  await page.getByRole('button', { name: 'Añadir Cliente' }).click();
  await page.getByLabel('Nombre').fill('Cliente sin conexión');
  await Promise.all(loadedAhead);
  await untilQuiet();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Guardar' }).click();
  const error = page.getByRole('alertdialog');
  await expect(error).toContainText('Comprueba tu conexión');
  await error.getByRole('button', { name: 'Cerrar' }).click();
  await expect(page.getByRole('button', { name: 'Guardar' })).toBeFocused();
  await page.getByRole('button', { name: 'Tu cuenta' }).click();
  await expect(page.getByRole('menuitem', { name: 'Cerrar sesión' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Nombre')).toHaveValue('Cliente sin conexión');

  await page
    .getByRole('navigation', { name: 'Secciones' })
    .getByRole('link', { name: 'Preguntas frecuentes' })
    .click();
  await expect(page.getByRole('heading', { name: 'No hay conexión con Huella' })).toBeVisible();
  await expectAccessible(page);
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Preguntas frecuentes' })).toBeVisible();
  expect(await clients()).not.toContain('Cliente sin conexión');
});

test('what failed while the server was away is shown once it is back', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL, 1);
  await page.addInitScript(UNHELD);
  await page.goto('/panel/historial');
  await expect(page.getByText('1 factura', { exact: true })).toBeVisible();
  await page.route('**/api/**', (route) => route.abort());
  await page.evaluate(() => {
    window.history.pushState(null, '', '/panel/inicio');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await expect(page.getByText('No hemos podido calcular tus cifras')).toBeVisible();
  await page.unroute('**/api/**');
  const figures = page.getByRole('region', { name: 'Facturado', exact: true });
  await expect(figures).toContainText('1 factura', { timeout: 40_000 });
});

test('an invoice registered elsewhere appears on the open screen automatically', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL, 1);
  const held = page.waitForRequest(
    (request) => request.url().endsWith('/GetNovedades') && 'prefer' in request.headers(),
  );
  await page.goto('/panel/inicio');
  await held;
  const headers = { authorization: `Bearer ${token}` };
  const clients = await page.request.get('/api/GetData/GetClientes', { headers });
  const withNif = ((await clients.json()) as { No: string; VATRegistrationNo: string }[]).find(
    ({ VATRegistrationNo }) => VATRegistrationNo !== '',
  );
  const answer = await page.request.post('/api/PostData/SetFacturas', {
    headers,
    data: {
      accionFactura: 1,
      type: 'factura',
      invoiceDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
      invoiceType: 0,
      invoiceClient: withNif?.No,
      typeClient: 'NAC',
      claveRegimen: '01',
      invoiceItems: [
        { description: 'Tarta', quantity: '1', price: '100,00', tax: 'IVA21', linetype: 0 },
      ],
    },
  });
  const { DocNo } = (await answer.json()) as { DocNo: string };
  // Among the pending invoices or, once the AEAT has accepted it, in the history.
  await expect(page.getByRole('main').getByText(DocNo).first()).toBeVisible({ timeout: 60_000 });
});
