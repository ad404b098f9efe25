// Takes the landing page's pictures of the product again, from a running installation with simulators: `node
// scripts/landing-pictures.mjs http://127.0.0.1:3000`. They show what that installation contains.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { root } from './sources.mjs';

const base = process.argv[2] ?? 'http://127.0.0.1:3000';
const folder = join(root, 'src/web/features/landing/pictures');
const SIZE = { width: 600, height: 450 };
const WIDTHS = [400, 800];
const NAME = 'Obrador Candela, S.L.';
const PASSWORD = 'una frase larga cualquiera';
const NIF = 'B50482173';
const EMAIL = 'hola@obradorcandela.example';

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({
  baseURL: base,
  viewport: SIZE,
  deviceScaleFactor: 2,
  locale: 'es-ES',
  timezoneId: 'Europe/Madrid',
  reducedMotion: 'reduce',
});

await page.goto('/registro/paso1');
await page.getByLabel('Correo electrónico').fill(EMAIL);
await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
await page.getByLabel('Repite la contraseña').fill(PASSWORD);
await page.getByRole('checkbox').check();
await take('cuenta', page.getByText('Paso 1 de 3'));

const token = await signIn();
await page.evaluate((value) => localStorage.setItem('authToken', value), token);
await page.goto('/panel/perfil');
const file = await page.request.get(
  `/desarrollo/certificado?${new URLSearchParams({ nif: NIF, nombre: NAME })}`,
);
const valid = page.getByText('Certificado válido').first();
await page.getByRole('heading', { name: 'Certificado Digital' }).waitFor();
if (!(await valid.isVisible())) {
  await page
    .locator('input[type=file]')
    .last()
    .setInputFiles({
      name: 'obrador-candela.p12',
      mimeType: 'application/x-pkcs12',
      buffer: await file.body(),
    });
  await page.getByLabel('Contraseña del certificado').fill('prueba');
  await page.getByRole('button', { name: 'Comprobar y guardar' }).click();
}
await valid.waitFor();
await page.getByRole('alert').waitFor({ state: 'hidden' });
await take('certificado', page.getByRole('heading', { name: 'Certificado Digital' }));

const DocNo = await register(token);
await page.goto(`/panel/facturas/${encodeURIComponent(DocNo)}`);
await page.getByText('Registrada', { exact: true }).first().waitFor();
await take('factura', page.getByRole('heading', { level: 1 }), 52);
await browser.close();

/** The screen from a little above an element, without the fixed bars. */
async function take(name, from, above = 24) {
  await page.addStyleTag({
    content: 'footer,header,.hu-skip{visibility:hidden!important}*{caret-color:transparent}',
  });
  await page.evaluate(() => document.fonts.ready);
  const top =
    (await from.evaluate((element) => element.getBoundingClientRect().top + scrollY)) - above;
  const png = await page.screenshot({
    fullPage: true,
    clip: { x: 0, y: Math.max(0, top), ...SIZE },
    animations: 'disabled',
  });
  for (const width of WIDTHS) {
    const picture = sharp(png).resize({ width });
    const path = join(folder, `${name}-${width}`);
    await picture.clone().avif({ quality: 55, effort: 9 }).toFile(`${path}.avif`);
    await picture.clone().webp({ quality: 78, effort: 6 }).toFile(`${path}.webp`);
  }
}

async function signIn() {
  await call('/api/Auth/NewRegisterDemo', {
    email: EMAIL,
    password: PASSWORD,
    fullName: NAME,
    cifNif: NIF,
    address: 'Calle de San Blas, 14',
    countryCode: 'ES',
    postCode: '50003',
    subscriptionType: '10',
  });
  const { tokenJWT } = await call('/api/Auth/login', { Email: EMAIL, Password: PASSWORD });
  return tokenJWT;
}

async function register(bearer) {
  const customer = await call(
    '/api/PostData/SetClientes',
    {
      Name: 'Hotel Mirador del Moncayo, S.A.',
      VATRegistrationNo: 'A50163302',
      Address: 'Paseo de los Tilos, 2',
      postCode: '50500',
      countryCode: 'ES',
      Email: 'compras@mirador.example',
    },
    bearer,
  );
  const lines = [
    ['Barra de masa madre, 400 g', '120', '1,15', 'IVA4'],
    ['Cruasán de mantequilla', '90', '0,95', 'IVA10'],
    ['Reparto diario, semana 47', '5', '12,00', 'IVA21'],
  ];
  const { DocNo } = await call(
    '/api/PostData/SetFacturas',
    {
      type: 'factura',
      invoiceType: '0',
      invoiceDate: new Date().toISOString().slice(0, 10),
      invoiceClient: customer.No,
      typeClient: 'NAC',
      isSimplificada: 'false',
      claveRegimen: '01',
      invoiceItems: JSON.stringify(
        lines.map(([description, quantity, price, tax]) => ({
          description,
          quantity,
          price,
          tax,
          linetype: 0,
        })),
      ),
      accionFactura: '2',
    },
    bearer,
  );
  return DocNo;
}

async function call(path, fields, bearer) {
  const answer = await fetch(new URL(path, base), {
    method: 'POST',
    body: Object.entries(fields).reduce((form, [name, value]) => {
      form.set(name, value);
      return form;
    }, new FormData()),
    headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
  });
  const body = await answer.json();
  if (!answer.ok && !path.endsWith('NewRegisterDemo')) throw new Error(JSON.stringify(body));
  return body;
}
