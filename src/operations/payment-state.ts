import type { EstadoPago } from '../contract/payments.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { denialText } from '../payments/response-codes.ts';
import { type ConflictReason, findPaymentByOrderId, type Payment } from '../store/payments.ts';

/**
 * State of a payment, for the page that its payer returns to.
 *
 * @throws {DomainError} NOT_FOUND
 */
export async function readPaymentState(
  { sql }: Pick<Deps, 'sql'>,
  orderId: string,
): Promise<EstadoPago> {
  const payment = await findPaymentByOrderId(sql, orderId);
  if (!payment) throw new DomainError('NOT_FOUND', 'No conocemos ese pedido.');
  return { ...stateOf(payment), tipo: payment.kind };
}

function stateOf({
  status,
  Ds_Response,
  conflictReason,
  unaskedAt,
  closedAt,
}: Payment): Omit<EstadoPago, 'tipo'> {
  switch (status) {
    case 'pending':
      return { estado: 'pendiente' };
    case 'paid':
      return { estado: 'pagado' };
    case 'denied':
      if (closedAt) {
        return { estado: 'denegado', mensaje: 'Hemos revisado este pago: no se te ha cobrado.' };
      }
      return {
        estado: 'denegado',
        mensaje: denialText(Ds_Response ?? ''),
        codigo: Ds_Response ?? '',
      };
    case 'expired':
      if (unaskedAt) {
        return {
          estado: 'pendiente',
          mensaje:
            'No hemos podido confirmar este pago con el banco. No pagues otra vez: te hemos escrito.',
        };
      }
      return {
        estado: 'denegado',
        mensaje: 'El banco no ha confirmado este pago. Si ves el cargo en tu cuenta, escríbenos.',
      };
    case 'mismatch':
      return {
        estado: 'pendiente',
        mensaje: 'Estamos revisando este pago. No pagues otra vez: te escribiremos.',
      };
    case 'conflict':
    case 'refunded':
      if (closedAt) {
        return {
          estado: 'denegado',
          mensaje: 'Hemos revisado este pago y te hemos devuelto el importe.',
        };
      }
      if (conflictReason === 'renovacion-repetida') {
        // What it was for is paid.
        return { estado: 'pagado', mensaje: REFUNDED_BECAUSE[conflictReason] };
      }
      return {
        estado: 'denegado',
        mensaje: conflictReason
          ? REFUNDED_BECAUSE[conflictReason]
          : 'No hemos podido entregarte lo que has pagado, así que te devolvemos el importe.',
        ...(conflictReason && { devuelto: conflictReason }),
      };
  }
}

const REFUNDED_BECAUSE: Readonly<Record<ConflictReason, string>> = {
  'cuenta-existente':
    'Ya existía una cuenta con estos datos, así que te devolvemos el importe. Inicia sesión o recupera tu contraseña.',
  'alta-olvidada':
    'El pago ha llegado cuando ya no guardábamos los datos del alta, así que te devolvemos el importe. Puedes registrarte otra vez.',
  'cuenta-cerrada':
    'La cuenta se eliminó antes de que llegara el pago, así que te devolvemos el importe.',
  'renovacion-repetida':
    'Esta renovación ya estaba pagada: la hemos sumado una sola vez y te devolvemos el importe de este pago.',
};
