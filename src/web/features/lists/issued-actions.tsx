import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFileZip, IconReplace } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { saveFile } from '../../lib/download.ts';
import { errorMessages, httpFile } from '../../lib/http.ts';
import { PATHS } from '../../lib/paths.ts';
import { requireToken } from '../../lib/require-token.ts';
import { zipNames } from '../../lib/zip-names.ts';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { canBeExchanged } from '../../ui/invoices/exchangeable.ts';
import { type Count, ProgressLine } from '../../ui/progress-line.tsx';
import { useFocusWhen } from '../../ui/use-focus-when.ts';
import { useSlow } from '../../ui/use-slow.ts';
import classes from './selection-bar.module.css';
import { type InvoiceSelection, MAX_AT_ONCE } from './use-selection.ts';

/** The actions on selected invoices that both lists have: downloading their PDFs, and exchanging simplified ones. */
export function IssuedActions({ rows: selected }: Pick<InvoiceSelection, 'rows'>) {
  const errors = useErrorDialog();
  const [count, setCount] = useState<Count | null>(null);
  const underWay = useRef<AbortController | null>(null);
  const download = useMutation({
    mutationFn: async () => {
      const controller = new AbortController();
      const { signal } = controller;
      underWay.current = controller;
      requireToken('El token ha caducado');
      const Nos = selected.map(({ DocNo }) => DocNo);
      let done = 0;
      setCount({ done, total: Nos.length });
      const zip = httpFile('/api/PostData/DescargarFacturas', {
        json: { Nos },
        signal,
        onPiece: zipNames(() => setCount({ done: ++done, total: Nos.length })),
      });
      try {
        const { file, name } = await zip;
        saveFile(file, name ?? 'facturas.zip');
        return 'saved';
      } catch (error) {
        if (!signal.aborted) throw error;
        notifications.show({
          message: 'Has parado la descarga: no se ha guardado ningún archivo.',
        });
        return 'stopped';
      }
    },
    onError: (error) => errors.show(errorMessages(error)),
  });
  const button = useFocusWhen(download.data === 'stopped');
  const isSlow = useSlow(download.isPending);
  return (
    <>
      {download.isPending && isSlow && (
        <div className={classes.going}>
          <ProgressLine
            label="Facturas en el ZIP"
            count={count}
            waiting="Preparando…"
            onStop={() => underWay.current?.abort()}
          />
          <p className={classes.note}>
            Puedes seguir en otra sección de Huella: se guarda al acabar.
          </p>
        </div>
      )}
      <Button
        ref={button}
        variant="default"
        leftSection={<IconFileZip size={16} stroke={1.7} aria-hidden="true" />}
        loading={download.isPending}
        disabled={selected.length > MAX_AT_ONCE}
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
    </>
  );
}
