import { useState } from 'react';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import type { Selection } from '../../ui/table/data-table.tsx';
import { Tick } from '../../ui/table/tick.tsx';

export interface InvoiceSelection extends Selection<InvoiceRow> {
  /** In the order in which they were selected, on any page. */
  readonly rows: readonly InvoiceRow[];
  readonly clear: () => void;
}

/** The maximum number of invoices that are downloaded, copied, registered or deleted at once. */
export const MAX_AT_ONCE = 500;

/** The selected invoices of a list. They stay selected when its page, its order or its search changes. */
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
