import { Fragment, memo } from 'react';
import { payableSum } from '../../../../domain/cobros.ts';
import type { TipoFactura } from '../../../../domain/invoice.ts';
import { decimalToEs } from '../../../../domain/money.ts';
import type { Desglose } from '../../../../domain/totals.ts';
import { eurosOfCents } from '../../../lib/format.ts';
import { useTaxName } from '../../../ui/invoices/use-tax-name.ts';
import { LevelIcon } from '../upload/level-mark.tsx';
import type { SumLevels, SumName } from '../upload/reading-fields.ts';
import { partsOfPayable, partsOfTotal, type Sum, taxName } from './draft-sums.ts';
import { type DraftTotals, owedCents } from './draft-totals.ts';
import classes from './totals-block.module.css';

/** `1.234,56`, as shown in the columns of figures: the unit is implied. */
export function figure(cents: bigint): string {
  return eurosOfCents(cents).slice(0, -2);
}

export interface TotalsBlockProps {
  readonly totals: DraftTotals;
  readonly tipoFactura: TipoFactura;
  /** How certain each one is, if it was read from a file. */
  readonly levels?: SumLevels | undefined;
}

/** A row per rate, then the sums; retention and «A cobrar» when there is one. */
export const TotalsBlock = memo(function TotalsBlock({
  totals,
  tipoFactura,
  levels,
}: TotalsBlockProps) {
  const { desglose } = totals;
  const own = useTaxName();
  const tax = taxName(totals, own);
  const owed = payableSum(owedCents(totals), tipoFactura);
  const mark = (name: SumName | undefined) => {
    const level = name && levels?.[name];
    return (
      level && (
        <>
          {' '}
          <LevelIcon level={level} />
        </>
      )
    );
  };
  const row = ({ name, cents, read }: Sum) => (
    <Fragment key={name}>
      <dt>
        {name}
        {mark(read)}
      </dt>
      <dd>{eurosOfCents(cents)}</dd>
    </Fragment>
  );
  return (
    <div className={classes.block}>
      <table className={classes.rates}>
        <thead>
          <tr>
            <th scope="col">Tipo</th>
            <th scope="col">Base</th>
            <th scope="col">Cuota</th>
          </tr>
        </thead>
        <tbody>
          {desglose.length === 0 && (
            <tr className={classes.none}>
              <td>{tax}</td>
              <td>0,00</td>
              <td>0,00</td>
            </tr>
          )}
          {desglose.map((group) => (
            <Fragment key={keyOf(group)}>
              <tr>
                <td>{rateLabel(group, tax)}</td>
                <td>{figure(group.baseCents)}</td>
                <td>{figure(group.quotaCents)}</td>
              </tr>
              {/* Apart, as on paper: the quota above does not include it. */}
              {!!group.recargoBps && (
                <tr>
                  <td>{`R.E. ${decimalToEs(group.recargoBps, 2)}\u00a0%`}</td>
                  <td>{figure(group.baseCents)}</td>
                  <td>{figure(group.recargoCents)}</td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      <dl className={classes.sums}>
        {partsOfTotal(totals, own).map(row)}
        <dt className={classes.total}>Total{mark('total')}</dt>
        <dd className={classes.total}>{eurosOfCents(totals.totalCents)}</dd>
        {partsOfPayable(totals).map(row)}
        {owedCents(totals) !== totals.totalCents && (
          <>
            <dt className={classes.payable}>{owed.label}</dt>
            <dd className={classes.payable}>{eurosOfCents(owed.cents)}</dd>
          </>
        )}
      </dl>
    </div>
  );
});

/** Identifies one line of the desglose. */
function keyOf(group: Desglose): string {
  const { Impuesto, ClaveRegimen, CalificacionOperacion, OperacionExenta } = group;
  const rates = `${group.vatRateBps} ${group.recargoBps}`;
  return `${Impuesto} ${ClaveRegimen} ${CalificacionOperacion ?? OperacionExenta} ${rates}`;
}

function rateLabel(group: Desglose, tax: string): string {
  if (group.OperacionExenta) return 'Exenta';
  if (group.CalificacionOperacion === 'S2') return 'Inversión del sujeto pasivo';
  if (group.vatRateBps === null) return 'No sujeta';
  return `${tax} ${decimalToEs(group.vatRateBps, 2)}\u00a0%`;
}
