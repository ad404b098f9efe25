import { useQuery } from '@tanstack/react-query';
import type { InvoiceDetail } from '../../../../contract/invoices.ts';
import { type IssuedInvoice, tipoFacturaOf } from '../../../../domain/invoice.ts';
import { pagadoOf, validarFactura } from '../api.ts';
import {
  CatalogsProvider,
  useCatalogs,
  useLoadCatalogs,
  useWithDeleted,
} from '../form/catalogs.tsx';
import { draftFields, draftItems } from '../form/draft-payload.ts';
import { draftFromEdit } from '../form/draft-state.ts';
import { draftTotals } from '../form/draft-totals.ts';
import { Paper } from '../preview/paper.tsx';
import { previewInvoice } from '../preview/preview-invoice.ts';
import { QrCode } from '../preview/qr-code.tsx';

export interface DetailPaperProps {
  readonly detail: InvoiceDetail;
  /** Base64 PNG, or empty. */
  readonly logo: string;
}

/** The printed form of an invoice: as issued or, for a draft, as it would be issued today. */
export function DetailPaper({ detail, logo }: DetailPaperProps) {
  const { emitida, fila } = detail;
  if (!emitida) return <DraftPaper detail={detail} logo={logo} />;
  // The server freezes it in exactly this shape (operations/register-invoices.ts).
  const invoice = emitida as unknown as IssuedInvoice;
  return (
    <Paper
      invoice={invoice}
      isDraft={false}
      isAnnulled={fila.Status === 'Anulada'}
      logo={logo}
      label={`Factura ${fila.DocNo}`}
      qr={<QrCode url={invoice.qr} />}
    />
  );
}

function DraftPaper(props: DetailPaperProps) {
  const state = useLoadCatalogs();
  const catalogs = useWithDeleted(state.kind === 'ready' ? state.catalogs : null);
  if (!catalogs) return null;
  return (
    <CatalogsProvider catalogs={catalogs}>
      <DraftSheet {...props} />
    </CatalogsProvider>
  );
}

function DraftSheet({ detail: { borrador, fila }, logo }: DetailPaperProps) {
  const { groups, company, clientByNo, formasPago, isDemo } = useCatalogs();
  const draft = draftFromEdit(borrador, groups);
  const { data: pagadoAntes } = useQuery({
    queryKey: ['invoices', fila.DocNo, 'pagado'],
    queryFn: async ({ signal }) => {
      const fields = draftFields(draft, { accionFactura: 1, draftNo: fila.DocNo });
      return pagadoOf(await validarFactura(fields, signal));
    },
    enabled: tipoFacturaOf(draft) === 'F3',
  });
  const invoice = previewInvoice({
    draft: { ...draft, invoiceItems: draftItems(draft) },
    totals: draftTotals(draft, groups),
    pagadoAntes,
    company,
    customer: clientByNo.get(draft.invoiceClient) ?? borrador.clienteEliminado,
    formasPago,
    numSerie: '',
    esDemo: isDemo,
  });
  return <Paper invoice={invoice} isDraft logo={logo} label={`Borrador ${fila.DocNo}`} />;
}
