import { randomUUID } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { accountOf, isCollected, medioOf } from '../../domain/cobros.ts';
import { addDays, isoDateIn } from '../../domain/dates.ts';
import type { IssuedInvoice } from '../../domain/invoice.ts';
import { centsToText, textToCents } from '../../domain/money.ts';
import { type CobroToNote, insertCobros } from '../../store/cobros.ts';
import { invoicesAfter } from '../../store/invoices.ts';
import { markSettled } from '../../store/owed.ts';
import type { Dice } from './people.ts';

const AT_ONCE = 500;
/** A company with more invoices is paid better, so that what it is owed can still be looked through. */
const PAID_ALIKE = 6000;

/**
 * Notes down what was collected of a company's invoices, none of which replaces another: most of the older ones, and
 * some of those that are not due yet. Several at once, which one by one would take hours for a million.
 */
export async function collect(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  dice: Dice,
): Promise<void> {
  const now = clock();
  const today = isoDateIn(now, 'Europe/Madrid');
  const [counted] = await sql<{ count: number }[]>`
    select count(*)::int as count from invoices where company_id = ${companyId}`;
  const share = Math.min(1, PAID_ALIKE / (counted?.count ?? 1));
  for (let after = 0n; ; ) {
    const page = await invoicesAfter(sql, companyId, after, AT_ONCE);
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
    const noted: CobroToNote[] = [];
    const settled: bigint[] = [];
    for (const { id, status, tipoFactura, issued } of page) {
      if (!issued || status !== 'Registrada' || tipoFactura === 'F2') continue;
      const cobros = cobrosOf(issued, dice, today, share).map(({ fecha, cents }) => ({
        id: randomUUID(),
        invoiceId: id,
        fecha,
        importe: centsToText(cents),
        medio: medioOf(issued.formaPago),
        identificacion: '',
        notedAt: now,
        sid: null,
        settledWith: null,
      }));
      noted.push(...cobros);
      if (cobros.length > 0 && isCollected(accountOf(issued, cobros, '0.00'))) settled.push(id);
    }
    await sql.begin(async (tx) => {
      await insertCobros(tx, companyId, noted);
      await markSettled(tx, companyId, settled, { isSettled: true });
    });
  }
}

interface Part {
  readonly fecha: string;
  readonly cents: bigint;
}

/** @param share of those that a small company is owed */
function cobrosOf(
  { payable, vencimientos, fechaExpedicion }: IssuedInvoice,
  dice: Dice,
  today: string,
  share: number,
): readonly Part[] {
  const cents = textToCents(payable);
  if (cents === 0n) return [];
  const due = vencimientos.at(-1)?.fecha ?? fechaExpedicion;
  const isOwed = dice.roll() < owedAmong(due, today) * share;
  const isInParts = dice.roll() < 0.25;
  const fecha = between(fechaExpedicion, addDays(due, dice.int(-12, 6)), today);
  if (!isInParts) return isOwed ? [] : [{ fecha, cents }];
  const first = { fecha: between(fechaExpedicion, addDays(due, -20), fecha), cents: cents / 2n };
  if (first.cents === 0n) return [];
  return isOwed ? [first] : [first, { fecha, cents: cents - first.cents }];
}

/** How many of the invoices that fall due on a day have not been paid. */
function owedAmong(due: string, today: string): number {
  if (due >= today) return 0.8;
  return due >= addDays(today, -60) ? 0.25 : 0.01;
}

function between(first: string, day: string, last: string): string {
  if (day < first) return first;
  return day > last ? last : day;
}
