import { expect, it } from 'vitest';
import { draftItems } from '../form/draft-payload.ts';
import { freshDraft } from '../form/draft-state.ts';
import { draftTotals } from '../form/draft-totals.ts';
import { previewInvoice } from './preview-invoice.ts';

const REGISTERED =
  'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=00115%2F26&fecha=22-11-2026&importe=121.00';

function preview(qr: string | undefined) {
  const [line] = freshDraft('2026-11-22').lines;
  if (!line) throw new Error('A fresh draft has a line.');
  const state = {
    ...freshDraft('2026-11-22'),
    lines: [{ ...line, description: 'Pan', quantity: '1', price: '50,00', tax: 'IVA21' }],
  };
  const groups = [
    {
      VATProdPostingGroup: 'IVA21',
      VATBusPostingGroup: 'NAC',
      VATCalculationType: 'Normal' as const,
      VATPercentage: 21,
      Description: 'IVA21',
      RecargoEquivalencia: null,
      leyenda: null,
      verifactu: {
        Impuesto: '01',
        CalificacionOperacion: 'S1',
        OperacionExenta: null,
        ClaveRegimen: '01',
      },
    },
  ];
  return previewInvoice({
    draft: { ...state, invoiceItems: draftItems(state) },
    totals: draftTotals(state, groups),
    company: undefined,
    customer: undefined,
    formasPago: [],
    numSerie: qr ? '00115/26' : '',
    qr,
    esDemo: false,
  });
}

it('has the QR of the registered invoice, with the total that it will have', () => {
  // 50,00 at 21 %: 60,50, in place of the 121,00 that was registered.
  expect(preview(REGISTERED).qr).toBe(REGISTERED.replace('121.00', '60.50'));
});

it('has no QR before it is registered', () => {
  expect(preview(undefined).qr).toBe('');
});
