import { z } from 'zod';
import { numberOrText } from './common.ts';
import { EditInvoice } from './invoices.ts';

/** Fractions of the page's width and height, from the top left corner. */
const Caja = z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() });

/** How certain a value is, its source and its position. */
const Procedencia = z.object({
  confianza: z.number().min(0).max(1),
  origen: z.enum(['xml', 'qr', 'texto', 'ocr']),
  /** From 1. */
  pagina: z.number().int().optional(),
  caja: Caja.optional(),
});
export type Procedencia = z.infer<typeof Procedencia>;

const campoOf = <T extends z.ZodType>(valor: T) => Procedencia.extend({ valor }).optional();

/** Fields that were not found are absent. Amounts in euros, dates `YYYY-MM-DD`. */
export const CamposLeidos = z.object({
  numero: campoOf(z.string()),
  fecha: campoOf(z.string()),
  nifEmisor: campoOf(z.string()),
  nombreEmisor: campoOf(z.string()),
  nifCliente: campoOf(z.string()),
  nombreCliente: campoOf(z.string()),
  direccionCliente: campoOf(z.string()),
  baseImponible: campoOf(z.number()),
  cuotaIVA: campoOf(z.number()),
  retencion: campoOf(z.number()),
  total: campoOf(z.number()),
  lineas: z.array(
    Procedencia.extend({
      description: z.string(),
      quantity: z.number(),
      price: z.number(),
      tax: z.string(),
      total: z.number(),
    }),
  ),
});
export type CamposLeidos = z.infer<typeof CamposLeidos>;

export const ExtraerFacturaAnswer = z.object({
  borrador: EditInvoice,
  campos: CamposLeidos,
  avisos: z.array(z.string()),
  /** Ours: identifier of the kept original, to be passed to SetFacturas so that it stays with the draft. */
  archivo: z.uuid(),
});
export type ExtraerFacturaAnswer = z.infer<typeof ExtraerFacturaAnswer>;

/** Ours: what was read from an original, for reopening its draft. */
export const LecturaAnswer = z.object({
  archivo: z.uuid(),
  nombre: z.string(),
  campos: CamposLeidos,
  avisos: z.array(z.string()),
  /** Its pages in order, as pictures of that size in pixels: see GetPaginaLeida. */
  paginas: z.array(z.object({ ancho: z.number().int(), alto: z.number().int() })),
});
export type LecturaAnswer = z.infer<typeof LecturaAnswer>;

/** Ours: unregistered drafts made from a file, latest upload first. */
export const SubidasAnswer = z.object({
  subidas: z.array(
    z.object({
      DocNo: z.string(),
      nombre: z.string(),
      cliente: z.string(),
      total: z.number(),
      /** Moment of the upload, ISO 8601. */
      subida: z.string(),
    }),
  ),
  /** There are more than those. */
  hayMas: z.boolean(),
});
export type SubidasAnswer = z.infer<typeof SubidasAnswer>;

export const LecturaQuery = z.object({ archivo: z.uuid() });
export const PaginaQuery = LecturaQuery.extend({
  pagina: numberOrText(z.number().int().min(1).max(10)),
});
