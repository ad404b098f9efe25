import { Button, Progress } from '@mantine/core';
import { IconTableExport } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { saveFile } from '../../lib/download.ts';
import { cuenta, entero } from '../../lib/format.ts';
import { errorMessages } from '../../lib/http.ts';
import { requireToken } from '../../lib/require-token.ts';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { useSlow } from '../../ui/use-slow.ts';
import classes from './download-list.module.css';
import type { InvoiceListProps } from './invoice-list.tsx';
import { type ListProgress, listFile, ROWS_PER_CALL } from './list-file.ts';
import { type ListState, listParams } from './list-state.ts';

interface DownloadListProps {
  readonly state: ListState;
  readonly query: InvoiceListProps['query'];
}

const FILE_NAME = 'facturas.csv';

/** What is searched for and sorted, all of it, as a table: what an accountant asks for. */
export function DownloadList({ state, query }: DownloadListProps) {
  const errors = useErrorDialog();
  const client = useQueryClient();
  const [progress, setProgress] = useState<ListProgress | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isStopped = useRef(false);
  const download = useMutation({
    mutationFn: async () => {
      isStopped.current = false;
      setProgress(null);
      requireToken('El token ha caducado');
      const params = { ...listParams(state), pageSize: ROWS_PER_CALL, sumas: true };
      const made = await listFile({
        pageOf: (page) => client.fetchQuery({ ...query({ ...params, page }), gcTime: 0 }),
        onProgress: setProgress,
        isStopped: () => isStopped.current,
      });
      if (made) saveFile(made.file, FILE_NAME);
      return made?.invoices;
    },
    onError: (error) => errors.show(errorMessages(error)),
  });
  const isSlow = useSlow(download.isPending);
  const stop = () => {
    isStopped.current = true;
    button.current?.focus();
  };
  return (
    <div className={classes.list}>
      {download.isPending && isSlow && <Going progress={progress} onStop={stop} />}
      <p className={classes.said} role="status">
        {download.isSuccess && wordsOf(download.data)}
      </p>
      <Button
        ref={button}
        variant="subtle"
        color="gray"
        leftSection={<IconTableExport size={16} stroke={1.7} aria-hidden="true" />}
        aria-disabled={download.isPending || undefined}
        onClick={() => !download.isPending && download.mutate()}
      >
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

function wordsOf(invoices: number | undefined): string {
  if (invoices === undefined) return 'La has parado: no se ha guardado ningún archivo.';
  return `${cuenta(invoices, 'factura guardada', 'facturas guardadas')} en «${FILE_NAME}».`;
}
