import { z } from 'zod';
import { limited, name, text } from './common.ts';
import { BorradoresElegidos, InvoiceDraft } from './invoices.ts';
import { Cliente } from './parties.ts';

/** What importing a row would do. */
export const AccionImportar = z.enum(['nuevo', 'actualizado', 'igual', 'erroneo']);
export type AccionImportar = z.infer<typeof AccionImportar>;

/** Row as the spreadsheet counts, from 1. */
const fila = z.number().int().optional();

/** A customer of the file, as it would be saved. An empty `No` requests the next code. */
const ClienteImportado = Cliente.extend({ fila, accion: AccionImportar.optional() });

const ItemImportado = z.object({
  No: text(40),
  Name: name(250),
  UnitOfMeasure: text(20),
  UnitPrice: z.number(),
  VATProdPostingGroup: text(20).optional(),
  fila,
  accion: AccionImportar.optional(),
});

/** An invoice of the file: a draft, and the data by which it is recognised when the file is imported again. */
export const FacturaImportada = InvoiceDraft.extend({
  referencia: limited(z.string().min(1), 30),
  /** NIF, code or name of its customer as the file writes it: the customer may be in the same file. */
  cliente: text(120).default(''),
  total: z.number().optional(),
  fila,
  accion: AccionImportar.optional(),
});
export type FacturaImportada = z.infer<typeof FacturaImportada>;

/** A cell to be corrected. `celda` as the spreadsheet names it, `C7`. */
export const ErrorImportar = z.object({
  hoja: z.string(),
  fila: z.number().int(),
  columna: z.string(),
  mensaje: z.string(),
  celda: z.string(),
  valor: z.string(),
});
export type ErrorImportar = z.infer<typeof ErrorImportar>;

/** A row and what will happen to it, including wrong ones. An invoice is one row here, its first. */
export const FilaImportar = z.object({
  hoja: z.string(),
  fila: z.number().int(),
  clave: z.string(),
  nombre: z.string(),
  accion: AccionImportar,
  nota: z.string().optional(),
  /** Why a client may be none: the file says so, or it is named «Empresa, Persona» after another row. */
  parece: z.enum(['proveedor', 'contacto']).optional(),
  /** Of an invoice, the place of its client among the rows, if that is not saved yet: without it, neither is the invoice. */
  cliente: z.number().int().optional(),
});
export type FilaImportar = z.infer<typeof FilaImportar>;

export const RecuentoImportar = z.object({
  nuevo: z.number().int(),
  actualizado: z.number().int(),
  igual: z.number().int(),
  erroneo: z.number().int(),
});
export type RecuentoImportar = z.infer<typeof RecuentoImportar>;

/** A warning before importing that blocks nothing, with the number of rows concerned. */
export const AvisoImportar = z.object({
  hoja: z.string(),
  columna: z.string(),
  /** The first of them. */
  fila: z.number().int(),
  filas: z.number().int(),
  mensaje: z.string(),
});
export type AvisoImportar = z.infer<typeof AvisoImportar>;

export const DestinoImportar = z.enum(['Clientes', 'Productos', 'Facturas']);
export type DestinoImportar = z.infer<typeof DestinoImportar>;

/** What a sheet of another program's file becomes, and which of its columns is which of ours. */
export const CorrespondenciaHoja = z.object({
  hoja: text(200),
  destino: DestinoImportar,
  /** The row with the titles, from 1. */
  fila: z.number().int().min(1).max(1_000),
  /** By our field, the column from 0. */
  columnas: z.record(text(40), z.number().int().min(0).max(99)),
  /** By our field, the value for all rows if the file has no such column. */
  fijos: z.record(text(40), text(250)).default({}),
});
export type CorrespondenciaHoja = z.infer<typeof CorrespondenciaHoja>;

export const Correspondencia = z.object({
  decimal: z.enum([',', '.']),
  hojas: z.array(CorrespondenciaHoja).min(1).max(3),
});
export type Correspondencia = z.infer<typeof Correspondencia>;

/** One of our fields, as offered in a mapping. */
export const CampoImportar = z.object({
  clave: z.string(),
  titulo: z.string(),
  obligatorio: z.boolean(),
  /** The `clave` of another field: one of the two is mandatory. */
  oBien: z.string().optional(),
  /** The `clave` of the field that it is added to, and that needs a column first. */
  sigueA: z.string().optional(),
  ayuda: z.string(),
  /** One value may be used for all rows: the proposed one and, for a list, its codes and names. */
  fijo: z
    .object({ inicial: z.string(), valores: z.array(z.tuple([z.string(), z.string()])) })
    .optional(),
});
export type CampoImportar = z.infer<typeof CampoImportar>;

/** A non-empty sheet. `propuestas` gives, by destination and field, the likely column. */
export const HojaLeida = z.object({
  hoja: z.string(),
  fila: z.number().int(),
  filas: z.number().int(),
  columnas: z.array(
    z.object({ indice: z.number().int(), titulo: z.string(), ejemplos: z.array(z.string()) }),
  ),
  destino: DestinoImportar.nullable(),
  propuestas: z.record(DestinoImportar, z.record(z.string(), z.number().int())),
  /** The columns that name a client whose proposed column of the name is blank, if no field is given them. */
  personas: z.array(z.number().int()).optional(),
});
export type HojaLeida = z.infer<typeof HojaLeida>;

/** The content of another program's file, for a person to assign its columns. */
export const ColumnasLeidas = z.object({
  hojas: z.array(HojaLeida),
  decimal: z.enum([',', '.']),
  campos: z.record(DestinoImportar, z.array(CampoImportar)),
});
export type ColumnasLeidas = z.infer<typeof ColumnasLeidas>;

const answerOf = {
  /** The first ten thousand: `resumen` counts all wrong rows. */
  errores: z.array(ErrorImportar),
  avisos: z.array(AvisoImportar),
  filas: z.array(FilaImportar),
  resumen: z.object({
    clientes: RecuentoImportar,
    items: RecuentoImportar,
    facturas: RecuentoImportar,
  }),
};

/** Only rows without errors are in the three lists, which are what SaveData accepts. */
export const ImportExcelAnswer = z.object({
  clientes: z.array(ClienteImportado),
  items: z.array(ItemImportado),
  facturas: z.array(
    FacturaImportada.extend({
      invoiceType: z.number().int(),
      crmemoType: z.number().int(),
      isSimplificada: z.boolean(),
      invoiceItems: z.array(InvoiceDraft.shape.invoiceItems.out.element),
    }),
  ),
  ...answerOf,
  /** Identifies the same file when it comes again. */
  importId: z.string(),
  /** When it was imported before, in ISO 8601. */
  importadoEl: z.string().optional(),
});
export type ImportExcelAnswer = z.infer<typeof ImportExcelAnswer>;

const MAX_CLIENTES = 5_000;
const MAX_ITEMS = 5_000;
/** Rows of the sheet of invoices, i.e. lines. */
const MAX_LINEAS = 20_000;

export const SaveDataBody = z.object({
  Clientes: z.array(ClienteImportado).max(MAX_CLIENTES).default([]),
  Items: z.array(ItemImportado).max(MAX_ITEMS).default([]),
  Facturas: z.array(FacturaImportada).max(MAX_LINEAS).default([]),
  /** From ImportExcel: identifies the file when it comes again. */
  importId: z
    .string()
    .regex(/^[\w-]{43}$/)
    .optional(),
});
export type SaveDataBody = z.infer<typeof SaveDataBody>;

/** How many were written: those already saved and unchanged do not count. */
export const SaveDataAnswer = z.object({
  clientes: z.number().int(),
  items: z.number().int(),
  facturas: z.number().int(),
});
export type SaveDataAnswer = z.infer<typeof SaveDataAnswer>;

/** Progress or result of the company's last import. `ninguna` when there was none. */
export const Importacion = z.object({
  estado: z.enum(['ninguna', 'guardando', 'terminada', 'fallida']),
  /** Rows written and to be written; an invoice counts as one. */
  hechas: z.number().int(),
  total: z.number().int(),
  resultado: SaveDataAnswer.optional(),
  /** Why nothing was saved. */
  mensaje: z.string().optional(),
  empezada: z.string().optional(),
  /** Percentage of a file that has been read and validated, before anything is saved. */
  leyendo: z.number().int().min(0).max(100).optional(),
});
export type Importacion = z.infer<typeof Importacion>;

/** A draft that «Registrar todas» could not register, and why. */
const RegistrarFallo = z.object({
  DocNo: z.string(),
  cliente: z.string(),
  mensajes: z.array(z.string()),
});

/** Ours. A call of its own, so that a list lost on its way is refused and never means all drafts. */
export const RegistrarBorradoresBody = z.object({ Nos: BorradoresElegidos });

/** Progress of «Registrar todas». `sin-empezar` if the company has never started it. */
export const RegistrarTodas = z.object({
  estado: z.enum(['sin-empezar', 'en-marcha', 'parando', 'parada', 'terminada', 'detenida']),
  total: z.number().int(),
  registradas: z.number().int(),
  fallidas: z.number().int(),
  /** Why it stopped by itself. */
  mensaje: z.string().optional(),
  /** First and last date of the invoices registered. */
  desde: z.string().optional(),
  hasta: z.string().optional(),
  empezada: z.string().optional(),
  acabada: z.string().optional(),
  /** Those that are still drafts, by date: the first 200 out of `porCorregir`. */
  fallos: z.array(RegistrarFallo),
  porCorregir: z.number().int(),
  /** Current number of drafts: what pressing the button would register. */
  borradores: z.number().int(),
});
export type RegistrarTodas = z.infer<typeof RegistrarTodas>;
