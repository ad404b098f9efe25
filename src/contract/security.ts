import { z } from 'zod';
import { numberOrText, text } from './common.ts';

/** Ours: an open session of the account. */
export const Sesion = z.object({
  dispositivo: z.string(),
  /** Without its last part. */
  direccion: z.string(),
  inicio: z.string(),
  ultimoUso: z.string(),
  /** The session of the caller. */
  actual: z.boolean(),
});
export type Sesion = z.infer<typeof Sesion>;

export const EventoSeguridad = z.object({
  fecha: z.string(),
  tipo: z.string(),
  texto: z.string(),
  detalle: z.string(),
  dispositivo: z.string(),
  direccion: z.string(),
});
export type EventoSeguridad = z.infer<typeof EventoSeguridad>;

export const EventosSeguridad = z.object({
  rows: z.array(EventoSeguridad),
  total: z.number(),
  page: z.number(),
  pageSize: z.number(),
});
export type EventosSeguridad = z.infer<typeof EventosSeguridad>;

export const EventosQuery = z.object({
  page: numberOrText(z.number().int().min(1).max(100_000)).default(1),
  pageSize: numberOrText(z.number().int().min(1).max(200)).default(8),
  /** `cuenta`: sign-ins and changes; `facturas`: what was registered and sent to the AEAT. */
  parte: z.enum(['todo', 'cuenta', 'facturas']).default('todo'),
});

export const SegundoFactor = z.object({
  activo: z.boolean(),
  desde: z.string().optional(),
  codigosRestantes: z.number(),
});
export type SegundoFactor = z.infer<typeof SegundoFactor>;

/** The text for the phone to scan, and the same for typing. */
export const SegundoFactorPreparado = z.object({ uri: z.string(), secreto: z.string() });
export type SegundoFactorPreparado = z.infer<typeof SegundoFactorPreparado>;

/** Shown only this once. */
export const CodigosRecuperacion = z.object({ codigos: z.array(z.string()) });
export type CodigosRecuperacion = z.infer<typeof CodigosRecuperacion>;

/** The password is required when the sign-in of the session is older than ten minutes. */
export const ConfirmBody = z.object({ PasswordActual: text(1000).default('') }).nullish();

export const ActivarBody = z.object({ Codigo: text(40) });
