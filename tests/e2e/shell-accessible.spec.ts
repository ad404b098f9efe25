import { expect, type Locator, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { expectAccessible } from '../support/accessible.ts';
import { goWithin } from '../support/go-within.ts';
import { watchPolicy } from '../support/policy.ts';
import { enterFullCompany } from '../support/signed-in.ts';

/** Every address of the panel, and the text of its `h1`. */
const PANEL = [
  ['inicio', 'Inicio'],
  ['historial', 'Historial de facturas'],
  ['pendientes', 'Facturas pendientes'],
  ['crear', /factura/i],
  ['facturas/00001%2F26', /00001\/26/],
  ['facturas/00001%2F26/que-hago', /Qué hago con la factura 00001\/26/],
  ['importar', 'Importar datos'],
  ['clientes', 'Clientes'],
  ['productos', 'Productos / Servicios'],
  ['registros', 'Registros y evidencias'],
  ['perfil', 'Perfil empresa'],
  ['integraciones/business-central', 'Business Central'],
  ['declaracion-responsable', 'Declaración responsable'],
  ['ayuda', 'Ayuda y soporte'],
  ['faq', 'Preguntas frecuentes'],
  ['acerca', 'Acerca de'],
  ['subir', /./],
  ['no-existe', 'Página no encontrada'],
] as const;
const PUBLIC = [
  '/',
  '/iniciosesion',
  '/recuperar-contrasena',
  '/registro/paso1',
  '/registro/completado',
  '/declaracion-responsable',
  '/verificar',
  '/no-existe',
  '/api/docs',
] as const;

/** On a page that writes all its blocks in one way, the first three calls of the first three groups are checked. */
const MORE_OF_THE_SAME: Readonly<Record<string, string>> = {
  '/api/docs': 'article:nth-of-type(n + 4), section:nth-of-type(n + 5) article',
};

/** One scheme for each width covers both: colours do not depend on the width. */
const schemeOf = (project: string) => (project === 'phone' ? 'dark' : 'light');

test('every address of the panel is accessible', async ({ page, baseURL }, { project }) => {
  test.setTimeout(240_000); // Axe checks eighteen screens.
  await page.emulateMedia({ colorScheme: schemeOf(project.name), reducedMotion: 'reduce' });
  const expectNothingRefused = watchPolicy(page);
  await enterFullCompany(page, baseURL, 2);
  await page.goto('/panel');
  for (const [path, title] of PANEL) {
    await goWithin(page, `/panel/${path.replace('/26', `/${new Date().getFullYear() % 100}`)}`);
    await expect(page.getByRole('heading', { level: 1, name: title }).first()).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expectAccessible(page);
    await expectNothingWider(page);
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    await page.setViewportSize({ width: 320, height });
    await expectNothingWider(page);
    await page.setViewportSize({ width, height });
  }
  expectNothingRefused();
});

test('every public address is accessible', async ({ page }, { project }) => {
  await page.emulateMedia({ colorScheme: schemeOf(project.name), reducedMotion: 'reduce' });
  const expectNothingRefused = watchPolicy(page);
  for (const path of PUBLIC) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expectAccessible(page, { but: MORE_OF_THE_SAME[path] });
    await expectNothingWider(page);
  }
  expectNothingRefused();
});

test('what is hard to read, or has no name, is found', { tag: '@any-width' }, async ({ page }) => {
  await page.setContent(`<html lang="es"><title>Prueba</title><main><h1>Prueba</h1>
    <p style="color: #777; background: hsl(0 0% 100%)">4,48 : 1</p>
    <p style="color: #767676; background: hsl(0 0% 100%)">4,54 : 1</p>
    <p style="color: rgb(0 0 0 / 0.5); background: #fff">3,95 : 1</p>
    <button></button></main>`);
  await expect(expectAccessible(page)).rejects.toThrow(
    /button-name: <button>.*color-contrast: [^,]*4,48 : 1<.*color-contrast: [^,]*3,95 : 1<(?!.*color-contrast)/s,
  );

  await page.setContent(`<html lang="es"><title>Prueba</title><main><h1>Prueba</h1><button></button></main>
    <div role="dialog" aria-modal="true" aria-label="Pregunta"><a href="/"></a></div>`);
  const found = await expectAccessible(page).catch(String);
  expect(found, 'in the dialog').toContain('link-name');
  expect(found, 'under it').not.toContain('button-name');
});

test('in a short window the buttons of the form stay at the bottom edge, and do not cover the footer', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.setViewportSize({ width: 844, height: 390 }); // A phone in landscape.
  await page.goto('/panel/crear');
  const send = page.getByRole('button', { name: 'Enviar factura' });
  await expect(send).toBeVisible();
  const barOf = (button: Element) => {
    let bar: Element | null = button;
    while (bar && getComputedStyle(bar).position !== 'fixed') bar = bar.parentElement;
    const { top, bottom } = (bar ?? button).getBoundingClientRect();
    return { top, bottom };
  };
  expect((await send.evaluate(barOf)).bottom).toBe(390);
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  const { top } = await send.evaluate(barOf);
  const footer = await page.getByRole('contentinfo').boundingBox();
  expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeLessThanOrEqual(top);

  await page.setViewportSize({ width: 320, height: 200 }); // At 400 %: all of it is for the form.
  await page.evaluate('scrollTo(0, 0)');
  await expect(send).not.toBeInViewport();
  await page.getByRole('combobox', { name: 'Cliente', exact: true }).focus();
  await expect(page.getByRole('combobox', { name: 'Cliente', exact: true })).toBeInViewport();
  await expect(page.getByRole('banner')).not.toBeInViewport();
  await send.scrollIntoViewIfNeeded();
  await expect(send).toBeInViewport();
});

test('with the colours of the system, the buttons of a line are drawn too', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterFullCompany(page, baseURL);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/panel/pendientes?editar=B-1');
  /** Whether anything is drawn in the part of an element where its sign is. */
  const isDrawn = async (element: Locator, from: number) => {
    const picture = sharp(await element.screenshot());
    const { width, height } = await picture.metadata();
    const left = Math.round(width * from);
    const part = { left, top: 8, width: width - left - 8, height: height - 16 };
    const { channels } = await sharp(await picture.extract(part).toBuffer()).stats();
    return channels.some(({ stdev }) => stdev > 1);
  };
  const menu = page.getByRole('button', { name: /^Más acciones de la línea 1/ });
  expect(await isDrawn(menu, 0.3), 'the dots').toBe(true);
  const tax = page.getByRole('combobox', { name: /^Impuesto, línea 1/ }).locator('..');
  expect(await isDrawn(tax, 0.75), 'the arrow').toBe(true);
});

test('who has set larger text in the browser gets the layout of a narrower window', {
  tag: '@any-width',
}, async ({ playwright, launchOptions, baseURL, viewport }) => {
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32'],
  });
  const page = await browser.newPage({ baseURL: baseURL ?? '', viewport, locale: 'es-ES' });
  await page.goto('/iniciosesion');
  const label = await page.getByText('Contraseña', { exact: true }).boundingBox();
  const link = await page.getByRole('link', { name: '¿Has olvidado tu' }).boundingBox();
  expect((label?.x ?? 0) + (label?.width ?? 0)).toBeLessThanOrEqual(link?.x ?? 0);
  await enterFullCompany(page, baseURL, 1);
  await page.goto('/panel');
  for (const path of ['inicio', 'historial', 'pendientes?editar=B-1', 'clientes', 'perfil']) {
    await goWithin(page, `/panel/${path}`);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Menú', exact: true })).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Secciones' })).toBeHidden();
    await expectNothingWider(page);
  }
  await browser.close();
});

test('blocks styles that somebody else injects into a page', { tag: '@any-width' }, async ({
  page,
}) => {
  for (const path of ['/', '/iniciosesion', '/api/docs']) {
    await page.goto(path);
    await page.evaluate(`document.head.append(
      Object.assign(document.createElement('style'), { textContent: 'body { display: none }' }),
    )`);
    await page.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<i style="color: red">x</i>')`,
    );
    await expect(page.locator('body')).toBeVisible();
    expect(await page.evaluate(`getComputedStyle(document.body.lastElementChild).color`)).not.toBe(
      'rgb(255, 0, 0)',
    );
  }
});

/** Expects no horizontal scrolling and no button with cut text. */
async function expectNothingWider(page: Page): Promise<void> {
  const extra = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(extra, `${page.url()} is wider than its window`).toBeLessThanOrEqual(0);
  const cut = await page
    .locator('.mantine-Button-label')
    .evaluateAll((labels) =>
      labels
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    );
  expect(cut, `cut in ${page.url()}`).toEqual([]);
}
