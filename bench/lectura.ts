/**
 * How well uploaded invoices are read: `npm run bench:lectura [-- facturas-por-maqueta [clases…]]`.
 *
 * Invoices of known content are drawn by the layouts of `tests/reading`, apart those that the reader
 * was tuned with and those that it was not, as PDF with text, as scans and as photographs. A field
 * counts as right when it is exactly what was printed, the amounts to the cent.
 */
import sharp, { type Sharp } from 'sharp';
import { drawPages } from '../src/reading/pdf.ts';
import { readDocument } from '../src/reading/read-document.ts';
import type { DocumentReading } from '../src/reading/shapes.ts';
import { drawPdf, type Layout } from '../tests/reading/draw.ts';
import { HELD_OUT } from '../tests/reading/held-out-layouts.ts';
import { type Sample, sampleOf } from '../tests/reading/invoice-sample.ts';
import { LAYOUTS } from '../tests/reading/layouts.ts';

const FIELDS = [
  ...['numero', 'fecha', 'nifEmisor', 'nombreEmisor', 'nifCliente', 'nombreCliente'],
  ...['direccionCliente', 'baseImponible', 'cuotaIVA', 'retencion', 'total'],
] as const;
type Field = (typeof FIELDS)[number];

interface Count {
  right: number;
  wrong: number;
  missed: number;
}

/** What is made of a sheet, as the bytes that somebody would upload. */
const KINDS: Readonly<Record<string, (pdf: Buffer) => Promise<Buffer>>> = {
  'PDF con texto': async (pdf) => pdf,
  'escaneo 300 ppp': (pdf) => picture(pdf, 300, (page) => page.png()),
  'escaneo 150 ppp': (pdf) => picture(pdf, 150, (page) => page.jpeg({ quality: 60 })),
  'torcido y con ruido': (pdf) =>
    picture(pdf, 200, (page) =>
      page
        .rotate(1.6, { background: '#eee' })
        .composite([{ input: NOISE, raw: NOISE_SIZE, tile: true, blend: 'multiply' }])
        .jpeg({ quality: 65 }),
    ),
  'foto inclinada': (pdf) =>
    picture(pdf, 220, (page) =>
      page
        .affine([1, 0.035, -0.02, 0.97], { background: '#b8b0a4' })
        .linear(0.8, 10)
        .blur(0.7)
        .jpeg({ quality: 70 }),
    ),
};

const NOISE_SIZE = { width: 512, height: 512, channels: 1 as const };
const NOISE = Buffer.from(
  Array.from(
    { length: 512 * 512 },
    (_, i) => 255 - ((Math.imul(i + 1, 2_654_435_761) >>> 24) % 60),
  ),
);

const [, , count = '5', ...chosen] = process.argv;
for (const [title, layouts] of [
  ['Maquetas de ajuste', LAYOUTS],
  ['Maquetas reservadas', HELD_OUT],
] as const) {
  for (const [kind, make] of Object.entries(KINDS)) {
    if (chosen.length > 0 && !chosen.some((word) => kind.includes(word))) continue;
    await measure(`${title}, ${kind}`, layouts, make);
  }
}

async function measure(
  title: string,
  layouts: Readonly<Record<string, Layout>>,
  make: (pdf: Buffer) => Promise<Buffer>,
): Promise<void> {
  const counts = new Map<Field, Count>(FIELDS.map((f) => [f, { right: 0, wrong: 0, missed: 0 }]));
  const lines = { right: 0, all: 0 };
  let [silent, read, pages, seconds] = [0, 0, 0, 0];
  const isText = title.endsWith('texto');
  for (const [name, layout] of Object.entries(layouts)) {
    for (let seed = 1; seed <= Number(count); seed += 1) {
      const sample = sampleOf(seed + name.length * 100);
      // A picture has one page.
      if (!isText && sample.lines.length > 20) continue;
      const file = await make(await drawPdf(layout, sample));
      const start = performance.now();
      const found = await readDocument(file, { ownNif: sample.issuer.nif, today: '2026-11-20' });
      seconds += (performance.now() - start) / 1000;
      pages += found.paginas;
      const misread = judge(sample, found, counts);
      silent += misread.silent;
      read += misread.read;
      lines.all += sample.lines.length;
      lines.right += sample.lines.filter((line, i) => isSameLine(line, found.lineas[i])).length;
      if (process.env.VERBOSE) {
        const got = found.lineas.filter((line, i) => isSameLine(sample.lines[i], line)).length;
        console.log(name, seed, misread.what.join(' | '), `${got}/${sample.lines.length}`);
      }
    }
  }
  print(title, counts);
  console.log(
    `  líneas exactas ${percent(lines.right, lines.all)} · error silencioso (confianza ≥ 0,9) ${percent(silent, read)} · ${(seconds / Math.max(1, pages)).toFixed(2)} s por página\n`,
  );
}

function judge(sample: Sample, { campos }: DocumentReading, counts: Map<Field, Count>) {
  const expected: Record<Field, string> = {
    numero: sample.number,
    fecha: sample.date,
    nifEmisor: sample.issuer.nif,
    nombreEmisor: sample.issuer.name,
    nifCliente: sample.client.nif,
    nombreCliente: sample.client.name,
    direccionCliente: `${sample.client.street}, ${sample.client.town}`,
    baseImponible: String(sample.baseCents),
    cuotaIVA: String(sample.quotaCents),
    retencion: sample.irpf ? String(sample.irpfCents) : '',
    total: String(sample.totalCents),
  };
  const what: string[] = [];
  let [silent, read] = [0, 0];
  for (const [field, value] of Object.entries(expected) as [Field, string][]) {
    const campo = campos[field];
    const got = campo ? String(campo.valor) : '';
    const tally = counts.get(field) as Count;
    if (campo) read += 1;
    if (got === value) {
      if (value) tally.right += 1;
      continue;
    }
    what.push(`${field}: ${got} ≠ ${value}`);
    if (got) tally.wrong += 1;
    if (value) tally.missed += 1;
    if (campo && campo.confianza >= 0.9) silent += 1;
  }
  return { silent, read, what };
}

function isSameLine(
  line: Sample['lines'][number] | undefined,
  read: DocumentReading['lineas'][number] | undefined,
): boolean {
  return (
    line !== undefined &&
    read?.description === line.description &&
    Number(read.quantity) === line.quantity &&
    Math.round(Number(read.price) * 100) === line.priceCents &&
    read.totalCents === BigInt(line.totalCents)
  );
}

function print(title: string, counts: ReadonlyMap<Field, Count>): void {
  console.log(title);
  const all: Count = { right: 0, wrong: 0, missed: 0 };
  for (const [field, one] of counts) {
    all.right += one.right;
    all.wrong += one.wrong;
    all.missed += one.missed;
    row(field, one);
  }
  row('TODOS', all);
}

function row(name: string, { right, wrong, missed }: Count): void {
  const f1 = percent(2 * right, 2 * right + wrong + missed);
  console.log(
    `  ${name.padEnd(18)} precisión ${percent(right, right + wrong)}  cobertura ${percent(right, right + missed)}  F1 ${f1}`,
  );
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '    –' : (part / whole).toFixed(3);
}

/** The first page drawn and spoiled. */
async function picture(pdf: Buffer, dpi: number, spoil: (page: Sharp) => Sharp): Promise<Buffer> {
  for await (const { data, width, height } of drawPages(pdf, dpi)) {
    const png = await sharp(data, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer();
    return spoil(sharp(png)).toBuffer();
  }
  throw new Error('The sheet has no page.');
}
