import { useState } from 'react';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import type { Selection } from '../../ui/table/data-table.tsx';
import { Tick } from '../../ui/table/tick.tsx';

export interface InvoiceSelection extends Selection<InvoiceRow> {
  /** In the order in which they were ticked, of whatever page. */
  readonly rows: readonly InvoiceRow[];
  readonly clear: () => void;
}

/** As many as are downloaded, copied, registered or deleted in one go. */
export const MAX_AT_ONCE = 500;

/** The ticked invoices of a list. They stay so while its pages, its order and its search change. */
export function useSelection(): InvoiceSelection {
  const [selected, setSelected] = useState<ReadonlyMap<string, InvoiceRow>>(new Map());
  return {
    rows: [...selected.values()],
    isSelected: (key) => selected.has(key),
    nameOf: ({ DocNo }) => DocNo,
    Tick,
    onSelect: (rows, isSelected) =>
      setSelected((before) => {
        const after = new Map(before);
        for (const row of rows) {
          if (isSelected) after.set(row.DocNo, row);
          else after.delete(row.DocNo);
        }
        return after;
      }),
    clear: () => setSelected(new Map()),
  };
}
