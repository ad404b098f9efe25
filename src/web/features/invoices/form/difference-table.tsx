import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { parseDecimal } from '../../../../domain/money.ts';
import { facturasEmitidasQuery } from '../api.ts';
import classes from './difference-table.module.css';
import type { DraftState } from './draft-state.ts';
import type { DraftTotals } from './draft-totals.ts';
import { figure } from './totals-block.tsx';

/** Amounts of an invoice, in cents. */
interface Figures {
  readonly base: bigint;
  /** Ours and, of a sale through the OSS, another State's. */
  readonly tax: bigint;
  readonly total: bigint;
}

/**
 * What the rectified invoice said, what stands after this one, and the difference, which is what goes
 * to the AEAT por diferencias and what the client gets back either way.
 */
export function DifferenceTable({ state, totals }: { state: DraftState; totals: DraftTotals }) {
  const number = state.invoiceToRectify.trim();
  const { data, isPlaceholderData } = useQuery({
    ...facturasEmitidasQuery({ numeros: [number] }),
    enabled: number !== '',
    placeholderData: keepPreviousData,
  });
  if (state.type !== 'abono' || number === '' || isPlaceholderData || data === undefined)
    return null;
  const [original] = data;
  const before = original
    ? {
        base: cents(original.base),
        tax: cents(original.cuota) + cents(original.recargo) + cents(original.cuotaDestino ?? 0),
        total: cents(original.total),
      }
    : typedBefore(state);
  if (!before) return null;

  const written = {
    base: totals.baseCents,
    tax: totals.ivaDestino.reduce(
      (tax, { cuotaCents }) => tax + cuotaCents,
      totals.vatCents + totals.recargoCents,
    ),
    total: totals.totalCents,
  };
  const isReplacing = state.tipoRectificativa === 'S';
  const after = isReplacing ? written : add(before, written, 1n);
  const difference = isReplacing ? add(written, before, -1n) : written;
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <caption className={classes.caption}>Qué cambia en la factura {number}, en euros</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">Base</th>
            <th scope="col">Impuestos</th>
            <th scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          <Row name="Antes" figures={before} />
          <Row name="Después" figures={after} />
          <Row name="Diferencia" figures={difference} isStrong />
        </tbody>
      </table>
    </div>
  );
}

function Row({
  name,
  figures,
  isStrong = false,
}: {
  readonly name: string;
  readonly figures: Figures;
  readonly isStrong?: boolean;
}) {
  return (
    <tr data-strong={isStrong || undefined}>
      <th scope="row">{name}</th>
      <td>{figure(figures.base)}</td>
      <td>{figure(figures.tax)}</td>
      <td>{figure(figures.total)}</td>
    </tr>
  );
}

/** Of an invoice of another program, what the person says that it said. */
function typedBefore(state: DraftState): Figures | null {
  const base = parseDecimal(state.baseRectificada || 'x', 2);
  const cuota = parseDecimal(state.cuotaRectificada || 'x', 2);
  if (base === null || cuota === null || state.tipoRectificativa !== 'S') return null;
  const tax = cuota + (parseDecimal(state.recargoRectificado || '0', 2) ?? 0n);
  return { base, tax, total: base + tax };
}

/** An amount of the contract, a JSON number of two decimals at most. */
function cents(amount: number): bigint {
  return parseDecimal(amount, 2) ?? 0n;
}

function add(a: Figures, b: Figures, sign: 1n | -1n): Figures {
  return {
    base: a.base + sign * b.base,
    tax: a.tax + sign * b.tax,
    total: a.total + sign * b.total,
  };
}
