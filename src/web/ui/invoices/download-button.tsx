import { Button, type ButtonProps } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { downloadInvoice } from '../../lib/download-invoice.ts';
import { errorMessages } from '../../lib/http.ts';
import { useErrorDialog } from '../error-dialog.tsx';
import { useSlow } from '../use-slow.ts';

export interface DownloadButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'className'> {
  readonly docNo: string;
}

/** Saves the PDF of an invoice. */
export function DownloadButton({ docNo, variant = 'subtle', ...props }: DownloadButtonProps) {
  const errorDialog = useErrorDialog();
  const download = useMutation({
    mutationFn: () => downloadInvoice(docNo),
    onError: (error) => errorDialog.show(errorMessages(error)),
  });
  const isSlow = useSlow(download.isPending);
  return (
    <Button
      {...props}
      variant={variant}
      color="gray"
      leftSection={<IconDownload size={16} stroke={1.7} aria-hidden="true" />}
      loading={isSlow}
      onClick={() => !download.isPending && download.mutate()}
    >
      Descargar
    </Button>
  );
}
