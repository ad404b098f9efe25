import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { readPdf } from '../pdf/read-pdf.ts';
import { expectAccessible } from '../support/accessible.ts';
import { enterNewCompany } from '../support/signed-in.ts';
import { eventually } from '../support/wait.ts';

test('help: the message arrives with its sender and the version', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  const { nif } = await enterNewCompany(page, baseURL);
  await page.goto('/panel/ayuda');
  await page.getByRole('button', { name: 'Enviar email' }).click();
  await expect(page.getByText('Escribe de qué se trata.')).toBeVisible();
  await expect(page.getByLabel('Asunto')).toBeFocused();
  const subject = `Duda de ${nif}`;
  await page.getByLabel('Asunto').fill(subject);
  await page.getByLabel('Tu mensaje').fill('¿Cómo rectifico una factura?');
  await page.getByRole('button', { name: 'Enviar email' }).click();
  await expect(
    page.getByText('Hemos recibido tu consulta. Te responderemos por correo.'),
  ).toBeVisible();
  await expect(page.getByLabel('Asunto')).toHaveValue('');
  await expectAccessible(page);

  const mail = await eventually(async () => {
    const answer = await page.request.get('/desarrollo/correo?para=correo@ejemplo.es');
    const mails = (await answer.json()) as { asunto: string; texto: string }[];
    return mails.find(({ asunto }) => asunto.includes(subject));
  });
  expect(mail.texto).toContain('¿Cómo rectifico una factura?');
  expect(mail.texto).toContain(nif);
  expect(mail.texto).toContain('Obrador Candela, S.L.');
  expect(mail.texto).toMatch(/\d+\.\d+\.\d+/);

  await expect(page.getByRole('link', { name: /^Preguntas frecuentes/ }).last()).toHaveAttribute(
    'href',
    '/panel/faq',
  );
  await page.getByRole('link', { name: /^Manual y Acerca de/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Acerca de' })).toBeVisible();
});

test('FAQ: six cards that flip, four groups of questions, and a search', {
  tag: '@any-width',
}, async ({ page, baseURL }) => {
  await enterNewCompany(page, baseURL);
  await page.goto('/panel/faq');
  const cards = page.getByRole('main').getByRole('listitem').getByRole('button');
  await expect(cards).toHaveCount(6);
  const fine = page.getByRole('button', { name: /^¿Qué multa hay/ });
  await expect(fine).toHaveAttribute('aria-expanded', 'false');
  await fine.focus();
  await page.keyboard.press('Enter');
  await expect(fine).toHaveAttribute('aria-expanded', 'true');
  await expect(fine.getByText(/artículo 201 bis/)).toBeVisible();
  for (const group of [
    'Certificado digital',
    'Envío y registro de facturas',
    'Funcionalidad del sistema',
    'Suscripción y acceso',
  ]) {
    await expect(page.getByRole('heading', { level: 2, name: group })).toBeVisible();
  }
  const question = page.getByRole('button', { name: '¿Puedo editar una factura enviada?' });
  await question.click();
  await expect(page.getByText(/Lo registrado no cambia/)).toBeVisible();
  await expectAccessible(page);
  await test.step('printed, each question has its answer', async () => {
    await question.click();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByText(/Lo registrado no cambia/)).toBeVisible();
    const back = cards.first().locator('[aria-hidden=true]').last();
    await expect(back, 'not as in a mirror').toHaveCSS('transform', 'none');
    const title = page.getByRole('heading', { level: 1 });
    await expect(title, 'in dark ink on white').toHaveCSS('color', 'rgb(27, 31, 29)');
    await page.emulateMedia({ media: null, colorScheme: null });
  });
  await page.getByRole('searchbox', { name: 'Buscar en las preguntas' }).fill('tres puntos');
  await expect(page.getByRole('button', { name: '¿Cómo cierro la sesión?' })).toBeVisible();
  await expect(cards).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Buscar en las preguntas' }).fill('xyzzy');
  await expect(page.getByText('No hay preguntas con «xyzzy»')).toBeVisible();
});

test('about: the system, its producer and the manual', { tag: '@any-width' }, async ({
  page,
  baseURL,
}) => {
  await enterNewCompany(page, baseURL);
  await page.goto('/panel/acerca');
  const main = page.getByRole('main');
  for (const told of [
    'Nombre del sistema',
    'Código identificador',
    'Versión',
    /exclusivamente como VERI\*FACTU/,
    /estructura que publica la AEAT/,
    /huella SHA-256/,
    /código QR/,
  ]) {
    await expect(main.getByText(told).first()).toBeVisible();
  }
  for (const name of ['Política de privacidad', 'Aviso legal', 'Sitio oficial']) {
    const link = main.getByRole('link', { name: new RegExp(`^${name}`) });
    await expect(link).toHaveAttribute('target', '_blank');
  }
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    main.getByRole('link', { name: 'Descargar el manual' }).click(),
  ]);
  const { text, pages } = await readPdf(new Uint8Array(await readFile(await download.path())));
  expect(text).toContain('Manual de usuario');
  expect(pages.length).toBeGreaterThan(10);
});
