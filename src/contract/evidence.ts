import { z } from 'zod';
import { IsoDate } from './common.ts';

/**
 * `primeraRotura` says the first registro at which the cadena stops being whole, and why. `Huella` is
 * that of the last registro, in which all the others are held; absent when there is none.
 */
export const VerificarCadenaAnswer = z.object({
  registros: z.number().int(),
  correcta: z.boolean(),
  Huella: z.string().optional(),
  /** How many installations the registros are of, when it is more than one. */
  instalaciones: z.number().int().optional(),
  primeraRotura: z.object({ NumSerieFactura: z.string(), motivo: z.string() }).optional(),
});
export type VerificarCadenaAnswer = z.infer<typeof VerificarCadenaAnswer>;

/** How far it is: a line of the NDJSON that is answered to `Accept: application/x-ndjson`. */
export const VerificarCadenaPaso = z.object({
  registros: z.number().int(),
  total: z.number().int(),
  /** Only in the last line. */
  resultado: VerificarCadenaAnswer.optional(),
});
export type VerificarCadenaPaso = z.infer<typeof VerificarCadenaPaso>;

/** Days of generation, both included; without them, from the first registro to the last. */
export const ExportarRegistrosQuery = z.object({
  desde: IsoDate.default('0000-01-01'),
  hasta: IsoDate.default('9999-12-31'),
});

/** The month of the operation or, without one, of the issue: what the AEAT files it under. */
export const ConciliarRegistrosBody = z.object({
  Ejercicio: z.string().regex(/^20\d{2}$/, 'El ejercicio es un año de cuatro cifras.'),
  Periodo: z.string().regex(/^(0[1-9]|1[0-2])$/, 'El periodo es un mes, de 01 a 12.'),
});
export type ConciliarRegistrosBody = z.infer<typeof ConciliarRegistrosBody>;

/** An invoice that both sides do not hold alike. Amount and state as each side has them. */
export const RegistroConciliado = z.object({
  NumSerieFactura: z.string(),
  /** `dd-mm-yyyy`. */
  FechaExpedicionFactura: z.string(),
  /** What differs, in words. */
  motivo: z.string(),
  Huella: z.string().optional(),
  HuellaAEAT: z.string().optional(),
});
export type RegistroConciliado = z.infer<typeof RegistroConciliado>;

export const ConciliarRegistrosAnswer = z.object({
  /** How many invoices of the month both sides hold with the same huella. */
  iguales: z.number().int(),
  distintos: z.array(RegistroConciliado),
  soloAqui: z.array(RegistroConciliado),
  soloAEAT: z.array(RegistroConciliado),
  /** Registered here, not answered yet and not held there: they are on their way. */
  enEspera: z.number().int(),
  /** The AEAT holds registros of this very installation that we do not: registering has stopped. */
  registroDetenido: z.boolean(),
});
export type ConciliarRegistrosAnswer = z.infer<typeof ConciliarRegistrosAnswer>;

/** Starts a new installation. Ours: the password, when the sign-in is not recent. */
export const NuevaInstalacionBody = z
  .object({ PasswordActual: z.string().max(1000).default('') })
  .default({ PasswordActual: '' });

export const NuevaInstalacionAnswer = z.object({
  numeroInstalacion: z.string(),
  /** The number that the next ordinary invoice will take. */
  NoSerie: z.string(),
  /** What only the AEAT holds. */
  perdidos: z.array(
    z.object({
      NumSerieFactura: z.string(),
      /** `dd-mm-yyyy`. */
      FechaExpedicionFactura: z.string(),
      /** Decimal text of euros. */
      ImporteTotal: z.string().optional(),
    }),
  ),
  /** Invoices of here whose number the AEAT already had: they count for nothing. */
  sinEfecto: z.array(z.string()),
});
export type NuevaInstalacionAnswer = z.infer<typeof NuevaInstalacionAnswer>;

const Apartado = z.object({
  /** That of Orden HAC/1177/2024 art. 15.1; empty in the annex. */
  letra: z.string(),
  epigrafe: z.string(),
  parrafos: z.array(z.string()),
});

/** The declaración responsable of a version of the program, and which versions have one. */
export const DeclaracionAnswer = z.object({
  titulo: z.string(),
  version: z.string(),
  apartados: z.array(Apartado),
  anexo: z.array(Apartado),
  versiones: z.array(z.string()),
});
export type DeclaracionAnswer = z.infer<typeof DeclaracionAnswer>;

/** Which invoicing of this program the company is: `NumeroInstalacion` of its registros. */
export const InstalacionAnswer = z.object({ numeroInstalacion: z.string() });
export type InstalacionAnswer = z.infer<typeof InstalacionAnswer>;
