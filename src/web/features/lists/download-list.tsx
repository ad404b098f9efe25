import { Button, Progress } from '@mantine/core';
import { IconTableExport, IconUsers } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type MouseEvent, useRef, useState } from 'react';
import { saveFile } from '../../lib/download.ts';
import { cuenta, entero } from '../../lib/format.ts';
import { errorMessages } from '../../lib/http.ts';
import { requireToken } from '../../lib/require-token.ts';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { useSlow } from '../../ui/use-slow.ts';
import classes from './download-list.module.css';
import type { InvoiceListProps } from './invoice-list.tsx';
import {
  clientTable,
  invoiceTable,
  type ListProgress,
  type ListTable,
  listFile,
  ROWS_PER_CALL,
} from './list-file.ts';
import { type ListState, listParams } from './list-state.ts';

interface DownloadListProps {
  readonly state: ListState;
  readonly query: InvoiceListProps['query'];
}

/** A table that can be made of a list, and the name of its file. */
interface Table {
  readonly fileName: string;
  readonly make: () => ListTable;
}

const ICON = { size: 16, stroke: 1.7, 'aria-hidden': true };

const INVOICES: Table = { fileName: 'facturas.csv', make: invoiceTable };
const CLIENTS: Table = { fileName: 'clientes.csv', make: clientTable };

/** What is searched for and sorted, all of it, as a table, or summed by client: what an accountant asks for. */
export function DownloadList({ state, query }: DownloadListProps) {
  const errors = useErrorDialog();
  const client = useQueryClient();
  const [progress, setProgress] = useState<ListProgress | null>(null);
  const pressed = useRef<HTMLButtonElement>(null);
  const isStopped = useRef(false);
  const download = useMutation({
    mutationFn: async ({ fileName, make }: Table) => {
      isStopped.current = false;
      setProgress(null);
      requireToken('El token ha caducado');
      const params = { ...listParams(state), pageSize: ROWS_PER_CALL, sumas: true };
      const source = {
        pageOf: (page: number) => client.fetchQuery({ ...query({ ...params, page }), gcTime: 0 }),
        onProgress: setProgress,
        isStopped: () => isStopped.current,
      };
      const made = await listFile(source, make());
      if (made) saveFile(made.file, fileName);
      return made?.invoices;
    },
    onError: (error) => errors.show(errorMessages(error)),
  });
  const isSlow = useSlow(download.isPending);
  const stop = () => {
    isStopped.current = true;
    pressed.current?.focus();
  };
  const start = (table: Table) => ({
    variant: 'subtle',
    color: 'gray',
    'aria-disabled': download.isPending || undefined,
    onClick: ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
      if (download.isPending) return;
      pressed.current = currentTarget;
      download.mutate(table);
    },
  });
  return (
    <div className={classes.list}>
      {download.isPending && isSlow && <Going progress={progress} onStop={stop} />}
      <p className={classes.said} role="status">
        {download.isSuccess && wordsOf(download.variables, download.data)}
      </p>
      <Button {...start(CLIENTS)} leftSection={<IconUsers {...ICON} />}>
        Descargar sumas por cliente
      </Button>
      <Button {...start(INVOICES)} leftSection={<IconTableExport {...ICON} />}>
        Descargar esta lista para Excel
      </Button>
    </div>
  );
}

interface GoingProps {
  readonly progress: ListProgress | null;
  readonly onStop: () => void;
}

function Going({ progress, onStop }: GoingProps) {
  const percent = progress ? Math.min(100, Math.floor((progress.done * 100) / progress.total)) : 0;
  return (
    <div className={classes.going}>
      <Progress className={classes.bar ?? ''} value={percent} aria-label="Facturas descargadas" />
      <span className={classes.count}>
        {progress
          ? `${entero(progress.done)} de ${progress.isMore ? 'más de ' : ''}${entero(progress.total)}`
          : 'Preparando…'}
      </span>
      <Button size="sm" variant="default" onClick={onStop}>
        Parar
      </Button>
    </div>
  );
}

function wordsOf({ fileName, make }: Table, invoices: number | undefined): string {
  if (invoices === undefined) return 'Has parado la descarga: no se ha guardado ningún archivo.';
  return make === clientTable
    ? `Sumas de ${cuenta(invoices, 'factura guardadas', 'facturas guardadas')} en «${fileName}».`
    : `${cuenta(invoices, 'factura guardada', 'facturas guardadas')} en «${fileName}».`;
}
