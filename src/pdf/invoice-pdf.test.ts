import { createHash } from 'node:crypto';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { SaxesParser } from 'saxes';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { IVA_INCLUIDO_LINES, manyLines, SAMPLES } from '../../tests/pdf/gallery.ts';
import { bakeryLogo } from '../../tests/pdf/logo.ts';
import { objectsOf, streamsOf } from '../../tests/pdf/objects.ts';
import {
  type Bitmap,
  nodesOf,
  type Piece,
  type ReadPage,
  type ReadPdf,
  rasterise,
  readPdf,
  readQrs,
} from '../../tests/pdf/read-pdf.ts';
import { line, sample } from '../../tests/pdf/samples.ts';
import type { IssuedInvoice } from '../domain/invoice.ts';
import { scaled } from '../domain/paper/amounts.ts';
import { type InvoicePdfOptions, invoicePdf } from './invoice-pdf.ts';

const names = Object.keys(SAMPLES);
const a4Names = names.filter((name) => SAMPLES[name]?.options?.size !== 'ticket');

async function draw(invoice: IssuedInvoice, options: Partial<InvoicePdfOptions> = {}) {
  return invoicePdf(invoice, { demo: false, ...options });
}

/** Each sample is drawn and read once, however many tests look at it. */
const drawn = new Map<string, ReturnType<typeof drawAgain>>();
const read = new Map<string, Promise<ReadPdf>>();

async function drawAgain(name: string) {
  const found = SAMPLES[name];
  if (!found) throw new Error(`There is no sample ${name}`);
  return { invoice: found.invoice, pdf: await draw(found.invoice, found.options) };
}

function drawSample(name: string) {
  const known = drawn.get(name) ?? drawAgain(name);
  drawn.set(name, known);
  return known;
}

function readSample(name: string): Promise<ReadPdf> {
  const known = read.get(name) ?? drawSample(name).then(({ pdf }) => readPdf(pdf));
  read.set(name, known);
  return known;
}

/** Baseline and right end of a text that occurs once on the page, to a tenth of a millimetre. */
function place(page: ReadPage | undefined, text: string) {
  const found = page?.pieces.filter((piece) => piece.text === text) ?? [];
  expect(found.length, `«${text}» on the page`).toBe(1);
  const [piece] = found as [Piece];
  const tenth = (mm: number) => Math.round(mm * 10) / 10;
  return { left: tenth(piece.left), right: tenth(piece.right), baseline: tenth(piece.baseline) };
}

it('shows a sign in place of a letter that the typeface lacks, from which the letter is copied', async () => {
  const withLine = (description: string) =>
    draw(sample({ lines: [line(description, '1', '12,00')] }));
  const pdf = await withLine('Té de 静岡 🍵 en hebra');
  expect((await readPdf(pdf)).text).toContain('Té de 静岡 en hebra');
  const pixelsOf = async (bytes: Uint8Array) => {
    const [page] = await rasterise(bytes, 80);
    return createHash('sha256')
      .update(page?.data ?? '')
      .digest('hex');
  };
  expect(await pixelsOf(pdf)).toBe(await pixelsOf(await withLine('Té de □□ en hebra')));
  expect(await pixelsOf(pdf)).not.toBe(await pixelsOf(await withLine('Té de en hebra')));
});

describe('what the law requires on a full invoice (RD 1619/2012 art. 6)', () => {
  it('is all on an F1', async () => {
    const { text } = await readSample('f1');
    for (const said of [
      'Factura',
      'Número 00041/LO',
      'Fecha de expedición 20/11/2026',
      'Fecha de operación 16/11/2026',
      'Vencimiento 20/12/2026',
      'Obrador Candela, S.L. NIF B50482173 Calle de San Blas, 14 50003 Zaragoza',
      'Hotel Mirador del Moncayo, S.A. NIF A50163302',
      'Avenida de la Diputación, 3, Tarazona, 50500 Zaragoza',
      'Barra de masa madre, 400 g 120 ud 1,15 4 % 138,00',
      'Alquiler de vitrina refrigerada, noviembre 1 mes 45,00 21 % 45,00',
      '21 % 105,00 22,05',
      '10 % 165,00 16,50',
      '4 % 238,80 9,55',
      'Base imponible 508,80 €',
      'IVA 48,10 €',
      'Total factura 556,90 €',
      'QR tributario: VERI*FACTU',
      'Página 1 de 1',
    ]) {
      expect(text).toContain(said);
    }
  });

  it('includes the reason for amounts without quota, each in a group of its own', async () => {
    const { text } = await readSample('f1-menciones');
    for (const said of [
      'Rehabilitación de la fachada 1 ud 12.400,00 ISP 12.400,00',
      'Inversión del sujeto pasivo 12.400,00 –',
      'Exenta 360,00 –',
      'No sujeta 600,00 –',
      'Inversión del sujeto pasivo (art. 84.Uno.2.º Ley 37/1992)',
      'Operación exenta de IVA, artículo 20 de la Ley 37/1992',
      'Operación no sujeta a IVA',
      'Régimen especial del criterio de caja',
      'Obra de la calle Mayor, 3.',
    ]) {
      expect(text).toContain(said);
    }
  });

  it('includes the recargo de equivalencia under its rate and in the total', async () => {
    const { text } = await readSample('f1-recargo');
    // 105.00 at 5.2 %, 165.00 at 1.4 %, 238.80 at 0.5 %: 5.46 + 2.31 + 1.19 = 8.96.
    expect(text).toContain('21 % 105,00 22,05 R.E. 5,2 % 105,00 5,46');
    expect(text).toContain('Recargo de equivalencia 8,96 € Total factura 565,86 €');
  });

  it('leaves the retention out of the total and shows it below', async () => {
    const { text } = await readSample('f1-retencion');
    expect(text).toContain('Total factura 544,50 € Retención IRPF 15 % −67,50 € A cobrar 477,00 €');
  });

  it('includes discounts, in their column', async () => {
    const { text } = await readSample('f1-descuentos');
    expect(text).toContain('Importe Barra de masa madre, 400 g 120 ud 1,15 5 % 4 % 131,10');
    expect(text).toContain('Vencimientos 20/12/2026 · 264,99 € 19/01/2027 · 264,99 €');
  });

  it('does not include the tax of used goods (art. 16.2.c)', async () => {
    const { text } = await readSample('f1-bienes-usados');
    expect(text).toContain('Cómoda de nogal, hacia 1890, restaurada 1 ud 1.452,00 1.452,00');
    expect(text).toContain('Régimen especial de los bienes usados');
    expect(text).not.toMatch(/21 %|252,00|1\.200,00|Cuota|Base imponible/);
  });

  it('identifies a customer from abroad by name', async () => {
    const cliente = {
      nombre: 'Bäckerei Müller GmbH',
      nif: null,
      idOtro: { IDType: '02', ID: 'DE123456789' } as const,
      direccion: 'Hauptstraße 5, Köln',
      postCode: '50667',
      countryCode: 'DE',
    };
    const { text } = await readPdf(await draw(sample({ cliente })));
    expect(text).toContain(
      'Bäckerei Müller GmbH NIF-IVA DE123456789 Hauptstraße 5, Köln, 50667, Alemania',
    );
  });

  it('does not include the program that made it', async () => {
    expect((await readSample('f1')).text).not.toMatch(/huella/i);
  });
});

describe('what the law requires on a simplified invoice (art. 7)', () => {
  it.each(['f2-a4', 'f2-ticket'])('is all there, with tax included: %s', async (name) => {
    const { text } = await readSample(name);
    for (const said of [
      'Factura simplificada',
      '00127/LOS',
      'Fecha de expedición 20/11/2026',
      'Obrador Candela, S.L. NIF B50482173',
      'Total, IVA incluido 22,07 €',
      '21 % 8,18 1,72',
      '10 % 7,09 0,71',
      '4 % 4,20 0,17',
      'VERI*FACTU',
    ]) {
      expect(text).toContain(said);
    }
    expect(text).not.toContain('Cliente');
  });

  it('includes prices and amounts that add up to the total', async () => {
    const { text } = await readSample('f2-a4');
    // 4.37 + 4.20 + 3.60 + 9.90 = 22.07
    expect(text).toContain('Hogaza de centeno, 1 kg 1 ud 4,37 4 % 4,37');
    expect(text).toContain('Cruasán de mantequilla 4 ud 1,05 10 % 4,20');
    expect(text).toContain('Vela de cera de abeja 1 ud 9,90 21 % 9,90');
  });

  it('keeps prices typed with tax included, and says so', async () => {
    // 10.00 + 13.50 = 23.50, / 1.21 = 19.42; 5.20 / 1.10 = 4.73.
    const rates = ['21 % 19,42 4,08', '10 % 4,73 0,47', 'Total, IVA incluido 28,70 €'];
    const a4 = await readSample('f2-a4-iva-incluido');
    for (const said of [
      'Precio (IVA incl.) Dto. IVA Importe (IVA incl.)',
      'Camiseta de algodón 1 ud 10,00 21 % 10,00',
      'Taza de loza 2 ud 7,50 10 % 21 % 13,50',
      'Café con leche 4 ud 1,30 10 % 5,20',
      ...rates,
    ]) {
      expect(a4.text).toContain(said);
    }
    const ticket = await readSample('f2-ticket-iva-incluido');
    for (const said of ['4 × 1,30', ...rates]) expect(ticket.text).toContain(said);
  });

  it('becomes prices without tax on the full invoice that replaces it', async () => {
    const { text } = await readPdf(
      await draw(
        sample({ draft: { invoiceType: 2, ivaIncluido: true }, lines: IVA_INCLUIDO_LINES }),
      ),
    );
    for (const said of [
      'Cantidad Precio Dto. IVA Importe',
      'Camiseta de algodón 1 ud 8,26 21 % 8,26',
      'Taza de loza 2 ud 6,20 10 % 21 % 11,16',
      'Café con leche 4 ud 1,182 10 % 4,73',
      'Base imponible 24,15 €',
      'Total factura 28,70 €',
    ]) {
      expect(text).toContain(said);
    }
  });
});

describe('rectificativas', () => {
  it('por diferencias are negative, with the minus sign, and say what they rectify', async () => {
    const { text } = await readSample('r1');
    for (const said of [
      'Factura rectificativa',
      'Rectifica Factura 00041/LO de 20/11/2026 Rectificación por diferencias:',
      'Cruasán de mantequilla, género devuelto −12 ud 0,95 10 % −11,40',
      '10 % −11,40 −1,14',
      'Total factura −24,50 €',
      'Abono Transferencia bancaria',
    ]) {
      expect(text).toContain(said);
    }
    expect(text).not.toMatch(/-\d+,\d|Vencimiento|Plazo de pago/);
  });

  it('por sustitución are the corrected invoice, beside the original amounts', async () => {
    const { text } = await readSample('r1-sustitucion');
    expect(text).toContain('Rectificación por sustitución:');
    expect(text).toContain('Base rectificada 508,80 € · Cuota rectificada 48,10 €');
    expect(text).toContain('Total factura 342,40 €');
  });

  it('an F3 lists the simplified invoices that it replaces', async () => {
    const original = { numSerie: '00127/LOS', fecha: '2026-11-18', externa: false } as const;
    const amounts = { base: '19.47', cuota: '2.60', recargo: '0.00' };
    const invoice = sample({
      draft: { invoiceType: 2, invoiceToRectify: '00127/LOS' },
      originals: [{ ...original, ...amounts }],
    });
    const { text } = await readPdf(await draw(invoice));
    expect(text).toContain('Sustituye Factura 00127/LOS de 18/11/2026');
  });
});

describe('marks', () => {
  it('a demo says so across the page, at the top and at the foot, behind everything else', async () => {
    const { pages } = await readSample('f1-demo');
    const [page] = pages;
    expect(page?.pieces[0]).toMatchObject({ text: 'DEMO', isLevel: false });
    expect(page?.text).toContain('DEMO – SIN VALIDEZ FISCAL');
    expect(page?.text).toContain(
      'Factura de demostración, sin validez fiscal. No consta en la AEAT.',
    );
    expect(page?.text).toContain('Emitida con la suscripción Demo de Huella');
  });

  it('a draft has neither number nor QR, and says so', async () => {
    const { pdf } = await drawSample('f1-borrador');
    const { text, title } = await readPdf(pdf);
    expect(title).toBe('Borrador de factura');
    expect(text).toContain('BORRADOR');
    expect(text).toContain('Número Se asignará al registrar');
    expect(text).not.toMatch(/00041|QR tributario|VERI\*FACTU/);
    const [bitmap] = await rasterise(pdf, 150);
    expect(await readQrs(bitmap as Bitmap)).toEqual([]);
  });

  it('a duplicate says so under the heading', async () => {
    const { pages } = await readSample('f1-duplicado');
    expect(place(pages[0], 'Duplicado')).toMatchObject({ right: 192, baseline: 27.4 });
  });

  it('an annulled one says so under the heading and across every page', async () => {
    const { pages } = await readSample('f1-anulada');
    expect(place(pages[0], 'Anulada')).toMatchObject({ right: 192, baseline: 27.4 });
    expect(pages.every(({ text }) => text.includes('ANULADA'))).toBe(true);
    const words = ({ text }: ReadPdf) =>
      text.split(/\s+/).filter((word) => !/^(anulada|duplicado)$/i.test(word));
    expect(words(await readSample('f1-anulada'))).toEqual(words(await readSample('f1-duplicado')));
  });

  it('an unreadable logo is replaced by the name', async () => {
    const logoPng = new TextEncoder().encode('no es una imagen');
    const { pages } = await readPdf(await draw(sample(), { logoPng }));
    expect(place(pages[0], 'Obrador Candela, S.L.')).toMatchObject({ left: 18, baseline: 22 });
    expect(place(pages[0], 'NIF B50482173').baseline).toBe(27.4);
  });

  it('a low logo is followed by its company, without a gap', async () => {
    const low = { create: { width: 920, height: 80, channels: 3 as const, background: '#123a7a' } };
    const logoPng = await sharp(low).png().toBuffer();
    const { pages } = await readPdf(await draw(sample(), { logoPng }));
    // 46 mm wide, it is 4 mm high: from 16 to 20.
    expect(place(pages[0], 'Obrador Candela, S.L.').baseline).toBe(28);
    const usual = await readPdf(await draw(sample(), { logoPng: await bakeryLogo() }));
    expect(place(usual.pages[0], 'Obrador Candela, S.L.').baseline).toBe(42);
  });

  it('a number that would be broken in two is smaller', async () => {
    const numSerie = '2026-FAC-0000001234';
    const { pages } = await readPdf(await draw(sample({ numSerie })));
    expect(place(pages[0], 'Fecha de expedición').baseline).toBe(47.6);
    expect(pages[0]?.pieces.filter(({ text }) => text === numSerie)).toHaveLength(2);
  });
});

describe('the QR', () => {
  /** 35 mm; at 150 dpi a pixel is 0.17 mm. */
  const SIDE = { least: 34, most: 36 };

  it.each(names.filter((name) => name !== 'f1-borrador'))(
    'reads as its address: %s',
    async (name) => {
      const { invoice, pdf } = await drawSample(name);
      const [first, ...rest] = await rasterise(pdf, 150);
      const found = await readQrs(first as Bitmap);
      expect(found.map(({ text, level }) => ({ text, level }))).toEqual([
        { text: invoice.qr, level: 'M' },
      ]);
      const [qr] = found;
      const mm = 25.4 / 150;
      const width = ((qr?.right ?? 0) - (qr?.left ?? 0)) * mm;
      const height = ((qr?.bottom ?? 0) - (qr?.top ?? 0)) * mm;
      for (const side of [width, height]) {
        expect(side).toBeGreaterThan(SIDE.least);
        expect(side).toBeLessThan(SIDE.most);
      }
      for (const page of rest) expect(await readQrs(page)).toEqual([]);
    },
  );

  it('can be read at 110 dpi, with the longest number', async () => {
    const numSerie = 'A'.repeat(60);
    const invoice = sample({ numSerie });
    const [page] = await rasterise(await draw(invoice), 110);
    const [qr] = await readQrs(page as Bitmap);
    expect(qr?.text).toBe(invoice.qr);
  });

  it('has a white margin: 3.5 mm to the texts above and below, 6 mm at the sides', async () => {
    const dpi = 300;
    const [page] = await rasterise((await drawSample('f1-demo')).pdf, dpi);
    const dark = darkPixels(page as Bitmap, dpi);
    const around = { left: 81.5, top: 20.5, right: 128.5, bottom: 62.5 };
    const symbol = { left: 87.3, top: 23.8, right: 122.7, bottom: 59.2 };
    const stray = dark.filter((pixel) => isInside(pixel, around) && !isInside(pixel, symbol));
    expect(stray).toEqual([]);
  });

  it('shares its place with its two texts and nothing else', async () => {
    for (const name of ['f1', 'f1-extremos', 'f1-sin-logo', 'r1']) {
      const { pages } = await readSample(name);
      const inside = pages[0]?.pieces.filter(
        ({ left, right, baseline }) => right > 81 && left < 129 && baseline > 16 && baseline < 69,
      );
      expect(inside?.map(({ text }) => text)).toEqual(['QR tributario:', 'VERI*FACTU']);
    }
  });

  it('is accompanied by no data larger than its texts', async () => {
    for (const name of a4Names) {
      const { pages } = await readSample(name);
      const large = pages.flatMap(({ pieces }) =>
        pieces.filter(({ size, isLevel }) => isLevel && size > 11.01).map(({ text }) => text),
      );
      expect(new Set(['Factura', 'rectificativa', 'simplificada', 'Borrador', ...large]).size).toBe(
        4,
      );
    }
  });
});

describe('the page', () => {
  it('has everything where the design says', async () => {
    const { pages } = await readSample('f1');
    const [page] = pages;
    expect(place(page, 'QR tributario:').baseline).toBe(19.4);
    expect(place(page, 'VERI*FACTU')).toMatchObject({ left: 92.9, right: 117.1, baseline: 66.2 });
    expect(place(page, 'Factura')).toMatchObject({ right: 192, baseline: 22 });
    expect(place(page, 'Fecha de expedición')).toMatchObject({ left: 136, baseline: 47.6 });
    expect(place(page, 'Cliente')).toMatchObject({ left: 18, baseline: 83 });
    expect(place(page, 'Precio')).toMatchObject({ right: 141, baseline: 104.7 });
    expect(place(page, '138,00')).toMatchObject({ right: 192, baseline: 113.3 });
    expect(place(page, '100,80')).toMatchObject({ right: 192, baseline: 121.9 });
    expect(place(page, '165,00')).toMatchObject({ right: 160, baseline: 180.7 });
    expect(place(page, '556,90 €')).toMatchObject({ right: 192, baseline: 211.6 });
    expect(place(page, 'Página 1 de 1')).toMatchObject({ right: 192, baseline: 285.4 });
  });

  it.each(names)('has no overlapping texts and none off the sheet: %s', async (name) => {
    const { pages } = await readSample(name);
    const margins = a4Names.includes(name) ? { left: 18, right: 192 } : { left: 6, right: 74 };
    for (const { pieces } of pages) {
      const level = pieces.filter(({ isLevel }) => isLevel);
      expect(overlaps(level)).toEqual([]);
      for (const piece of level) {
        expect(piece.left, piece.text).toBeGreaterThan(margins.left - 0.1);
        expect(piece.right, piece.text).toBeLessThan(margins.right + 0.1);
      }
    }
  });

  it('wraps names, numbers and descriptions without losing a letter', async () => {
    const { invoice } = SAMPLES['f1-extremos'] as { invoice: IssuedInvoice };
    const { pages } = await readSample('f1-extremos');
    const letters = (text: string) => text.replace(/\s/g, '');
    const [first, second] = pages.map(({ text }) => letters(text));
    for (const text of [
      invoice.numSerie,
      invoice.emisor.nombre,
      invoice.emisor.direccion,
      invoice.cliente?.nombre ?? '',
      invoice.cliente?.direccion ?? '',
      'W'.repeat(140),
    ]) {
      expect(first).toContain(letters(text));
    }
    expect(second).toContain(letters(invoice.notas));
  });

  it('fits amounts of twelve digits side by side, even negative', async () => {
    const lines = [
      line('Terreno urbanizable', '1', '8.264.462.809,91', 'IVA21'),
      line('Edificio', '1,5', '1.111.111.111,11', 'IVA10', 'UD', '2,5'),
    ];
    for (const draft of [{}, { type: 'abono', tipoRectificativa: 'I' } as const]) {
      const { pages, text } = await readPdf(await draw(sample({ lines, draft })));
      expect(text).toMatch(/8\.264\.462\.809,91/);
      for (const { pieces } of pages) expect(overlaps(pieces)).toEqual([]);
    }
  });

  it('has the same bytes for the same invoice', async () => {
    const { invoice, pdf } = await drawSample('f1-menciones');
    expect(Buffer.compare(pdf, await draw(invoice))).toBe(0);
  });
});

/** How many turns of the event loop there are for others while an invoice is drawn. */
async function turnsWhileDrawn(invoice: IssuedInvoice): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await draw(invoice);
  isDone = true;
  return turns;
}

describe('page after page', () => {
  it('lets others go on while a long invoice is drawn', async () => {
    expect(await turnsWhileDrawn(sample({ lines: manyLines(400) }))).toBeGreaterThan(50);
  });

  it.each([1, 14, 15, 40, 300])(
    'carries the sums forward to the cent over %i lines',
    async (count) => {
      const invoice = sample({ lines: manyLines(count) });
      const { pages } = await readPdf(await draw(invoice));
      let carried = 0n;
      pages.forEach((page, index) => {
        expect(page.text).toContain(`Página ${index + 1} de ${pages.length}`);
        const { anterior, rows, sigue } = carriedSums(page);
        if (index > 0) expect(anterior).toBe(carried);
        carried += rows.reduce((sum, cents) => sum + cents, 0n);
        if (index < pages.length - 1) expect(sigue).toBe(carried);
        else expect(sigue).toBeNull();
      });
      expect(carried).toBe(scaled(invoice.base, 2));
    },
  );

  it('stays a single page as long as the invoice fits, and omits no line', async () => {
    for (const count of [1, 14, 15, 40, 300]) {
      const lines = Array.from({ length: count }, (_, n) =>
        line(`Artículo ${n + 1}.`, '1', '2,00'),
      );
      const { pages, text } = await readPdf(await draw(sample({ lines })));
      expect(pages.length).toBe({ 1: 1, 14: 1, 15: 1, 40: 2, 300: 10 }[count]);
      for (let n = 1; n <= count; n += 1) expect(text).toContain(`Artículo ${n}.`);
    }
  });

  it('repeats issuer, client and number on the pages after the first', async () => {
    const { pages } = await readSample('f1-40-lineas');
    const [, second] = pages;
    expect(place(second, 'Factura 2026/01184')).toMatchObject({ right: 192, baseline: 20 });
    expect(place(second, 'Cliente: Reformas y Rehabilitaciones Costa Norte, S.L.').baseline).toBe(
      25.2,
    );
    expect(place(second, 'Descripción').baseline).toBe(38);
    expect(second?.text).not.toContain('QR tributario');
  });

  it('ends its rows and its totals where the design says', async () => {
    for (const count of [12, 13, 14, 22, 23, 24, 25, 60]) {
      const lines = Array.from({ length: count }, (_, n) =>
        line(`Artículo ${n + 1}.`, '1', '2,00'),
      );
      const { pages } = await readPdf(await draw(sample({ lines })));
      for (const page of pages.slice(0, -1)) {
        // 6.2 under the last row, which ends at 260 or above.
        expect(place(page, 'Suma y sigue').baseline).toBeLessThanOrEqual(266.2);
      }
      const last = pages.at(-1);
      // The band ends 4.3 under its text.
      expect(place(last, 'Total factura').baseline + 4.3).toBeLessThanOrEqual(270);
      if (pages.length > 1) expect(last?.text).toContain(`Artículo ${count - 1}.`);
    }
  });

  it('continues notes and descriptions that are longer than a page', async () => {
    const description = Array.from({ length: 120 }, (_, n) => `Línea ${n + 1}.`).join('\n');
    const notas = Array.from({ length: 150 }, (_, n) => `Nota ${n + 1}.`).join('\n');
    const invoice = sample({ lines: [line(description, '1', '10,00')], draft: { notas } });
    const { pages, text } = await readPdf(await draw(invoice));
    for (let n = 1; n <= 120; n += 1) expect(text).toContain(`Línea ${n}.`);
    for (let n = 1; n <= 150; n += 1) expect(text).toContain(`Nota ${n}.`);
    for (const { pieces } of pages) {
      expect(overlaps(pieces)).toEqual([]);
      const foot = pieces.filter(({ size }) => size === 7.5);
      const rest = pieces.filter(({ size }) => size !== 7.5);
      expect(Math.max(...rest.map(({ baseline }) => baseline))).toBeLessThan(272);
      expect(foot.length).toBe(2);
    }
  });

  it('never leaves the last line of the notes alone on a page', async () => {
    const notesOf = ({ text }: { text: string }) => text.match(/Nota \d+\./g)?.length ?? 0;
    for (let count = 11; ; count += 1) {
      const notas = Array.from({ length: count }, (_, n) => `Nota ${n + 1}.`).join('\n');
      const { pages } = await readPdf(await draw(sample({ draft: { notas } })));
      if (pages.length === 1) continue;
      expect(pages.map(notesOf)).toEqual([count - 2, 2]);
      break;
    }
  });
});

describe('any amount of content above or beside the table', () => {
  const originals = (count: number, prefix = '') =>
    Array.from({ length: count }, (_, n) => ({
      numSerie: `${prefix}${String(n + 1).padStart(5, '0')}/LOS`,
      fecha: '2026-11-20',
      externa: false,
      base: '10.00',
      cuota: '2.10',
      recargo: '0.00',
      total: '12.10',
      tipoFactura: 'F2' as const,
    }));
  const replacing = (count: number, prefix?: string) =>
    sample({
      draft: { invoiceType: 2, invoiceToRectify: 'varias' },
      originals: originals(count, prefix),
      lines: [line('Suma de los tiques', '1', '100,00')],
    });

  /** Checks that only the footer reaches the foot. */
  async function readWhole(invoice: IssuedInvoice) {
    const read = await readPdf(await draw(invoice));
    for (const { pieces } of read.pages) {
      const rest = pieces.filter(({ size }) => size !== 7.5);
      expect(Math.max(...rest.map(({ baseline }) => baseline))).toBeLessThan(272);
      expect(overlaps(pieces)).toEqual([]);
    }
    return read;
  }

  it.each([1, 12, 20, 25, 60, 400])(
    'includes the numbers of the %i replaced invoices',
    async (count) => {
      const { pages, text } = await readWhole(replacing(count));
      for (const { numSerie } of originals(count)) expect(text).toContain(`Factura ${numSerie}`);
      expect(text).toContain('Suma de los tiques 1 ud 100,00 21 % 100,00');
      expect(text).toContain('Emitida en sustitución de facturas simplificadas');
      // Those that leave no room for the table are in an annex, which the first page mentions.
      const isAnnexed = count > 20;
      expect(text.includes('Anexo: facturas que sustituye')).toBe(isAnnexed);
      expect(/y \d+ más, en el anexo del final/.test(pages[0]?.text ?? '')).toBe(isAnnexed);
    },
  );

  it('lets others go on while they are drawn', async () => {
    expect(await turnsWhileDrawn(replacing(400))).toBeGreaterThan(50);
  });

  it('continues on another page if names and addresses leave no room for a row', async () => {
    const { pages, text } = await readWhole({
      ...replacing(40, 'UNA-SERIE-MUY-LARGA-DE-OTRO-PROGRAMA-'.padEnd(50, 'W')),
      emisor: { ...sample().emisor, nombre: 'W'.repeat(120), direccion: 'W'.repeat(300) },
    });
    expect(pages.length).toBeGreaterThan(1);
    expect(text).toContain('Suma de los tiques');
    expect(text).toContain('Total factura');
  });

  it('allows mentions longer than a page under the totals', async () => {
    const menciones = Array.from(
      { length: 60 },
      (_, n) => `Mención ${n + 1}. ${'Más. '.repeat(20)}`,
    );
    const { text } = await readWhole({ ...sample(), menciones });
    for (let n = 1; n <= 60; n += 1) expect(text).toContain(`Mención ${n}.`);
  });

  it('continues on another page if a ticket is taller than a PDF allows', async () => {
    const invoice = sample({
      draft: { isSimplificada: true },
      cliente: null,
      lines: Array.from({ length: 600 }, (_, n) => line(`Artículo ${n + 1}.`, '1', '0,50')),
    });
    const pdf = await draw(invoice, { size: 'ticket' });
    const { pages, text } = await readPdf(pdf);
    expect(pages.length).toBe(2);
    for (const [, height] of pdfHeights(pdf)) expect(Number(height)).toBeLessThanOrEqual(14_400);
    for (let n = 1; n <= 600; n += 1) expect(text).toContain(`Artículo ${n}.`);
    expect(text).toContain('Total, IVA incluido 363,00 €');
  });
});

describe('the issuer’s registry data', () => {
  const inscribed = (draft: Parameters<typeof sample>[0] = {}): IssuedInvoice => {
    const invoice = sample(draft);
    const datosRegistrales = 'Inscrita en el Registro Mercantil de Zaragoza, hoja Z-58213';
    return { ...invoice, emisor: { ...invoice.emisor, datosRegistrales } };
  };

  it('are at the foot of each page', async () => {
    const lines = Array.from({ length: 40 }, (_, n) => line(`Artículo ${n + 1}.`, '1', '0,50'));
    const { pages } = await readPdf(await draw(inscribed({ lines })));
    expect(pages.length).toBe(2);
    for (const { pieces } of pages) {
      const foot = pieces.filter(({ size }) => size === 7.5).map(({ text }) => text);
      expect(foot.join(' ')).toContain(
        '· Inscrita en el Registro Mercantil de Zaragoza, hoja Z-58213',
      );
    }
  });

  it('and at the end of a ticket', async () => {
    const ticket = inscribed({ draft: { isSimplificada: true }, cliente: null });
    const { text } = await readPdf(await draw(ticket, { size: 'ticket' }));
    expect(text).toMatch(/Inscrita en el Registro Mercantil de Zaragoza, hoja Z-58213$/);
  });
});

describe('the file', () => {
  it('has every referenced object in its table', async () => {
    for (const name of ['f1', 'f1-40-lineas', 'f2-ticket']) {
      const { pdf } = await drawSample(name);
      const objects = objectsOf(pdf);
      const references = [...objects.values()].flatMap((text) => [...text.matchAll(/(\d+) 0 R/g)]);
      expect(references.length).toBeGreaterThan(100);
      for (const [, id] of references)
        expect(objects.has(Number(id)), `${id} of ${name}`).toBe(true);
    }
  });

  it('is small: what all invoices share takes little room', async () => {
    expect((await drawSample('f1')).pdf.length).toBeLessThan(36_000);
  });

  it('escapes texts with bytes that have a meaning in PDF', async () => {
    const nombre = 'Peña (hijos) \\ Čačak čĨĩŜĊ 𝄞, S.L.';
    const pdf = await draw(sample({ numSerie: 'A(1)\\2', emisor: { nombre } }));
    expect((await readPdf(pdf)).title).toBe('Factura A(1)\\2');
    const { info } = await (
      await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
    ).getMetadata();
    expect(info).toMatchObject({ Author: nombre });
  });

  it('embeds Inter and needs no font of the reader', async () => {
    const pdf = await draw(sample({ esDemo: true }), { demo: true });
    const objects = [...objectsOf(pdf).values()].join('\n');
    const used = new Set(objects.match(/\/BaseFont \/[^/\s]+/g));
    expect([...used].map((font) => font.replace(/.*\+/, '')).sort()).toEqual([
      'Inter-Bold',
      'Inter-Medium',
      'Inter-Regular',
      'Inter-SemiBold',
    ]);
    expect(objects.match(/\/Type \/FontDescriptor/g)?.length).toBe(4);
    expect(objects.match(/\/FontFile2 /g)?.length).toBe(4);
  });

  it('shares the fonts for common words between invoices, and extends only those that need other letters', async () => {
    const fontsOf = async (description: string) => {
      const pdf = await draw(sample({ lines: [line(description, '1', '2,00', 'IVA21')] }));
      const names = [...objectsOf(pdf).values()].join('\n').match(/FontName \/[^/\s]+/g);
      const { text } = await readPdf(pdf);
      expect(text).toContain(description);
      return new Set(names);
    };
    const usual = await fontsOf('Barra de pan');
    expect(usual.size).toBe(4);
    expect(await fontsOf('Queso curado, 3 kg')).toEqual(usual);
    for (const description of ['Còctel de fruïts Ü', 'Žluťoučký kůň']) {
      const changed = [...(await fontsOf(description))].filter((name) => !usual.has(name));
      expect(changed).toEqual([expect.stringMatching(/Inter-Medium$/)]);
    }
  });

  it('states its title and its language', async () => {
    const { title, language } = await readSample('r1');
    expect(title).toBe('Factura rectificativa 00007/LOR');
    expect(language).toBe('es-ES');
  });

  it('has well-formed metadata whatever the names', async () => {
    const nombre = 'Pérez & Hijos <Zaragoza>, S.L.';
    const pdf = await draw(sample({ numSerie: '12345678&G33', emisor: { nombre } }));
    expect((await readPdf(pdf)).title).toBe('Factura 12345678&G33');
    const [xml = ''] =
      Buffer.from(pdf)
        .toString('utf8')
        .match(/<x:xmpmeta.*<\/x:xmpmeta>/s) ?? [];
    const texts: string[] = [];
    const parser = new SaxesParser();
    parser.on('text', (text) => texts.push(text.trim()));
    parser.write(xml).close();
    expect(texts).toContain('Factura 12345678&G33');
    expect(texts).toContain(nombre);
  });

  it('can be copied as the letters that it shows, whatever was drawn before', async () => {
    // A glyph remembers the first letter that it was drawn for: the parts of «ñ» must not spoil the next invoice.
    const every = 'ñÑçÇáéíóúüÁÉÍÓÚÜàèòïÀÈÒÏ«»¿¡ªº·€−–×²³½ĐłŠžőţΑΩЖя';
    await draw(sample({ lines: [line(every, '1', '1')] }));
    const { text } = await readPdf(
      await draw(sample({ lines: [line(`n u a o ~ ´ ¨ ${every}`, '1', '1')] })),
    );
    expect(text.replaceAll(' ', '')).toContain(`nuao~´¨${every}`);
  });

  it('maps its glyphs to characters, none of them to nothing: pypdf ignores the whole of such a map', async () => {
    for (const description of ['Barra de pan', 'Té de 静岡, Žluťoučký n\u0303 ﬁ 👨‍👩‍👧']) {
      const pdf = await draw(sample({ lines: [line(description, '1', '2,00', 'IVA21')] }));
      const maps = streamsOf(pdf).filter((content) => content.includes('begincmap'));
      expect(maps).toHaveLength(4);
      for (const map of maps) {
        expect(map).toMatch(/<[0-9a-f]{4}> <[0-9a-f]{4}> \[<[0-9a-f]{4}> /);
        expect(map).not.toContain('<>');
      }
    }
  });
});

describe('the structure, for screen readers', () => {
  it('contains the heading, the paragraphs, the tables and the figures with their texts', async () => {
    const { invoice } = await drawSample('f1');
    const { pages } = await readPdf(await draw(invoice, { logoPng: await bakeryLogo() }));
    const nodes = nodesOf(pages[0]?.structure ?? null);
    const count = (role: string) => nodes.filter((node) => node.role === role).length;
    expect(count('Document')).toBe(1);
    expect(count('H1')).toBe(1);
    expect(count('Table')).toBe(2);
    expect(count('TH')).toBe(5 + 3);
    // Six lines of five cells, three rates of three.
    expect(count('TD')).toBe(6 * 5 + 3 * 3);
    expect(count('TR')).toBe(1 + 6 + 1 + 3);
    expect(count('P')).toBeGreaterThan(15);
    const figures = nodes.filter(({ role }) => role === 'Figure').map(({ alt }) => alt);
    expect(figures).toEqual([
      'Logotipo de Obrador Candela, S.L.',
      `Código QR tributario. Se comprueba en ${invoice.qr}`,
    ]);
  });

  it('separates words where a line ends or a value follows its label', async () => {
    const heard = async (name: string) => (await readSample(name)).pages[0]?.leaves;
    expect(await heard('r1')).toEqual(
      expect.arrayContaining([
        'Factura rectificativa',
        'Número 00007/LOR',
        'Cliente Hotel Mirador del Moncayo, S.A.',
        'Total factura −24,50 €',
      ]),
    );
    expect(await heard('f1-40-lineas')).toEqual(
      expect.arrayContaining([
        'Suministros Industriales Ibáñez e Hijos, S.L.U.',
        'Tornillo autorroscante DIN 7504-K 4,8 × 25, caja de 500',
      ]),
    );
    expect(await heard('r5-ticket')).toContain('Cruasán de mantequilla, género devuelto −12,54');
  });

  it('marks the headings as those of columns', async () => {
    const { pdf } = await drawSample('f1');
    const objects = [...objectsOf(pdf).values()].join('\n');
    expect(objects.match(/\/Scope \/Column/g)?.length).toBe(8);
  });

  it('omits what is repeated: the table is a single one over all its pages', async () => {
    const { pages } = await readSample('f1-40-lineas');
    // A branch is on the page where something of it is drawn.
    const branches = pages.map(({ structure }) =>
      nodesOf(structure)
        .filter(({ children }) => children?.some(({ type }) => type === 'content'))
        .map(({ role }) => role),
    );
    const count = (page: number, wanted: string) =>
      branches[page]?.filter((role) => role === wanted).length;
    expect(pages.map((_, page) => count(page, 'H1'))).toEqual([1, 0, 0]);
    // Five columns of the lines; three of the rates, with the totals on the last page.
    expect(pages.map((_, page) => count(page, 'TH'))).toEqual([5, 0, 3]);
  });
});

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function pdfHeights(pdf: Uint8Array) {
  return [...objectsOf(pdf).values()].flatMap((text) => [
    ...text.matchAll(/\/MediaBox \[0 0 [\d.]+ ([\d.]+)\]/g),
  ]);
}

/** Pairs of texts whose letters touch. */
function overlaps(pieces: readonly Piece[]): string[] {
  const boxes = pieces.map((piece) => ({ text: piece.text, ...boxOf(piece) }));
  return boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `«${a.text}» and «${b.text}»`),
  );
}

/** From the capitals down to the descenders. */
function boxOf({ left, right, baseline, size }: Piece): Box {
  const em = (size * 25.4) / 72;
  return { left, right, top: baseline - 0.73 * em, bottom: baseline + 0.2 * em };
}

function isInside({ x, y }: { x: number; y: number }, box: Box): boolean {
  return x > box.left && x < box.right && y > box.top && y < box.bottom;
}

/** Everything that is not blank paper, in millimetres from the top left corner. */
function darkPixels({ data, width }: Bitmap, dpi: number): { x: number; y: number }[] {
  const found: { x: number; y: number }[] = [];
  for (let i = 0; i < data.length; i += 4) {
    if ((data[i] ?? 0) > 250) continue;
    const pixel = i / 4;
    const mm = 25.4 / dpi;
    found.push({ x: (pixel % width) * mm, y: Math.floor(pixel / width) * mm });
  }
  return found;
}

/** The figures in the column of amounts between the head and the end of the table. */
function carriedSums({ pieces }: ReadPage) {
  const head = pieces.find(({ text }) => text === 'Importe')?.baseline ?? 0;
  const sigue = pieces.find(({ text }) => text === 'Suma y sigue')?.baseline;
  const anterior = pieces.find(({ text }) => text === 'Suma anterior')?.baseline;
  const totals = pieces.find(({ text }) => text === 'Cuota')?.baseline ?? Number.POSITIVE_INFINITY;
  const end = Math.min(sigue ?? Number.POSITIVE_INFINITY, totals) - 0.1;
  const figures = pieces.filter(
    ({ right, baseline, text }) =>
      Math.abs(right - 192) < 0.1 && baseline > head && /^−?[\d.]+,\d\d$/.test(text),
  );
  const at = (baseline: number | undefined) => {
    const found = figures.find((figure) => Math.abs(figure.baseline - (baseline ?? 0)) < 0.1);
    return found ? cents(found.text) : null;
  };
  return {
    anterior: at(anterior),
    sigue: at(sigue),
    rows: figures
      .filter(({ baseline }) => baseline < end && Math.abs(baseline - (anterior ?? 0)) > 0.1)
      .map(({ text }) => cents(text)),
  };
}

function cents(text: string): bigint {
  return BigInt(text.replace('−', '-').replace(/[.,]/g, ''));
}
