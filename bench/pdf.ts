/**
 * B15: the PDF with its QR of an invoice of five lines through the API, against pdfkit drawing the same
 * words bare: no fonts of its own, no tags, no QR. Each download is of another invoice, with texts and amounts
 * that the process has not seen together. Until the answer is there; unpacking it is the browser's. Interleaved, medians.
 *
 *   npm run bench -- B15 [-- --json]
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { Pool } from 'undici';
import { readPdf } from '../src/reading/pdf.ts';
import { insertCustomer } from '../src/store/customers.ts';
import { draftOf, post, SET_FACTURAS } from './registering.ts';
import { openSending } from './sending.ts';
import {
  type BenchCompany,
  customer,
  median,
  openBench,
  percentile,
  printTable,
  seedCompanies,
  startServer,
} from './support.ts';

const { values } = parseArgs({
  options: { vueltas: { type: 'string', default: '120' }, json: { type: 'boolean' } },
});
const ROUNDS = Number(values.vueltas);
const WARM_UP = 60;
const CUSTOMERS = 24;
const WORDS =
  'servicio mantenimiento instalación revisión equipo climatización madera pino roble tornillo zincado caja bote pintura plástica blanca horas oficial primera desplazamiento furgoneta alquiler mensual licencia programa soporte técnico remoto cable red categoría panel luminaria lámpara tubo codo llave paso válvula junta goma silicona sellado hormigón armado acero inoxidable vidrio templado aluminio lacado puerta corredera ventana persiana motor mando garaje'.split(
    ' ',
  );
let seed = 20_261_122;

const bench = await openBench();
const sending = await openSending(bench);
const server = await startServer(bench, 'web');
try {
  const [company] = await seedCompanies(bench, 1, sending.readCertificate);
  if (!company) throw new Error('No company.');
  await insertCustomers(company);
  const http = new Pool(server.url, { connections: 8 });
  const docNos: string[] = [];
  for (let i = 0; i < WARM_UP + ROUNDS; i++) docNos.push(await registerAnother(http, company));
  await sending.drain();

  const ours: number[] = [];
  const bare: number[] = [];
  for (const [round, docNo] of docNos.entries()) {
    let answer: Buffer = Buffer.alloc(0);
    const figure = await timed(async () => {
      answer = await download(http, company.token, docNo);
    });
    const { words } = await readPdf(pdfOf(answer));
    if (words.length < 50) throw new Error('The PDF has no words.');
    const limit = await timed(() => drawBare(words));
    if (round < WARM_UP) continue;
    bare.push(limit);
    ours.push(figure);
  }
  await http.close();
  const figure = median(ours);
  printTable([
    {
      id: 'B15',
      what: 'PDF de una factura de cinco líneas por la API',
      unit: 'ms',
      figure,
      limit: median(bare),
      goal: 2.5,
      isCost: true,
      note: `p99 ${percentile(ours, 0.99).toFixed(1)} ms`,
    },
    { id: 'B15', what: 'lo mismo, p50', unit: 'ms', figure, goal: 15, isCost: true },
  ]);
} finally {
  await server.stop();
  await sending.stop();
  await bench.close();
}

/** With names as varied as real ones. */
async function insertCustomers({ id }: BenchCompany): Promise<void> {
  for (let i = 0; i < CUSTOMERS; i++) {
    const name = `${phrase(2)} ${i}, S.L.`;
    await insertCustomer(bench.sql, id, customer(`C${i}`, name, `Calle ${phrase(2)}, ${i + 1}`));
  }
}

async function registerAnother(http: Pool, company: BenchCompany): Promise<string> {
  const { DocNo } = await post(http, SET_FACTURAS, company.token, {
    ...draftOf(company),
    accionFactura: 1,
    invoiceClient: `C${any(CUSTOMERS)}`,
    invoiceItems: ['IVA21', 'IVA21', 'IVA10', 'IVA21', 'IVA4'].map((tax) => ({
      description: phrase(3 + any(3)),
      quantity: String(1 + any(50)),
      price: `${1 + any(300)},${10 + any(90)}`,
      tax,
      linetype: 0,
    })),
  });
  return DocNo;
}

function phrase(length: number): string {
  const text = Array.from({ length }, () => WORDS[any(WORDS.length)]).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** An integer below `count`, the same in every run. */
function any(count: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * count);
}

/** The answer as it is sent, compressed as for a browser. */
async function download(http: Pool, token: string, docNo: string): Promise<Buffer> {
  const { statusCode, body } = await http.request({
    method: 'POST',
    path: '/api/PostData/DownloadInvoice',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'accept-encoding': 'gzip',
    },
    body: JSON.stringify({ No: docNo }),
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  if (statusCode !== 200) throw new Error(bytes.toString());
  return bytes;
}

/** What the panel does with it. */
function pdfOf(answer: Buffer): Buffer {
  return Buffer.from(JSON.parse(gunzipSync(answer).toString()) as string, 'base64');
}

async function drawBare(words: readonly Word[]): Promise<void> {
  const doc = new PDFDocument({ size: 'A4', margin: 0 });
  const chunks: Uint8Array[] = [];
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = once(doc, 'end');
  doc.fontSize(9);
  for (const { text, x, y } of words) doc.text(text, x * 595, y * 842, { lineBreak: false });
  doc.end();
  await ended;
}

interface Word {
  readonly text: string;
  /** Of the page's width and height. */
  readonly x: number;
  readonly y: number;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
