import { Button } from '@mantine/core';
import { IconTableExport } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { saveFile } from '../../lib/download.ts';
import { errorMessages } from '../../lib/http.ts';
import { requireToken } from '../../lib/require-token.ts';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import type { InvoiceListProps } from './invoice-list.tsx';
import { listFile, ROWS_PER_CALL } from './list-file.ts';
import { type ListState, listParams } from './list-state.ts';
import classes from './selection-bar.module.css';

interface DownloadListProps {
  readonly state: ListState;
  readonly query: InvoiceListProps['query'];
}

/** What is searched for and sorted, all of it, as a table: what an accountant asks for. */
export function DownloadList({ state, query }: DownloadListProps) {
  const errors = useErrorDialog();
  const client = useQueryClient();
  const download = useMutation({
    mutationFn: async () => {
      requireToken('El token ha caducado');
      const params = { ...listParams(state), pageSize: ROWS_PER_CALL, sumas: true };
      const pageOf = (page: number) =>
        client.fetchQuery({ ...query({ ...params, page }), gcTime: 0 });
      saveFile(await listFile(pageOf), 'facturas.csv');
    },
    onError: (error) => errors.show(errorMessages(error)),
  });
  return (
    <p className={classes.list}>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconTableExport size={16} stroke={1.7} aria-hidden="true" />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Descargar esta lista para Excel
      </Button>
    </p>
  );
}
