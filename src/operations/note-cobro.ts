import { randomUUID } from 'node:crypto';
import type { AnotarCobroBody, Cobros } from '../contract/cobros.ts';
import type { Deps } from '../deps.ts';
import {
  accountOf,
  fits,
  isCollected,
  isCriterioDeCaja,
  NO_SE_COBRA,
  problemOfDay,
} from '../domain/cobros.ts';
import { fechaEs } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import type { IssuedInvoice } from '../domain/invoice.ts';
import { absCents, centsToEs, centsToText, parseDecimal, textToCents } from '../domain/money.ts';
import { deleteCobro, hasCobrosBefore, insertCobros } from '../store/cobros.ts';
import { findInvoice, lockInvoices, type StoredInvoice } from '../store/invoices.ts';
import { noteNovedad } from '../store/novedades.ts';
import { markSettled } from '../store/owed.ts';
import { currentScope } from '../store/row-security.ts';
import type { Tx } from '../store/sql.ts';
import { describeOwed, findOwed, type OwedInvoice, todayOf } from './describe-cobros.ts';
import type { Keep } from './keep-answer.ts';
import { noSuchInvoice } from './no-such-invoice.ts';
import { recordEvent } from './record-event.ts';

/**
 * Notes down what was collected of a registered invoice, which itself does not change (decision 0510). Never more than
 * is left: of two at once, the second is compared with what the first has left, also when one is of the invoice that
 * takes the place of the other.
 *
 * @throws {DomainError} NOT_FOUND; CONFLICT for a draft, and when nothing can be collected; BAD_REQUEST with each
 *   wrong field
 */
export async function noteCobro(
  deps: Deps,
  companyId: number,
  asked: AnotarCobroBody,
  keep: Keep<Cobros>,
): Promise<Cobros> {
  const today = await todayOf(deps, companyId);
  const answer = await deps.sql.begin(async (tx) => {
    const invoice = await lockRegistered(tx, companyId, asked.No);
    // Before anything is added up: it lets the cobros of a company in one by one, and one of an original counts for what
    // takes its place.
    await noteNovedad(tx, companyId);
    const owed = await findOwed(tx, companyId, invoice);
    const importe = checkedAmount(owed, asked, today);
    const cobro = {
      id: randomUUID(),
      invoiceId: invoice.id,
      fecha: asked.Fecha,
      importe: centsToText(importe),
      medio: asked.Medio,
      identificacion: asked.Identificacion?.trim() ?? '',
      notedAt: deps.clock(),
      sid: currentScope()?.sid ?? null,
    };
    await insertCobros(tx, companyId, [cobro]);
    const left = await findOwed(tx, companyId, invoice);
    // By its own cobros: what counts from others may be deleted there at any moment, or counted for another (decision
    // 0640).
    const alone = accountOf(left.issued, left.cobros, '0.00');
    const isSettled = isCollected(alone) && !(await hasCobrosBefore(tx, companyId, invoice.id));
    await markSettled(tx, companyId, [invoice.id], { isSettled });
    const noted = describeOwed(left, today);
    await keep(tx, noted);
    return noted;
  });
  deps.news.tell(companyId);
  return answer;
}

/**
 * Takes a cobro off again, whatever has become of its invoice. «Actividad» says so.
 *
 * @throws {DomainError} NOT_FOUND
 */
export async function removeCobro(
  deps: Deps,
  companyId: number,
  { docNo, id }: { readonly docNo: string; readonly id: string },
): Promise<Cobros> {
  const today = await todayOf(deps, companyId);
  const answer = await deps.sql.begin(async (tx) => {
    const invoice = await lockRegistered(tx, companyId, docNo);
    const deleted = await deleteCobro(tx, companyId, invoice.id, id);
    if (!deleted) {
      throw new DomainError('NOT_FOUND', `Ese cobro de la factura ${docNo} ya no existe.`);
    }
    const amount = `${centsToEs(textToCents(deleted.importe))} €`;
    await recordEvent(tx, companyId, {
      kind: 'cobro-eliminado',
      now: deps.clock(),
      detail: `${docNo}: ${amount} del ${fechaEs(deleted.fecha)}`,
    });
    await noteNovedad(tx, companyId);
    await markSettled(tx, companyId, [invoice.id], { isSettled: false });
    return describeOwed(await findOwed(tx, companyId, invoice), today);
  });
  deps.news.tell(companyId);
  return answer;
}

/** @throws {DomainError} NOT_FOUND; CONFLICT for a draft */
async function lockRegistered(
  tx: Tx,
  companyId: number,
  docNo: string,
): Promise<StoredInvoice & { readonly issued: IssuedInvoice }> {
  await lockInvoices(tx, companyId, [docNo]);
  // Read only now: who waited for a correction got the document from before it.
  const invoice = await findInvoice(tx, companyId, docNo);
  if (!invoice) throw noSuchInvoice(docNo);
  const { issued } = invoice;
  if (!issued) {
    throw new DomainError('CONFLICT', 'Un borrador no se cobra: registra antes la factura.');
  }
  return { ...invoice, issued };
}

/** @returns the amount of the cobro, in cents */
function checkedAmount(
  { docNo, issued, cobros, account, closed }: OwedInvoice,
  { Fecha, Importe, Medio }: AnotarCobroBody,
  today: string,
): bigint {
  if (closed) throw new DomainError('CONFLICT', closed);
  const { pendienteCents } = account;
  if (pendienteCents === 0n) {
    throw new DomainError('CONFLICT', `De la factura ${docNo} no queda nada por cobrar.`);
  }
  const isNotCollected = Medio === NO_SE_COBRA;
  if (isNotCollected && cobros.some(({ medio }) => medio === NO_SE_COBRA)) {
    throw new DomainError('CONFLICT', `La factura ${docNo} ya tiene anotado que no se cobra.`);
  }
  const cents = parseDecimal(Importe, 2);
  const wrongDay = problemOfDay(Fecha, issued, today);
  const sentences = [
    ...(wrongDay ? [wrongDay] : []),
    ...(cents === null || cents === 0n || !fits(cents, pendienteCents)
      ? [wrongAmount(cents, pendienteCents)]
      : []),
    ...(isNotCollected && !isCriterioDeCaja(issued)
      ? ['El medio «No se cobra» es solo para facturas con criterio de caja.']
      : []),
  ];
  if (cents === null || sentences.length > 0) throw new DomainError('BAD_REQUEST', sentences);
  return cents;
}

function wrongAmount(cents: bigint | null, pendienteCents: bigint): string {
  if (cents === null) return 'El importe tiene que ser un número de euros, como 1.234,56.';
  if (cents === 0n) return 'El importe no puede ser cero.';
  const left = `${centsToEs(absCents(pendienteCents))} €`;
  if (cents < 0n === pendienteCents < 0n)
    return `El importe no puede pasar de ${left}: es lo que queda.`;
  return pendienteCents < 0n
    ? `El importe tiene que ser negativo: quedan ${left} por devolver.`
    : `El importe tiene que ser positivo: quedan ${left} por cobrar.`;
}
