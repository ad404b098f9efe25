import { ActionIcon, Button, type ButtonProps } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { downloadInvoice } from '../../lib/download-invoice.ts';
import { errorMessages } from '../../lib/http.ts';
import { useErrorDialog } from '../error-dialog.tsx';
import { Hint } from '../hint.tsx';

export interface DownloadButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'className'> {
  readonly docNo: string;
  /** For places without room for its word, which remains its accessible name. */
  readonly iconOnly?: boolean;
}

/** Saves the PDF of an invoice. */
export function DownloadButton(allProps: DownloadButtonProps) {
  const { docNo, iconOnly = false, variant = 'subtle', ...props } = allProps;
  const errorDialog = useErrorDialog();
  const download = useMutation({
    mutationFn: () => downloadInvoice(docNo),
    onError: (error) => errorDialog.show(errorMessages(error)),
  });
  const button = {
    // Several stand in a list.
    'aria-label': `Descargar factura ${docNo}`,
    loading: download.isPending,
    onClick: () => download.mutate(),
  };
  if (iconOnly) {
    return (
      <Hint label="Descargar">
        <ActionIcon {...button}>
          <IconDownload size={16} stroke={1.7} aria-hidden="true" />
        </ActionIcon>
      </Hint>
    );
  }
  return (
    <Button
      {...props}
      {...button}
      variant={variant}
      color="gray"
      leftSection={<IconDownload size={16} stroke={1.7} aria-hidden="true" />}
    >
      Descargar
    </Button>
  );
}
