import { z } from 'zod';
import { BorradoresElegidos, InvoiceDraft } from './invoices.ts';
import { Cliente } from './parties.ts';

/** What importing a row would do. */
export const AccionImportar = z.enum(['nuevo', 'actualizado', 'igual', 'erroneo']);
export type AccionImportar = z.infer<typeof AccionImportar>;

/** Row as the spreadsheet counts them, from 1. */
const fila = z.number().int().optional();

/** A customer of the file, as it would be saved. An empty `No` asks for the next code. */
const ClienteImportado = Cliente.extend({ fila, accion: AccionImportar.optional() });

const ItemImportado = z.object({
  No: z.string().max(40),
  Name: z.string().max(300),
  UnitOfMeasure: z.string().max(20),
  UnitPrice: z.number(),
  VATProdPostingGroup: z.string().max(20).optional(),
  fila,
  accion: AccionImportar.optional(),
});

/** An invoice of the file: a draft, and by what it is known again when the file comes twice. */
export const FacturaImportada = InvoiceDraft.extend({
  referencia: z.string().min(1).max(30),
  /** NIF, code or name of its customer as the file writes it: the customer may be in the same file. */
  cliente: z.string().max(120).default(''),
  total: z.number().optional(),
  fila,
  accion: AccionImportar.optional(),
});
export type FacturaImportada = z.infer<typeof FacturaImportada>;

/** A cell to mend. `celda` as the spreadsheet names it, `C7`. */
export const ErrorImportar = z.object({
  hoja: z.string(),
  fila: z.number().int(),
  columna: z.string(),
  mensaje: z.string(),
  celda: z.string(),
  valor: z.string(),
});
export type ErrorImportar = z.infer<typeof ErrorImportar>;

/** A row and what will happen to it, wrong ones too. Invoices are one row here, their first. */
export const FilaImportar = z.object({
  hoja: z.string(),
  fila: z.number().int(),
  clave: z.string(),
  nombre: z.string(),
  accion: AccionImportar,
  nota: z.string().optional(),
});
export type FilaImportar = z.infer<typeof FilaImportar>;

export const RecuentoImportar = z.object({
  nuevo: z.number().int(),
  actualizado: z.number().int(),
  igual: z.number().int(),
  erroneo: z.number().int(),
});
export type RecuentoImportar = z.infer<typeof RecuentoImportar>;

/** Something to know before importing that stops nothing, with how many rows it is true of. */
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
  hoja: z.string().max(200),
  destino: DestinoImportar,
  /** The row with the titles, from 1. */
  fila: z.number().int().min(1).max(1_000),
  /** By our field, the column from 0. */
  columnas: z.record(z.string().max(40), z.number().int().min(0).max(99)),
  /** By our field, what every row says where the file has no column for it. */
  fijos: z.record(z.string().max(40), z.string().max(250)).default({}),
});
export type CorrespondenciaHoja = z.infer<typeof CorrespondenciaHoja>;

export const Correspondencia = z.object({
  decimal: z.enum([',', '.']),
  hojas: z.array(CorrespondenciaHoja).min(1).max(3),
});
export type Correspondencia = z.infer<typeof Correspondencia>;

/** One of our fields, as a mapping offers it. */
export const CampoImportar = z.object({
  clave: z.string(),
  titulo: z.string(),
  obligatorio: z.boolean(),
  ayuda: z.string(),
  /** One value may do for all rows: which one is proposed and, of a list, its codes and names. */
  fijo: z
    .object({ inicial: z.string(), valores: z.array(z.tuple([z.string(), z.string()])) })
    .optional(),
});
export type CampoImportar = z.infer<typeof CampoImportar>;

/** A sheet with something in it. `propuestas` says, by destination and field, which column it seems to be. */
export const HojaLeida = z.object({
  hoja: z.string(),
  fila: z.number().int(),
  filas: z.number().int(),
  columnas: z.array(
    z.object({ indice: z.number().int(), titulo: z.string(), ejemplos: z.array(z.string()) }),
  ),
  destino: DestinoImportar.nullable(),
  propuestas: z.record(DestinoImportar, z.record(z.string(), z.number().int())),
});
export type HojaLeida = z.infer<typeof HojaLeida>;

/** What a file of another program has, for a person to say what is what. */
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

/** Only rows without errors are in the three lists: they are what SaveData takes. */
export const ImportExcelAnswer = z.object({
  clientes: z.array(ClienteImportado),
  items: z.array(ItemImportado),
  facturas: z.array(
    FacturaImportada.extend({
      isSimplificada: z.boolean(),
      invoiceItems: z.array(InvoiceDraft.shape.invoiceItems.out.element),
    }),
  ),
  ...answerOf,
  /** By which the same file is known again. */
  importId: z.string(),
  /** When it was imported before, in ISO 8601. */
  importadoEl: z.string().optional(),
});
export type ImportExcelAnswer = z.infer<typeof ImportExcelAnswer>;

const MAX_CLIENTES = 5_000;
const MAX_ITEMS = 5_000;
/** Rows of the sheet of invoices: their lines. */
const MAX_LINEAS = 20_000;

export const SaveDataBody = z.object({
  Clientes: z.array(ClienteImportado).max(MAX_CLIENTES).default([]),
  Items: z.array(ItemImportado).max(MAX_ITEMS).default([]),
  Facturas: z.array(FacturaImportada).max(MAX_LINEAS).default([]),
  /** That of ImportExcel: the file is known again when it comes twice. */
  importId: z
    .string()
    .regex(/^[\w-]{43}$/)
    .optional(),
});
export type SaveDataBody = z.infer<typeof SaveDataBody>;

/** How many were written: those that were saved already, and the same, do not count. */
export const SaveDataAnswer = z.object({
  clientes: z.number().int(),
  items: z.number().int(),
  facturas: z.number().int(),
});
export type SaveDataAnswer = z.infer<typeof SaveDataAnswer>;

/** How the last import of the company goes, or went. `ninguna` when there was none. */
export const Importacion = z.object({
  estado: z.enum(['ninguna', 'guardando', 'terminada', 'fallida']),
  /** Rows written and to write; invoices count as one. */
  hechas: z.number().int(),
  total: z.number().int(),
  resultado: SaveDataAnswer.optional(),
  /** Why nothing was saved. */
  mensaje: z.string().optional(),
  empezada: z.string().optional(),
  /** While a file is being read and judged before anything is saved: how much of it, per cent. */
  leyendo: z.number().int().min(0).max(100).optional(),
});
export type Importacion = z.infer<typeof Importacion>;

/** A draft that «Registrar todas» could not register, and why. */
const RegistrarFallo = z.object({
  DocNo: z.string(),
  cliente: z.string(),
  mensajes: z.array(z.string()),
});

/** Ours. With a call of its own: a list that is lost on its way is refused, and never taken for all of the drafts. */
export const RegistrarBorradoresBody = z.object({ Nos: BorradoresElegidos });

/** How «Registrar todas» goes. `sin-empezar` when the company has never asked for it. */
export const RegistrarTodas = z.object({
  estado: z.enum(['sin-empezar', 'en-marcha', 'parando', 'parada', 'terminada', 'detenida']),
  total: z.number().int(),
  registradas: z.number().int(),
  fallidas: z.number().int(),
  /** Why it stopped by itself. */
  mensaje: z.string().optional(),
  empezada: z.string().optional(),
  acabada: z.string().optional(),
  /** Those that are drafts still, by date: the first 200 of the `porCorregir` that there are. */
  fallos: z.array(RegistrarFallo),
  porCorregir: z.number().int(),
  /** Drafts of the company at this moment: what pressing the button would register. */
  borradores: z.number().int(),
});
export type RegistrarTodas = z.infer<typeof RegistrarTodas>;
