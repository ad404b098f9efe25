import { Button } from '@mantine/core';
import { IconCopyPlus, IconFileZip, IconReplace } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useContext, useState } from 'react';
import { Link } from 'react-router';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { saveFile } from '../../lib/download.ts';
import { cuenta, entero } from '../../lib/format.ts';
import { errorMessages, httpFile } from '../../lib/http.ts';
import { PATHS } from '../../lib/paths.ts';
import { requireToken } from '../../lib/require-token.ts';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { toTicks } from '../../ui/focus-after.ts';
import { PanelClosed } from '../../ui/page-title.tsx';
import { CopyDialog } from './copy-dialog.tsx';
import type { CopyInvoice } from './copy-run.ts';
import classes from './selection-bar.module.css';
import { type InvoiceSelection, MAX_AT_ONCE } from './use-selection.ts';

export interface SelectionBarProps {
  readonly selection: InvoiceSelection;
  readonly copyInvoice?: CopyInvoice | undefined;
  /** What ticks more. */
  readonly more: ReactNode;
}

/** What can be done with the ticked invoices. Nothing while there is none. */
export function SelectionBar({ selection, copyInvoice, more }: SelectionBarProps) {
  const { rows: selected, onSelect, clear } = selection;
  const isClosed = useContext(PanelClosed);
  const [isCopying, setIsCopying] = useState(false);
  const errors = useErrorDialog();
  const download = useMutation({
    mutationFn: async () => {
      requireToken('El token ha caducado');
      const Nos = selected.map(({ DocNo }) => DocNo);
      const { file, name } = await httpFile('/api/PostData/DescargarFacturas', { json: { Nos } });
      saveFile(file, name ?? 'facturas.zip');
    },
    onError: (error) => errors.show(errorMessages(error)),
  });
  if (selected.length === 0) return <p className="hu-hidden" role="status" />;

  const isTooMany = selected.length > MAX_AT_ONCE;
  return (
    <section className={classes.bar} aria-label="Facturas seleccionadas">
      <p className={classes.count} role="status">
        {cuenta(selected.length, 'seleccionada', 'seleccionadas')}
        {isTooMany && `: ${entero(MAX_AT_ONCE)} como mucho de una vez`}
      </p>
      {more}
      <Button
        variant="default"
        leftSection={<IconFileZip size={16} stroke={1.7} aria-hidden="true" />}
        loading={download.isPending}
        disabled={isTooMany}
        onClick={() => download.mutate()}
      >
        Descargar PDF (ZIP)
      </Button>
      {selected.every(canBeExchanged) && (
        <Button
          component={Link}
          to={`${PATHS.create}?canjear=${selected.map(({ DocNo }) => encodeURIComponent(DocNo)).join(',')}`}
          variant="default"
          leftSection={<IconReplace size={16} stroke={1.7} aria-hidden="true" />}
        >
          Canjear por factura completa
        </Button>
      )}
      {copyInvoice && !isClosed && (
        <Button
          variant="default"
          leftSection={<IconCopyPlus size={16} stroke={1.7} aria-hidden="true" />}
          disabled={isTooMany}
          onClick={() => setIsCopying(true)}
        >
          Duplicar ({entero(selected.length)})
        </Button>
      )}
      <Button ref={toTicks} variant="subtle" color="gray" onClick={clear}>
        Quitar selección
      </Button>
      {isCopying && copyInvoice && (
        <CopyDialog
          rows={selected}
          copyInvoice={copyInvoice}
          onClose={(made) => {
            setIsCopying(false);
            onSelect(made, false);
          }}
        />
      )}
    </section>
  );
}

/** A simplified invoice that stands: an F3 may take the place of several (RD 1619/2012 art. 15.6). */
function canBeExchanged({ Tipo, Status }: InvoiceRow): boolean {
  return (Tipo === 'F2' || Tipo === 'R5') && (Status === 'Registrada' || Status === 'En espera');
}
