import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { readConfig } from '../../src/config.ts';
import { wordsOfPage } from '../../src/dispatch/outcome-words.ts';
import { htmlOf, LOGO_CID } from '../../src/mail/html.ts';
import { HUELLA_MARK } from '../../src/mail/logos.ts';
import type { MailMessage } from '../../src/mail/message.ts';
import {
  accountDeletedMail,
  dataCopyMail,
  emailChangedMail,
  passwordChangedMail,
  recoveryCodeMail,
  secondFactorMail,
  supportCopyMail,
  supportMail,
  welcomeMail,
} from '../../src/mail/templates/account.ts';
import {
  certificateExpiryMail,
  certificateRefusedMail,
  sendingStoppedMail,
} from '../../src/mail/templates/certificate.ts';
import {
  deniedMail,
  receiptMail,
  refundMail,
  unaskedMail,
} from '../../src/mail/templates/payment.ts';
import {
  subscriptionEndedMail,
  subscriptionEndingMail,
} from '../../src/mail/templates/subscription.ts';
import type { Company } from '../../src/store/companies.ts';
import { expectAccessible } from '../support/accessible.ts';
import { giveCertificate, signIn, signUp } from '../support/demo-company.ts';
import { randomCompanyNif } from '../support/random-nif.ts';
import { enter } from '../support/signed-in.ts';
import { eventually } from '../support/wait.ts';

const secrets = () => ({ claveMaestra: () => Buffer.alloc(32), jwtSecret: () => 'x'.repeat(32) });
const config = readConfig(
  {
    EMPRESA_RAZON_SOCIAL: 'Huella Facturación, S.L.',
    EMPRESA_NIF: 'B12345674',
    EMPRESA_CORREO: 'hola@huella.example',
    PUBLIC_URL: 'https://huella.example',
  },
  secrets,
);
const company = {
  name: 'Instalaciones Europeas de Climatización y Frío Industrial, S.L.',
  nif: 'A58818501',
  email: 'administracion@instalaciones-europeas.example',
  postCode: '50003',
  subscriptionType: 'semiannual',
  subscriptionEndsAt: new Date('2027-05-20T12:00:00Z'),
  numeroInstalacion: '000000000042',
} as Company;
const order = { orderId: 'O4K7Q2ZD81XA', plan: 'semiannual', amountCents: '5399' } as const;
const at = new Date('2026-11-20T09:32:00Z');
const question = { asunto: 'Cambio de plan', body: '¿Puedo pasar del mensual al anual?\nGracias.' };

/** Every message we send, except the invoice: its test is below. */
const MAILS: Readonly<Record<string, MailMessage>> = {
  bienvenida: welcomeMail(config, company),
  codigo: recoveryCodeMail(config, '482917'),
  'contrasena-cambiada': passwordChangedMail(config, company, at),
  'segundo-factor': secondFactorMail(config, company, { change: 'codigo-usado', changedAt: at }),
  'correo-cambiado': emailChangedMail(config, company, {
    oldEmail: 'antes@instalaciones-europeas.example',
    newEmail: company.email,
    changedAt: at,
  }),
  pago: receiptMail(config, company, {
    kind: 'pago',
    ...order,
    isRenewal: false,
    paidAt: at.toISOString(),
    endsAt: company.subscriptionEndsAt.toISOString(),
  }),
  'pago-denegado': deniedMail(config, {
    kind: 'pago-denegado',
    ...order,
    companyName: company.name,
    motivo: 'Revisa los datos de la tarjeta.',
    codigo: '0173',
    endsAt: null,
  }),
  'pago-devuelto': refundMail(config, {
    kind: 'pago-devuelto',
    orderId: order.orderId,
    amountCents: order.amountCents,
    companyName: company.name,
  }),
  'pago-sin-confirmar': unaskedMail(config, {
    kind: 'pago-sin-confirmar',
    ...order,
    companyName: company.name,
  }),
  'certificado-caduca': certificateExpiryMail(config, company, {
    titular: company.name,
    emisor: 'AC Representación',
    validoHasta: new Date('2026-12-20T12:00:00Z'),
    dias: 30,
  }),
  'certificado-caducado': certificateExpiryMail(config, company, {
    titular: company.name,
    emisor: 'AC Representación',
    validoHasta: new Date('2026-11-20T12:00:00Z'),
    dias: 0,
  }),
  'certificado-rechazado': certificateRefusedMail(config, company, {
    titular: company.name,
    emisor: 'AC Representación',
    motivo: wordsOfPage(403, 'text/html'),
  }),
  'envio-detenido': sendingStoppedMail(
    config,
    company,
    'La AEAT ha suspendido por ahora los envíos de tu empresa. (AEAT 4141)',
  ),
  'suscripcion-caduca': subscriptionEndingMail(config, company),
  'suscripcion-caducada': subscriptionEndedMail(config, company),
  soporte: supportMail(config, company, { ...question, version: '0.1.0' }),
  'soporte-copia': supportCopyMail(config, company, question),
  'copia-lista': dataCopyMail(config, {
    companyName: company.name,
    bytes: 18_400_000,
    expiresAt: new Date('2026-11-27T09:32:00Z'),
    link: `42.${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.${'a'.repeat(64)}`,
  }),
  'cuenta-eliminada': accountDeletedMail(config, company.name),
};

/** Set it to `docs/pictures/correos.png` to renew the picture of the documentation. */
const SHEET = process.env.MAIL_PICTURES;

test('every message is readable on a phone and on a desktop, in light and dark', {
  tag: '@any-width',
}, async ({ page }) => {
  test.setTimeout(180_000);
  const pictures: Buffer[] = [];
  const logo = `data:image/png;base64,${HUELLA_MARK.toString('base64')}`;
  for (const [kind, message] of Object.entries(MAILS)) {
    const html = htmlOf(message).replaceAll(`cid:${LOGO_CID}`, logo);
    pictures.push(...(await look(page, kind, html, WITH_EVERY_BLOCK.includes(kind))));
  }
  if (SHEET) writeFileSync(SHEET, await contactSheet(pictures));
});

test('an invoice as its client receives it, and one that bounces', { tag: '@any-width' }, async ({
  page,
  request,
  baseURL,
}) => {
  const issuer = await signUp(String(baseURL), randomCompanyNif());
  const token = await signIn(String(baseURL), issuer);
  const headers = { authorization: `Bearer ${token}` };
  const post = async (path: string, multipart: Record<string, string>) => {
    const answer = await request.post(path, { headers, multipart });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  await giveCertificate(String(baseURL), token, issuer.nif);
  const Email = `compras-${issuer.nif}@mirador.example`;
  const { No } = await post('/api/PostData/SetClientes', {
    Name: company.name,
    VATRegistrationNo: company.nif,
    Address: 'Paseo de los Tilos, 2',
    postCode: '50500',
    countryCode: 'ES',
    Email,
  });
  const line = { description: 'Hogaza', quantity: '24', price: '4,20', tax: 'IVA4', linetype: 0 };
  const { DocNo } = await post('/api/PostData/SetFacturas', {
    type: 'factura',
    invoiceType: '0',
    invoiceDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
    invoiceClient: No,
    typeClient: 'NAC',
    claveRegimen: '01',
    invoiceItems: JSON.stringify([line]),
    accionFactura: '2',
  });
  const mail = await eventually(async () => {
    const mails = await (await request.get(`/desarrollo/correo?para=${Email}`)).json();
    return mails[0] as { asunto: string; html: string; adjuntos: { tipo: string }[] } | undefined;
  });
  expect(mail.asunto).toContain(DocNo);
  expect(mail.adjuntos.map(({ tipo }) => tipo)).toEqual(['application/pdf']);
  await look(page, 'factura', mail.html, true);

  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await enter(page, token);
  await page.goto(`/panel/facturas/${encodeURIComponent(DocNo)}`);
  await page.getByRole('button', { name: 'Enviar por correo' }).click();
  const dialog = page.getByRole('dialog', { name: `Enviar la factura ${DocNo}` });
  const address = dialog.getByLabel('Correo electrónico');
  await expect(address).toHaveValue(Email);
  await address.fill('no-es-un-correo');
  await dialog.getByRole('button', { name: 'Enviar' }).click();
  await expect(dialog.getByRole('alert')).toContainText(/no tiene una forma válida/);
  await expectAccessible(page);
  await address.fill(`no-existe-${issuer.nif}@mirador.example`);
  await dialog.getByRole('button', { name: 'Enviar' }).click();
  await expect(dialog).toBeHidden();
  // The mail server has rejected it permanently: the invoice says so, why, and what can be done.
  await expect(page.getByRole('heading', { name: 'Tu cliente no la ha recibido' })).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByText('Esa dirección de correo no existe.').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Reenviar' }).click();
  await dialog.getByRole('button', { name: 'Enviar' }).click();
  await expect(page.getByRole('heading', { name: 'Tu cliente no la ha recibido' })).toBeHidden();
  await expect(page.getByText('Enviada por correo')).toHaveCount(2, { timeout: 60_000 });

  // The guide need not be told who has it, nor where it went.
  await expect(page.getByText('Aceptada por la AEAT')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: '¿Qué hago?' }).click();
  const delivered = page.getByRole('radiogroup', { name: '¿Ya la tiene tu cliente?' });
  await expect(delivered.getByRole('radio', { name: 'Sí' })).toBeChecked();
  await expect(page.getByText(`Se le envió por correo a ${Email}.`)).toBeVisible();
});

/** Checks one message at each width and colour scheme. @returns its pictures at 600 px */
async function look(page: Page, kind: string, html: string, withAxe: boolean): Promise<Buffer[]> {
  const pictures: Buffer[] = [];
  await page.goto('about:blank');
  await page.setContent(html);
  for (const [width, colorScheme] of LOOKS) {
    await page.setViewportSize({ width, height: 700 });
    await page.emulateMedia({ colorScheme });
    expect(await wider(page), `${kind} at ${width} px`).toBe(0);
    if (width !== 600) continue;
    if (withAxe) await expectAccessible(page);
    const body = await page.screenshot({ fullPage: true });
    await test.info().attach(`${kind}-${colorScheme}`, { body, contentType: 'image/png' });
    pictures.push(body);
  }
  return pictures;
}

/** Together they contain every kind of block, so checking only these with axe covers all messages. */
const WITH_EVERY_BLOCK = ['bienvenida', 'codigo', 'contrasena-cambiada', 'pago', 'soporte'];

const LOOKS = [
  [600, 'light'],
  [600, 'dark'],
  [360, 'light'],
] as const;

const wider = (page: Page) =>
  page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );

/** All of them side by side, small, each light one above its dark one. */
async function contactSheet(pictures: readonly Buffer[]): Promise<Buffer> {
  const [width, height, columns] = [260, 330, 6];
  const tiles = await Promise.all(
    pictures.map((picture) =>
      sharp(picture).resize({ width, height, fit: 'cover', position: 'top' }).toBuffer(),
    ),
  );
  const rows = Math.ceil(tiles.length / columns);
  mkdirSync('docs/pictures', { recursive: true });
  return sharp({
    create: { width: columns * width, height: rows * height, channels: 3, background: '#888888' },
  })
    .composite(
      tiles.map((input, i) => ({
        input,
        left: (i % columns) * width,
        top: Math.floor(i / columns) * height,
      })),
    )
    .png({ palette: true, effort: 10 })
    .toBuffer();
}
