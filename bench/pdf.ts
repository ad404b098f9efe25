/**
 * B15: the PDF with its QR of an invoice of five lines through the API, against pdfkit drawing the same
 * words bare: no fonts of its own, no tags, no QR. Interleaved, medians.
 *
 *   npm run bench -- B15 [-- --json]
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import PDFDocument from 'pdfkit';
import { readPdf } from '../src/reading/pdf.ts';
import { openSending } from './sending.ts';
import {
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
const WARM_UP = 30;

const bench = await openBench();
const sending = await openSending(bench);
const server = await startServer(bench, 'web');
try {
  const [company] = await seedCompanies(bench, 1, sending.readCertificate);
  if (!company) throw new Error('No company.');
  await sending.register(company, 1, 5);
  await sending.drain();
  const [invoice] = await bench.sql<{ docNo: string }[]>`
    select doc_no as "docNo" from invoices where company_id = ${company.id}`;
  const download = () => downloadPdf(company.token, invoice?.docNo ?? '');
  const { words } = await readPdf(await download());
  if (words.length < 50) throw new Error('The PDF has no words.');

  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const limit = await timed(() => drawBare(words));
    const figure = await timed(download);
    if (round < 0) continue;
    bare.push(limit);
    ours.push(figure);
  }
  const figure = median(ours);
  printTable([
    {
      ...{ id: 'B15', what: 'PDF de una factura de cinco líneas por la API', unit: 'ms' },
      ...{ figure, limit: median(bare), goal: 2.5, isCost: true },
      note: `p99 ${percentile(ours, 0.99).toFixed(1)} ms`,
    },
    { id: 'B15', what: 'lo mismo, p50', unit: 'ms', figure, goal: 15, isCost: true },
  ]);
} finally {
  await server.stop();
  await sending.stop();
  await bench.close();
}

async function downloadPdf(token: string, docNo: string): Promise<Buffer> {
  const answer = await fetch(`${server.url}/api/PostData/DownloadInvoice`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ No: docNo }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return Buffer.from((await answer.json()) as string, 'base64');
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
