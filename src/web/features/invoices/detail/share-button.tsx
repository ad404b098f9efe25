import { Button } from '@mantine/core';
import { IconShare2 } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { pdfFileName } from '../../../lib/download.ts';
import { invoicePdf } from '../../../lib/download-invoice.ts';
import { errorMessages } from '../../../lib/http.ts';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';

export interface ShareButtonProps {
  readonly docNo: string;
  /** «Factura 00001/26», above the message in the app that takes it. */
  readonly title: string;
}

/** «Compartir», where there are apps to hand the PDF to: on a phone or a tablet, WhatsApp among them. */
export function ShareButton(props: ShareButtonProps) {
  return canShare() ? <Share {...props} /> : null;
}

function Share({ docNo, title }: ShareButtonProps) {
  const errors = useErrorDialog();
  const ready = useRef<File>(undefined);
  const share = useMutation({
    mutationFn: async () => {
      ready.current ??= pdfNamed(await invoicePdf(docNo), pdfFileName(docNo));
      await navigator.share({ files: [ready.current], title });
    },
    onError: (error) => {
      const { name } = error;
      if (name === 'AbortError') return; // Who shares it thought better of it.
      // It came so late that the browser no longer takes the press for what asked for it.
      if (name === 'NotAllowedError') errors.show(['El PDF ya está. Pulsa «Compartir» otra vez.']);
      else errors.show(errorMessages(error, 'No se ha podido compartir. Descarga el PDF.'));
    },
  });
  return (
    <Button
      variant="default"
      loading={share.isPending}
      leftSection={<IconShare2 size={16} stroke={1.8} aria-hidden="true" />}
      onClick={() => share.mutate()}
    >
      Compartir
    </Button>
  );
}

const pdfNamed = (pdf: Blob, name: string) => new File([pdf], name, { type: 'application/pdf' });

/** With a mouse the PDF is at hand once it is downloaded. */
function canShare(): boolean {
  if (!matchMedia('(pointer: coarse)').matches || !('canShare' in navigator)) return false;
  return navigator.canShare({ files: [pdfNamed(new Blob([]), 'factura.pdf')] });
}
