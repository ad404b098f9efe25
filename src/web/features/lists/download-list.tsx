import { Button } from '@mantine/core';
import { IconReceiptTax, IconTableExport, IconUsers } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type MouseEvent, useRef, useState } from 'react';
import { saveFile } from '../../lib/download.ts';
import { cuenta } from '../../lib/format.ts';
import { errorMessages } from '../../lib/http.ts';
import { sumasPorTipoQuery } from '../../lib/queries.ts';
import { requireToken } from '../../lib/require-token.ts';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { MODELO, useTaxName } from '../../ui/invoices/use-tax-name.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { useSlow } from '../../ui/use-slow.ts';
import classes from './download-list.module.css';
import type { InvoiceListProps } from './invoice-list.tsx';
import {
  clientTable,
  invoiceTable,
  type ListFile,
  type ListProgress,
  type ListSource,
  listFile,
  ROWS_PER_CALL,
} from './list-file.ts';
import { type ListState, listParams } from './list-state.ts';
import { rateFile } from './rate-file.ts';

interface DownloadListProps {
  readonly state: ListState;
  readonly query: InvoiceListProps['query'];
}

/** A file that can be made from a list. */
interface Download {
  readonly fileName: string;
  readonly make: (going: Pick<ListSource, 'onProgress' | 'isStopped'>) => Promise<ListFile | null>;
  /** The message once it is saved. */
  readonly words: (invoices: number) => string;
}

const ICON = { size: 16, stroke: 1.7, 'aria-hidden': true };

/**
 * Downloads all that the list matches, in its order, as a table or summed by client. If nothing is searched for, also
 * the tax of its dates by rates, which accountants ask for.
 */
export function DownloadList({ state, query }: DownloadListProps) {
  const errors = useErrorDialog();
  const client = useQueryClient();
  const [progress, setProgress] = useState<ListProgress | null>(null);
  const pressed = useRef<HTMLButtonElement>(null);
  const isStopped = useRef(false);
  const tax = useTaxName();
  const modelo = MODELO[tax];
  const params = listParams(state);
  const download = useMutation({
    mutationFn: async ({ fileName, make }: Download) => {
      isStopped.current = false;
      setProgress(null);
      requireToken('El token ha caducado');
      const made = await make({ onProgress: setProgress, isStopped: () => isStopped.current });
      if (made) saveFile(made.file, fileName);
      return made?.invoices;
    },
    onError: (error) => errors.show(errorMessages(error)),
  });
  const pageOf = (page: number) =>
    client.fetchQuery({
      ...query({ ...params, pageSize: ROWS_PER_CALL, sumas: true, page }),
      gcTime: 0,
    });
  const partOf = (despues?: string) =>
    client.fetchQuery({ ...sumasPorTipoQuery(params, despues), gcTime: 0 });
  const invoices: Download = {
    fileName: 'facturas.csv',
    make: (going) => listFile({ pageOf, ...going }, invoiceTable()),
    words: (count) => `${saved(count)} en «facturas.csv».`,
  };
  const clients: Download = {
    fileName: 'clientes.csv',
    make: (going) => listFile({ pageOf, ...going }, clientTable()),
    words: (count) =>
      `Sumas de ${cuenta(count, 'factura guardadas', 'facturas guardadas')} en «clientes.csv».`,
  };
  const ratesName = `${tax.toLowerCase()}-por-tipos.csv`;
  const rates: Download = {
    fileName: ratesName,
    make: (going) => rateFile({ partOf, ...going }, tax),
    words: (count) =>
      `${tax} por tipos de ${cuenta(count, 'factura', 'facturas')}, guardado en «${ratesName}».`,
  };
  const isSlow = useSlow(download.isPending);
  const stop = () => {
    isStopped.current = true;
    pressed.current?.focus();
  };
  const start = (file: Download) => ({
    variant: 'subtle',
    color: 'gray',
    'aria-disabled': download.isPending || undefined,
    onClick: ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
      if (download.isPending) return;
      pressed.current = currentTarget;
      download.mutate(file);
    },
  });
  return (
    <div className={classes.list}>
      {download.isPending && isSlow && (
        <ProgressLine
          label="Facturas descargadas"
          count={progress}
          atLeast={progress?.isMore ?? false}
          waiting="Preparando…"
          onStop={stop}
        />
      )}
      <p className={classes.said} role="status">
        {download.isSuccess && wordsOf(download.variables, download.data)}
      </p>
      {params.search === '' && (
        <Button {...start(rates)} leftSection={<IconReceiptTax {...ICON} />}>
          Descargar {tax} por tipos{modelo !== undefined && ` (modelo ${modelo})`}
        </Button>
      )}
      <Button {...start(clients)} leftSection={<IconUsers {...ICON} />}>
        Descargar sumas por cliente
      </Button>
      <Button {...start(invoices)} leftSection={<IconTableExport {...ICON} />}>
        Descargar esta lista para Excel
      </Button>
    </div>
  );
}

const saved = (count: number) => cuenta(count, 'factura guardada', 'facturas guardadas');

function wordsOf({ words }: Download, invoices: number | undefined): string {
  if (invoices === undefined) return 'Has parado la descarga: no se ha guardado ningún archivo.';
  return words(invoices);
}
