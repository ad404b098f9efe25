import { z } from 'zod';
import { EditInvoice } from './invoices.ts';

/** Fractions of the page's width and height, from its top left corner. */
const Caja = z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() });

const campoOf = <T extends z.ZodType>(valor: T) =>
  z
    .object({
      valor,
      confianza: z.number().min(0).max(1),
      origen: z.enum(['xml', 'qr', 'texto', 'ocr']),
      pagina: z.number().int().optional(),
      caja: Caja.optional(),
    })
    .optional();

/** What was not found is absent. Amounts in euros, dates `YYYY-MM-DD`. */
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
    z.object({
      description: z.string(),
      quantity: z.number(),
      price: z.number(),
      tax: z.string(),
      total: z.number(),
    }),
  ),
});

export const ExtraerFacturaAnswer = z.object({
  borrador: EditInvoice,
  campos: CamposLeidos,
  avisos: z.array(z.string()),
  /** Ours: name of the kept original; SetFacturas takes it back so that it stays with the draft. */
  archivo: z.uuid(),
});
export type ExtraerFacturaAnswer = z.infer<typeof ExtraerFacturaAnswer>;
