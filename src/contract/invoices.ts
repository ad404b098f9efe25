import { z } from 'zod';
import { Cobros } from './cobros.ts';
import { Flag, IsoDate, limited, No, numberOrText, text } from './common.ts';
import { Cliente } from './parties.ts';

export const InvoiceStatus = z.enum([
  'Borrador',
  'En espera',
  'Rechazado',
  'Aceptado con errores',
  'Registrada',
  'Anulada',
]);
export type InvoiceStatus = z.infer<typeof InvoiceStatus>;

export const TipoFactura = z.enum(['F1', 'F2', 'F3', 'F4', 'R1', 'R2', 'R3', 'R4', 'R5']);
export type TipoFactura = z.infer<typeof TipoFactura>;

const EstadoDeCobro = z.enum(['Cobrada', 'Cobrada en parte']);
export type EstadoDeCobro = z.infer<typeof EstadoDeCobro>;

/** A row of the history or of the pending list. Amounts in euros, at most two decimals. */
export const InvoiceRow = z.object({
  PostingDate: z.string(),
  DocNo: z.string(),
  CIF: z.string(),
  Name: z.string(),
  Status: InvoiceStatus,
  Amount: z.number(),
  VatAmount: z.number(),
  AmountIncludingVat: z.number(),
  ErrorMessage: z.string().optional(),
  Tipo: TipoFactura,
  Huella: z.string().optional(),
  /** Ours, in a page of a list: for a simplified invoice that was exchanged, the F3 that took its place. */
  CanjeadaPor: z.string().optional(),
  /** Ours, with `sumas`: country of a client whose number is no Spanish NIF. Others may have the same number elsewhere. */
  Pais: z.string().optional(),
  /** Ours, in a page of the history: how far it was collected, if anything was noted down. */
  Cobro: EstadoDeCobro.optional(),
  /** Ours, with `sumas`: what its client withholds, for an invoice with a retention or that replaces one with it. */
  Retencion: z.number().optional(),
  /** Ours, with `sumas`: for a rectificativa, by difference (`I`) or by substitution (`S`). */
  Metodo: z.enum(['I', 'S']).optional(),
  /** Ours, with `sumas`: amounts of the invoices of this list that it replaces (`S`, and an F3). */
  Sustituido: z
    .object({
      Amount: z.number(),
      VatAmount: z.number(),
      AmountIncludingVat: z.number(),
      /** What the clients withheld of them, if anything. */
      Retencion: z.number().optional(),
      /** Its part that was invoiced to other clients. */
      DeOtros: z
        .array(
          z.object({
            CIF: z.string(),
            Name: z.string(),
            Pais: z.string().optional(),
            AmountIncludingVat: z.number(),
          }),
        )
        .optional(),
    })
    .optional(),
});
export type InvoiceRow = z.infer<typeof InvoiceRow>;

const InvoiceSort = z.enum(
  bothWays('PostingDate', 'DocNo', 'Name', 'Status', 'Amount', 'VatAmount', 'AmountIncludingVat'),
);

function bothWays(...columns: string[]): [string, ...string[]] {
  return columns.flatMap((column) => [column, `-${column}`]) as [string, ...string[]];
}

export const InvoiceListQuery = z.object({
  page: numberOrText(z.number().int().min(1).max(1_000_000)).optional(),
  pageSize: numberOrText(z.number().int().min(1).max(200)).default(8),
  sort: InvoiceSort.default('-PostingDate'),
  search: text(100).default(''),
  range: z.enum(['day', 'week', 'month', 'year', 'all']).default('all'),
  /** Ours: first and last day listed, together or alone, in addition to `range`. */
  desde: IsoDate.optional(),
  hasta: IsoDate.optional(),
  /** Ours: each row also includes what is needed to add it up: `Pais`, `Metodo`, `Sustituido` and `Retencion`. */
  sumas: Flag,
  /** Ours: only what is left to collect, or what of it is overdue, also while it waits for the AEAT. Without tickets. */
  cobro: z.enum(['pendiente', 'vencida']).optional(),
});
export type InvoiceListQuery = z.infer<typeof InvoiceListQuery>;

/** For pending ones, also by their problem; those without one come last in both directions. */
export const PendingListQuery = InvoiceListQuery.omit({ cobro: true }).extend({
  sort: z.enum([...InvoiceSort.options, ...bothWays('ErrorMessage')]).default('-PostingDate'),
});

export const InvoicePage = z.object({
  rows: z.array(InvoiceRow),
  total: z.number().int(),
  /** Ours: more match than `total`: the search matches nearly everything, or too much is owed to look at all of it. */
  totalAlMenos: z.boolean().optional(),
  /** Ours, with `cobro`: what is left to collect of all of them, unless there are more than `total`. */
  pendiente: z.number().optional(),
  page: z.number().int(),
  pageSize: z.number().int(),
});
export type InvoicePage = z.infer<typeof InvoicePage>;

/** `price` and `quantity` are text with a decimal comma; a decimal point and numbers are accepted too. */
export const InvoiceItem = z.object({
  description: text(1000).default(''),
  quantity: z.union([text(40), z.number()]).default('1'),
  /** Without one, a line can be saved in a draft, and not be registered. */
  price: z.union([text(40), z.number()]).default(''),
  discount: z.union([text(40), z.number()]).optional(),
  tax: text(20).default('IVA21'),
  total: z.union([text(40), z.number()]).optional(),
  linetype: z.coerce.number().int().min(0).max(1).default(0),
  /** Ours, optional: code of the saved product of a line with linetype 1, and its unit. */
  productNo: text(40).optional(),
  unit: text(20).optional(),
  /** Ours, optional: cost of the line, taxes included (used goods and travel agencies). */
  coste: z.union([text(40), z.number()]).optional(),
  /** Ours, optional: percentage of the customer's Member State (OSS). */
  tipoDestino: z.union([text(10), z.number()]).optional(),
});
export type InvoiceItem = z.infer<typeof InvoiceItem>;

/** As forms send it: an unticked box may be an empty text. */
const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  on: true,
  false: false,
  0: false,
  off: false,
  '': false,
};
const boolean = z.preprocess(
  (value) => (typeof value === 'string' ? (WORDS[value.trim().toLowerCase()] ?? value) : value),
  z.boolean(),
);
const TipoRectificativa = z.enum(['I', 'S']);
/** An empty text counts as omitted. */
const orAbsent = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);
const items = z.preprocess((value) => {
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return undefined;
  try {
    return JSON.parse(value, (_, inner) => (inner === null ? undefined : inner));
  } catch {
    return value;
  }
}, z.array(InvoiceItem).max(1000));

const amount = z.union([text(40), z.number()]);
/** A thousand numbers of sixty characters and their commas. */
const MAX_REFERENCES = 61_000;

/** The invoice form. Codes by position: invoiceType 0–3 is F1–F4, crmemoType 0–4 is R1–R5. */
export const InvoiceDraft = z.object({
  type: z.enum(['factura', 'abono']).default('factura'),
  invoiceNumber: text(80).default(''),
  invoiceDate: IsoDate,
  invoiceType: numberOrText(z.number().int().min(0).max(3)).default(0),
  crmemoType: numberOrText(z.number().int().min(0).max(4)).default(0),
  invoiceClient: text(40).default(''),
  typeClient: text(20).default('NAC'),
  isSimplificada: boolean.default(false),
  claveRegimen: text(2).default('01'),
  invoiceItems: items,
  /** Number of the invoice to rectify; for an F3, the numbers it replaces, separated by commas. */
  invoiceToRectify: text(MAX_REFERENCES).default(''),
  tipoRectificativa: orAbsent(TipoRectificativa.default('I')),
  /** Ours, optional: date of an invoice issued elsewhere that this one rectifies. */
  /** For several invoices, one for all, or one for each in order; empty for one of ours. */
  invoiceToRectifyDate: text(12_000)
    .refine(
      (text) =>
        text.split(',').every((day) => day.trim() === '' || IsoDate.safeParse(day.trim()).success),
      'Escribe la fecha de la factura que rectificas, o una por factura separadas por comas, como 2026-11-20.',
    )
    .optional(),
  fechaOperacion: IsoDate.or(z.literal('')).optional(),
  retencionIRPF: z.union([text(10), z.number()]).optional(),
  notas: text(2000).optional(),
  /** Ours, optional: paid on the customer's account, not part of the total, and what for. */
  suplidos: amount.optional(),
  suplidosConcepto: text(200).optional(),
  /** Ours, optional: how the customer is identified (list L7 of the AEAT), if not as on its card. */
  tipoIdentificacion: z.enum(['', '02', '03', '04', '05', '06', '07']).optional(),
  /** Ours, optional: amounts of an invoice issued elsewhere, when this one replaces it. */
  baseRectificada: amount.optional(),
  cuotaRectificada: amount.optional(),
  recargoRectificado: amount.optional(),
  /** Ours, optional: the prices of the lines include the tax (F2, F3 and their rectificativas). */
  ivaIncluido: boolean.optional(),
});
export type InvoiceDraft = z.infer<typeof InvoiceDraft>;
export type InvoiceDraftInput = z.input<typeof InvoiceDraft>;

/** accionFactura: 0 saves the draft, 1 registers, 2 registers and sends the PDF to the client. */
export const SetFacturasBody = InvoiceDraft.extend({
  /** By default, today in the company's time zone. */
  invoiceDate: orAbsent(IsoDate.optional()),
  accionFactura: numberOrText(z.number().int().min(0).max(2)).default(0),
  draftNo: text(80).optional(),
  /** Ours, optional: the version of the draft that the form was opened with; if there is a newer one, 409. */
  version: numberOrText(z.number().int()).optional(),
  /** Ours, optional: the original kept by ExtraerFactura, to be attached to this invoice. */
  archivo: z.uuid().optional(),
});
export type SetFacturasBody = z.infer<typeof SetFacturasBody>;

export const SetFacturasAnswer = z.object({
  DocNo: z.string(),
  Status: InvoiceStatus,
  message: z.string(),
  ErrorMessage: z.string().optional(),
  Huella: z.string().optional(),
  qr: z.string().optional(),
  version: z.number().int().optional(),
});
export type SetFacturasAnswer = z.infer<typeof SetFacturasAnswer>;

/** Ours: for a refused invoice, which declaration was refused and what the AEAT holds of it. */
const Rechazo = z.object({
  TipoRegistro: z.enum(['Alta', 'Anulacion']),
  enAeat: z.enum(['nada', 'alta', 'anulacion', 'ajena']),
  /** The invoice's status after DejarFactura; absent if that is not possible. With `ajena`, DejarSinEfecto is. */
  alDejarla: z.enum(['Registrada', 'Aceptado con errores', 'Anulada']).optional(),
});

/**
 * As answered: the multipart texts of the form are already converted, and `price` and `quantity` are text, however they
 * were sent.
 */
export const EditInvoice = InvoiceDraft.extend({
  invoiceType: z.number().int(),
  crmemoType: z.number().int(),
  isSimplificada: z.boolean(),
  ivaIncluido: z.boolean().optional(),
  invoiceItems: z.array(InvoiceItem),
  tipoRectificativa: TipoRectificativa,
  Status: InvoiceStatus,
  ErrorMessage: z.string().optional(),
  version: z.number().int(),
  rechazo: Rechazo.optional(),
  /** Ours: the original that it was read from, if there is one (GetLectura). */
  archivo: z.uuid().optional(),
  /** Ours: its client if deleted, and so missing in GetClientes. The invoice is still issued to it. */
  clienteEliminado: Cliente.optional(),
});
export type EditInvoice = z.infer<typeof EditInvoice>;

/** A finding of the rules: `campo` is the name of the draft's field; for lines, `invoiceItems.2.price`. */
export const Finding = z.object({
  campo: z.string(),
  codigo: z.string().optional(),
  mensaje: z.string(),
  gravedad: z.enum(['bloquea', 'avisa']),
});
export type Finding = z.infer<typeof Finding>;

export const ValidarFacturaAnswer = z.object({
  errores: z.array(Finding),
  /** Ours, for an F3: what was paid with the simplified invoices that it replaces, which is no longer owed. */
  pagado: z
    .object({
      importe: z.number(),
      /** The day of the last of them. */
      fecha: z.string(),
      /** How all of them were paid; empty if in several ways. */
      formaPago: z.string(),
    })
    .optional(),
});
export type ValidarFacturaAnswer = z.infer<typeof ValidarFacturaAnswer>;

/** Ours: the PDFs of several invoices in one ZIP. */
export const DescargarFacturasBody = z.object({
  Nos: z.array(No).min(1, 'Elige al menos una factura.').max(500, 'Elige 500 facturas como mucho.'),
});

/** Ours: numbers of the drafts to register, or delete, in one go. */
export const BorradoresElegidos = z
  .array(No)
  .min(1, 'Elige al menos un borrador.')
  .max(500, 'Elige 500 borradores como mucho.');

export const EliminarBorradoresBody = z.object({ Nos: BorradoresElegidos });

/** How many were deleted: those registered or deleted meanwhile are skipped. */
export const EliminarBorradoresAnswer = z.object({ eliminados: z.number().int() });
export type EliminarBorradoresAnswer = z.infer<typeof EliminarBorradoresAnswer>;

/**
 * Ours: an invoice as a structured electronic invoice; `facturae-firmada` signs it with the company's certificate.
 */
export const FacturaElectronicaBody = z.object({
  No,
  formato: z.enum(['facturae', 'facturae-firmada', 'ubl']),
});
export type FormatoElectronico = z.infer<typeof FacturaElectronicaBody>['formato'];

const NO_REASON = 'Escribe por qué anulas la factura.';

export const AnularFacturaBody = z.object({
  No,
  motivo: limited(
    z.string(NO_REASON).trim().min(1, NO_REASON),
    500,
    'Tiene que tener 500 caracteres como mucho.',
  ),
});

/** What an invoice is after it was annulled, given up or left without effect. */
export const NuevoEstado = z.object({ DocNo: z.string(), Status: InvoiceStatus });
export type NuevoEstado = z.infer<typeof NuevoEstado>;

/** Ours: sends an issued invoice to its client again, or to another address. */
export const EnviarFacturaBody = z.object({
  No,
  /** Empty for the client's. */
  Email: text(320).default(''),
});
export const EnviarFacturaAnswer = z.object({ DocNo: z.string(), Email: z.string() });
export type EnviarFacturaAnswer = z.infer<typeof EnviarFacturaAnswer>;

/** One step of an invoice's life, oldest first. */
export const TimelineStep = z.object({
  tipo: z.enum([
    'borrador',
    'registrada',
    'enviada',
    'respuesta',
    'correo',
    'anulada',
    'descarga',
    'dejada',
  ]),
  fecha: z.string(),
  titulo: z.string(),
  detalle: z.string().optional(),
  tono: z.enum(['neutro', 'verde', 'ambar', 'rojo', 'azul']),
});
export type TimelineStep = z.infer<typeof TimelineStep>;

/** Ours: everything that the page of one invoice shows. */
export const InvoiceDetail = z.object({
  fila: InvoiceRow,
  borrador: EditInvoice,
  rechazo: Rechazo.optional(),
  /** Number of the F3 for which a simplified invoice was exchanged. */
  canjeadaPor: z.string().optional(),
  /** Numbers of its valid rectificativas: they have to be annulled first. */
  rectificadaPor: z.array(z.string()).optional(),
  huella: z.string().optional(),
  huellaAnterior: z.string().optional(),
  eslabon: z.number().int().optional(),
  csv: z.string().optional(),
  qr: z.string().optional(),
  /** The frozen document, as in `domain/invoice.ts`; absent for a draft. */
  emitida: z.looseObject({ numSerie: z.string() }).optional(),
  correoCliente: z.string(),
  historia: z.array(TimelineStep),
  /** Name of the file that it was read from (GetOriginal). */
  original: z.string().optional(),
  /** What is owed of it; absent for a draft. */
  cobros: Cobros.optional(),
  /** Its credits of which something is left to give back, in euros: what is owed of it may be settled against them. */
  abonos: z.array(z.object({ DocNo: z.string(), pendiente: z.number() })).optional(),
  /** Of a credit of which something is left to give back: what it rectifies and is still owed, so that it may be settled. */
  descontableDe: z.array(z.string()).optional(),
});
export type InvoiceDetail = z.infer<typeof InvoiceDetail>;

/** Ours: the connection with the AEAT, for Inicio, the pending list and the receipt. */
export const ConexionAEAT = z.object({
  estado: z.enum([
    'al-dia',
    'enviando',
    'sin-conexion',
    'parado',
    'sin-certificado',
    /** The AEAT refuses every message: nothing is sent until the cause is fixed, or somebody retries. */
    'detenido',
  ]),
  enEspera: z.number().int(),
  aceptadas: z.number().int(),
  teNecesitan: z.number().int(),
  borradores: z.number().int(),
  esperandoDesde: z.string().optional(),
  proximoEnvio: z.string().optional(),
  mensaje: z.string().optional(),
  /** Seconds by which the AEAT's clock was ahead of ours at its last answer. */
  desfaseSegundos: z.number().int().optional(),
  /** What is to be solved in time: the clock, a certificate about to expire, or expired. */
  avisos: z.array(
    z.object({
      tipo: z.enum(['reloj', 'certificado']),
      gravedad: z.enum(['aviso', 'grave']),
      mensaje: z.string(),
    }),
  ),
});
export type ConexionAEAT = z.infer<typeof ConexionAEAT>;

/** Ours: the figures of Inicio, in euros. `meses` are the last twelve, oldest first (`2026-11`). */
export const Resumen = z.object({
  mes: z.object({
    base: z.number(),
    iva: z.number(),
    total: z.number(),
    facturas: z.number().int(),
  }),
  mesAnterior: z.object({ base: z.number() }),
  trimestre: z.object({ base: z.number(), iva: z.number(), facturas: z.number().int() }),
  trimestreAnterior: z.object({ base: z.number() }),
  meses: z.array(z.object({ mes: z.string(), base: z.number() })),
});
export type Resumen = z.infer<typeof Resumen>;

/**
 * Ours: what invoices of a quarter (`2026-4T`) come to at one rate, or without tax for one cause, in euros. Of what
 * takes the place of other invoices, only the change.
 */
export const FilaPorTipo = z.object({
  trimestre: z.string(),
  impuesto: z.enum(['IVA', 'IPSI', 'IGIC']),
  /** Per cent. Absent where there is a `causa`. */
  tipo: z.number().optional(),
  /** Per cent of recargo de equivalencia. */
  recargo: z.number().optional(),
  /** Why no tax is charged: exempt (list L10), `S2` inversión del sujeto pasivo, not subject, or the one-stop shop. */
  causa: z
    .enum(['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8', 'S2', 'N1', 'N2', 'OSS'])
    .optional(),
  base: z.number(),
  cuota: z.number(),
  cuotaRecargo: z.number(),
  facturas: z.number().int(),
});
export type FilaPorTipo = z.infer<typeof FilaPorTipo>;

/** Ours: this quarter's, for Inicio; null of more invoices than are added up in a moment. */
export const TrimestrePorTipo = z.object({ filas: z.array(FilaPorTipo).nullable() });
export type TrimestrePorTipo = z.infer<typeof TrimestrePorTipo>;

const PLACE = 'Escribe lo que decía «siguiente» en la parte anterior.';

export const SumasPorTipoQuery = InvoiceListQuery.pick({
  range: true,
  desde: true,
  hasta: true,
}).extend({
  /** Where the part before ended: its `siguiente`. */
  despues: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}\.\d{1,18}$/, PLACE)
    .refine((place) => IsoDate.safeParse(place.slice(0, 10)).success, PLACE)
    .optional(),
});
export type SumasPorTipoQuery = z.infer<typeof SumasPorTipoQuery>;

/** Ours: the invoices of some days added up, a part of them at a time. */
export const SumasPorTipo = z.object({
  filas: z.array(FilaPorTipo),
  /** How many were added up. */
  facturas: z.number().int(),
  /** There are more: what to send as `despues`. */
  siguiente: z.string().optional(),
  /** Of the first part, when there are more: how many there are. */
  total: z.number().int().optional(),
});
export type SumasPorTipo = z.infer<typeof SumasPorTipo>;

/** Ours: the days of the book of issued invoices. */
export const LibroExpedidasQuery = InvoiceListQuery.pick({ range: true, desde: true, hasta: true });
export type LibroExpedidasQuery = z.infer<typeof LibroExpedidasQuery>;

/** Ours: a registered invoice with what the form needs to rectify or exchange it. */
export const FacturaEmitida = z.object({
  DocNo: z.string(),
  PostingDate: z.string(),
  Name: z.string(),
  Tipo: TipoFactura,
  Status: InvoiceStatus,
  base: z.number(),
  cuota: z.number(),
  recargo: z.number(),
  /** Other Member States' taxes (OSS), part of the total but not of the three amounts above. */
  cuotaDestino: z.number().optional(),
  total: z.number(),
  /** For a rectificativa por sustitución: amount of the invoices that it replaced, with taxes. */
  totalSustituido: z.number().optional(),
  /** Number of the F3 for which it was exchanged. */
  canjeadaPor: z.string().optional(),
});
export type FacturaEmitida = z.infer<typeof FacturaEmitida>;

export const FacturasEmitidasQuery = z.object({
  search: text(100).default(''),
  /** Exact numbers, separated by commas: then `search` is ignored. */
  numeros: text(MAX_REFERENCES).optional(),
  /** Only simplified ones that have not been exchanged yet. */
  canjeables: Flag,
  /** Only complete ones, which R1 to R4 rectify. */
  completas: Flag,
});

/** Ours: codes used in the newest invoices, most used first. */
export const MasUsados = z.object({
  clientes: z.array(z.string()),
  productos: z.array(z.string()),
});
export type MasUsados = z.infer<typeof MasUsados>;

/** Ours: the number that the next registered invoice of each series would take. */
export const ProximosNumeros = z.object({
  F: z.string(),
  S: z.string(),
  R: z.string(),
  RS: z.string(),
  G: z.string(),
  M: z.string(),
});
export type ProximosNumeros = z.infer<typeof ProximosNumeros>;
