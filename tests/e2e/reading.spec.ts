import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import PDFDocument from 'pdfkit';
import { drawPdf } from '../reading/draw.ts';
import { type Sample, sampleOf } from '../reading/invoice-sample.ts';
import { LAYOUTS } from '../reading/layouts.ts';
import { expectAccessible } from '../support/accessible.ts';
import { goWithin } from '../support/go-within.ts';
import { enterFullCompany } from '../support/signed-in.ts';

const PDF = 'application/pdf';
const READING = { timeout: 90_000 };

/** From a PDF to its registered invoice, together with other files that are refused. */
test('reads an uploaded file, checks the fields beside the original and registers the invoice', async ({
  page,
  baseURL,
  isMobile,
}) => {
  test.setTimeout(240_000);
  const { nif } = await enterFullCompany(page, baseURL);
  const sample = ownSample(6, nif);
  const file = await draw(sample);
  await page.goto('/panel/subir');
  await expect(page.getByRole('heading', { level: 1, name: 'Subir facturas' })).toBeVisible();

  await test.step('the camera is offered only on phones', async () => {
    const camera = page.getByLabel('Foto de una factura');
    await expect(camera).toHaveCount(isMobile ? 1 : 0);
    if (!isMobile) return;
    await expect(camera).toHaveAttribute('capture', 'environment');
    await expect(camera).toHaveAttribute('accept', 'image/jpeg,image/png');
    await expect(page.getByRole('button', { name: 'Hacer foto' })).toBeVisible();
  });

  await test.step('the first file opens automatically; the rest are read meanwhile', async () => {
    // Cuts the connection the first time. Later calls pass through here too: removing a route mid-request leaves it
    // hanging.
    let isCut = false;
    await page.route('**/ExtraerFactura', (route) => {
      if (isCut) return route.continue();
      isCut = true;
      return route.abort();
    });
    const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: PDF, buffer });
    await page.getByLabel('Facturas en PDF, JPG o PNG').setInputFiles([
      pdf('cortada.pdf', file),
      pdf('vacía.pdf', Buffer.alloc(0)),
      // Reading these at one width is enough: each needs a new process.
      ...(isMobile
        ? []
        : [
            pdf('rota.pdf', Buffer.from('%PDF-1.7 nada')),
            { name: 'hoja.xlsx', mimeType: '', buffer: Buffer.from('x') },
            pdf('texto.pdf', Buffer.from('No soy un PDF')),
            pdf('once.pdf', await elevenPages()),
            pdf('cifrada.pdf', await encrypted()),
          ]),
    ]);
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await expect(row('vacía.pdf').getByText('El archivo está vacío.')).toBeVisible();
    if (!isMobile) {
      const refusal = (name: string, words: string) =>
        expect(row(name).getByText(words)).toBeVisible(READING);
      await refusal('hoja.xlsx', 'No es un PDF, un JPG ni un PNG.');
      await refusal('rota.pdf', 'El PDF está dañado');
      await refusal('texto.pdf', 'Ese archivo no es una factura');
      await refusal('once.pdf', 'tiene 11 páginas');
      await refusal('cifrada.pdf', 'protegido con contraseña');
    }
    await expect(row('cortada.pdf').getByText('Se ha cortado la conexión')).toBeVisible();
    await expectAccessible(page);
    // Read again with the button or, after a reload that drops the refused files, automatically.
    if (isMobile) {
      await page.reload();
      await expect(row('vacía.pdf')).toHaveCount(0);
      await page.getByRole('link', { name: 'Revisar cortada.pdf', exact: true }).click(READING);
    } else {
      await page.getByRole('button', { name: 'Quitar rota.pdf de la lista' }).click();
      await expect(row('rota.pdf')).toHaveCount(0);
      await page.getByRole('button', { name: 'Reintentar cortada.pdf' }).click();
    }
    await expect(page.getByRole('button', { name: 'Verificar campos' })).toBeVisible(READING);
  });

  await test.step('every field says how it was read, and where', async () => {
    const original = page.getByRole('region', { name: 'Original' });
    await expect(page.getByText(`En el original: ${sample.number}.`)).toBeVisible();
    await expectAccessible(page);
    if (isMobile) await page.getByText('Original', { exact: true }).click();
    await expect(original.getByRole('img', { name: 'Página 1 del original' })).toBeVisible();
    const read = original.getByRole('button', { name: /^Total/ });
    await expect(read).toContainText('Leído');
    await read.click();
    await expect(original.locator('[data-mark]')).toBeVisible();
    await expectAccessible(page);
    await original.getByRole('button', { name: 'Girar la página' }).click();
    await original.getByRole('button', { name: 'Acercar' }).click();
    await expect(original.locator('[data-mark]')).toBeInViewport();
    if (isMobile) await page.getByText('Editar', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Fecha', exact: true }).focus();
    await expect(page.locator('[data-mark]').first()).toBeInViewport();
    // The calendar covers what follows only while the date is being edited.
    const calendar = page.locator('[data-dates-dropdown]');
    await expect(calendar).toBeVisible();
    await page.getByText(`En el original: ${sample.number}.`).click();
    await expect(calendar).toBeHidden();
  });

  if (isMobile) return; // The rest is the same at any width.
  await test.step('an amount that does not add up is reported, and one press creates the client', async () => {
    await page.getByRole('button', { name: 'Crear este cliente' }).click();
    await expect(page.getByRole('combobox', { name: 'Cliente', exact: true })).toHaveValue(
      sample.client.name,
    );
    await expect(page.getByText('Compáralo con el original.')).toBeHidden();
    const price = page.getByLabel('Precio, línea 1', { exact: true });
    const before = await price.inputValue();
    await price.fill('1,00');
    await price.blur();
    await expect(page.getByText(/El total del original es .* y aquí sale/)).toBeVisible();
    const row = page.getByRole('table', { name: 'Líneas de la factura' }).getByRole('row').nth(1);
    await expect(row.getByText(/^Revisar: el original dice/)).toBeAttached();
    await price.fill(before);
    await price.blur();
    await expect(row.getByText('Leído', { exact: true })).toBeAttached();
    await expect(page.getByText('Compáralo con el original.')).toBeHidden();
  });

  await test.step('the draft is found again after a reload, and registered like any other', async () => {
    await expect(page.getByText('Borrador guardado.', { exact: true })).toBeVisible();
    await page.goto('/panel/subir');
    const earlier = page.getByRole('region', { name: 'Subidas antes, por revisar' });
    await expect(earlier).toContainText(sample.client.name);
    await expectAccessible(page);
    await earlier.getByRole('link', { name: 'Revisar cortada.pdf' }).click();
    await expect(page.getByText('Se puede registrar')).toBeVisible();
    await page.getByRole('button', { name: 'Verificar campos' }).click();
    const dialog = page.getByRole('dialog', { name: 'Registrar factura', exact: true });
    await expect(dialog.getByText('Retención IRPF')).toBeVisible();
    await dialog.getByRole('button', { name: 'Registrar', exact: true }).click();
    await expect(page.getByText('Registrada, eslabón 1 de la cadena')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Subir otra' })).toBeVisible();
  });

  await test.step('the original can be downloaded from the invoice', async () => {
    await goWithin(page, `/panel/facturas/00001%2F${new Date().getFullYear() % 100}`);
    const original = page.getByRole('button', { name: 'Descargar original' });
    await expect(original).toBeVisible();
    await expectAccessible(page);
    const downloading = page.waitForEvent('download');
    await original.click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('cortada.pdf');
    expect((await readFile(await download.path())).equals(file)).toBe(true);
  });
});

const draw = (sample: Sample) => drawPdf(LAYOUTS.clasica as never, sample);

/** An invoice issued by the company itself, dated today, to a client that it does not have yet. */
function ownSample(seed: number, nif: string): Sample {
  const sample = sampleOf(seed);
  const date = new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' });
  return { ...sample, date, issuer: { ...sample.issuer, nif } };
}

function elevenPages(): Promise<Buffer> {
  return drawPdf((sheet) => {
    for (let page = 0; page < 10; page += 1) sheet.addPage();
  }, sampleOf(1));
}

function encrypted(): Promise<Buffer> {
  const pdf = new PDFDocument({ userPassword: 'secreta' });
  const parts: Buffer[] = [];
  pdf.on('data', (part: Buffer) => parts.push(part));
  pdf.text('Factura').end();
  return new Promise((resolve) => pdf.on('end', () => resolve(Buffer.concat(parts))));
}
