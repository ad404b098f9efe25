/**
 * Draws every sample to look at, as PDF and as pictures of its pages:
 *   npx tsx tests/pdf/render-samples.ts FOLDER [DPI]
 *
 * docs/pictures/factura.png is the first page of `f1` at 110 dpi.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { IssuedInvoice } from '../../src/domain/invoice.ts';
import { type InvoicePdfOptions, invoicePdf } from '../../src/pdf/invoice-pdf.ts';
import { SAMPLES } from './gallery.ts';
import { bakeryLogo } from './logo.ts';
import { rasterise } from './read-pdf.ts';

const folder = process.argv[2];
if (!folder) throw new Error('Di en qué carpeta: npx tsx tests/pdf/render-samples.ts CARPETA');
await mkdir(folder, { recursive: true });
const dpi = Number(process.argv[3] ?? 150);
const logoPng = await bakeryLogo();

for (const [name, { invoice, options, hasLogo }] of Object.entries(SAMPLES)) {
  await draw(name, invoice, { demo: false, ...options, ...(hasLogo ? { logoPng } : {}) });
}

async function draw(
  name: string,
  invoice: IssuedInvoice,
  options: InvoicePdfOptions,
): Promise<void> {
  const pdf = await invoicePdf(invoice, options);
  await writeFile(join(folder ?? '', `${name}.pdf`), pdf);
  const pages = await rasterise(pdf, dpi);
  await Promise.all(
    pages.map(({ data, width, height }, index) =>
      sharp(data, { raw: { width, height, channels: 4 } })
        .png({ palette: true, compressionLevel: 9 })
        .toFile(join(folder ?? '', `${name}-${index + 1}.png`)),
    ),
  );
}
