import { httpFile } from '../../lib/http.ts';
import type { InvoiceListParams } from '../../lib/queries.ts';
import type { ListFile } from './list-file.ts';

/**
 * The book of issued invoices of the dates of a list, which the server makes. Null when it was stopped.
 *
 * @param signal of whoever stops it
 */
export async function libroFile(
  { range = 'all', desde = '', hasta = '' }: InvoiceListParams,
  signal: AbortSignal,
): Promise<ListFile | null> {
  const query = new URLSearchParams({ range });
  if (desde) query.set('desde', desde);
  if (hasta) query.set('hasta', hasta);
  let invoices = 0;
  try {
    const { file } = await httpFile(`/api/GetData/GetLibroExpedidas?${query}`, {
      signal,
      onPiece: (_, { headers }) => {
        invoices = Number(headers.get('X-Facturas'));
      },
    });
    return { file, invoices };
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
