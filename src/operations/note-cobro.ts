import { randomUUID } from 'node:crypto';
import { type AnotarCobroBody, type Cobros, MAX_IDENTIFICACION } from '../contract/cobros.ts';
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
 * takes the place of the other. What is settled against a credit is noted down of both, or of neither.
 *
 * @throws {DomainError} NOT_FOUND; CONFLICT for a draft, and when nothing can be collected; BAD_REQUEST with each
 *   wrong field, and for a credit of another invoice
 */
export async function noteCobro(
  deps: Deps,
  companyId: number,
  asked: AnotarCobroBody,
  keep: Keep<Cobros>,
): Promise<Cobros> {
  const today = await todayOf(deps, companyId);
  const answer = await deps.sql.begin(async (tx) => {
    const numbers = asked.Abono ? [asked.No, asked.Abono] : [asked.No];
    await lockInvoices(tx, companyId, numbers);
    const invoice = await registered(tx, companyId, asked.No);
    // Before anything is added up: it lets the cobros of a company in one by one, and one of an original counts for what
    // takes its place.
    await noteNovedad(tx, companyId);
    const by = { today, now: deps.clock() };
    const importe = await noteOf(tx, companyId, invoice, provenBy(asked.Abono, asked), by);
    if (asked.Abono) {
      const credit = await registered(tx, companyId, asked.Abono);
      assertCredits(credit, asked);
      const back = { ...asked, Importe: centsToText(-importe) };
      await noteOf(tx, companyId, credit, provenBy(asked.No, back), by);
    }
    const noted = describeOwed(await findOwed(tx, companyId, invoice), today);
    await keep(tx, noted);
    return noted;
  });
  deps.news.tell(companyId);
  return answer;
}

/** What is settled against another invoice is proven by that one's number, unless something else was written. */
function provenBy(docNo: string | undefined, asked: AnotarCobroBody): AnotarCobroBody {
  const isOther = docNo && docNo.length <= MAX_IDENTIFICACION && !asked.Identificacion?.trim();
  return isOther ? { ...asked, Identificacion: docNo } : asked;
}

type Registered = StoredInvoice & { readonly issued: IssuedInvoice };

/** @returns what was noted down of the invoice, in cents */
async function noteOf(
  tx: Tx,
  companyId: number,
  invoice: Registered,
  asked: AnotarCobroBody,
  { today, now }: { readonly today: string; readonly now: Date },
): Promise<bigint> {
  const importe = checkedAmount(await findOwed(tx, companyId, invoice), asked, today);
  const cobro = {
    id: randomUUID(),
    invoiceId: invoice.id,
    fecha: asked.Fecha,
    importe: centsToText(importe),
    medio: asked.Medio,
    identificacion: asked.Identificacion?.trim() ?? '',
    notedAt: now,
    sid: currentScope()?.sid ?? null,
  };
  await insertCobros(tx, companyId, [cobro]);
  const left = await findOwed(tx, companyId, invoice);
  // By its own cobros: what counts from others may be deleted there at any moment, or counted for another (decision
  // 0640).
  const alone = accountOf(left.issued, left.cobros, '0.00');
  const isSettled = isCollected(alone) && !(await hasCobrosBefore(tx, companyId, invoice.id));
  await markSettled(tx, companyId, [invoice.id], { isSettled });
  return importe;
}

/** @throws {DomainError} BAD_REQUEST unless the credit rectifies that invoice by difference, and is given back */
function assertCredits({ docNo, issued }: Registered, { No, Medio }: AnotarCobroBody): void {
  const isOfIt = issued.rectifies.some(({ numSerie, externa }) => !externa && numSerie === No);
  if (!isOfIt || issued.tipoRectificativa !== 'I') {
    throw new DomainError(
      'BAD_REQUEST',
      `La factura ${docNo} no es un abono de la ${No}: solo se compensa una factura con el suyo.`,
    );
  }
  if (Medio === NO_SE_COBRA) {
    throw new DomainError('BAD_REQUEST', 'Lo que no se cobra no se compensa: elige otro medio.');
  }
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
    await lockInvoices(tx, companyId, [docNo]);
    const invoice = await registered(tx, companyId, docNo);
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

/**
 * Reads one that is locked. Only now: who waited for a correction got the document from before it.
 *
 * @throws {DomainError} NOT_FOUND; CONFLICT for a draft
 */
async function registered(tx: Tx, companyId: number, docNo: string): Promise<Registered> {
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
