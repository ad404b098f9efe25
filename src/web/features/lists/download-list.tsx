import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronDown, IconReceiptTax, IconTableExport, IconUsers } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useRef, useState } from 'react';
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
import { nameOfDays } from './periods.ts';
import { rateFile } from './rate-file.ts';

interface DownloadListProps {
  readonly state: ListState;
  readonly query: InvoiceListProps['query'];
}

/** A file that can be made from a list. */
interface Download {
  readonly fileName: string;
  /** «Descargar …». */
  readonly what: string;
  readonly icon: ReactNode;
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
  const named = useFileNames(state);
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
    fileName: named('facturas'),
    what: 'esta lista para Excel',
    icon: <IconTableExport {...ICON} />,
    make: (going) => listFile({ pageOf, ...going }, invoiceTable()),
    words: (count) => `${saved(count)} en «${named('facturas')}».`,
  };
  const clients: Download = {
    fileName: named('clientes'),
    what: 'sumas por cliente',
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
  const isSlow = useSlow(download.isPending);
  const stop = () => {
    isStopped.current = true;
    pressed.current?.focus();
  };
  const start = (file: Download, button: HTMLButtonElement | null) => {
    if (download.isPending) return;
    pressed.current = button;
    download.mutate(file);
  };
  const files = [...(params.search === '' ? [rates] : []), clients, invoices];
  const isNarrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false });
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
      {isNarrow ? (
        <DownloadMenu files={files} isBusy={download.isPending} onChoose={start} />
      ) : (
        files.map((file) => (
          <Button
            key={file.fileName}
            variant="subtle"
            color="gray"
            aria-disabled={download.isPending || undefined}
            leftSection={file.icon}
            onClick={({ currentTarget }) => start(file, currentTarget)}
          >
            Descargar {file.what}
          </Button>
        ))
      )}
    </div>
  );
}

/** Whose invoices they are, and of when: an adviser downloads those of several companies every quarter. */
function useFileNames(state: ListState): (what: string) => string {
  const { data: company } = useQuery(datosEmpresaQuery);
  const today = new Date().toLocaleDateString('sv-SE');
  return (what) =>
    `${[what, company?.VATRegistrationNo, nameOfDays(state, today)].filter(Boolean).join('-')}.csv`;
}

interface DownloadMenuProps {
  readonly files: readonly Download[];
  readonly isBusy: boolean;
  readonly onChoose: (file: Download, button: HTMLButtonElement | null) => void;
}

/** Where the buttons have no room beside each other: one for all, with the most wanted first. */
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
          entries={[...files].reverse().map((file) => ({
            text: capitalised(file.what),
            icon: file.icon,
            onChoose: () => onChoose(file, button.current),
          }))}
          onClose={close}
        />
      )}
    </>
  );
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const saved = (count: number) => cuenta(count, 'factura guardada', 'facturas guardadas');

function wordsOf({ words }: Download, invoices: number | undefined): string {
  if (invoices === undefined) return 'Has parado la descarga: no se ha guardado ningún archivo.';
  return words(invoices);
}
