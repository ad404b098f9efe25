import { expect, type Page, test } from '@playwright/test';
import { AGAIN } from '../support/fetch-again.ts';
import { goWithin } from '../support/go-within.ts';
import { enterFullCompany } from '../support/signed-in.ts';

/** A failure without explanation: the answer has no body. */
const SILENT = { status: 500, body: '' };

test('outside the panel each failure has its own message', { tag: '@any-width' }, async ({
  page,
}) => {
  await test.step('signing in', async () => {
    await page.goto('/iniciosesion');
    await page.getByLabel('Correo electrónico').fill('nadie@ejemplo.es');
    await page.getByLabel('Contraseña', { exact: true }).fill('la que sea');
    await page.getByRole('button', { name: 'Iniciar sesión' }).click();
    await expectSaid(page, 'Error al iniciar sesión: El correo o la contraseña no son correctos.');
    await page.route('**/api/Auth/login', (route) => route.abort());
    await page.getByRole('button', { name: 'Iniciar sesión' }).click();
    await expectSaid(page, /^Error de red:/);
  });

  await test.step('requesting a code', async () => {
    await page.route('**/api/Auth/ForgotPassword', (route) => route.fulfill(SILENT));
    await page.goto('/recuperar-contrasena');
    await page.getByLabel(/Correo/).fill('nadie@ejemplo.es');
    await page.getByRole('button', { name: 'Solicitar código' }).click();
    await expectSaid(page, 'Error inesperado.');
  });

  await test.step('loading the countries in the sign-up', async () => {
    await page.route('**/api/GetData/GetPaises', (route) => route.fulfill(SILENT));
    await page.goto('/registro/paso1');
    await page.getByLabel('Correo electrónico').fill('alguien@ejemplo.es');
    await page.getByLabel('Contraseña', { exact: true }).fill('una frase larga cualquiera');
    await page.getByLabel('Repite la contraseña').fill('una frase larga cualquiera');
    await page.getByRole('checkbox', { name: /términos y condiciones/ }).check();
    await page.getByRole('button', { name: 'Siguiente' }).click();
    await expectSaid(page, 'Error al cargar los datos. Por favor, inténtalo de nuevo más tarde.');
  });
});

test('what was created but not confirmed is not created again by a second press', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(150_000);
  const { token } = await enterFullCompany(page, baseURL);
  /** The server handles the call, and its first answer is lost. */
  const losesOneAnswer = (call: string) =>
    page.route(
      `**/api/PostData/${call}`,
      async (route) => {
        await route.fetch(AGAIN);
        await route.abort();
      },
      { times: 1 },
    );
  const NO_ANSWER = 'Huella no responde. Comprueba tu conexión y vuelve a intentarlo.';

  await test.step('a client', async () => {
    await losesOneAnswer('SetClientes');
    await page.goto('/panel/clientes');
    await page.getByRole('button', { name: 'Añadir Cliente' }).click();
    await page.getByLabel('Nombre').fill('Pastas Repetidas');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await expectSaid(page, NO_ANSWER);
    await page.getByRole('button', { name: 'Guardar' }).click();
    await expect(page.getByText('«Pastas Repetidas» está guardado.')).toBeVisible();
    expect(await namesOf(page, token, 'GetClientes', /Repetidas/)).toHaveLength(1);
  });

  await test.step('a product, neither in the list nor for the server', async () => {
    await losesOneAnswer('SetProductos');
    await goTo(page, 'Productos / Servicios');
    await page.getByRole('button', { name: 'Añadir Producto' }).click();
    await page.getByLabel('Nombre').fill('Rosquilla repetida');
    await page.getByLabel('Precio').fill('1');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await expectSaid(page, NO_ANSWER);
    await page.getByRole('button', { name: 'Guardar' }).click();
    await expect(page.getByText('«Rosquilla repetida» está guardado.')).toBeVisible();
    await page.getByRole('searchbox', { name: 'Buscar productos' }).fill('repetida');
    await expect(page.getByText(/^1 (cliente|factura|producto)$/)).toBeVisible();
    expect(await namesOf(page, token, 'GetProductos', /repetida/)).toHaveLength(1);
  });

  await test.step('a message to support', async () => {
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/sendMailSupport')) {
        keys.push(request.headers()['idempotency-key']);
      }
    });
    await losesOneAnswer('sendMailSupport');
    await goTo(page, 'Ayuda y soporte');
    await page.getByLabel('Asunto').fill('Una duda');
    await page.getByLabel('Tu mensaje').fill('¿Cómo se hace?');
    await page.getByRole('button', { name: 'Enviar email' }).click();
    await expectSaid(page, NO_ANSWER);
    await page.getByRole('button', { name: 'Enviar email' }).click();
    await expect(page.getByText(/Hemos recibido tu consulta/)).toBeVisible();
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  });
});

test('what was created by the first of two presses is not created again if the second is lost', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL);
  /** Presses «Guardar» twice before the form can say that it is saving; the answer to the second press is lost. */
  const pressTwice = async (call: string) => {
    const keys: (string | undefined)[] = [];
    const answered = page.waitForResponse(new RegExp(call));
    await page.route(`**/api/PostData/${call}`, async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length !== 2) return route.continue();
      await (await answered).finished();
      return route.abort();
    });
    const save = page.getByRole('button', { name: 'Guardar' });
    await save.evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await expectSaid(page, 'Huella no responde. Comprueba tu conexión y vuelve a intentarlo.');
    await save.click();
    return keys;
  };

  await test.step('a client', async () => {
    await page.goto('/panel/clientes');
    await page.getByRole('button', { name: 'Añadir Cliente' }).click();
    await page.getByLabel('Nombre').fill('Pastas de una vez');
    const keys = await pressTwice('SetClientes');
    await expect(page.getByText('«Pastas de una vez» está guardado.')).toBeVisible();
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(await namesOf(page, token, 'GetClientes', /de una vez/)).toHaveLength(1);
  });

  await test.step('a product', async () => {
    await goTo(page, 'Productos / Servicios');
    await page.getByRole('button', { name: 'Añadir Producto' }).click();
    await page.getByLabel('Nombre').fill('Rosca de una vez');
    await page.getByLabel('Precio').fill('1');
    await pressTwice('SetProductos');
    await expect(page.getByText('«Rosca de una vez» está guardado.')).toBeVisible();
    expect(await namesOf(page, token, 'GetProductos', /de una vez/)).toHaveLength(1);
  });
});

test('inside the panel each failure has its own message', { tag: '@any-width' }, async ({
  page,
  baseURL,
}) => {
  test.setTimeout(150_000);
  const { email, password } = await enterFullCompany(page, baseURL, 1);
  const fails = (call: string) =>
    page.route(`**/api/PostData/${call}`, (route) => route.fulfill(SILENT));

  await test.step('an empty PDF', async () => {
    await page.route('**/api/PostData/DownloadInvoice', (route) => route.fulfill({ json: '' }));
    await page.goto('/panel/historial');
    await page.getByRole('button', { name: /^Descargar factura / }).click();
    await expectSaid(page, 'No se pudo descargar el archivo. El contenido está vacío.');
  });

  await test.step('a client and a product that cannot be saved', async () => {
    await fails('SetClientes');
    await goTo(page, 'Clientes');
    await page.getByRole('button', { name: 'Añadir Cliente' }).click();
    await page.getByLabel('Nombre').fill('Cliente a medias');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await expectSaid(page, 'An unexpected error occurred.');
    await expect(page.getByLabel('Nombre')).toHaveValue('Cliente a medias');
    await fails('SetProductos');
    await goTo(page, 'Productos / Servicios');
    await page.getByRole('button', { name: 'Añadir Producto' }).click();
    await page.getByLabel('Nombre').fill('Producto a medias');
    await page.getByLabel('Precio').fill('1');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await expectSaid(page, 'An unexpected error occurred.');
    await page.getByRole('button', { name: 'Cancelar' }).click();
  });

  await test.step('a message that cannot be sent stays written', async () => {
    await fails('sendMailSupport');
    await goTo(page, 'Ayuda y soporte');
    await page.getByLabel('Asunto').fill('Una duda');
    await page.getByLabel('Tu mensaje').fill('¿Cómo se hace?');
    await page.getByRole('button', { name: 'Enviar email' }).click();
    await expectSaid(page, 'An unexpected error occurred.');
    await expect(page.getByLabel('Tu mensaje')).toHaveValue('¿Cómo se hace?');
  });

  await test.step('a file that cannot be read', async () => {
    await fails('ImportExcel');
    await goTo(page, 'Importar datos');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.xlsx', mimeType: '', buffer: Buffer.from('PK') });
    await expectSaid(page, 'Error al subir el archivo.');
  });

  await test.step('company data and logo in the profile', async () => {
    await fails('SetDatosEmpresa2');
    await goTo(page, 'Perfil empresa');
    const company = page.getByRole('region', { name: 'Información de empresa' });
    await company.getByLabel('Dirección').fill('Plaza Mayor, 2');
    await company.getByRole('button', { name: 'Guardar cambios' }).click();
    await expectSaid(page, 'Ocurrió un error inesperado.');
    await expect(company.getByText('Datos modificados')).toBeVisible();
    await fails('SetCompanyPicture');
    await page.getByRole('button', { name: 'Quitar el logotipo' }).click();
    await expectSaid(page, 'Error al subir la imagen');
  });

  for (const [words, path, act] of WITHOUT_SESSION) {
    await test.step(`without a session: «${words}», in ${path}`, async () => {
      await goWithin(page, `/panel/${path}`);
      const press = await act(page);
      await page.evaluate(() => localStorage.removeItem('authToken'));
      await press();
      await expectSaid(page, words);
      await expect(page).toHaveURL(/\/iniciosesion$/);
      await page.unrouteAll();
      await page.getByLabel('Correo electrónico').fill(email);
      await page.getByLabel('Contraseña', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Iniciar sesión' }).click();
      await expect(page).toHaveURL(/\/panel\//);
    });
  }
});

/** What the server has, which is what a reloaded list would show. */
async function namesOf(page: Page, token: string, list: string, name: RegExp): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await page.request.get(`/api/GetData/${list}`, { headers });
  const rows = (await answer.json()) as { Name: string }[];
  return rows.map(({ Name }) => Name).filter((one) => name.test(one));
}

/** The message, the path, and the steps up to the press that is made without a session. */
const WITHOUT_SESSION: readonly (readonly [
  string,
  string,
  (page: Page) => Promise<() => Promise<void>>,
])[] = [
  [
    'El token ha caducado',
    'historial',
    async (page) => {
      const button = page.getByRole('button', { name: /^Descargar factura / });
      await expect(button).toBeVisible();
      return () => button.click();
    },
  ],
  [
    'Error el token ha caducado',
    'productos',
    async (page) => {
      await page.getByRole('button', { name: 'Eliminar' }).first().click();
      const question = page.getByRole('dialog', { name: 'Eliminar producto' });
      const button = question.getByRole('button', { name: 'Eliminar producto' });
      await expect(button).toBeVisible();
      return () => button.click();
    },
  ],
  [
    'No hay token de autenticación',
    'pendientes?editar=B-1',
    async (page) => {
      await expect(page.getByText('Se puede registrar')).toBeVisible();
      await page.getByRole('button', { name: 'Reenviar factura corregida' }).click();
      const dialog = page.getByRole('dialog', { name: 'Registrar factura', exact: true });
      const button = dialog.getByRole('button', { name: 'Registrar', exact: true });
      await expect(button).toBeVisible();
      return () => button.click();
    },
  ],
];

async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Secciones' }).getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

/** Expects «Ha habido un error» with exactly that message, and closes the dialog. */
async function expectSaid(page: Page, words: string | RegExp): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: 'Ha habido un error' });
  await expect(dialog.getByRole('paragraph')).toHaveText(words);
  await dialog.getByRole('button', { name: 'Cerrar' }).click();
  await expect(dialog).toBeHidden();
}
