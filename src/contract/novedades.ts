import { z } from 'zod';

/** Ours: the version of what a company's screens show. Each text changes whenever any of it does. */
export const Novedades = z.object({
  /** Invoices: lists, figures, their state at the AEAT, their e-mails. */
  facturas: z.string(),
  /** The subscription. */
  cuenta: z.string(),
});
export type Novedades = z.infer<typeof Novedades>;

/** With both, the answer is held for up to 25 s while it would be unchanged (RFC 7240 §4.3). */
export const NovedadesHeaders = z.object({
  'if-none-match': z.string().optional(),
  /** `wait=25` */
  prefer: z.string().optional(),
});
