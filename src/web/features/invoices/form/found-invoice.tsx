import type { FacturaEmitida } from '../../../../contract/invoices.ts';
import { isSimplified } from '../../../../domain/invoice.ts';
import { euros, fecha } from '../../../lib/format.ts';
import classes from './found-invoice.module.css';

/** An invoice in the list of those that may be chosen. */
export function FoundInvoice({ row }: { readonly row: FacturaEmitida | undefined }) {
  if (!row) return null;
  return (
    <span className={classes.found}>
      <span className={classes.number}>{row.DocNo}</span>
      <span className={classes.figures}>{euros(row.total)}</span>
      <span className={classes.who}>
        {row.Name || 'Sin cliente'}
        {isSimplified(row.Tipo) && ' · Simplificada'}
      </span>
      <span className={classes.who}>{fecha(row.PostingDate)}</span>
    </span>
  );
}
