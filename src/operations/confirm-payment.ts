import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { type SignedFields, verifyAnswer } from '../payments/answer.ts';
import { settlePayment } from './settle-payment.ts';

/**
 * Takes a notification of the gateway, whoever brings it: nobody is believed but the signature.
 *
 * @throws {DomainError} BAD_REQUEST when the signature is wrong, or when what it signs is not a
 *   payment that was asked for
 */
export async function confirmPayment(deps: Deps, fields: SignedFields): Promise<void> {
  const verified = verifyAnswer(deps.config.redsys, fields);
  if (!verified.ok) {
    deps.log.warn({ reason: verified.reason }, 'a notification of payment is not believed');
    throw new DomainError('BAD_REQUEST', 'La notificación no es válida.');
  }
  const result = await settlePayment(deps, verified.answer);
  if (result === 'mismatch' || result === 'unknown') {
    throw new DomainError('BAD_REQUEST', 'La notificación no corresponde a ningún pago pedido.');
  }
}
