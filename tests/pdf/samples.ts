/**
 * Invoices to draw and read back, issued by the domain itself. The companies are invented; their tax
 * numbers have valid control characters.
 */

import { gruposIva, terminosPago } from '../../src/domain/catalogs/catalogs.ts';
import { fechaAeat } from '../../src/domain/dates.ts';
import {
  type ClienteEmitido,
  type DraftInvoice,
  type Emisor,
  type IssuedInvoice,
  signOf,
} from '../../src/domain/invoice.ts';
import { issueInvoice, type Original } from '../../src/domain/issue.ts';
import { parseDecimal } from '../../src/domain/money.ts';
import { computeTotals, type InvoiceItemInput } from '../../src/domain/totals.ts';
import { urlQr } from '../../src/domain/verifactu/qr.ts';

export const CANDELA: Emisor = {
  nombre: 'Obrador Candela, S.L.',
  nif: 'B50482173',
  direccion: 'Calle de San Blas, 14',
  postCode: '50003',
  pais: 'ES',
  provincia: 'Zaragoza',
};

export const HOTEL: ClienteEmitido = {
  no: 'C00001',
  nombre: 'Hotel Mirador del Moncayo, S.A.',
  nif: 'A50163302',
  idOtro: null,
  direccion: 'Avenida de la Diputación, 3, Tarazona',
  postCode: '50500',
  countryCode: 'ES',
  email: 'administracion@miradordelmoncayo.example',
  postingGroup: 'NAC',
};

export const BAKERY_LINES: readonly InvoiceItemInput[] = [
  line('Barra de masa madre, 400 g', '120', '1,15', 'IVA4'),
  line('Hogaza de centeno, 1 kg', '24', '4,20', 'IVA4'),
  line('Cruasán de mantequilla', '90', '0,95', 'IVA10'),
  line('Tarta de almendra, 12 raciones', '3', '26,50', 'IVA10'),
  line('Reparto diario, semana 47', '5', '12,00', 'IVA21', 'entregas'),
  line('Alquiler de vitrina refrigerada, noviembre', '1', '45,00', 'IVA21', 'MES'),
];

export function line(
  description: string,
  quantity: string,
  price: string,
  tax = 'IVA21',
  unit = 'UD',
  discount?: string,
): InvoiceItemInput {
  return { description, quantity, price, tax, unit, discount };
}

export interface SampleOptions {
  readonly draft?: Partial<DraftInvoice>;
  readonly lines?: readonly InvoiceItemInput[];
  readonly numSerie?: string;
  readonly emisor?: Partial<Emisor>;
  readonly cliente?: Partial<ClienteEmitido> | null;
  readonly originals?: readonly Original[];
  readonly formaPago?: string;
  /** Code of the catalog; empty for none. */
  readonly terminoPago?: string;
  readonly leyendaRegimen?: string;
  readonly esDemo?: boolean;
}

/** An F1 of the bakery to the hotel, but for what is said otherwise. */
export function sample(options: SampleOptions = {}): IssuedInvoice {
  const cliente = options.cliente === null ? null : { ...HOTEL, ...options.cliente };
  const emisor = { ...CANDELA, ...options.emisor };
  const numSerie = options.numSerie ?? '00041/LO';
  const draft: DraftInvoice = {
    type: 'factura',
    invoiceDate: '2026-11-20',
    invoiceType: 0,
    crmemoType: 0,
    invoiceClient: cliente?.no ?? '',
    typeClient: cliente?.postingGroup ?? 'NAC',
    isSimplificada: false,
    claveRegimen: '01',
    invoiceItems: options.lines ?? BAKERY_LINES,
    invoiceToRectify: '',
    tipoRectificativa: 'I',
    ...options.draft,
  };
  const retencionBps = parseDecimal(draft.retencionIRPF ?? '0', 2) ?? 0n;
  return issueInvoice({
    draft,
    totals: computeTotals({
      items: draft.invoiceItems,
      groups: gruposIva('peninsula'),
      typeClient: draft.typeClient,
      claveRegimen: draft.claveRegimen,
      ivaIncluido: draft.ivaIncluido,
      sign: signOf(draft),
      retencionBps,
    }),
    numSerie,
    emisor,
    cliente,
    retencionBps,
    originals: options.originals ?? [],
    leyendaRegimen: options.leyendaRegimen ?? null,
    formaPago: options.formaPago ?? 'Transferencia bancaria',
    terminoPago: terminosPago.find(({ Code }) => Code === (options.terminoPago ?? '30D')) ?? null,
    urlQr: (importe) =>
      urlQr('pruebas', {
        nif: emisor.nif,
        numSerie,
        fecha: fechaAeat(draft.invoiceDate),
        importe,
      }),
    esDemo: options.esDemo ?? false,
  });
}
