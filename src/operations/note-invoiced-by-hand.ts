import { DomainError } from '../domain/errors.ts';
import { lockPayment, markInvoiced } from '../store/payments.ts';
import type { Sql } from '../store/sql.ts';
import { recordEvent } from './record-event.ts';

/**
 * Records the invoice that somebody made by hand for a payment which the provider does not invoice automatically.
 *
 * Recording it again corrects the number.
 *
 * @throws {DomainError} NOT_FOUND; CONFLICT when it was not paid, or is invoiced automatically
 */
export async function noteInvoicedByHand(
  sql: Sql,
  { dsOrder, invoiceNo }: { readonly dsOrder: string; readonly invoiceNo: string },
  now: Date,
): Promise<void> {
  await sql.begin(async (tx) => {
    const payment = await lockPayment(tx, dsOrder);
    if (!payment) throw new DomainError('NOT_FOUND', `No hay ningún pago ${dsOrder}.`);
    if (payment.status !== 'paid') {
      throw new DomainError('CONFLICT', `El pago ${dsOrder} está «${payment.status}».`);
    }
    if (payment.invoiceByHandAt === null) {
      throw new DomainError(
        'CONFLICT',
        payment.invoiceNo === null
          ? `El pago ${dsOrder} no está entre los que se facturan a mano.`
          : `El pago ${dsOrder} ya tiene factura: ${payment.invoiceNo}.`,
      );
    }
    await markInvoiced(tx, dsOrder, invoiceNo);
    if (payment.companyId !== null) {
      const detail = `${payment.orderId}: facturado con el número ${invoiceNo}`;
      await recordEvent(tx, payment.companyId, { kind: 'pago-cerrado', now, detail });
    }
  });
}
