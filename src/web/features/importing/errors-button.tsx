import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { errorMessages } from '../../lib/http.ts';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { type ChosenFile, useDownloadErrors } from './api.ts';

export interface ErrorsButtonProps {
  readonly chosen: ChosenFile;
  readonly onlyWrong: boolean;
  readonly children: ReactNode;
}

/** Downloads the workbook with the wrong cells marked and commented. */
export function ErrorsButton({ chosen, onlyWrong, children }: ErrorsButtonProps) {
  const errors = useErrorDialog();
  const download = useDownloadErrors();
  const start = () =>
    download.mutate(
      { ...chosen, onlyWrong },
      { onError: (error) => errors.show(errorMessages(error)) },
    );
  return (
    <Button
      size="sm"
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.8} aria-hidden="true" />}
      loading={download.isPending}
      onClick={start}
    >
      {children}
    </Button>
  );
}
