import type { Option } from '../../../../contract/common.ts';
import type { DatosEmpresa } from '../../../../contract/company.ts';
import type { Cliente } from '../../../../contract/parties.ts';
import type { TerminoPago } from '../../../../domain/catalogs/catalogs.ts';
import formasDePago from '../../../../domain/catalogs/formas-pago.json' with { type: 'json' };
import terminosPago from '../../../../domain/catalogs/terminos-pago.json' with { type: 'json' };
import {
  type DraftInvoice,
  fechaReferida,
  type IssuedInvoice,
  numbersNamed,
} from '../../../../domain/invoice.ts';
import { clienteEmitido, issueInvoice, type Original } from '../../../../domain/issue.ts';
import { parseDecimal } from '../../../../domain/money.ts';
import type { PagadoAntes } from '../../../../domain/paid-before.ts';
import { provinceOf } from '../../../../domain/postal-code.ts';
import type { InvoiceTotals } from '../../../../domain/totals.ts';

export interface PreviewInput {
  readonly draft: DraftInvoice;
  readonly totals: InvoiceTotals;
  readonly pagadoAntes?: PagadoAntes | null | undefined;
  readonly company: DatosEmpresa | undefined;
  readonly customer: Cliente | undefined;
  readonly formasPago: readonly Option[];
  /** Empty until it is registered. */
  readonly numSerie: string;
  /** The address in its QR when registered; omitted otherwise. */
  readonly qr?: string | undefined;
  readonly esDemo: boolean;
}

/**
 * The invoice that would be issued, made like on the server, for the preview. What only the server knows is left out:
 * the mention of the regime and, until it is registered, its QR.
 */
export function previewInvoice(input: PreviewInput): IssuedInvoice {
  const { draft, totals, company, customer, formasPago } = input;
  const issued = issueInvoice({
    draft,
    totals,
    numSerie: input.numSerie,
    emisor: {
      nombre: company?.Name ?? '',
      nif: company?.VATRegistrationNo ?? '',
      direccion: company?.Address ?? '',
      postCode: company?.postCode ?? '',
      pais: company?.countryCode ?? 'ES',
      provincia: provinceOf(company?.postCode ?? '', company?.countryCode) ?? '',
      ...(company?.Telefono && { telefono: company.Telefono }),
      ...(company?.Municipio && { municipio: company.Municipio }),
      ...(company?.DatosRegistrales && { datosRegistrales: company.DatosRegistrales }),
    },
    cliente: customer ? clienteEmitido(customer, draft.tipoIdentificacion) : null,
    retencionBps: parseDecimal(draft.retencionIRPF ?? '', 2) ?? 0n,
    originals: originalsOf(draft),
    leyendaRegimen: null,
    formaPago: formasPago.find(({ value }) => value === customer?.PaymentMethod)?.label ?? '',
    ...(paysByTransfer(customer) && { iban: company?.IBAN ?? '' }),
    terminoPago: terminoOf(customer?.PaymentTerms),
    pagadoAntes: input.pagadoAntes ?? null,
    urlQr: (total) => correctedQr(input.qr ?? '', total),
    esDemo: input.esDemo,
  });
  // Only the server knows the amounts of the replaced invoice: better nothing than zeros.
  return { ...issued, importeRectificacion: null };
}

/** The address of a registered QR with another total: a correction changes nothing else in it. */
function correctedQr(registered: string, total: string): string {
  return registered.replace(/(&importe=)[^&]*$/, `$1${encodeURIComponent(total)}`);
}

/** The other invoices by number: only the server knows their amounts. */
function originalsOf({ invoiceToRectify, invoiceToRectifyDate }: DraftInvoice): Original[] {
  return numbersNamed(invoiceToRectify).map((numSerie, index) => ({
    numSerie,
    fecha: fechaReferida(invoiceToRectifyDate, index),
    externa: fechaReferida(invoiceToRectifyDate, index) !== '',
    base: '0.00',
    cuota: '0.00',
    recargo: '0.00',
  }));
}

/** Whether this customer's invoice says to which account it has to be paid. */
export function paysByTransfer(customer: Cliente | undefined): boolean {
  return formasDePago.some(
    ({ Code, requiereIban }) => requiereIban && Code === customer?.PaymentMethod,
  );
}

function terminoOf(code: string | undefined): TerminoPago | null {
  return (terminosPago as readonly TerminoPago[]).find(({ Code }) => Code === code) ?? null;
}
