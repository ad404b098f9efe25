import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { verifyAnswer } from '../payments/answer.ts';
import type { SignedParameters } from '../payments/form.ts';
import { settlePayment } from './settle-payment.ts';

/**
 * Handles a notification of the gateway, whoever delivers it: only the signature is trusted.
 *
 * @throws {DomainError} BAD_REQUEST when the signature is wrong, or when it signs a payment that nobody asked for
 */
export async function confirmPayment(deps: Deps, fields: SignedParameters): Promise<void> {
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
