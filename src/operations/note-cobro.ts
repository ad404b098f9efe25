import { randomUUID } from 'node:crypto';
import { type AnotarCobroBody, type Cobros, MAX_IDENTIFICACION } from '../contract/cobros.ts';
import type { Deps } from '../deps.ts';
import {
  accountOf,
  firstDayOfCobro,
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
import { deleteCobro, findOtherSide, hasCobrosBefore, insertCobros } from '../store/cobros.ts';
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
 * takes the place of the other. What is settled against a credit is noted down of both, or of neither (decision 1050).
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
    const importe = checkedAmount(await findOwed(tx, companyId, invoice), asked, today);
    const note = { asked, importe, now: deps.clock(), id: randomUUID(), settledWith: null };
    if (asked.Abono) {
      const credit = await registered(tx, companyId, asked.Abono);
      assertCredits(credit, asked);
      assertGivesBack(await findOwed(tx, companyId, credit), asked, importe);
      const back = { ...note, importe: -importe, id: randomUUID(), settledWith: note.id };
      await noteOf(tx, companyId, invoice, provenBy(credit, { ...note, settledWith: back.id }));
      await noteOf(tx, companyId, credit, provenBy(invoice, back));
    } else {
      await noteOf(tx, companyId, invoice, note);
    }
    const noted = describeOwed(await findOwed(tx, companyId, invoice), today);
    await keep(tx, noted);
    return noted;
  });
  deps.news.tell(companyId);
  return answer;
}

interface Note {
  readonly asked: AnotarCobroBody;
  /** In cents. */
  readonly importe: bigint;
  readonly now: Date;
  readonly id: string;
  readonly settledWith: string | null;
}

/** What is settled against another invoice is proven by that one's number, unless something else was written. */
function provenBy({ docNo }: Registered, note: Note): Note {
  const isOther = docNo.length <= MAX_IDENTIFICACION && !note.asked.Identificacion?.trim();
  return isOther ? { ...note, asked: { ...note.asked, Identificacion: docNo } } : note;
}

type Registered = StoredInvoice & { readonly issued: IssuedInvoice };

async function noteOf(
  tx: Tx,
  companyId: number,
  invoice: Registered,
  { asked, importe, now, id, settledWith }: Note,
): Promise<void> {
  const cobro = {
    id,
    invoiceId: invoice.id,
    fecha: asked.Fecha,
    importe: centsToText(importe),
    medio: asked.Medio,
    identificacion: asked.Identificacion?.trim() ?? '',
    notedAt: now,
    sid: currentScope()?.sid ?? null,
    settledWith,
  };
  await insertCobros(tx, companyId, [cobro]);
  const left = await findOwed(tx, companyId, invoice);
  // By its own cobros: what counts from others may be deleted there at any moment, or counted for another (decision
  // 0640).
  const alone = accountOf(left.issued, left.cobros, '0.00');
  const isSettled = isCollected(alone) && !(await hasCobrosBefore(tx, companyId, invoice.id));
  await markSettled(tx, companyId, [invoice.id], { isSettled });
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
 * Who settles has the invoice before them, so that what is wrong with its credit says which one it is.
 *
 * @param importe what is noted down of the invoice, in cents
 * @throws {DomainError} CONFLICT, BAD_REQUEST unless that much is given back of the credit on that day
 */
function assertGivesBack(
  { docNo, issued, account, closed }: OwedInvoice,
  { Fecha }: AnotarCobroBody,
  importe: bigint,
): void {
  const { pendienteCents } = account;
  if (closed) {
    throw new DomainError(
      'CONFLICT',
      `El abono ${docNo} ya no se puede compensar: está anulado o lo sustituye otra factura.`,
    );
  }
  if (pendienteCents >= 0n) {
    throw new DomainError('CONFLICT', `Del abono ${docNo} no queda nada por devolver.`);
  }
  const first = firstDayOfCobro(issued);
  if (Fecha < first) {
    throw new DomainError('BAD_REQUEST', [
      `La fecha no puede ser anterior al ${fechaEs(first)}, un año antes del abono ${docNo}.`,
    ]);
  }
  if (!fits(-importe, pendienteCents)) {
    const left = `${centsToEs(absCents(pendienteCents))} €`;
    throw new DomainError('BAD_REQUEST', [
      `El importe no puede pasar de ${left}: es lo que queda por devolver del abono ${docNo}.`,
    ]);
  }
}

/**
 * Takes a cobro off again, whatever has become of its invoice, and with it the other one of the two that were noted down
 * when an invoice was settled against its credit. «Actividad» says so of each.
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
    const other = await findOtherSide(tx, companyId, id);
    await lockInvoices(tx, companyId, other ? [docNo, other.docNo] : [docNo]);
    const invoice = await registered(tx, companyId, docNo);
    if (!(await takeOff(tx, companyId, invoice, id, deps.clock()))) {
      // It may have been a cobro, a devolución or a compensación: nothing says so any more.
      throw new DomainError('NOT_FOUND', `Esa anotación de la factura ${docNo} ya no existe.`);
    }
    if (other) {
      const against = await registered(tx, companyId, other.docNo);
      await takeOff(tx, companyId, against, other.id, deps.clock());
    }
    await noteNovedad(tx, companyId);
    return describeOwed(await findOwed(tx, companyId, invoice), today);
  });
  deps.news.tell(companyId);
  return answer;
}

/** @returns whether it was there */
async function takeOff(
  tx: Tx,
  companyId: number,
  { id: invoiceId, docNo }: Registered,
  id: string,
  now: Date,
): Promise<boolean> {
  const deleted = await deleteCobro(tx, companyId, invoiceId, id);
  if (!deleted) return false;
  const amount = `${centsToEs(textToCents(deleted.importe))} €`;
  await recordEvent(tx, companyId, {
    kind: 'cobro-eliminado',
    now,
    detail: `${docNo}: ${amount} del ${fechaEs(deleted.fecha)}`,
  });
  await markSettled(tx, companyId, [invoiceId], { isSettled: false });
  return true;
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
    const what = account.aCobrarCents < 0n ? 'devolver' : 'cobrar';
    throw new DomainError('CONFLICT', `De la factura ${docNo} no queda nada por ${what}.`);
  }
  const isNotCollected = Medio === NO_SE_COBRA;
  if (isNotCollected && cobros.some(({ medio }) => medio === NO_SE_COBRA)) {
    throw new DomainError('CONFLICT', `La factura ${docNo} ya tiene anotado que no se cobra.`);
  }
  const cents = parseDecimal(Importe, 2);
  const wrongDay = problemOfDay(Fecha, issued, today);
  const sentences = [
    ...(wrongDay ? [wrongDay] : []),
    ...(cents === null || !fits(cents, pendienteCents) ? [wrongAmount(cents, pendienteCents)] : []),
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
