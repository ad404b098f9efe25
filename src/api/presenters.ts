import type {
  EditInvoice,
  FacturaEmitida,
  InvoiceRow,
  ValidarFacturaAnswer,
} from '../contract/invoices.ts';
import { simplifiedFields } from '../domain/invoice.ts';
import { totalOf } from '../domain/issue.ts';
import { centsToNumber, decimalComma, textToCents } from '../domain/money.ts';
import { checkNif } from '../domain/nif.ts';
import type { Retencion } from '../domain/retenciones.ts';
import { PRICE_DECIMALS, QUANTITY_DECIMALS } from '../domain/totals.ts';
import type { CheckedDraft } from '../operations/check-draft.ts';
import type { ListedInvoice } from '../store/invoice-page.ts';
import type { Replacement } from '../store/invoice-references.ts';
import type { StoredInvoice } from '../store/invoices.ts';
import type { IssuedSummary } from '../store/issued-invoices.ts';

/** Converts the store's decimal text of euros into the number that the contract uses. */
export function euros(text: string): number {
  return centsToNumber(textToCents(text));
}

/**
 * A row of the lists, with only what the contract names.
 *
 * @param added what adding it up takes, if that was requested: what it replaces, what its client withholds, and the
 *   country of that client
 */
export function invoiceRow(
  invoice: ListedInvoice,
  {
    replacement,
    retencion,
    country,
  }: {
    readonly replacement?: Replacement | undefined;
    readonly retencion?: Retencion | undefined;
    readonly country?: string | undefined;
  } = {},
): InvoiceRow {
  const { tipoRectificativa, replaced, ofOthers } = replacement ?? {};
  return {
    PostingDate: invoice.postingDate,
    DocNo: invoice.docNo,
    CIF: invoice.customerNif,
    Name: invoice.customerName,
    Status: invoice.status,
    Amount: euros(invoice.base),
    VatAmount: euros(invoice.vat),
    AmountIncludingVat: euros(invoice.total),
    Tipo: invoice.tipoFactura,
    ...(invoice.errorMessage ? { ErrorMessage: invoice.errorMessage } : {}),
    ...(invoice.Huella ? { Huella: invoice.Huella } : {}),
    ...paisOf(invoice.customerNif, country),
    ...(retencion && { Retencion: euros(retencion.own) }),
    ...(tipoRectificativa && { Metodo: tipoRectificativa }),
    ...(replaced && {
      Sustituido: {
        Amount: euros(replaced.base),
        VatAmount: euros(replaced.vat),
        AmountIncludingVat: euros(replaced.total),
        ...(retencion && { Retencion: euros(retencion.replaced) }),
        ...(ofOthers && {
          DeOtros: ofOthers.map(({ nif, name, country: pais, total }) => ({
            CIF: nif,
            Name: name,
            ...paisOf(nif, pais),
            AmountIncludingVat: euros(total),
          })),
        }),
      },
    }),
  };
}

/** A Spanish NIF is one client's, wherever they live. */
function paisOf(nif: string, country: string | null | undefined): { Pais?: string } {
  return country && country !== 'ES' && nif !== '' && !checkNif(nif).ok ? { Pais: country } : {};
}

/** A registered invoice with the amounts needed to rectify it. */
export function facturaEmitida(invoice: IssuedSummary): FacturaEmitida {
  // `vat` includes the recargo, like CuotaTotal.
  const cuota = textToCents(invoice.vat) - textToCents(invoice.recargo);
  return {
    DocNo: invoice.docNo,
    PostingDate: invoice.postingDate,
    Name: invoice.customerName,
    Tipo: invoice.tipoFactura,
    Status: invoice.status,
    base: euros(invoice.base),
    cuota: centsToNumber(cuota),
    recargo: euros(invoice.recargo),
    ...(textToCents(invoice.cuotaDestino) !== 0n && {
      cuotaDestino: euros(invoice.cuotaDestino),
    }),
    total: euros(invoice.total),
    ...(invoice.sustituido && { totalSustituido: centsToNumber(totalOf(invoice.sustituido)) }),
    ...(invoice.canjeadaPor ? { canjeadaPor: invoice.canjeadaPor } : {}),
  };
}

/** What the rules find in a draft and, for an F3, what is paid already. */
export function checked({ findings, pagado }: CheckedDraft): ValidarFacturaAnswer {
  return {
    errores: [...findings],
    ...(pagado && { pagado: { ...pagado, importe: euros(pagado.importe) } }),
  };
}

/** What the form needs to open an invoice again. */
export function editInvoice(invoice: StoredInvoice): EditInvoice {
  const { draft } = invoice;
  return {
    ...draft,
    ...simplifiedFields(draft),
    invoiceItems: draft.invoiceItems.map((item) => ({
      ...item,
      quantity: decimalComma(item.quantity, QUANTITY_DECIMALS),
      price: decimalComma(item.price, PRICE_DECIMALS),
    })),
    invoiceNumber: invoice.registeredAt ? invoice.docNo : '',
    Status: invoice.status,
    version: invoice.version,
    ErrorMessage: invoice.errorMessage ?? '',
  };
}
