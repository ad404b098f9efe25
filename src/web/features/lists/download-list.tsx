import { Button } from '@mantine/core';
import {
  IconBook2,
  IconChevronDown,
  IconReceiptTax,
  IconTableExport,
  IconUsers,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { nameOfDays } from '../../../domain/dates.ts';
import { saveFile } from '../../lib/download.ts';
import { cuenta } from '../../lib/format.ts';
import { errorMessages } from '../../lib/http.ts';
import { datosEmpresaQuery, sumasPorTipoQuery } from '../../lib/queries.ts';
import { requireToken } from '../../lib/require-token.ts';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { MODELO, useTaxName } from '../../ui/invoices/use-tax-name.ts';
import { PopupMenu } from '../../ui/popup-menu.tsx';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { useSlow } from '../../ui/use-slow.ts';
import { useCompanyToday } from '../../ui/use-today.ts';
import classes from './download-list.module.css';
import type { InvoiceListProps } from './invoice-list.tsx';
import { libroFile } from './libro-file.ts';
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
  /** In the menu. */
  readonly what: string;
  readonly icon: ReactNode;
  readonly make: (
    going: Pick<ListSource, 'onProgress' | 'isStopped'> & { readonly signal: AbortSignal },
  ) => Promise<ListFile | null>;
  /** The message once it is saved. */
  readonly words: (invoices: number) => string;
}

const ICON = { size: 16, stroke: 1.7, 'aria-hidden': true };

/**
 * Downloads all that the list matches, in its order, as a table or summed by client. If nothing is searched for, also
 * what accountants ask for: the tax of its dates by rates, and their book of issued invoices.
 */
export function DownloadList({ state, query }: DownloadListProps) {
  const errors = useErrorDialog();
  const client = useQueryClient();
  const [progress, setProgress] = useState<ListProgress | null>(null);
  const pressed = useRef<HTMLButtonElement>(null);
  const underWay = useRef<AbortController | null>(null);
  const tax = useTaxName();
  const modelo = MODELO[tax];
  const params = listParams(state);
  const named = useFileNames(state);
  const download = useMutation({
    mutationFn: async ({ fileName, make }: Download) => {
      const controller = new AbortController();
      const { signal } = controller;
      underWay.current = controller;
      setProgress(null);
      requireToken('El token ha caducado');
      const made = await make({
        onProgress: setProgress,
        isStopped: () => signal.aborted,
        signal,
      });
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
    fileName: named('facturas'),
    what: 'Esta lista para Excel',
    icon: <IconTableExport {...ICON} />,
    make: (going) => listFile({ pageOf, ...going }, invoiceTable()),
    words: (count) => `${saved(count)} en «${named('facturas')}».`,
  };
  const clients: Download = {
    fileName: named('clientes'),
    what: 'Sumas por cliente',
    icon: <IconUsers {...ICON} />,
    make: (going) => listFile({ pageOf, ...going }, clientTable()),
    words: (count) =>
      `Sumas de ${cuenta(count, 'factura guardadas', 'facturas guardadas')} en «${named('clientes')}».`,
  };
  const ratesName = named(`${tax.toLowerCase()}-por-tipos`);
  const rates: Download = {
    fileName: ratesName,
    what: `${tax} por tipos${modelo === undefined ? '' : ` (modelo ${modelo})`}`,
    icon: <IconReceiptTax {...ICON} />,
    make: (going) => rateFile({ partOf, ...going }, tax),
    words: (count) =>
      `${tax} por tipos de ${cuenta(count, 'factura', 'facturas')}, guardado en «${ratesName}».`,
  };
  const bookName = named('libro-expedidas', 'xlsx');
  const libro: Download = {
    fileName: bookName,
    what: 'Libro registro de facturas expedidas',
    icon: <IconBook2 {...ICON} />,
    make: ({ signal }) => libroFile(params, signal),
    words: (count) =>
      `Libro registro de ${cuenta(count, 'factura', 'facturas')}, guardado en «${bookName}».`,
  };
  const isSlow = useSlow(download.isPending);
  const stop = () => {
    underWay.current?.abort();
    pressed.current?.focus();
  };
  const start = (file: Download, button: HTMLButtonElement | null) => {
    if (download.isPending) return;
    pressed.current = button;
    download.mutate(file);
  };
  // Sums of what is owed are not those of what was invoiced. The others contain every invoice of their dates, and the
  // book is one of IVA.
  const sums = params.cobro ? [] : [clients];
  const whole =
    params.search === '' && !params.cobro ? [rates, ...(tax === 'IVA' ? [libro] : [])] : [];
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
      <DownloadMenu
        files={[invoices, ...sums, ...whole]}
        isBusy={download.isPending}
        onChoose={start}
      />
    </div>
  );
}

/** Whose invoices they are, and of when: an adviser downloads those of several companies every quarter. */
function useFileNames(state: ListState): (what: string, type?: 'csv' | 'xlsx') => string {
  const { data: company } = useQuery(datosEmpresaQuery);
  const today = useCompanyToday();
  const whose = [company?.VATRegistrationNo, nameOfDays(state, today)];
  return (what, type = 'csv') => `${[what, ...whose].filter(Boolean).join('-')}.${type}`;
}

interface DownloadMenuProps {
  readonly files: readonly Download[];
  readonly isBusy: boolean;
  readonly onChoose: (file: Download, button: HTMLButtonElement | null) => void;
}

/** One button for all of them, with the most wanted first. */
function DownloadMenu({ files, isBusy, onChoose }: DownloadMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <Button
        ref={button}
        variant="subtle"
        color="gray"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-disabled={isBusy || undefined}
        leftSection={<IconTableExport {...ICON} />}
        rightSection={<IconChevronDown {...ICON} />}
        onClick={() => !isBusy && setOpen(!isOpen)}
      >
        Descargar la lista
      </Button>
      {isOpen && (
        <PopupMenu
          label="Descargar la lista"
          button={button}
          entries={files.map((file) => ({
            text: file.what,
            icon: file.icon,
            onChoose: () => onChoose(file, button.current),
          }))}
          onClose={close}
        />
      )}
    </>
  );
}

const saved = (count: number) => cuenta(count, 'factura guardada', 'facturas guardadas');

function wordsOf({ words }: Download, invoices: number | undefined): string {
  if (invoices === undefined) return 'Has parado la descarga: no se ha guardado ningún archivo.';
  return words(invoices);
}
