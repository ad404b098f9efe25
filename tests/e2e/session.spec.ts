import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { openFullCompany } from '../support/full-company.ts';
import { holdChecks } from '../support/held-checks.ts';
import { randomCompanyNif } from '../support/random-nif.ts';
import { enterFullCompany } from '../support/signed-in.ts';
import { untilLetGo } from '../support/until-let-go.ts';

test('a button that waits is disabled at once, and shows its spinner only after a while', {
  tag: '@any-width',
}, async ({ page }) => {
  const { held, release: letGo } = untilLetGo();
  await page.route('**/api/Auth/login', async (route) => {
    await held;
    await route.fulfill({ status: 401, json: { message: 'El correo o la contraseña no…' } });
  });
  await page.goto('/iniciosesion');
  await page.getByLabel('Correo electrónico').fill('nadie@ejemplo.es');
  await page.getByRole('textbox', { name: 'Contraseña' }).fill('tres faroles');
  await page.evaluate(`{
    const still = new CSSStyleSheet();
    still.replaceSync('* { animation-play-state: paused !important }');
    document.adoptedStyleSheets = [still];
  }`);
  const enter = page.getByRole('button', { name: 'Iniciar sesión' });
  const spinner = enter.locator('.mantine-Loader-root');
  await enter.click();
  await expect(enter).toBeDisabled();
  await expect(spinner).toBeAttached();
  await expect(spinner).toBeHidden();
  await expect(enter.getByText('Iniciar sesión')).toHaveCSS('opacity', '1');
  await page.evaluate('document.adoptedStyleSheets = []');
  await expect(spinner).toBeVisible();
  letGo();
  await expect(enter).toBeEnabled();
});

test('after a session ends, what was being typed is restored', { tag: '@any-width' }, async ({
  page,
  baseURL,
}) => {
  const company = await enterFullCompany(page, baseURL);
  await page.goto('/panel/clientes?search=ana');
  await page.getByRole('button', { name: 'Añadir Cliente' }).click();
  await page.getByLabel('Nombre').fill('Cliente a medias');
  await page.getByLabel('Email').fill('medias@ejemplo.es');

  await test.step('ended on the server: the next click says so', async () => {
    const token = await storedToken(page);
    const ended = await page.request.post('/api/Auth/logout', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(ended.status()).toBe(200);
    await page.getByRole('heading', { level: 1 }).click();
    await expect(page).toHaveURL(/\/iniciosesion$/);
    await expect(page.getByText('Tu sesión ha caducado.')).toBeVisible();
    expect(await storedToken(page)).toBeNull();
    await expectAccessible(page);
  });

  await signIn(page, company);
  await expect(page).toHaveURL(/\/panel\/clientes\?search=ana$/);
  await expect(page.getByLabel('Nombre')).toHaveValue('Cliente a medias');
  await expect(page.getByLabel('Email')).toHaveValue('medias@ejemplo.es');
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByLabel('Nombre')).toBeHidden();
});

test('a link in an e-mail is followed after signing in, to its section', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { email, password } = await openFullCompany(baseURL ?? '', randomCompanyNif(), {
    invoices: 0,
  });
  await page.goto('/panel/perfil#certificado');
  await page.getByLabel('Correo electrónico').fill(email);
  await page.getByRole('textbox', { name: 'Contraseña' }).fill(password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await expect(page).toHaveURL(/\/panel\/perfil#certificado$/);
  await expect(page.getByRole('heading', { name: 'Certificado Digital' })).toBeInViewport();
});

test('a field of the profile that was left as the session ended is saved after signing in again', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const company = await enterFullCompany(page, baseURL);
  const SAVING = '**/api/PostData/SetDatosEmpresa3';
  await page.goto('/panel/perfil');
  const iban = page.getByLabel('IBAN');
  await iban.fill('IBAN ES91 2100 0418 4502 0005 1332');
  // Ended just then: earlier, another call of the page could find it out before the field is left.
  let hasEnded = false;
  await page.route(SAVING, async (route) => {
    if (!hasEnded) {
      hasEnded = true;
      const headers = { authorization: `Bearer ${company.token}` };
      await page.request.post('/api/Auth/logout', { headers });
    }
    await route.continue();
  });
  const refused = page.waitForResponse(SAVING);
  await iban.blur();
  expect((await refused).status()).toBe(401);
  await expect(page.getByText('Tu sesión ha caducado.')).toBeVisible();

  const saved = page.waitForResponse(SAVING);
  await signIn(page, company);
  await expect(page).toHaveURL(/\/panel\/perfil$/);
  expect((await saved).status()).toBe(200);
  await expect(iban).toHaveValue(/^ES91\s2100\s0418\s4502\s0005\s1332$/);
});

test('each click renews the token; an expired one ends the session', { tag: '@any-width' }, async ({
  page,
  baseURL,
}) => {
  const company = await enterFullCompany(page, baseURL);
  const renewals: string[] = [];
  // Counts finished calls: a click during one of them starts no other.
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/api/Auth/RefreshToken')) renewals.push(request.method());
  });
  await page.goto('/panel/perfil');
  await page.getByLabel('Correo de contacto').fill('a-medias@ejemplo.es');
  await page.getByLabel('Contraseña nueva').fill('mitad de una contraseña');
  await page.getByRole('heading', { level: 1 }).click();
  await expect.poll(() => renewals).toEqual(['POST']);

  // A server error does not mean that the session has ended.
  await page.route('**/api/Auth/RefreshToken', (route) =>
    route.fulfill({ status: 500, json: { message: 'Ha ocurrido un error inesperado.' } }),
  );
  await page.getByRole('heading', { level: 1 }).click();
  await expect.poll(() => renewals.length).toBe(2);
  await expect(page.getByLabel('Correo de contacto')).toHaveValue('a-medias@ejemplo.es');
  await page.unroute('**/api/Auth/RefreshToken');
  const token = (await storedToken(page)) ?? '';
  const [head, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const past = Buffer.from(JSON.stringify({ ...claims, exp: 1 })).toString('base64url');
  await page.evaluate(
    (text) => localStorage.setItem('authToken', text),
    [head, past, signature].join('.'),
  );
  await page.getByRole('heading', { level: 1 }).click();
  await expect(page).toHaveURL(/\/iniciosesion$/);
  expect(await storedToken(page)).toBeNull();

  await signIn(page, company);
  await expect(page.getByLabel('Correo de contacto')).toHaveValue('a-medias@ejemplo.es');
  await expect(page.getByLabel('Contraseña nueva')).toHaveValue('');
  await expect(page.getByText('Datos modificados')).toBeVisible();
});

test('signing out in one tab signs out all of them, and so does signing in', {
  tag: '@any-width',
}, async ({ page, context, baseURL }) => {
  const { token, ...company } = await enterFullCompany(page, baseURL);
  await page.goto('/panel/faq');
  const other = await context.newPage();
  await other.goto('/panel/ayuda');
  await expect(other.getByRole('heading', { level: 1, name: 'Ayuda y soporte' })).toBeVisible();
  // These clicks check the session, and are answered after sign-out: then no message must appear.
  const letChecksGo = await holdChecks(page);
  await page.getByRole('banner').getByRole('button', { name: 'Tu cuenta' }).click();
  await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
  await expect(page).toHaveURL(/\/iniciosesion$/);
  await letChecksGo();
  await expect(page.getByText('Tu sesión ha caducado.')).toHaveCount(0);
  await expect(other).toHaveURL(/\/iniciosesion$/);
  await expect(other.getByText('La sesión se ha cerrado en otra pestaña.')).toBeVisible();
  const answer = await page.request.get('/api/GetData/GetClientes', {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status()).toBe(401);
  await signIn(page, company);
  await expect(page).toHaveURL(/\/panel\/inicio$/);
  await expect(other).toHaveURL(/\/panel\/ayuda$/);
});

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel('Correo electrónico').fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
}

function storedToken(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('authToken'));
}
