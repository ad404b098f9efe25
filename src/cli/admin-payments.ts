import { parseArgs } from 'node:util';
import { DomainError } from '../domain/errors.ts';
import { CLOSINGS, type Closing, closePayment } from '../operations/close-payment.ts';
import { noteInvoicedByHand } from '../operations/note-invoiced-by-hand.ts';
import { listPayments } from '../store/administration.ts';
import { PAYMENT_STATUSES, type PaymentStatus } from '../store/payments.ts';
import type { AdminContext } from './admin-commands.ts';
import { onlyWord } from './only-word.ts';
import { moment, table } from './table.ts';

const LIMIT = 200;
const TO_LOOK_AT: readonly PaymentStatus[] = ['conflict', 'mismatch', 'pending'];

/**
 * `pagos` lists the payments that somebody has to look at; `pagos cerrar` closes one by hand, and `pagos facturado`
 * records its invoice.
 */
export async function paymentsCommand(
  args: readonly string[],
  context: AdminContext,
): Promise<void> {
  const [order, ...rest] = args;
  if (order === 'cerrar') await closeOne(rest, context);
  else if (order === 'facturado') await noteInvoice(rest, context);
  else await list(args, context);
}

async function list(args: readonly string[], { sql, print }: AdminContext): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { estado: { type: 'string' } } });
  const status = PAYMENT_STATUSES.find((one) => one === values.estado);
  if (values.estado && !status) {
    throw new DomainError('BAD_REQUEST', `--estado tiene que ser ${PAYMENT_STATUSES.join(', ')}.`);
  }
  const payments = await listPayments(sql, {
    statuses: status ? [status] : TO_LOOK_AT,
    toLookAt: !status,
    limit: LIMIT,
  });
  print(
    table(
      [
        ...['Pedido del banco', 'Pedido', 'Estado', 'Tipo', 'Euros', 'Respuesta', 'NIF', 'Cuándo'],
        ...['Factura', 'Cerrado porque'],
      ],
      payments.map((payment) => [
        payment.dsOrder,
        payment.orderId,
        payment.status,
        payment.kind,
        `${payment.amountCents / 100n},${String(payment.amountCents % 100n).padStart(2, '0')}`,
        payment.Ds_Response ?? '',
        payment.nif ?? '',
        moment(payment.createdAt),
        payment.invoiceNo ?? (payment.invoiceByHandAt ? 'a mano' : ''),
        payment.closedBecause ?? '',
      ]),
    ),
  );
}

async function closeOne(args: readonly string[], { sql, now, print }: AdminContext): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { como: { type: 'string' }, motivo: { type: 'string' }, nif: { type: 'string' } },
  });
  const dsOrder = onlyWord(positionals);
  const closings = Object.keys(CLOSINGS) as Closing[];
  const as = closings.find((one) => one === values.como);
  if (!dsOrder || !as) {
    throw new DomainError(
      'BAD_REQUEST',
      `Di cuál y cómo acabó: pagos cerrar PEDIDO_DEL_BANCO --como ${closings.join('|')} --motivo "TEXTO".`,
    );
  }
  const nif = values.nif?.trim().toUpperCase() ?? null;
  await closePayment(sql, { dsOrder, as, because: values.motivo ?? '', nif }, now);
  print(`Pago ${dsOrder} cerrado: ${CLOSINGS[as].words}.`);
}

async function noteInvoice(
  args: readonly string[],
  { sql, now, print }: AdminContext,
): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { numero: { type: 'string' } },
  });
  const dsOrder = onlyWord(positionals);
  const invoiceNo = values.numero?.trim();
  if (!dsOrder || !invoiceNo) {
    throw new DomainError(
      'BAD_REQUEST',
      'Di cuál y con qué factura: pagos facturado PEDIDO_DEL_BANCO --numero NÚMERO.',
    );
  }
  await noteInvoicedByHand(sql, { dsOrder, invoiceNo }, now);
  print(`Pago ${dsOrder} facturado con el número ${invoiceNo}.`);
}
