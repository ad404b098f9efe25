import { z } from 'zod';

/** Ours: what a company's screens show is at. Each text is another one once anything of it changed. */
export const Novedades = z.object({
  /** Invoices: lists, figures, how they stand with the AEAT, their mail. */
  facturas: z.string(),
  /** The subscription. */
  cuenta: z.string(),
});
export type Novedades = z.infer<typeof Novedades>;

/** With both, the answer is held for up to 25 s while it would be the same (RFC 7240 §4.3). */
export const NovedadesHeaders = z.object({
  'if-none-match': z.string().optional(),
  /** `wait=25` */
  prefer: z.string().optional(),
});
