import type { Lease } from '../store/despachos.ts';
import type { Envio } from '../store/envios.ts';

/** Most invoice numbers in a line of the log. Only what is sent after an outage has more. */
const LOGGED_NUMBERS = 50;

/** The first invoices of a message, for the log. */
export function numbersOf(registros: readonly { readonly NumSerieFactura: string }[]): string[] {
  return registros.slice(0, LOGGED_NUMBERS).map(({ NumSerieFactura }) => NumSerieFactura);
}

/** The fields by which a message is found in the log from the number of an invoice, and the other way round. */
export function nameOf(
  { companyId }: Lease,
  { id, fromSeq, toSeq }: Pick<Envio, 'id' | 'fromSeq' | 'toSeq'>,
) {
  return {
    companyId,
    envioId: String(id),
    fromSeq: String(fromSeq),
    toSeq: String(toSeq),
  };
}
