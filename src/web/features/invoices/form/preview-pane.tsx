import { Button } from '@mantine/core';
import { IconFileTypePdf } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo, useMemo, useState } from 'react';
import type { IssuedInvoice } from '../../../../domain/invoice.ts';
import { showInvoicePdf } from '../../../lib/download-invoice.ts';
import { ApiError, errorMessages } from '../../../lib/http.ts';
import { invoiceDetailQuery } from '../../../lib/queries.ts';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { Paper } from '../preview/paper.tsx';
import { previewInvoice } from '../preview/preview-invoice.ts';
import { QrCode } from '../preview/qr-code.tsx';
import { useCatalogs } from './catalogs.tsx';
import { draftItems } from './draft-payload.ts';
import type { DraftState } from './draft-state.ts';
import type { DraftTotals } from './draft-totals.ts';
import classes from './preview-pane.module.css';

export interface PreviewPaneProps {
  /** A deferred state: the preview is updated when typing leaves time for it. */
  readonly state: DraftState;
  /** The totals of that state. */
  readonly totals: DraftTotals;
  /** Number of a registered invoice that is being corrected; empty otherwise. */
  readonly numSerie: string;
  /** The number by which its PDF can be requested, after saving it if necessary. Left out if there is no PDF. */
  readonly docNoOf: (() => Promise<string | undefined>) | undefined;
}

/** A preview of the invoice and, on request, the PDF itself. */
export const PreviewPane = memo(function PreviewPane(props: PreviewPaneProps) {
  const { state, totals, numSerie, docNoOf } = props;
  const { company, clientByNo, formasPago, logo, isDemo } = useCatalogs();
  const customer = clientByNo.get(state.invoiceClient);
  const { data: detail } = useQuery({
    ...invoiceDetailQuery(numSerie),
    enabled: numSerie !== '',
  });
  const { qr } = (detail?.emitida ?? {}) as Partial<IssuedInvoice>;
  const invoice = useMemo(
    () =>
      previewInvoice({
        draft: { ...state, invoiceItems: draftItems(state) },
        totals,
        pagadoAntes: totals.pagado,
        company,
        customer,
        formasPago,
        numSerie,
        qr,
        esDemo: isDemo,
      }),
    [state, totals, company, customer, formasPago, numSerie, qr, isDemo],
  );
  return (
    <div>
      <div className={classes.head}>
        <h2 className={classes.title}>Vista previa</h2>
        {docNoOf && <OpenPdf docNoOf={docNoOf} />}
      </div>
      <Paper
        invoice={invoice}
        isDraft={numSerie === ''}
        logo={logo}
        label="Vista previa de la factura"
        {...(invoice.qr && { qr: <QrCode url={invoice.qr} /> })}
      />
    </div>
  );
});

function OpenPdf({ docNoOf }: { docNoOf: () => Promise<string | undefined> }) {
  const [isOpening, setOpening] = useState(false);
  const errors = useErrorDialog();
  const open = async () => {
    setOpening(true);
    const tab = window.open('', '_blank');
    try {
      const docNo = await docNoOf();
      if (!docNo) throw new ApiError(0, ['Escribe algo en la factura para ver su PDF.']);
      await showInvoicePdf(docNo, tab);
    } catch (error) {
      tab?.close();
      errors.show(errorMessages(error));
    } finally {
      setOpening(false);
    }
  };
  return (
    <Button
      variant="subtle"
      color="gray"
      size="sm"
      loading={isOpening}
      leftSection={<IconFileTypePdf size={16} stroke={1.7} aria-hidden="true" />}
      onClick={open}
    >
      Abrir el PDF
    </Button>
  );
}
