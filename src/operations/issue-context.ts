import type { Finding, InvoiceDraft } from '../contract/invoices.ts';
import type { Cliente } from '../contract/parties.ts';
import type { Deps } from '../deps.ts';
import type { FormaPago, TerminoPago } from '../domain/catalogs/catalogs.ts';
import { fechaAeat, type Zona, zonaOf } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import {
  type Emisor,
  fechaReferida,
  type IssuedInvoice,
  signOf,
  tipoFacturaOf,
} from '../domain/invoice.ts';
import { clienteEmitido, issueInvoice, mencionesOf, type Original } from '../domain/issue.ts';
import { centsToText, parseDecimal, sumText } from '../domain/money.ts';
import { cobroOf, type PagadoAntes, pagadoAntes } from '../domain/paid-before.ts';
import { provinceOf } from '../domain/postal-code.ts';
import { type SeriesKind, seriesKindOf } from '../domain/series.ts';
import { computeTotals, type InvoiceTotals, isEmptyLine } from '../domain/totals.ts';
import type { VatGroup } from '../domain/vat.ts';
import {
  codigoQueConsta,
  constaDeAlta,
  type Desenlace,
  seEstaAnulando,
} from '../domain/verifactu/correcciones.ts';
import { urlQr } from '../domain/verifactu/qr.ts';
import { type SistemaInformatico, sistemaInformatico } from '../domain/verifactu/sistema.ts';
import { noSuchCustomer } from '../domain/verifactu/validaciones/cliente.ts';
import { validarFactura } from '../domain/verifactu/validaciones/validar.ts';
import type { Company } from '../store/companies.ts';
import type { Correction, Standing } from '../store/invoice-references.ts';
import type { StoredInvoice } from '../store/invoices.ts';
import { findDrafter, findIssuers, type Issuer } from '../store/issuers.ts';
import type { OpenSeries } from '../store/series.ts';
import type { Tx } from '../store/sql.ts';
import { assertCanInvoice } from './assert-can-invoice.ts';
import { sessionIsOver } from './company-of.ts';

/** What is needed to issue an invoice of a company, besides the invoice itself. */
export interface IssueContext {
  readonly company: Company;
  readonly emisor: Emisor;
  readonly zona: Zona;
  readonly SistemaInformatico: SistemaInformatico;
  readonly isDemo: boolean;
  readonly series: ReadonlyMap<SeriesKind, OpenSeries>;
  readonly vatGroups: readonly VatGroup[];
  readonly formasPago: readonly FormaPago[];
  readonly terminosPago: readonly TerminoPago[];
  readonly leyendaOf: (claveRegimen: string) => string | null;
  readonly urlQr: (numSerie: string, fechaExpedicion: string, importeTotal: string) => string;
  /** The customer that a draft names, or null. */
  readonly customerOf: (draft: InvoiceDraft) => Cliente | null;
  /** @throws {DomainError} FORBIDDEN without a certificate or with the subscription expired */
  readonly assertCanInvoice: () => void;
}

/** What is needed to save a draft: neither the certificate nor anything else that only issuing uses. */
export interface DraftContext {
  readonly company: Pick<Company, 'id'>;
  readonly vatGroups: IssueContext['vatGroups'];
  readonly customerOf: IssueContext['customerOf'];
}

/**
 * One statement, which a transaction can send along with its own.
 *
 * @throws {DomainError} UNAUTHORIZED when the account is closed
 */
export async function readDraftContext(
  tx: Tx,
  companyId: number,
  drafts: readonly InvoiceDraft[],
): Promise<DraftContext> {
  const nos = new Set(drafts.map(({ invoiceClient }) => invoiceClient).filter(Boolean));
  const drafter = await findDrafter(tx, companyId, [...nos]);
  if (!drafter) throw sessionIsOver();
  return {
    company: { id: companyId },
    vatGroups: drafter.gruposIva,
    customerOf: (draft) => drafter.customers.get(draft.invoiceClient) ?? null,
  };
}

/**
 * One statement, which a transaction can send along with its own.
 *
 * @throws {DomainError} UNAUTHORIZED when the account is closed
 */
export async function readIssueContext(
  tx: Tx,
  deps: Deps,
  companyId: number,
  drafts: readonly Pick<InvoiceDraft, 'invoiceClient'>[],
): Promise<IssueContext> {
  const contexts = await readIssueContexts(
    tx,
    deps,
    [companyId],
    drafts.map(({ invoiceClient }) => ({ companyId, invoiceClient })),
  );
  const context = contexts.get(companyId);
  if (!context) throw sessionIsOver();
  return context;
}

/** The same for several companies; one whose account is closed is left out. */
export async function readIssueContexts(
  tx: Tx,
  deps: Deps,
  companyIds: readonly number[],
  drafts: readonly { readonly companyId: number; readonly invoiceClient: string }[],
): Promise<Map<number, IssueContext>> {
  const customers = new Set(drafts.map(({ invoiceClient }) => invoiceClient).filter(Boolean));
  const issuers = await findIssuers(tx, companyIds, { customers: [...customers], names: CATALOGS });
  return new Map([...issuers].map(([companyId, issuer]) => [companyId, contextOf(deps, issuer)]));
}

const CATALOGS = ['gruposIva', 'formasPago', 'terminosPago', 'clavesRegimen'] as const;

function contextOf(
  deps: Deps,
  { company, certificate, customers, series, catalogs }: Issuer<(typeof CATALOGS)[number]>,
): IssueContext {
  const { gruposIva, formasPago, terminosPago, clavesRegimen } = catalogs;
  const producer = deps.config.sistemaInformatico;
  const isDemo = company.subscriptionType === 'Demo';
  const isReal = deps.config.aeat.entorno === 'produccion' && !isDemo;
  return {
    company,
    emisor: {
      nombre: company.name,
      nif: company.nif,
      direccion: company.address,
      postCode: company.postCode,
      pais: company.countryCode,
      provincia: provinceOf(company.postCode, company.countryCode) ?? '',
      ...(company.phone && { telefono: company.phone }),
      ...(company.municipio && { municipio: company.municipio }),
      ...(company.registryData && { datosRegistrales: company.registryData }),
    },
    zona: zonaOf(company.postCode, company.countryCode),
    SistemaInformatico: sistemaInformatico(
      { razonSocial: producer.NombreRazon, nif: producer.NIF },
      producer.Version,
      company.numeroInstalacion,
    ),
    isDemo,
    series,
    vatGroups: gruposIva,
    formasPago,
    terminosPago,
    leyendaOf: (clave) => clavesRegimen.find(({ value }) => value === clave)?.leyenda ?? null,
    urlQr: (numSerie, fecha, importe) =>
      urlQr(isReal ? 'produccion' : 'pruebas', {
        nif: company.nif,
        numSerie,
        fecha: fechaAeat(fecha),
        importe,
      }),
    customerOf: (draft) => customers.get(draft.invoiceClient) ?? null,
    assertCanInvoice: () => assertCanInvoice(company, certificate, deps.clock()),
  };
}

/**
 * A form may only name a customer of its own company, or none. A deleted customer still counts for its invoices.
 *
 * @throws {DomainError} NO_SUCH_CUSTOMER
 */
export function assertCustomer(
  context: Pick<IssueContext, 'customerOf'>,
  draft: InvoiceDraft,
): void {
  if (draft.invoiceClient === '' || context.customerOf(draft)) return;
  throw new DomainError('NO_SUCH_CUSTOMER', noSuchCustomer(draft.invoiceClient));
}

/** The draft as it is saved: without the empty last line, and with its customer's group. */
export function cleanDraft(
  context: Pick<IssueContext, 'customerOf'>,
  draft: InvoiceDraft,
): InvoiceDraft {
  const customer = context.customerOf(draft);
  return {
    ...draft,
    typeClient: customer?.CustomerPostingGroup || draft.typeClient || 'NAC',
    invoiceItems: draft.invoiceItems.filter((item) => !isEmptyLine(item)),
  };
}

/** Retention percentage in hundredths; zero when there is none or it is not a number. */
function retencionBps({ retencionIRPF }: InvoiceDraft): bigint {
  return retencionIRPF ? (parseDecimal(retencionIRPF, 2) ?? 0n) : 0n;
}

/** All amounts of a draft, as the form shows them. */
export function totalsOf(
  context: Pick<IssueContext, 'vatGroups'>,
  draft: InvoiceDraft,
): InvoiceTotals {
  return computeTotals({
    items: draft.invoiceItems,
    groups: context.vatGroups,
    typeClient: draft.typeClient,
    claveRegimen: draft.claveRegimen,
    sign: signOf(draft),
    ivaIncluido: draft.ivaIncluido,
    retencionBps: retencionBps(draft),
    suplidosCents: draft.suplidos ? (parseDecimal(draft.suplidos, 2) ?? 0n) : 0n,
  });
}

/** What matters of an invoice of ours that another one names. */
export type Referred = Pick<StoredInvoice, 'issued' | 'postingDate' | 'tipoFactura' | 'status'>;

export interface IssueAttempt {
  readonly draft: InvoiceDraft;
  readonly numSerie: string;
  /** Today, in the company's time zone. */
  readonly today: string;
  readonly lastDateOfSeries: string | null;
  readonly sendsToCustomer: boolean;
  /** Numbers that the draft rectifies or replaces, with the invoice if it is one of ours. */
  readonly originals: readonly (readonly [number: string, invoice: Referred | null])[];
  /** The registered invoice that the draft corrects. */
  readonly corrected: StoredInvoice | null;
  /** The F3 for which each of the originals was exchanged. */
  readonly exchangeOf: (number: string) => string | undefined;
  /** The rectificativas of each of the originals. */
  readonly correctionsOf: (number: string) => readonly Correction[];
  /** The rectificativas and the F3 that rest on the amounts of the corrected invoice. */
  readonly standingOn: (number: string) => readonly Standing[];
  /** What was declared of each of the originals, and how the AEAT answered. */
  readonly desenlacesOf: (number: string) => readonly Desenlace[];
}

export interface IssueResult {
  readonly issued: IssuedInvoice;
  readonly findings: Finding[];
  /** For an F3: what was paid with the simplified invoices that it replaces. */
  readonly pagado: PagadoAntes | null;
}

/** Runs the rules over a draft; returns the findings and the invoice that would be issued. */
export function issueFromDraft(context: IssueContext, attempt: IssueAttempt): IssueResult {
  const draft = cleanDraft(context, attempt.draft);
  const customer = context.customerOf(draft);
  const cliente = customer && clienteEmitido(customer, draft.tipoIdentificacion);
  const totals = totalsOf(context, draft);
  // One that was another program's when it was named is so too when that is corrected, whatever ours took its number.
  const elsewhere = numbersElsewhere(attempt.corrected?.issued);
  const named = attempt.originals.map(([number, invoice], index) => {
    const isTheirs = elsewhere.has(number) && fechaReferida(draft.invoiceToRectifyDate, index);
    return [number, isTheirs ? null : invoice] as const;
  });
  const originals = named.map(([number, invoice], index, all) => {
    const exchangedFor = attempt.exchangeOf(number);
    const canjeadaPor = exchangedFor === attempt.numSerie ? undefined : exchangedFor;
    const isFirstElsewhere = all.findIndex(([, other]) => !other?.issued) === index;
    const desenlaces = attempt.desenlacesOf(number);
    return originalOf(number, invoice, {
      draft,
      index,
      canjeadaPor,
      corrections: attempt.correctionsOf(number),
      seAnula: seEstaAnulando(desenlaces),
      noConsta: invoice?.status === 'Rechazado' && !constaDeAlta(desenlaces),
      takesAmounts: isFirstElsewhere,
    });
  });
  const { corrected, numSerie } = attempt;
  const corregida = corrected && {
    ...originalOf(numSerie, corrected, {
      draft,
      index: 0,
      canjeadaPor: undefined,
      corrections: [],
      seAnula: false,
      noConsta: !constaDeAlta(attempt.desenlacesOf(numSerie)),
      takesAmounts: false,
    }),
    cliente: corrected.issued?.cliente ?? null,
    serie: seriesKindOf(
      corrected.tipoFactura,
      corrected.issued?.lines ?? [],
      corrected.issued?.claveRegimen ?? '',
    ),
    // One that the AEAT refused and does not have says nothing to it, and could not be rectified.
    referidaPor: attempt.standingOn(numSerie).find(({ noConsta }) => !noConsta)?.docNo ?? null,
    codigo: codigoQueConsta(attempt.desenlacesOf(numSerie)),
    menciones: corrected.issued?.menciones ?? [],
    fechaOperacion: corrected.issued?.fechaOperacion ?? null,
  };
  const leyendaRegimen = context.leyendaOf(draft.claveRegimen);
  const findings = validarFactura({
    draft,
    totals,
    cliente,
    emisor: context.emisor,
    numSerie: attempt.numSerie,
    today: attempt.today,
    lastDateOfSeries: attempt.lastDateOfSeries,
    originals,
    ...(attempt.sendsToCustomer && { enviarA: customer?.Email ?? '' }),
    corregida,
    menciones: mencionesOf(totals.desglose, leyendaRegimen),
  });
  const formaPago = context.formasPago.find(({ Code }) => Code === customer?.PaymentMethod);
  const pagado =
    tipoFacturaOf(draft) === 'F3'
      ? pagadoAntes(originals, totals, { ivaIncluido: draft.ivaIncluido === true })
      : null;
  const issued = issueInvoice({
    draft,
    totals,
    numSerie: attempt.numSerie,
    emisor: context.emisor,
    cliente,
    retencionBps: retencionBps(draft),
    originals,
    leyendaRegimen,
    formaPago: formaPago?.Description ?? '',
    ...(formaPago?.requiereIban && { iban: context.company.iban }),
    terminoPago: context.terminosPago.find(({ Code }) => Code === customer?.PaymentTerms) ?? null,
    pagadoAntes: pagado,
    urlQr: (importe) => context.urlQr(attempt.numSerie, draft.invoiceDate, importe),
    esDemo: context.isDemo,
  });
  return { issued, findings, pagado };
}

/** What an invoice names that was issued with another program. */
function numbersElsewhere(issued: IssuedInvoice | null | undefined): ReadonlySet<string> {
  const named = [...(issued?.rectifies ?? []), ...(issued?.sustituye ?? [])];
  return new Set(named.filter(({ externa }) => externa).map(({ numSerie }) => numSerie));
}

interface OriginalOptions {
  readonly draft: InvoiceDraft;
  /** Its position among the invoices that the draft names. */
  readonly index: number;
  readonly canjeadaPor: string | undefined;
  readonly corrections: readonly Correction[];
  readonly seAnula: boolean;
  readonly noConsta: boolean;
  /** The form asks for the total amounts of all originals issued elsewhere: the first of those carries them. */
  readonly takesAmounts: boolean;
}

/** One of ours, or one issued with another program, for which the form asks date and amounts. */
function originalOf(
  number: string,
  invoice: Referred | null,
  { draft, index, canjeadaPor, corrections, seAnula, noConsta, takesAmounts }: OriginalOptions,
): Original {
  const issued = invoice?.issued;
  if (invoice && issued) {
    return {
      numSerie: number,
      fecha: invoice.postingDate,
      externa: false,
      // As declared, including other Member States' taxes (OSS), which `issued.base` leaves out.
      base: sumText(issued.desglose.map(({ base }) => base)),
      cuota: issued.vat,
      recargo: issued.recargo,
      total: issued.total,
      tipoFactura: invoice.tipoFactura,
      cliente: issued.cliente,
      isAnulada: invoice.status === 'Anulada',
      seAnula,
      noConsta,
      ...(canjeadaPor && { canjeadaPor }),
      corregidaPor: corrections.map((correction) => correction.docNo),
      cambios: corrections.map(({ change }) => change),
      corrige: issued.rectifies.filter(({ externa }) => !externa).map((other) => other.numSerie),
      ...(issued.ivaIncluido && { ivaIncluido: true }),
      cobro: cobroOf(issued),
      ...(issued.importeRectificacion && {
        sustituido: {
          base: issued.importeRectificacion.base,
          cuota: issued.importeRectificacion.cuota,
          recargo: issued.importeRectificacion.recargo ?? '0.00',
          ...(issued.importeRectificacion.total && { total: issued.importeRectificacion.total }),
        },
      }),
    };
  }
  const typed = (value: string | number | undefined) =>
    takesAmounts && value ? centsToText(parseDecimal(value, 2) ?? 0n) : '0.00';
  return {
    numSerie: number,
    fecha: fechaReferida(draft.invoiceToRectifyDate, index),
    externa: true,
    base: typed(draft.baseRectificada),
    cuota: typed(draft.cuotaRectificada),
    recargo: typed(draft.recargoRectificado),
  };
}
