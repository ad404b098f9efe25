import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { numbersNamed } from '../../../../domain/invoice.ts';
import { facturasEmitidasQuery } from '../api.ts';
import { add, beforeOf, type Figures } from './difference.ts';
import classes from './difference-table.module.css';
import type { DraftState } from './draft-state.ts';
import type { DraftTotals } from './draft-totals.ts';
import { figure } from './totals-block.tsx';

/**
 * The amounts of the rectified invoices, the amounts after this one, and the difference. With an abono por diferencias,
 * the difference is what goes to the AEAT; with either method, it is what the client gets back.
 */
export function DifferenceTable({ state, totals }: { state: DraftState; totals: DraftTotals }) {
  const numbers = numbersNamed(state.invoiceToRectify);
  const { data, isPlaceholderData } = useQuery({
    ...facturasEmitidasQuery({ numeros: numbers }),
    enabled: numbers.length > 0,
    placeholderData: keepPreviousData,
  });
  if (state.type !== 'abono' || numbers.length === 0 || isPlaceholderData || !data) return null;
  const before = beforeOf(state, data);
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
  const isLong = [before, after, difference].some((figures) =>
    [figures.base, figures.tax, figures.total].some((cents) => figure(cents).length > MAX_ABREAST),
  );
  return (
    <div className={classes.frame}>
      <table className={classes.table} data-long={isLong || undefined}>
        <caption className={classes.caption}>{captionOf(numbers)}</caption>
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

/** The characters of the longest amount of which a phone holds three in a row: `−999.999,99`. */
const MAX_ABREAST = 11;

function captionOf(numbers: readonly string[]): string {
  const [only] = numbers;
  return numbers.length === 1
    ? `Qué cambia en la factura ${only}, en euros`
    : `Qué cambia en las ${numbers.length} facturas, en euros`;
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
      <td data-column="Base">{figure(figures.base)}</td>
      <td data-column="Impuestos">{figure(figures.tax)}</td>
      <td data-column="Total">{figure(figures.total)}</td>
    </tr>
  );
}
