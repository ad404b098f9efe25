import type { InvoiceDetail } from '../../../../contract/invoices.ts';

/** The address of the customer, if Huella mailed the invoice there and the message has not come back. */
export function mailedTo({
  correoCliente,
  historia,
}: Pick<InvoiceDetail, 'correoCliente' | 'historia'>): string | undefined {
  const wasMailed = historia.some(
    ({ tipo, tono, detalle }) =>
      tipo === 'correo' && tono === 'neutro' && detalle === correoCliente,
  );
  return wasMailed ? correoCliente : undefined;
}
