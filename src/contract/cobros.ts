import { z } from 'zod';
import { IsoDate, No, text } from './common.ts';

/** «Medio utilizado» of the AEAT's book of issued invoices. */
const MedioDeCobro = z.enum(['01', '02', '03', '04', '05']);

export const MAX_IDENTIFICACION = 34;

/** Ours: notes down what was collected of an invoice; negative, what was given back for a credit. */
export const AnotarCobroBody = z.object({
  No,
  Fecha: IsoDate,
  /** Text with a decimal comma; a decimal point and numbers are accepted too. */
  Importe: z.union([text(40), z.number()]),
  Medio: MedioDeCobro,
  /** The account, or whatever else proves it. */
  Identificacion: text(MAX_IDENTIFICACION).optional(),
  /** The credit that it is settled against, of which the same is noted down as given back; empty for none. */
  Abono: text(80).optional(),
});
export type AnotarCobroBody = z.infer<typeof AnotarCobroBody>;

export const EliminarCobroBody = z.object({ No, id: z.uuid() });

const CobroAnotado = z.object({
  id: z.string(),
  Fecha: z.string(),
  Importe: z.number(),
  Medio: MedioDeCobro,
  Identificacion: z.string().optional(),
  /** The number of the invoice or the credit with which it was settled, where the same was noted down. */
  CompensadoCon: z.string().optional(),
});

/** What is owed of an invoice, in euros. Negative amounts are what is owed to its client. */
export const Cobros = z.object({
  DocNo: z.string(),
  aCobrar: z.number(),
  /** Of that, what was noted down on the invoices that it replaces. */
  cobradoAntes: z.number().optional(),
  cobrado: z.number(),
  pendiente: z.number(),
  /** The first day since which some of it is overdue. */
  vencidaDesde: z.string().optional(),
  /** The next day on which some of it is due. */
  vence: z.string().optional(),
  /** Why nothing more can be noted down, other than that nothing is left. */
  cerrado: z.string().optional(),
  criterioDeCaja: z.boolean(),
  /** By day. */
  lista: z.array(CobroAnotado),
});
export type Cobros = z.infer<typeof Cobros>;
