import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { freePort } from '../../src/platform/free-port.ts';
import { projectRoot } from '../../src/platform/project-root.ts';
import { findBrowser } from '../support/browser.ts';
import { openFullCompany } from '../support/full-company.ts';
import { randomCompanyNif } from '../support/random-nif.ts';
import { eventually } from '../support/wait.ts';

const SIZE = { width: 1440, height: 900 };

interface Picture {
  readonly name: string;
  readonly path: string;
  /** Kept for the README too. */
  readonly isOfReadme?: true;
  readonly before?: (page: Page) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  { name: 'inicio', path: 'inicio', isOfReadme: true },
  { name: 'historial', path: 'historial' },
  { name: 'pendientes', path: 'pendientes' },
  {
    name: 'clientes',
    path: 'clientes',
    before: (page) => page.getByRole('button', { name: 'Editar' }).nth(1).click(),
  },
  { name: 'productos', path: 'productos' },
  { name: 'importar', path: 'importar' },
  {
    name: 'perfil',
    path: 'perfil#certificado',
    before: (page) => page.getByText('El NIF es el de tu empresa').waitFor(),
  },
  { name: 'crear-factura', path: 'pendientes?editar=B-1', isOfReadme: true, before: settled },
  { name: 'factura-detalle', path: 'facturas/NUMERO', isOfReadme: true, before: settled },
  { name: 'recibo', path: 'pendientes?editar=B-2', before: register },
];

/** `npm run pictures`: the pictures of the manual and of the README, from the running product. */
async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'huella-pictures-'));
  const port = await freePort();
  const app = spawn(process.execPath, [join(projectRoot, 'scripts', 'start.mjs')], {
    stdio: 'inherit',
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      SIMULADOR_TIEMPO_ESPERA: '1',
    },
  });
  const ended = once(app, 'exit');
  try {
    const baseUrl = `http://127.0.0.1:${port}`;
    await eventually(async () => (await fetch(`${baseUrl}/salud`)).ok, 180);
    await takeAll(baseUrl);
  } finally {
    app.kill();
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function takeAll(baseURL: string): Promise<void> {
  const { token } = await openFullCompany(baseURL, randomCompanyNif(), { invoices: 14 });
  const { executablePath, args, env } = await findBrowser();
  const browser = await chromium.launch({
    executablePath,
    args,
    env: { ...(process.env as Record<string, string>), ...env },
  });
  const page = await browser.newPage({
    baseURL,
    viewport: SIZE,
    deviceScaleFactor: 1.25,
    locale: 'es-ES',
    timezoneId: 'Europe/Madrid',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await page.addInitScript({
    content: `localStorage.setItem('authToken', ${JSON.stringify(token)})`,
  });
  const number = encodeURIComponent(`00014/${new Date().getFullYear() % 100}`);
  for (const picture of PICTURES) {
    await page.goto(`/panel/${picture.path.replace('NUMERO', number)}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await picture.before?.(page);
    await page.waitForLoadState('networkidle');
    const png = await sharp(await page.screenshot())
      .png({ palette: true, quality: 90, effort: 8 })
      .toBuffer();
    const folders = ['manual/pictures', ...(picture.isOfReadme ? ['pictures'] : [])];
    for (const folder of folders) {
      await sharp(png).toFile(join(projectRoot, 'docs', folder, `${picture.name}.png`));
    }
    console.log(picture.name);
  }
  await browser.close();
}

/** The paper at the right, or in the middle, is drawn last. */
async function settled(page: Page): Promise<void> {
  await page
    .getByText('Pan de masa madre')
    .or(page.getByText('Tarta'))
    .or(page.getByText('Taller'))
    .first()
    .waitFor();
}

async function register(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(Enviar factura|Reenviar|Registrar)/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^(Enviar factura|Reenviar|Registrar)/ }).click();
  await page.getByRole('button', { name: 'Descargar PDF' }).waitFor();
  await page.getByText('Registrada, eslabón').waitFor();
}

await main();
