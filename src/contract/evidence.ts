import { z } from 'zod';
import { IsoDate, text } from './common.ts';

/**
 * `primeraRotura` is the first registro at which the cadena is broken, and why. `Huella` is that of the last
 * registro, which depends on all the others; absent when there is none.
 */
export const VerificarCadenaAnswer = z.object({
  registros: z.number().int(),
  correcta: z.boolean(),
  Huella: z.string().optional(),
  /** Number of installations that made the registros, if more than one. */
  instalaciones: z.number().int().optional(),
  primeraRotura: z.object({ NumSerieFactura: z.string(), motivo: z.string() }).optional(),
});
export type VerificarCadenaAnswer = z.infer<typeof VerificarCadenaAnswer>;

/** Progress: a line of the NDJSON answered to `Accept: application/x-ndjson`. */
export const VerificarCadenaPaso = z.object({
  registros: z.number().int(),
  total: z.number().int(),
  /** Only in the last line. */
  resultado: VerificarCadenaAnswer.optional(),
});
export type VerificarCadenaPaso = z.infer<typeof VerificarCadenaPaso>;

/** Days of generation, both included; by default, from the first registro to the last. */
/** Before and after everything. */
export const ALL_DAYS = { desde: '0000-01-01', hasta: '9999-12-31' };

export const ExportarRegistrosQuery = z.object({
  desde: IsoDate.default(ALL_DAYS.desde),
  hasta: IsoDate.default(ALL_DAYS.hasta),
});

/** The month of the operation or, without one, of the issue, under which the AEAT files it. */
export const ConciliarRegistrosBody = z.object({
  Ejercicio: z.string().regex(/^20\d{2}$/, 'El ejercicio es un año de cuatro cifras.'),
  Periodo: z.string().regex(/^(0[1-9]|1[0-2])$/, 'El periodo es un mes, de 01 a 12.'),
});
export type ConciliarRegistrosBody = z.infer<typeof ConciliarRegistrosBody>;

/** An invoice on which the two sides differ. Amount and state on each side. */
export const RegistroConciliado = z.object({
  NumSerieFactura: z.string(),
  /** `dd-mm-yyyy`. */
  FechaExpedicionFactura: z.string(),
  /** The difference, in words. */
  motivo: z.string(),
  Huella: z.string().optional(),
  HuellaAEAT: z.string().optional(),
});
export type RegistroConciliado = z.infer<typeof RegistroConciliado>;

export const ConciliarRegistrosAnswer = z.object({
  /** Invoices of the month that both sides hold with the same huella. */
  iguales: z.number().int(),
  distintos: z.array(RegistroConciliado),
  soloAqui: z.array(RegistroConciliado),
  soloAEAT: z.array(RegistroConciliado),
  /** Registered here, not answered yet and not held there: on their way. */
  enEspera: z.number().int(),
  /** The AEAT holds registros of this very installation that are missing here: registering has stopped. */
  registroDetenido: z.boolean(),
});
export type ConciliarRegistrosAnswer = z.infer<typeof ConciliarRegistrosAnswer>;

/** Progress: a line of the NDJSON answered to `Accept: application/x-ndjson`. */
export const ConciliarRegistrosPaso = z.object({
  /** Invoices that the AEAT has answered. */
  facturas: z.number().int(),
  /** Those of the month here: the AEAT may have more, or fewer. */
  total: z.number().int(),
  /** Only in the last line. */
  resultado: ConciliarRegistrosAnswer.optional(),
  /** Only in the last line, instead of the result: why the AEAT could not be asked. */
  message: z.string().optional(),
});
export type ConciliarRegistrosPaso = z.infer<typeof ConciliarRegistrosPaso>;

/** Starts a new installation. Ours: the password, if the sign-in is not recent. */
export const NuevaInstalacionBody = z
  .object({ PasswordActual: text(1000).default('') })
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
  /** Invoices whose number the AEAT already had: they have no effect. */
  sinEfecto: z.array(z.string()),
  /** Invoices with a correction or an anulación that is not sent, because the AEAT has a later registro of them. */
  sinEnviar: z.array(z.string()),
});
export type NuevaInstalacionAnswer = z.infer<typeof NuevaInstalacionAnswer>;

const Apartado = z.object({
  /** That of Orden HAC/1177/2024 art. 15.1; empty in the annex. */
  letra: z.string(),
  epigrafe: z.string(),
  parrafos: z.array(z.string()),
});

/** The declaración responsable of a version of the program, and the versions that have one. */
export const DeclaracionAnswer = z.object({
  titulo: z.string(),
  version: z.string(),
  apartados: z.array(Apartado),
  anexo: z.array(Apartado),
  versiones: z.array(z.string()),
});
export type DeclaracionAnswer = z.infer<typeof DeclaracionAnswer>;

/** The company's installation of this program: `NumeroInstalacion` in its registros. */
export const InstalacionAnswer = z.object({ numeroInstalacion: z.string() });
export type InstalacionAnswer = z.infer<typeof InstalacionAnswer>;
