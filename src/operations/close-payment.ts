import { DomainError } from '../domain/errors.ts';
import { findCompanyByNif } from '../store/companies.ts';
import { closePayment as close, lockPayment, type Payment } from '../store/payments.ts';
import type { Sql } from '../store/sql.ts';
import { recordEvent } from './record-event.ts';

/** What came of a payment according to the bank's own pages, in the words of `npm run admin -- pagos cerrar`. */
export const CLOSINGS = {
  devuelto: { status: 'refunded', words: 'devuelto al cliente' },
  'no-cobrado': { status: 'denied', words: 'no llegó a cobrarse' },
  entregado: { status: 'paid', words: 'cobrado y entregado a mano' },
} as const;
export type Closing = keyof typeof CLOSINGS;

/** Those that no chore can end: nobody knows whether it was paid, or what for, or its refund keeps failing. */
const OPEN: readonly Payment['status'][] = ['mismatch', 'conflict', 'expired'];
/** Younger ones without news may be told of at any moment. */
const OLD_PENDING_MS = 24 * 3_600_000;

export interface PaymentClosing {
  /** `DS_MERCHANT_ORDER`. */
  readonly dsOrder: string;
  readonly as: Closing;
  readonly because: string;
  /** Whose it is, where a first payment has no account of its own. */
  readonly nif: string | null;
}

/**
 * Ends a payment by hand, with the reason in its row and in the company's log. It gives nothing and gives nothing
 * back: the administrator did that, or will. Of one that was delivered, the provider's invoice goes out by itself.
 *
 * @throws {DomainError} NOT_FOUND, BAD_REQUEST, CONFLICT when it waits for nobody's decision
 */
export async function closePayment(sql: Sql, closing: PaymentClosing, now: Date): Promise<Payment> {
  const because = closing.because.trim();
  if (because === '') throw new DomainError('BAD_REQUEST', 'Di por qué: --motivo "TEXTO".');
  const { status, words } = CLOSINGS[closing.as];
  return sql.begin(async (tx) => {
    const payment = await lockPayment(tx, closing.dsOrder);
    if (!payment) throw new DomainError('NOT_FOUND', `No hay ningún pago ${closing.dsOrder}.`);
    const isOld = now.getTime() - payment.createdAt.getTime() >= OLD_PENDING_MS;
    if (!OPEN.includes(payment.status) && !(payment.status === 'pending' && isOld)) {
      throw new DomainError(
        'CONFLICT',
        `El pago ${closing.dsOrder} está «${payment.status}»: solo se cierran los mismatch, los conflict, los expired y los pending de más de un día.`,
      );
    }
    const named = closing.nif === null ? null : await findCompanyByNif(tx, closing.nif);
    if (closing.nif !== null && !named) {
      throw new DomainError('NOT_FOUND', `No hay ninguna cuenta con el NIF ${closing.nif}.`);
    }
    const companyId = payment.companyId ?? named?.id ?? null;
    if (status === 'paid' && companyId === null) {
      throw new DomainError('BAD_REQUEST', 'Di a qué cuenta se le entregó: --nif NIF.');
    }
    await close(tx, payment.dsOrder, { status, companyId, because, now });
    if (companyId !== null) {
      const detail = `${payment.orderId}: ${words}. ${because}`;
      await recordEvent(tx, companyId, { kind: 'pago-cerrado', now, detail });
    }
    return { ...payment, status, companyId };
  });
}
