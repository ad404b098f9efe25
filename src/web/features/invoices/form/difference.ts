import type { FacturaEmitida } from '../../../../contract/invoices.ts';
import { numbersNamed } from '../../../../domain/invoice.ts';
import { parseDecimal } from '../../../../domain/money.ts';
import type { DraftState } from './draft-state.ts';

/** Amounts of an invoice, in cents. */
export interface Figures {
  readonly base: bigint;
  /** Our tax and, for a sale through the OSS, another State's. */
  readonly tax: bigint;
  readonly total: bigint;
}

type Rectifying = Pick<
  DraftState,
  | 'invoiceToRectify'
  | 'tipoRectificativa'
  | 'baseRectificada'
  | 'cuotaRectificada'
  | 'recargoRectificado'
>;

/** The amounts of all the rectified invoices together; null while those of one of them are not known. */
export function beforeOf(state: Rectifying, found: readonly FacturaEmitida[]): Figures | null {
  const byNumber = new Map(found.map((invoice) => [invoice.DocNo, invoice]));
  const numbers = [...new Set(numbersNamed(state.invoiceToRectify))];
  const ours = numbers.flatMap((number) => byNumber.get(number) ?? []);
  const others = ours.length < numbers.length ? typedBefore(state) : NOTHING;
  return others && ours.map(figuresOf).reduce((sum, figures) => add(sum, figures, 1n), others);
}

const NOTHING: Figures = { base: 0n, tax: 0n, total: 0n };

function figuresOf(invoice: FacturaEmitida): Figures {
  return {
    base: cents(invoice.base),
    tax: cents(invoice.cuota) + cents(invoice.recargo) + cents(invoice.cuotaDestino ?? 0),
    total: cents(invoice.total),
  };
}

/** For invoices of another program: their amounts together, as the user states them. */
function typedBefore(state: Rectifying): Figures | null {
  const base = parseDecimal(state.baseRectificada || 'x', 2);
  const cuota = parseDecimal(state.cuotaRectificada || 'x', 2);
  if (base === null || cuota === null || state.tipoRectificativa !== 'S') return null;
  const tax = cuota + (parseDecimal(state.recargoRectificado || '0', 2) ?? 0n);
  return { base, tax, total: base + tax };
}

/** An amount of the contract, a JSON number with two decimals at most. */
function cents(amount: number): bigint {
  return parseDecimal(amount, 2) ?? 0n;
}

export function add(a: Figures, b: Figures, sign: 1n | -1n): Figures {
  return {
    base: a.base + sign * b.base,
    tax: a.tax + sign * b.tax,
    total: a.total + sign * b.total,
  };
}
