import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { InvoicePage, InvoiceRow } from '../../../contract/invoices.ts';
import { entero } from '../../lib/format.ts';
import { errorMessages } from '../../lib/http.ts';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { toTicks } from '../../ui/focus-after.ts';
import type { InvoiceListProps } from './invoice-list.tsx';
import { ROWS_PER_CALL } from './list-file.ts';
import { type ListState, listParams } from './list-state.ts';
import classes from './selection-bar.module.css';
import { type InvoiceSelection, MAX_AT_ONCE } from './use-selection.ts';

interface SelectMatchingProps {
  readonly state: ListState;
  readonly data: InvoicePage;
  readonly query: InvoiceListProps['query'];
  readonly selection: InvoiceSelection;
  /** Whether a month, a quarter or a year may be chosen. */
  readonly hasPeriods: boolean;
}

/** Once a whole page is selected, offers to select those of the other pages too, or says why not. */
export function SelectMatching(props: SelectMatchingProps) {
  const { state, data, query, selection, hasPeriods } = props;
  const { total, rows, totalAlMenos: isMore } = data;
  const errors = useErrorDialog();
  const client = useQueryClient();
  const select = useMutation({
    mutationFn: async () => {
      const found: InvoiceRow[] = [];
      for (let page = 1; (page - 1) * ROWS_PER_CALL < total; page += 1) {
        const params = { ...listParams(state), page, pageSize: ROWS_PER_CALL };
        const { rows } = await client.fetchQuery({ ...query(params), gcTime: 0 });
        found.push(...rows);
      }
      selection.onSelect(found, true);
    },
    onError: (error) => errors.show(errorMessages(error)),
  });
  const isPageTicked = rows.every(({ DocNo }) => selection.isSelected(DocNo));
  if (!isPageTicked || rows.length >= total || selection.rows.length >= total) return null;
  if (total > MAX_AT_ONCE || isMore) {
    // Of the selection itself, the bar says it.
    if (selection.rows.length > MAX_AT_ONCE) return null;
    return (
      <p className={classes.note}>
        {`Hasta ${entero(MAX_AT_ONCE)} de una vez.`}
        {hasPeriods && ' Elige otro periodo.'}
      </p>
    );
  }
  return (
    <Button
      ref={toTicks}
      variant="subtle"
      aria-disabled={select.isPending || undefined}
      onClick={() => !select.isPending && select.mutate()}
    >
      Seleccionar las {entero(total)}
    </Button>
  );
}
