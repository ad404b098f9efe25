import { gzipSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { followRequests } from '../support/quiet.ts';

const SCRIPT_LIMIT = 60_000;
const SECTIONS = [
  'Un céntimo cambia la huella entera.',
  'Lo que necesitas para facturar bien.',
  'Empiezas en tres pasos.',
  'Tres precios. Todo incluido en los tres.',
  'Dudas',
  'Tu próxima factura puede ser la primera de la cadena.',
];

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('explains what it is, what it costs and how to start', { tag: '@any-width' }, async ({
    page,
  }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Cada factura deja su huella.',
    );
    for (const name of SECTIONS) await expect(page.getByRole('heading', { name })).toBeVisible();
    for (const price of ['9,99', '53,99', '99,99']) {
      await expect(page.getByText(new RegExp(`^${price}\\s€$`))).toBeVisible();
    }
    await expect(page.locator('meta[name="description"]')).toHaveAttribute(
      'content',
      /Desde 8,33\s€ al mes con el plan anual\.$/,
    );
    await expect(page.getByText(/Una venta se declara una sola vez\.$/)).toBeVisible();
    await page.getByText('¿Qué arriesgo si no lo uso?').click();
    await expect(page.getByText(/hasta 50\.000 € por ejercicio/)).toBeVisible();
    await expect(page.getByRole('link', { name: /Aviso legal/ }).last()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Registrarse' }).last()).toHaveAttribute(
      'href',
      '/registro',
    );
    for (const picture of await page.locator('main img').all()) {
      await picture.scrollIntoViewIfNeeded();
      await expect(picture).toHaveJSProperty('complete', true);
    }
    await expect(page.getByRole('link', { name: 'Declaración responsable' })).toHaveAttribute(
      'href',
      '/declaracion-responsable',
    );
    await page.getByRole('link', { name: 'Declaración responsable' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^DECLARACIÓN RESPONSABLE/);
    await expect(page.getByText(/Real Decreto 1007\/2023/).first()).toBeVisible();
    await page.goBack();
    await page.getByRole('link', { name: 'Elegir anual' }).click();
    await expect(page).toHaveURL(/\/registro\/paso1\?plan=annual$/);
  });
});

test('is laid out completely after its first paint, and scrolls to the section in the address', async ({
  page,
}) => {
  await page.goto('/#precios');
  const prices = page.locator('#precios');
  const above = () => prices.evaluate((block) => block.getBoundingClientRect().top);
  await expect(page.locator('html')).not.toHaveAttribute('data-first-paint');
  await expect(prices).toHaveCSS('content-visibility', 'visible');
  await expect.poll(above).toBeCloseTo(-40, 0);
  await page.evaluate('scrollTo(0, 0)');
  // Even the bottom of the page is rendered, as printing or saving it requires.
  const last = page.getByRole('heading', { name: /primera de la cadena/ });
  expect(
    await last.evaluate((heading) => heading.checkVisibility({ contentVisibilityAuto: true })),
  ).toBe(true);
});

test('the buttons of the plans are level, and no arrow of a link stands alone in a line', {
  tag: '@any-width',
}, async ({ page }) => {
  await page.goto('/');
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const plans = page.locator('#precios').getByRole('link', { name: /^Elegir/ });
    await expect(plans).toHaveCount(3);
    const tops = await plans.evaluateAll((links) =>
      links.map((link) => Math.round(link.getBoundingClientRect().top)),
    );
    if (width > 768) expect(new Set(tops).size, `${width} px wide`).toBe(1);
    const away = page
      .getByRole('navigation', { name: /Producto|Cumplimiento/ })
      .locator('a:has(svg)');
    const indents = await away.evaluateAll((links) =>
      links.map((link) => {
        const arrow = link.querySelector('svg')?.getBoundingClientRect().left ?? 0;
        return arrow - link.getBoundingClientRect().left;
      }),
    );
    expect(indents.length).toBeGreaterThan(0);
    for (const indent of indents) expect(indent, `${width} px wide`).toBeGreaterThan(14);
  }
});

test('on the narrowest phone nothing in a card is cut or runs into what is beside it', {
  tag: '@any-width',
}, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/');
  const wider = await page
    .locator('main :is(article, figure), main :is(article, figure) :is(p, ul, li)')
    .evaluateAll((elements) =>
      elements
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    );
  expect(wider).toEqual([]);
});

test('the legal bar has room for what it shows, at any width', { tag: '@any-width' }, async ({
  page,
}) => {
  await page.goto('/');
  const footer = page.getByRole('contentinfo').last();
  for (const width of [1024, 1100, 1199, 1280]) {
    await page.setViewportSize({ width, height: 700 });
    const data = await footer.locator('p').first().boundingBox();
    const inner = await footer
      .locator('p')
      .first()
      .evaluate(({ scrollWidth }) => scrollWidth);
    const links = await footer.getByRole('list').first().boundingBox();
    expect((data?.x ?? 0) + inner, `at ${width} px`).toBeLessThan(links?.x ?? 0);
  }
});

test('is accessible, closes its menu and opens the legal information', async ({
  page,
  isMobile,
}) => {
  await page.goto('/');
  await expectAccessible(page);
  await expect.poll(() => overflow(page), 'nothing is wider than the screen').toBe(0);
  if (!isMobile) {
    await page.getByRole('link', { name: 'Iniciar sesión' }).first().click();
    await expect(page.getByRole('heading', { name: 'Inicia sesión' })).toBeFocused();
    return;
  }
  const menu = page.getByRole('navigation', { name: 'Menú' });
  await expect(menu).toBeHidden();
  await page.locator('summary[aria-label="Menú"]').click();
  await expect(menu).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await page.locator('summary[aria-label="Menú"]').click();
  await menu.getByRole('link', { name: 'Dudas' }).click();
  await expect(menu).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Dudas' })).toBeInViewport();
  await page.getByRole('button', { name: 'Legal y contacto' }).click();
  await expect(page.getByRole('link', { name: /^Política de privacidad/ }).last()).toBeVisible();
});

test('a plan chosen here is preselected in the sign-up', { tag: '@any-width' }, async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Elegir mensual' }).click();
  await expect(page.getByRole('heading', { name: 'Crea tu cuenta' })).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem('huella.registro'))).toContain('monthly');
});

test('loads little code and can be shared and indexed; the screens of the app are not indexed', {
  tag: '@any-width',
}, async ({ page, request, baseURL }) => {
  const scripts: number[] = [];
  page.on('response', async (response) => {
    if (response.request().resourceType() === 'script') {
      scripts.push(gzipSync(await response.body()).length);
    }
  });
  const untilQuiet = followRequests(page);
  await page.goto('/');
  await untilQuiet();
  expect(scripts).toHaveLength(1);
  expect(scripts[0]).toBeLessThan(SCRIPT_LIMIT);
  const data = page.locator('script[type="application/ld+json"]');
  expect(await page.locator('script:not([src]), [onclick], [onload]').count()).toBe(1);

  const content = (name: string) =>
    page.locator(`meta[property="og:${name}"]`).getAttribute('content');
  const url = new URL('/', baseURL).href;
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', url);
  expect(await content('url')).toBe(url);
  const product = JSON.parse((await data.textContent()) ?? '');
  expect(product).toMatchObject({ '@type': 'SoftwareApplication', name: 'Huella', url });
  expect(product.offers.map(({ price }: { price: string }) => price)).toEqual([
    '9.99',
    '53.99',
    '99.99',
  ]);
  const picture = await request.get((await content('image')) ?? '');
  expect(picture.headers()['content-type']).toBe('image/png');
  await expect(page.locator('meta[name="robots"]')).toHaveCount(0);
  expect(await (await request.get('/robots.txt')).text()).toContain(`Sitemap: ${url}sitemap.xml`);
  const sitemap = await (await request.get('/sitemap.xml')).text();
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, place]) => place ?? '');
  expect(listed).toEqual([url, `${url}declaracion-responsable`, `${url}verificar`]);
  for (const place of listed) {
    const answer = await request.get(place, { headers: { accept: 'text/html' } });
    expect(answer.status(), place).toBe(200);
    expect(answer.headers()['x-robots-tag'], place).toBeUndefined();
    expect(await answer.text(), place).not.toContain('noindex');
  }

  const page404 = await request.get('/nada', { headers: { accept: 'text/html' } });
  expect(page404.status()).toBe(404);
  for (const path of [
    '/iniciosesion',
    '/recuperar-contrasena',
    '/registro/paso1',
    '/panel/inicio',
  ]) {
    const answer = await request.get(path, { headers: { accept: 'text/html' } });
    expect(answer.status()).toBe(200);
    expect(answer.headers()['x-robots-tag']).toBe('noindex');
    expect(await answer.text()).toContain('noindex');
    expect(answer.headers()['cache-control']).toBe(
      path.startsWith('/panel') ? 'no-store' : 'no-cache',
    );
    expect(answer.headers()['content-security-policy']).toMatch(/script-src 'self'[;']/);
    // Monitors and link previews accept any type of content, but a call for data gets no page.
    expect((await request.head(path, { headers: { accept: '*/*' } })).status()).toBe(200);
    const data = await request.get(path, { headers: { accept: 'application/json' } });
    expect(data.status()).toBe(404);
  }
});

test('can be installed, with its name and icons; a browser that asks for no other icon finds one', {
  tag: '@any-width',
}, async ({ page, request }) => {
  for (const path of ['/', '/iniciosesion']) {
    await page.goto(path);
    await expect(page.locator('link[rel="manifest"]')).toHaveAttribute(
      'href',
      '/manifest.webmanifest',
    );
  }
  const answer = await request.get('/manifest.webmanifest');
  expect(answer.headers()['content-type']).toMatch(/^application\/manifest\+json/);
  const manifest = await answer.json();
  expect(manifest).toMatchObject({ short_name: 'Huella', lang: 'es', display: 'standalone' });
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await request.get(src);
    expect(icon.headers()['content-type'], src).toBe(type);
    if (type === 'image/png') {
      // Width and height are the first in a PNG.
      const bytes = await icon.body();
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes);
    }
  }
  for (const { url } of [{ url: manifest.start_url }, ...manifest.shortcuts]) {
    expect((await request.get(url, { headers: { accept: 'text/html' } })).status(), url).toBe(200);
  }
  const favicon = await request.get('/favicon.ico');
  expect(favicon.status()).toBe(200);
  expect(favicon.headers()['content-type']).toMatch(/^image\/(x-icon|vnd\.microsoft\.icon)$/);
});

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
