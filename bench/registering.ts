import type { Pool } from 'undici';
import type { InvoiceDraftInput } from '../src/contract/invoices.ts';
import type { BenchCompany } from './support.ts';

export const SET_FACTURAS = '/api/PostData/SetFacturas';

/** The request that each client repeats, prepared once, because clients share the machine with what they measure. */
const prepared = new WeakMap<BenchCompany, string>();

/** Any answer other than 200. */
export class NotAnswered extends Error {
  override readonly name = 'NotAnswered';
  readonly status: number;

  constructor(status: number, text: string) {
    super(`Answered ${status}: ${text}`);
    this.status = status;
  }
}

/**
 * Registers an invoice of five lines through the API.
 *
 * @throws {NotAnswered}
 */
export async function register(http: Pool, company: BenchCompany): Promise<void> {
  const content =
    prepared.get(company) ?? JSON.stringify({ ...draftOf(company), accionFactura: 1 });
  prepared.set(company, content);
  await answerTo(http, SET_FACTURAS, company.token, content);
}

/** @throws {NotAnswered} */
export async function post(
  http: Pool,
  path: string,
  token: string,
  content: object,
): Promise<{ DocNo: string }> {
  return JSON.parse(await answerTo(http, path, token, JSON.stringify(content)));
}

async function answerTo(http: Pool, path: string, token: string, content: string): Promise<string> {
  const { statusCode, body } = await http.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: content,
  });
  const text = await body.text();
  if (statusCode !== 200) throw new NotAnswered(statusCode, text);
  return text;
}

/** The five lines of every invoice. */
export const LINES = ['IVA21', 'IVA21', 'IVA10', 'IVA21', 'IVA4'].map((tax, i) => ({
  description: `Servicio número ${i + 1} de la prueba`,
  quantity: String(i + 1),
  price: `${10 + i},25`,
  tax,
  linetype: 0,
}));

export function draftOf({ customerNo }: BenchCompany): InvoiceDraftInput {
  return {
    type: 'factura',
    invoiceDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
    invoiceClient: customerNo,
    invoiceItems: LINES,
  };
}
