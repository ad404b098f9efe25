import type { Cobros } from '../contract/cobros.ts';
import type { EstadoDeCobro, InvoiceDetail } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import {
  type Account,
  accountOf,
  dueDays,
  isCollected,
  isCriterioDeCaja,
} from '../domain/cobros.ts';
import { isoDateIn, zonaOf } from '../domain/dates.ts';
import type { IssuedInvoice } from '../domain/invoice.ts';
import { centsToNumber, textToCents } from '../domain/money.ts';
import { cobroOf, paidAtOnce } from '../domain/paid-before.ts';
import {
  type Cobro,
  collectedBefore,
  findCollected,
  findReplacing,
  listCobros,
} from '../store/cobros.ts';
import { ours } from '../store/invoice-references.ts';
import { findInvoice, findOriginals, type StoredInvoice } from '../store/invoices.ts';
import { isAnnulled } from '../store/registros.ts';
import type { Tx } from '../store/sql.ts';
import { companyOf } from './company-of.ts';

/** What is owed of an invoice, as it stands. */
export interface OwedInvoice {
  readonly docNo: string;
  readonly issued: IssuedInvoice;
  readonly cobros: readonly Cobro[];
  readonly account: Account;
  /** Why nothing more can be noted down, in a sentence; null if it can be. */
  readonly closed: string | null;
}

/**
 * How far some invoices of a list have been collected, by number: only those of which something was noted down on
 * themselves.
 */
export async function describeCollected(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
  docNos: readonly string[],
): Promise<Map<string, EstadoDeCobro>> {
  const found = await findCollected(sql, companyId, docNos);
  const before = await collectedBeforeOf(sql, companyId, found);
  return new Map(
    found.map(({ id, docNo, collected, ...issued }) => {
      const noted = [{ importe: collected, medio: '01' as const }];
      const account = accountOf(issued, noted, before(id));
      return [docNo, isCollected(account) ? 'Cobrada' : 'Cobrada en parte'];
    }),
  );
}

/** What is owed of an invoice; nothing for a draft. */
export async function describeCobros(
  deps: Deps,
  companyId: number,
  invoice: StoredInvoice,
): Promise<{ readonly cobros?: Cobros }> {
  const { issued } = invoice;
  if (!issued) return {};
  const [owed, today] = await Promise.all([
    findOwed(deps.sql, companyId, { ...invoice, issued }),
    todayOf(deps, companyId),
  ]);
  return { cobros: describeOwed(owed, today) };
}

/** More credits of one invoice, or invoices of one credit, than anybody settles by hand. */
const MOST_CREDITS = 20;

/** Of the rectificativas of an invoice of which something is left to collect, those that give something back. */
export async function describeCredits(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
  { cobros }: { readonly cobros?: Cobros },
  rectificativas: readonly string[],
): Promise<Pick<InvoiceDetail, 'abonos'>> {
  if (!cobros || cobros.pendiente <= 0 || rectificativas.length === 0) return {};
  const found = await Promise.all(
    rectificativas.slice(-MOST_CREDITS).map(async (docNo) => {
      const invoice = await findInvoice(sql, companyId, docNo);
      if (invoice?.issued?.tipoRectificativa !== 'I') return null;
      return findOwed(sql, companyId, { ...invoice, issued: invoice.issued });
    }),
  );
  const abonos = found
    .filter((owed) => owed !== null)
    .filter(({ account, closed }) => !closed && account.pendienteCents < 0n)
    .map(({ docNo, account }) => ({
      DocNo: docNo,
      pendiente: centsToNumber(account.pendienteCents),
    }));
  return abonos.length > 0 ? { abonos } : {};
}

/** Of a credit of which something is left to give back, the invoices against which it may be settled. */
export async function describeCredited(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
  { issued }: StoredInvoice,
  { cobros }: { readonly cobros?: Cobros },
): Promise<Pick<InvoiceDetail, 'descontableDe'>> {
  if (issued?.tipoRectificativa !== 'I' || !cobros || cobros.pendiente >= 0) return {};
  const found = await Promise.all(
    ours(issued.rectifies)
      .slice(-MOST_CREDITS)
      .map(async (docNo) => {
        const invoice = await findInvoice(sql, companyId, docNo);
        if (!invoice?.issued) return null;
        return findOwed(sql, companyId, { ...invoice, issued: invoice.issued });
      }),
  );
  const descontableDe = found
    .filter((owed) => owed !== null)
    .filter(({ account, closed }) => !closed && account.pendienteCents > 0n)
    .map(({ docNo }) => docNo);
  return descontableDe.length > 0 ? { descontableDe } : {};
}

/** The day where the company is. */
export async function todayOf(deps: Deps, companyId: number): Promise<string> {
  const { postCode, countryCode } = await companyOf(deps, companyId);
  return isoDateIn(deps.clock(), zonaOf(postCode, countryCode));
}

/** @param invoice a registered one */
export async function findOwed(
  tx: Tx,
  companyId: number,
  invoice: StoredInvoice & { readonly issued: IssuedInvoice },
): Promise<OwedInvoice> {
  const { id, docNo, issued } = invoice;
  const [cobros, replacing, before, annulled] = await Promise.all([
    listCobros(tx, companyId, id),
    findReplacing(tx, companyId, docNo),
    collectedBeforeOf(tx, companyId, [{ ...issued, id }]),
    isAnnulled(tx, companyId, invoice),
  ]);
  return {
    docNo,
    issued,
    cobros,
    account: accountOf(issued, cobros, before(id)),
    closed: annulled ? ANNULLED : replacing && replacedBy(replacing),
  };
}

type Replaces = Pick<
  IssuedInvoice,
  'pagado' | 'sustituye' | 'tipoFactura' | 'tipoRectificativa'
> & { readonly id: bigint };

/**
 * What was collected of the invoices that each of some invoices replaces, in decimal text. Tickets that were paid at once
 * are taken off the paper of the F3 that replaces them, so what was noted down of those would count twice.
 */
export async function collectedBeforeOf(
  tx: Tx,
  companyId: number,
  invoices: readonly Replaces[],
): Promise<(id: bigint) => string> {
  const replacing = invoices.filter(
    ({ tipoFactura, tipoRectificativa }) => tipoRectificativa === 'S' || tipoFactura === 'F3',
  );
  const tickets = await findOriginals(
    tx,
    companyId,
    replacing.flatMap(({ pagado, sustituye }) => (pagado ? ours(sustituye) : [])),
  );
  const collected = await collectedBefore(
    tx,
    companyId,
    replacing.map(({ id, pagado, sustituye }) => ({
      id,
      paidAtOnce: pagado ? paidAmong(ours(sustituye), tickets) : [],
    })),
  );
  return (id) => collected.get(id) ?? '0.00';
}

function paidAmong(
  numbers: readonly string[],
  tickets: ReadonlyMap<string, StoredInvoice>,
): readonly string[] {
  const originals = numbers.flatMap((numSerie) => {
    const issued = tickets.get(numSerie)?.issued;
    return issued ? [{ numSerie, cobro: cobroOf(issued), corrige: ours(issued.rectifies) }] : [];
  });
  return [...paidAtOnce(originals)];
}

const ANNULLED = 'Está anulada: no hay nada que cobrar.';

const replacedBy = (docNo: string) =>
  `La sustituye la factura ${docNo}: lo cobrado aquí cuenta en ella, y lo que falte se anota allí.`;

/** @param today `YYYY-MM-DD`, for what is overdue */
export function describeOwed(
  { docNo, issued, cobros, account, closed }: OwedInvoice,
  today: string,
): Cobros {
  const { aCobrarCents, antesCents, cobradoCents, pendienteCents } = account;
  const { vencidaDesde, vence } = dueDays(issued.vencimientos, account, today);
  return {
    DocNo: docNo,
    aCobrar: centsToNumber(aCobrarCents),
    ...(antesCents !== 0n && { cobradoAntes: centsToNumber(antesCents) }),
    cobrado: centsToNumber(cobradoCents),
    pendiente: closed ? 0 : centsToNumber(pendienteCents),
    ...(vencidaDesde && !closed && { vencidaDesde }),
    ...(vence && !closed && { vence }),
    ...(closed && { cerrado: closed }),
    criterioDeCaja: isCriterioDeCaja(issued),
    lista: cobros.map(({ id, fecha, importe, medio, identificacion, settledAgainst }) => ({
      id,
      Fecha: fecha,
      Importe: centsToNumber(textToCents(importe)),
      Medio: medio,
      ...(identificacion && { Identificacion: identificacion }),
      ...(settledAgainst && { CompensadoCon: settledAgainst }),
    })),
  };
}
