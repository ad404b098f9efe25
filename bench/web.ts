import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser as Chromium, chromium, type Locator, type Page } from '@playwright/test';
import { freePort } from '../src/platform/free-port.ts';
import { findBrowser } from '../tests/support/browser.ts';
import { giveCertificate, signIn, signUp } from '../tests/support/demo-company.ts';
import { randomDni } from '../tests/support/random-nif.ts';
import { UNHELD } from '../tests/support/unheld.ts';
import { median, printTable, type Result } from './support.ts';

/**
 * B21: what the landing and the first screen of the panel weigh, and how long a phone takes to draw
 * the landing, in Chromium with the «slow 4G» of its own tools and a processor four times slower.
 * On that processor too, how long an invoice of a hundred lines takes to draw what is typed in it, and its lines where
 * they are moved, taken out and put back.
 */
const RUNS = 7;
const PHONE = { width: 412, height: 823 };
const DESKTOP = { width: 1440, height: 900 };
/** Chromium's own profile: 562.5 ms before each answer, 1.44 Mbit/s down and 675 kbit/s up. */
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 180_000,
  uploadThroughput: 84_375,
};
const CPU_SLOWDOWN = 4;
const LINES = 100;
/** Repetitions of the same actions, so that a single stall of the machine is recognised as one. */
const FILLINGS = 5;

interface Vitals {
  readonly lcpMs: number;
  readonly cls: number;
  readonly inpMs: number;
}

const OBSERVE = `
  window.vitals = { lcpMs: 0, cls: 0, inpMs: 0 };
  const watch = (type, take, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  watch('largest-contentful-paint', ({ startTime }) => { window.vitals.lcpMs = startTime; });
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) window.vitals.cls += value; });
  watch('event', ({ duration, interactionId }) => {
    if (interactionId) window.vitals.inpMs = Math.max(window.vitals.inpMs, duration);
  }, { durationThreshold: 16 });`;

const base = `http://127.0.0.1:${await freePort()}`;
const server = spawn(process.execPath, ['tests/support/serve-built.mjs'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    PORT: new URL(base).port,
    DATA_DIR: await mkdtemp(join(tmpdir(), 'huella-bench-')),
    LOG_LEVEL: 'error',
  },
});
const { executablePath, args, env } = await findBrowser();
const browser = await chromium.launch({
  executablePath,
  args,
  env: { ...process.env, ...env } as Record<string, string>,
});
try {
  await serving();
  const company = await signUp(base, randomDni());
  const token = await signIn(base, company);
  await giveCertificate(base, token, company.nif);

  const results: Result[] = [
    weight('JS de la portada, gzip', await scriptBytes('/'), 60),
    weight(
      'JS de la primera pantalla del panel, gzip',
      await scriptBytes('/panel/inicio', token),
      200,
    ),
  ];
  for (const [name, viewport] of [
    ['teléfono', PHONE],
    ['ordenador', DESKTOP],
  ] as const) {
    const runs: Vitals[] = [];
    for (let run = 0; run < RUNS; run++) runs.push(await vitalsOf(browser, viewport));
    const lcps = runs.map(({ lcpMs }) => lcpMs);
    results.push(
      time(`LCP de la portada, ${name}`, median(lcps), 1_500, `de ${RUNS} visitas`),
      time(`LCP de la portada, ${name}, la peor`, Math.max(...lcps), 1_500),
      {
        id: 'B21',
        what: `CLS de la portada, ${name}, el peor`,
        unit: '',
        isCost: true,
        figure: Math.max(...runs.map(({ cls }) => cls)),
        goal: 0.05,
      },
      time(`INP de la portada, ${name}, el peor`, Math.max(...runs.map((run) => run.inpMs)), 200),
    );
  }
  for (const [name, work] of [
    ['escribir en', typeInLines],
    ['mover, quitar y recuperar líneas de', moveLines],
  ] as const) {
    const what = `INP al ${name} una factura de ${LINES} líneas`;
    const runs: number[] = [];
    for (let run = 0; run < FILLINGS; run++) runs.push(await longInvoiceInp(token, work));
    results.push(
      time(what, median(runs), 200, `de ${FILLINGS} facturas`),
      time(`${what}, la peor`, Math.max(...runs), 200),
    );
  }
  printTable(results);
} finally {
  await browser.close();
  server.kill('SIGTERM');
}

/** The slowest answer to a key or a click while somebody works on a long invoice, in milliseconds. */
async function longInvoiceInp(token: string, work: (page: Page) => Promise<void>): Promise<number> {
  const docNo = await saveLongDraft(token);
  const context = await browser.newContext({ baseURL: base, viewport: DESKTOP });
  const page = await context.newPage();
  await page.addInitScript(`localStorage.setItem('authToken', ${JSON.stringify(token)})`);
  await page.addInitScript(OBSERVE);
  await page.addInitScript(UNHELD);
  await page.goto(`/panel/pendientes?editar=${docNo}`, { waitUntil: 'networkidle' });
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.evaluate('window.vitals.inpMs = 0'); // Opening it is measured separately.
  await work(page);
  await page.waitForTimeout(2_000);
  const { inpMs } = await read(page);
  await context.close();
  if (inpMs === 0) throw new Error('Nothing that was done was measured.');
  return inpMs;
}

async function typeInLines(page: Page): Promise<void> {
  for (const [label, text] of [
    ['Descripción, línea 50', ' con su transporte'],
    ['Cantidad, línea 50', '1234,5'],
    ['Precio, línea 60', '12,345'],
    [`Descripción, línea ${LINES + 1}`, 'Una más'],
  ] as const) {
    const field = await inSight(page.getByLabel(label, { exact: true }));
    await field.click();
    await field.pressSequentially(text, { delay: 120 });
  }
}

/** Moves a line down and up again, removes one and puts it back. */
async function moveLines(page: Page): Promise<void> {
  const field = await inSight(page.getByLabel('Descripción, línea 50', { exact: true }));
  await field.click();
  for (const key of ['Alt+ArrowDown', 'Alt+ArrowDown', 'Alt+ArrowUp', 'Alt+ArrowUp']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(500);
  }
  const menu = await inSight(page.getByRole('button', { name: 'Más acciones de la línea 60' }));
  await menu.click();
  await page.waitForTimeout(1_000);
  await page.getByRole('menuitem', { name: 'Eliminar línea' }).click();
  await page.waitForTimeout(1_000);
  await page.getByRole('button', { name: 'Deshacer' }).click();
}

/** Users only press what is visible: scrolling there is not what is measured. */
async function inSight(field: Locator): Promise<Locator> {
  await field.scrollIntoViewIfNeeded();
  await field.page().waitForTimeout(500);
  return field;
}

async function saveLongDraft(token: string): Promise<string> {
  const lines = Array.from({ length: LINES }, (_, i) => ({
    description: `Línea ${i + 1}`,
    quantity: '2',
    price: '10,5',
    tax: ['IVA21', 'IVA10', 'IVA4'][i % 3],
  }));
  const answer = await fetch(`${base}/api/PostData/SetFacturas`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ accionFactura: 0, invoiceItems: lines }),
  });
  if (!answer.ok) throw new Error(`Draft: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { DocNo: string }).DocNo;
}

async function serving(): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(`${base}/salud`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('The product does not serve.');
}

/** Gzipped size of all scripts that a first visit runs, in bytes. */
async function scriptBytes(path: string, token?: string): Promise<number> {
  const context = await browser.newContext({ baseURL: base });
  const page = await context.newPage();
  if (token)
    await page.addInitScript(`localStorage.setItem('authToken', ${JSON.stringify(token)})`);
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') {
      sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
    }
  });
  await page.addInitScript(UNHELD);
  await page.goto(path, { waitUntil: 'networkidle' });
  if (new URL(page.url()).pathname !== path) throw new Error(`${path} leads to ${page.url()}.`);
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await context.close();
  return total;
}

async function vitalsOf(
  chrome: Chromium,
  viewport: { width: number; height: number },
): Promise<Vitals> {
  const context = await chrome.newContext({ baseURL: base, viewport });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.addInitScript(OBSERVE);
  await page.goto('/', { waitUntil: 'load' });
  await page.evaluate('document.fonts.ready.then(() => new Promise((r) => setTimeout(r, 500)))');
  const { lcpMs } = await read(page); // Must be read before any input, which ends it.
  await page.getByText('¿Qué arriesgo si no lo uso?').click();
  if (viewport === PHONE) await page.getByRole('button', { name: 'Legal y contacto' }).click();
  await page.evaluate('new Promise((r) => setTimeout(r, 500))');
  const { cls, inpMs } = await read(page);
  await context.close();
  return { lcpMs, cls, inpMs };
}

function read(page: Page): Promise<Vitals> {
  return page.evaluate<Vitals>('window.vitals');
}

function weight(what: string, bytes: number, goal: number): Result {
  return { id: 'B21', what, figure: bytes / 1000, unit: 'kB', goal, isCost: true };
}

function time(what: string, ms: number, goal: number, note = ''): Result {
  return { id: 'B21', what, figure: ms, unit: 'ms', goal, isCost: true, note };
}
