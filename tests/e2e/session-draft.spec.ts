import { expect, type Page, type Request, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { AGAIN } from '../support/fetch-again.ts';
import { enter, enterFullCompany } from '../support/signed-in.ts';
import { untilLetGo } from '../support/until-let-go.ts';

const SAVING = '**/api/PostData/SetFacturas';

test('with one draft open on two devices, the second is warned and nothing is overwritten', {
  tag: '@any-width',
}, async ({ page, browser, baseURL }) => {
  test.setTimeout(150_000);
  const { token } = await enterFullCompany(page, baseURL);
  const other = await browser.newContext({
    ...(baseURL && { baseURL }),
    viewport: page.viewportSize(),
    locale: 'es-ES',
  });
  const second = await other.newPage();
  await enter(second, token);
  for (const who of [page, second]) {
    await who.goto('/panel/pendientes?editar=B-1');
    await expect(dayField(who)).toBeVisible();
  }

  expect(await changeDay(page, '02/01/2026')).toBe(200);
  expect(await changeDay(second, '03/01/2026')).toBe(409);
  const told = second.getByText('Este borrador ha cambiado en otro sitio.');
  await expect(told).toBeVisible();
  // The warning is also in view at the bottom of the form.
  await second.getByRole('button', { name: 'Añadir línea' }).scrollIntoViewIfNeeded();
  await second.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  await expect(told).toBeInViewport({ ratio: 1 });
  await second.getByRole('button', { name: 'Ver lo guardado' }).press('Enter');
  await expect(second.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(dayField(second)).toHaveValue('02/01/2026');

  const answer = await page.request.post('/api/PostData/GetEditInvoice', {
    headers: { authorization: `Bearer ${token}` },
    data: { No: 'B-1' },
  });
  const { invoiceDate } = (await answer.json()) as { invoiceDate: string };
  expect(invoiceDate).toBe('2026-01-02');
  await other.close();
});

test('half-typed changes replace a newer draft only if the user says so', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  test.setTimeout(150_000);
  const { token } = await enterFullCompany(page, baseURL);
  await page.goto('/panel/pendientes?editar=B-1');
  await expect(dayField(page)).toBeVisible();
  await page.route(SAVING, (route) => route.abort());
  await dayField(page).fill('02/01/2026');
  await page.keyboard.press('Tab');
  await expect.poll(() => safetyCopies(page)).toContain('"invoiceDate":"2026-01-02"');

  // Meanwhile, somebody else saves the draft.
  const { version: _, ...edit } = await editOf(page, token);
  const saved = await page.request.post('/api/PostData/SetFacturas', {
    headers: { authorization: `Bearer ${token}` },
    multipart: {
      ...Object.fromEntries(
        Object.entries(edit).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      ),
      invoiceDate: '2026-01-03',
      accionFactura: '0',
      draftNo: 'B-1',
    },
  });
  expect(saved.status()).toBe(200);
  // The form tries again to save what it could not: it is left before that is let through.
  await page.goto('about:blank');
  await page.unroute(SAVING);

  const told = page.getByText('Este borrador ha cambiado en otro sitio.');
  let kept = 0;
  page.on('response', (response) => {
    if (response.url().endsWith('/SetFacturas') && response.ok()) kept += 1;
  });
  await page.clock.install();
  for (const time of ['the first time', 'and the next one']) {
    await test.step(time, async () => {
      await page.goto('/panel/pendientes?editar=B-1');
      await expect(told).toBeVisible();
      await expect(dayField(page)).toHaveValue('02/01/2026');
      await page.getByLabel('Descripción, línea 1').pressSequentially(' y más');
      await page.clock.fastForward(10_000); // By now it would have been saved automatically.
      expect(kept).toBe(0);
      await expect(told).toBeVisible();
      expect((await editOf(page, token)).invoiceDate).toBe('2026-01-03');
    });
  }
  await page.getByRole('button', { name: 'Guardar lo mío' }).click();
  await expect(told).toBeHidden();
  await expect.poll(async () => (await editOf(page, token)).invoiceDate).toBe('2026-01-02');
});

test('what is typed without a connection is checked and saved when it returns', {
  tag: '@any-width',
}, async ({ page, baseURL, context }) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/pendientes?editar=B-1');
  const verdict = page.getByRole('region', { name: 'Registrar la factura' }).getByRole('status');
  await expect(verdict).toHaveText('Se puede registrar');
  await context.setOffline(true);
  await page.getByLabel('Precio, línea 1').fill('30');
  await expect(verdict).toHaveText('Sin comprobar');
  await context.setOffline(false);
  await expect(verdict).toHaveText('Se puede registrar');
  await expect(page.getByText('Borrador guardado').first()).toBeVisible();
});

test('a reload while it is being saved makes no second draft, and is not taken for somebody else’s change', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL);
  const drafts = async () => {
    const answer = await page.request.get('/api/GetData/GetPendingInvoices', {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await answer.json()) as { No: string }[]).map(({ No }) => No);
  };
  const before = await drafts();
  await page.goto('/panel/crear');
  for (const price of ['10', '20']) {
    const { held, release: letGo } = untilLetGo();
    let isSaved = false;
    await page.route(SAVING, async (route) => {
      const response = await route.fetch();
      isSaved = true;
      await held;
      await route.fulfill({ response }).catch(() => {}); // The page is gone.
    });
    await page.getByLabel('Descripción, línea 1').fill('Silla');
    await page.getByLabel('Precio, línea 1').fill(price);
    await expect.poll(() => isSaved).toBe(true);
    await page.reload();
    await page.unroute(SAVING);
    letGo();
    await page.getByLabel('Cantidad, línea 1').fill('3');
    await expect(page.getByText('Borrador guardado').first()).toBeVisible();
  }
  await expect(page.getByText('Este borrador ha cambiado en otro sitio.')).toBeHidden();
  expect(await drafts()).toHaveLength(before.length + 1);
});

/** The fields of B-1 as the server has them. */
async function editOf(page: Page, token: string) {
  const answer = await page.request.post('/api/PostData/GetEditInvoice', {
    headers: { authorization: `Bearer ${token}` },
    data: { No: 'B-1' },
  });
  return (await answer.json()) as { invoiceDate: string; version: number };
}

function safetyCopies(page: Page): Promise<string> {
  return page.evaluate<string>(
    'JSON.stringify(Object.values(localStorage)).replaceAll("\\\\", "")',
  );
}

function dayField(page: Page) {
  return page.getByLabel('Fecha', { exact: true });
}

/** Types another date and waits until the form has saved itself. @returns the status of the answer */
async function changeDay(page: Page, day: string): Promise<number> {
  await page.bringToFront();
  const saved = page.waitForResponse(/SetFacturas/, { timeout: 60_000 });
  await dayField(page).fill(day);
  await page.keyboard.press('Tab');
  return (await saved).status();
}

for (const { from, path, title, width } of [
  { from: 'Crear factura', path: '/panel/crear', title: 'Enviar factura', width: 'phone' },
  {
    from: 'a draft',
    path: '/panel/pendientes?editar=B-1',
    title: 'Registrar factura',
    width: 'desktop',
  },
]) {
  test(`registering without an answer repeats the same call, also after a reload: ${from}`, async ({
    page,
    baseURL,
  }, { project }) => {
    test.skip(project.name !== width, 'Both work in the same way: each width has one of them.');
    test.setTimeout(150_000);
    const { token } = await enterFullCompany(page, baseURL);
    await noteWhereCopiesAreRemoved(page);
    await page.goto(path);
    if (path === '/panel/crear') await fillInvoice(page);
    await expect(page.getByText('Se puede registrar')).toBeVisible();
    const keys: (string | undefined)[] = [];
    await page.route(SAVING, async (route) => {
      if (!isRegistering(route.request())) return route.continue();
      keys.push(route.request().headers()['idempotency-key']);
      await route.fetch(AGAIN); // The request arrives, and its answer is lost.
      await route.abort();
    });
    const dialog = await askToRegister(page, title);
    await dialog.getByRole('button').last().click();
    await expect(dialog.getByText('No ha llegado la respuesta')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cerrar', exact: true }).last().click();

    const banner = page.getByRole('alert').filter({ hasText: 'No sabemos si esta factura' });
    await expect(banner).toBeVisible();
    await expect(dayField(page)).toBeDisabled();
    await expect(page.getByRole('region', { name: 'Registrar la factura' })).toBeHidden();
    await expectAccessible(page);
    await page.reload();
    await expect(banner).toBeVisible();
    await expect(dayField(page)).toBeDisabled();
    await page.unroute(SAVING);
    const again = page.waitForRequest(isRegistering);
    await banner.getByRole('button', { name: 'Volver a intentarlo' }).click();
    expect([(await again).headers()['idempotency-key']]).toEqual([...new Set(keys)]);

    await expect(page.getByText(/^Registrada, eslabón/)).toBeVisible();
    expect(await registeredCount(page, token)).toBe(1);
    // A reload just then shows the receipt, not an empty form.
    expect(await page.evaluate('window.removedAt')).toEqual([expect.stringMatching(/^\?recibo=/)]);
  });
}

/** The query of the address each time that a safety copy is deleted. */
async function noteWhereCopiesAreRemoved(page: Page): Promise<void> {
  await page.addInitScript({
    content: `window.removedAt = [];
      const remove = Storage.prototype.removeItem;
      Storage.prototype.removeItem = function (key) {
        if (key.startsWith('huella.borrador.')) window.removedAt.push(location.search);
        remove.call(this, key);
      };`,
  });
}

test('a second press, when the form is about to make way for the receipt, registers nothing more', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { token } = await enterFullCompany(page, baseURL);
  await page.goto('/panel/crear');
  await fillInvoice(page);
  await expect(page.getByText('Se puede registrar')).toBeVisible();
  await (await askToRegister(page)).getByRole('button').last().waitFor();
  const calls: Request[] = [];
  page.on('request', (request) => isRegistering(request) && calls.push(request));
  // The address names the receipt before React takes the dialog away: it is pressed once all that follows at once is done.
  await page.evaluate(`{
    const button = [...document.querySelectorAll('[role=dialog] button')].at(-1);
    const replace = history.replaceState;
    history.replaceState = function (...given) {
      replace.apply(this, given);
      history.replaceState = replace;
      (async () => {
        for (let i = 0; i < 100; i += 1) await undefined;
        window.wasThere = button.isConnected;
        button.click();
      })();
    };
    button.click();
  }`);
  await expect(page.getByText(/^Registrada, eslabón/)).toBeVisible();
  expect(await page.evaluate('window.wasThere')).toBe(true);
  await expect(page.getByRole('alertdialog')).toBeHidden();
  expect(await registeredCount(page, token)).toBe(1);
  expect(calls).toHaveLength(1);
});

test('a refusal for too many calls is explained, and the invoice can still be changed', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.goto('/panel/crear');
  await fillInvoice(page);
  await expect(page.getByText('Se puede registrar')).toBeVisible();
  const message = 'Demasiados intentos. Inténtalo de nuevo en 12 minutos.';
  await page.route(SAVING, (route) =>
    isRegistering(route.request())
      ? route.fulfill({ status: 429, json: { message, codigo: 'TOO_MANY_REQUESTS' } })
      : route.continue(),
  );
  const dialog = await askToRegister(page);
  await dialog.getByRole('button').last().click();
  await expect(page.getByRole('alertdialog')).toContainText(message);
  await page.unroute(SAVING);
  await page.getByRole('alertdialog').getByRole('button').last().click();
  await page.getByLabel('Precio, línea 1').fill('90');
  await page.keyboard.press('Tab');
  const sent = page.waitForRequest(isRegistering);
  await (await askToRegister(page)).getByRole('button').last().click();
  expect((await sent).postData()).toContain('"price":"90"');
});

async function fillInvoice(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Cliente' }).click();
  await page.getByRole('option', { name: /^Cafetería La Plaza/ }).click();
  const isNarrow = (page.viewportSize()?.width ?? 0) < 768;
  if (isNarrow) await page.getByRole('button', { name: 'Añadir línea' }).click();
  const line = isNarrow ? page.getByRole('dialog') : page;
  await line.getByLabel(isNarrow ? /^Descripción/ : 'Descripción, línea 1').fill('Asesoría');
  await line.getByLabel(isNarrow ? /^Precio/ : 'Precio, línea 1').fill('100');
  if (isNarrow) await page.getByRole('button', { name: 'Listo' }).click();
}

async function askToRegister(page: Page, title = 'Enviar factura') {
  await page.locator('[data-main-action]').click();
  return page.getByRole('dialog', { name: title, exact: true });
}

/** Not a call by which the form saves itself, which may come at any time after typing. */
function isRegistering(request: Request): boolean {
  return (
    request.url().endsWith('/SetFacturas') &&
    /name="accionFactura"\s+[12]/.test(request.postData() ?? '')
  );
}

/** How many invoices are in the history or wait for the AEAT. */
async function registeredCount(page: Page, token: string): Promise<number> {
  const rows = await Promise.all(
    ['GetInvoices', 'GetPendingInvoices'].map(async (list) => {
      const answer = await page.request.get(`/api/GetData/${list}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return (await answer.json()) as { Status: string }[];
    }),
  );
  return rows.flat().filter(({ Status }) => Status !== 'Borrador').length;
}

for (const isSaved of [false, true]) {
  const when = isSaved ? 'that is already saved as a draft' : 'that is saved nowhere else';
  test(`a session that ends while registering asks to sign in once, and restores the invoice ${when}`, {
    tag: '@any-width',
  }, async ({ page, baseURL }) => {
    const { email, password, token } = await enterFullCompany(page, baseURL);
    await page.route(SAVING, async (route) => {
      if (!isRegistering(route.request())) return isSaved ? route.continue() : route.abort();
      const headers = { authorization: `Bearer ${token}` };
      await page.request.post('/api/Auth/logout', { headers });
      await route.continue();
    });
    await page.goto('/panel/crear');
    await page.getByRole('combobox', { name: 'Cliente' }).click();
    await page.getByRole('option', { name: /^Cafetería La Plaza/ }).click();
    await page.getByLabel('Descripción, línea 1').fill('Trabajo a medias');
    await page.getByLabel('Precio, línea 1').fill('100');
    await page.keyboard.press('Tab');
    if (isSaved) await expect(page.getByText(/^Borrador guardado a las/)).toBeVisible();
    await expect(page.getByText('Se puede registrar')).toBeVisible();
    await page.getByRole('button', { name: 'Enviar factura' }).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Enviar factura' });
    await expect(confirm).toBeEnabled();
    const refused = page.waitForResponse((response) => isRegistering(response.request()));
    await confirm.click();
    expect((await refused).status()).toBe(401);

    await expect(page).toHaveURL(/\/iniciosesion$/);
    await expect(page.getByText('Tu sesión ha caducado.')).toBeVisible();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await page.getByLabel('Correo electrónico').fill(email);
    await page.getByLabel('Contraseña', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Iniciar sesión' }).click();
    await expect(page.getByLabel('Descripción, línea 1')).toHaveValue('Trabajo a medias');
  });
}
