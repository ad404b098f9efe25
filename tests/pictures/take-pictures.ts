import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { SITUACIONES } from '../../src/domain/situaciones.ts';
import { freePort } from '../../src/platform/free-port.ts';
import { projectRoot } from '../../src/platform/project-root.ts';
import { drawPdf } from '../reading/draw.ts';
import { sampleOf } from '../reading/invoice-sample.ts';
import { LAYOUTS } from '../reading/layouts.ts';
import { findBrowser } from '../support/browser.ts';
import { type FullCompany, openFullCompany } from '../support/full-company.ts';
import { randomCompanyNif } from '../support/random-nif.ts';
import { UNHELD } from '../support/unheld.ts';
import { eventually } from '../support/wait.ts';

const WIDE = { width: 1440, height: 900 };

/** The main screens are also taken on a tablet, in the dark scheme, and on a phone. */
const NARROW = [
  { size: { width: 820, height: 1180 }, colorScheme: 'dark' },
  { size: { width: 390, height: 844 }, colorScheme: 'light' },
] as const;

interface Picture {
  readonly name: string;
  readonly path: string;
  /** Also saved for the README. */
  readonly isOfReadme?: true;
  /** Also saved as it is on a tablet and on a phone, in `docs/pictures`. */
  readonly isMain?: true;
  /** Taken once the AEAT has rejected an invoice: what was registered later waits behind it. */
  readonly isAfterRefusal?: true;
  readonly before?: (page: Page) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  { name: 'inicio', path: 'inicio', isOfReadme: true, isMain: true },
  { name: 'historial', path: 'historial', isMain: true },
  {
    name: 'clientes',
    path: 'clientes',
    isMain: true,
    before: (page) => page.getByRole('button', { name: 'Editar' }).nth(1).click(),
  },
  { name: 'productos', path: 'productos', isMain: true },
  { name: 'importar', path: 'importar', isMain: true },
  {
    name: 'perfil',
    path: 'perfil#certificado',
    isMain: true,
    before: (page) => page.getByText('El NIF es el de tu empresa').waitFor(),
  },
  {
    name: 'crear-factura',
    path: 'pendientes?editar=B-1',
    isOfReadme: true,
    isMain: true,
    before: settled,
  },
  {
    name: 'factura-detalle',
    path: 'facturas/NUMERO',
    isOfReadme: true,
    isMain: true,
    before: settled,
  },
  { name: 'situacion', path: 'pendientes?editar=B-3', before: settled },
  { name: 'rectificar', path: 'pendientes?editar=B-4', before: differences },
  { name: 'canje', path: 'crear?canjear=TIQUES', before: exchanged },
  {
    name: 'que-hago',
    path: 'facturas/NUMERO/que-hago',
    before: (page) => page.getByLabel('Sí', { exact: true }).first().check(),
  },
  { name: 'subir', path: 'subir', before: uploaded },
  { name: 'business-central', path: 'integraciones/business-central' },
  {
    name: 'seguridad',
    path: 'perfil#seguridad',
    before: (page) => page.getByRole('heading', { name: 'Sesiones abiertas' }).waitFor(),
  },
  { name: 'recibo', path: 'pendientes?editar=B-2', before: register },
  { name: 'pendientes', path: 'pendientes', isMain: true, isAfterRefusal: true },
  {
    name: 'corregir',
    path: 'pendientes?editar=RECHAZADA',
    isAfterRefusal: true,
    before: (page) => page.getByRole('button', { name: 'Corregir', exact: true }).waitFor(),
  },
];

/** A year of invoices: the contents of the history when the pictures are taken. */
const PAST = { invoices: 48, days: 358 };
/** The last number of those invoices: what `saveSpecialOnes` registers uses another series. */
const LAST = String(PAST.invoices).padStart(5, '0');

/** `npm run pictures [-- names…]`: takes the pictures of the manual and of the README from the running product. */
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
  const company = await openFullCompany(baseURL, randomCompanyNif(), PAST);
  const { token } = company;
  const year = new Date().getFullYear() % 100;
  const number = `${LAST}/${year}`;
  let refused = '';
  await saveSpecialOnes(baseURL, company, number);
  const tickets = [1, 2].map((n) => `0000${n}/${year}S`).join(',');
  const { executablePath, args, env } = await findBrowser();
  const browser = await chromium.launch({
    executablePath,
    args,
    env: { ...(process.env as Record<string, string>), ...env },
  });
  const open = async (options: BrowserContextOptions) => {
    const page = await browser.newPage({
      ...options,
      baseURL,
      locale: 'es-ES',
      timezoneId: 'Europe/Madrid',
      reducedMotion: 'reduce',
    });
    await page.addInitScript({
      content: `localStorage.setItem('authToken', ${JSON.stringify(token)})`,
    });
    await page.addInitScript(UNHELD);
    return page;
  };
  const names = process.argv.slice(2);
  const wanted = PICTURES.filter(({ name }) => names.length === 0 || names.includes(name));
  const show = async (page: Page, { path }: Picture) => {
    const filled = path
      .replace('NUMERO', encodeURIComponent(number))
      .replace('TIQUES', encodeURIComponent(tickets))
      .replace('RECHAZADA', encodeURIComponent(refused));
    await page.goto(`/panel/${filled}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
  };
  const takeWide = async (pictures: readonly Picture[]) => {
    const page = await open({ viewport: WIDE, deviceScaleFactor: 1.25, colorScheme: 'light' });
    for (const picture of pictures) {
      await show(page, picture);
      await picture.before?.(page);
      await idle(page);
      const png = await sharp(await page.screenshot())
        .png({ palette: true, quality: 90, effort: 8 })
        .toBuffer();
      const folders = ['manual/pictures', ...(picture.isOfReadme ? ['pictures'] : [])];
      for (const folder of folders) {
        await sharp(png).toFile(join(projectRoot, 'docs', folder, `${picture.name}.png`));
      }
      console.log(picture.name);
    }
    await page.close();
  };
  const takeNarrow = async (pictures: readonly Picture[]) => {
    for (const { size, colorScheme } of NARROW) {
      const page = await open({ viewport: size, colorScheme });
      for (const picture of pictures.filter(({ isMain }) => isMain)) {
        await show(page, picture);
        await idle(page);
        const file = join(projectRoot, 'docs/pictures', `${picture.name}-${size.width}.webp`);
        await sharp(await page.screenshot())
          .webp({ quality: 82, effort: 6 })
          .toFile(file);
        console.log(picture.name, size.width);
      }
      await page.close();
    }
  };
  // Before the wide ones, the last of which registers a draft.
  const calm = wanted.filter(({ isAfterRefusal }) => !isAfterRefusal);
  await takeNarrow(calm);
  await takeWide(calm);
  const troubled = wanted.filter(({ isAfterRefusal }) => isAfterRefusal);
  if (troubled.length > 0) {
    refused = await haveOneRefused(baseURL, token);
    await takeNarrow(troubled);
    await takeWide(troubled);
  }
  await browser.close();
}

/** Registers two more invoices: the AEAT rejects the first, so the second waits. @returns the number of the first */
async function haveOneRefused(baseURL: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const next = await fetch(`${baseURL}/api/GetData/GetProximosNumeros`, { headers });
  const { F: refused } = (await next.json()) as { F: string };
  const send = (path: string, body: object) =>
    fetch(`${baseURL}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await send('/desarrollo/aeat/comportamiento', { rechazar: { [refused]: 1103 } });
  const list = await fetch(`${baseURL}/api/GetData/GetClientes`, { headers });
  const clients = (await list.json()) as { No: string; Name: string }[];
  for (const [name, quantity] of [
    ['Cafetería La Plaza, S.L.', '30'],
    ['Colegio San Isidro', '120'],
  ]) {
    const answer = await send('/api/PostData/SetFacturas', {
      accionFactura: 1,
      invoiceClient: clients.find(({ Name }) => Name === name)?.No,
      invoiceItems: [
        { description: 'Catering de desayuno', quantity, price: '9,50', tax: 'IVA10' },
      ],
    });
    if (!answer.ok) throw new Error(`SetFacturas: ${answer.status} ${await answer.text()}`);
    const pending = async () => {
      const rows = await fetch(`${baseURL}/api/GetData/GetPendingInvoices`, { headers });
      return JSON.stringify(await rows.json());
    };
    await eventually(async () => (await pending()).includes('Rechazado'), 60);
  }
  return refused;
}

/** Waits until nothing is loading: no skeleton is shown and no request is open. */
async function idle(page: Page): Promise<void> {
  await eventually(async () => (await page.locator('[aria-busy=true]').count()) === 0);
  await page.waitForLoadState('networkidle');
}

/** Uploads a PDF of an invoice issued by the company itself, and points to one line in it. */
async function uploaded(page: Page): Promise<void> {
  const token = await page.evaluate<string>("localStorage.getItem('authToken')");
  const company = await page.request.get('/api/GetData/GetDatosEmpresa', {
    headers: { authorization: `Bearer ${token}` },
  });
  const { VATRegistrationNo, Name } = (await company.json()) as Record<string, string>;
  const sample = sampleOf(25);
  const issuer = { ...sample.issuer, name: Name ?? '', nif: VATRegistrationNo ?? '' };
  const date = new Date().toISOString().slice(0, 10);
  const layout = LAYOUTS.clasica as NonNullable<(typeof LAYOUTS)[string]>;
  await page.getByLabel('Facturas en PDF, JPG o PNG').setInputFiles({
    name: 'factura-noviembre.pdf',
    mimeType: 'application/pdf',
    buffer: await drawPdf(layout, { ...sample, issuer, date }),
  });
  await page.getByRole('button', { name: 'Verificar campos' }).waitFor({ timeout: 90_000 });
  await page.getByRole('button', { name: 'Crear este cliente' }).click();
  await page.getByRole('textbox', { name: 'Descripción, línea 1', exact: true }).focus();
  await page.getByRole('img', { name: 'Página 1 del original' }).waitFor();
  await page.evaluate('scrollTo(0, 0)');
}

/** Saves B-3, a sale to France; B-4, a substitution; and two simplified invoices to exchange. */
async function saveSpecialOnes(
  baseURL: string,
  { token, nif }: FullCompany,
  number: string,
): Promise<void> {
  const send = async (call: string, fields: object) => {
    const answer = await fetch(`${baseURL}/api/PostData/${call}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    if (!answer.ok) throw new Error(`${call}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { No: string };
  };
  await send('SetDatosEmpresa2', {
    Name: 'Obrador Candela, S.L.',
    VATRegistrationNo: nif,
    Address: 'Calle Mayor, 1',
    postCode: '28013',
    countryCode: 'ES',
    Municipio: 'Madrid',
  });
  const client = (Name: string, VATRegistrationNo: string, rest: object) =>
    send('SetClientes', { Name, VATRegistrationNo, Address: 'Calle Mayor, 3', ...rest });
  const french = await client('Dupont & Fils SARL', 'FR83404833048', {
    postCode: '75002',
    countryCode: 'FR',
    CustomerPostingGroup: 'UE',
  });
  const spanish = await client('Hotel Mirador, S.A.', 'A58818501', {
    postCode: '08013',
    countryCode: 'ES',
  });
  const goods = SITUACIONES.find(({ id }) => id === 'bienes-ue');
  await send('SetFacturas', {
    accionFactura: 0,
    invoiceClient: french.No,
    typeClient: 'UE',
    invoiceItems: [
      {
        description: 'Tarta de queso entera',
        quantity: '40',
        price: '32',
        tax: goods?.codigos[0]?.tax,
      },
    ],
  });
  await send('SetFacturas', {
    accionFactura: 0,
    type: 'abono',
    tipoRectificativa: 'S',
    invoiceToRectify: number,
    invoiceClient: spanish.No,
    invoiceItems: [
      {
        description: 'Pan de masa madre, hogaza de 1 kg',
        quantity: '60',
        price: '4,2',
        tax: 'IVA4',
      },
    ],
  });
  for (const price of ['11', '14']) {
    await send('SetFacturas', {
      accionFactura: 1,
      isSimplificada: true,
      invoiceType: 1,
      invoiceItems: [{ description: 'Desayuno', quantity: '2', price, tax: 'IVA10' }],
    });
  }
}

/** Scrolls to the table under the lines, which is what the picture is for. */
async function differences(page: Page): Promise<void> {
  await page.getByRole('row', { name: /^Diferencia/ }).scrollIntoViewIfNeeded();
}

async function exchanged(page: Page): Promise<void> {
  await page.getByText('Desayuno').first().waitFor();
}

/** Waits for the paper, at the right or in the middle, which is drawn last. */
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
