import type { Pool } from 'undici';
import type { InvoiceDraftInput } from '../src/contract/invoices.ts';
import type { BenchCompany } from './support.ts';

export const SET_FACTURAS = '/api/PostData/SetFacturas';

/** Registers an invoice of five lines through the API. */
export async function register(http: Pool, company: BenchCompany): Promise<void> {
  await post(http, SET_FACTURAS, company.token, { ...draftOf(company), accionFactura: 1 });
}

/** @throws {Error} when the answer is any other than 200 */
export async function post(
  http: Pool,
  path: string,
  token: string,
  content: object,
): Promise<{ DocNo: string }> {
  const { statusCode, body } = await http.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(content),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`Answered ${statusCode}: ${text}`);
  return JSON.parse(text);
}

/** Five lines. */
export function draftOf({ customerNo }: BenchCompany): InvoiceDraftInput {
  const taxes = ['IVA21', 'IVA21', 'IVA10', 'IVA21', 'IVA4'];
  return {
    type: 'factura',
    invoiceDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
    invoiceClient: customerNo,
    invoiceItems: taxes.map((tax, i) => ({
      description: `Servicio número ${i + 1} de la prueba`,
      quantity: String(i + 1),
      price: `${10 + i},25`,
      tax,
      linetype: 0,
    })),
  };
}
