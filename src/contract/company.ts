import { z } from 'zod';
import { name, text } from './common.ts';

export const DatosEmpresa = z.object({
  Email: z.string(),
  Name: z.string(),
  VATRegistrationNo: z.string(),
  Address: z.string(),
  countryCode: z.string(),
  postCode: z.string(),
  PaymentTerms: z.string(),
  PaymentMethod: z.string(),
  CustomerPostingGroup: z.string(),
  Customer: z.string(),
  NoSerie: z.string(),
  /** Ours, optional: printed on the invoice, the account for transfers and the telephone. */
  IBAN: z.string().optional(),
  Telefono: z.string().optional(),
  /** Ours, optional: the town of the address, which Facturae requires separately. */
  Municipio: z.string().optional(),
  /** Ours, optional: percentage that new invoices start with where it applies; empty for none. */
  RetencionPorDefecto: z.string().optional(),
  /** Ours, optional: `VATProdPostingGroup` that new lines of the form begin with; empty for the general rate. */
  ImpuestoPorDefecto: z.string().optional(),
  /** Ours, optional: entry in the Registro Mercantil, at the foot of invoices. */
  DatosRegistrales: z.string().optional(),
});
export type DatosEmpresa = z.infer<typeof DatosEmpresa>;

/** SetDatosEmpresa2: `message`, ours, says that the counter was restarted because of the new NIF. */
export const DatosEmpresaCambiada = DatosEmpresa.extend({ message: z.string().optional() });
export type DatosEmpresaCambiada = z.infer<typeof DatosEmpresaCambiada>;

export const Certificate = z.object({
  hasValue: z.boolean(),
  FileName: z.string().optional(),
  titular: z.string().optional(),
  nif: z.string().optional(),
  emisor: z.string().optional(),
  /** First and last day in which it is valid, in the company's time zone: `2026-11-20`. */
  validoDesde: z.string().optional(),
  validoHasta: z.string().optional(),
  /** Ours: it has expired, which happens at some hour of its last day. */
  caducado: z.boolean().optional(),
  tipo: z.enum(['persona', 'representante', 'sello']).optional(),
});
export type Certificate = z.infer<typeof Certificate>;

export const DatosSubscripcion = z.object({
  type: z.enum(['Demo', 'monthly', 'semiannual', 'annual']),
  enabled: z.boolean(),
  /** Its last day, in the company's time zone: `2026-11-20`. */
  expirationdate: z.string(),
});
export type DatosSubscripcion = z.infer<typeof DatosSubscripcion>;

export const SetDatosEmpresa1Body = z.object({
  Email: text(254).default(''),
  /** Empty keeps the current one. */
  Password: text(1000).default(''),
  /** Ours, optional: required when the sign-in of the session is older than ten minutes. */
  PasswordActual: text(1000).default(''),
});

export const SetDatosEmpresa2Body = z.object({
  Name: name(120),
  VATRegistrationNo: text(40),
  Address: text(300),
  countryCode: text(2),
  postCode: text(20),
  /** Ours: if omitted, it stays as long as the address does, and is deleted with it. */
  Municipio: text(50).optional(),
});

/** Omitted fields stay as they are; those from `IBAN` on are ours. */
export const SetDatosEmpresa3Body = z.object({
  PaymentTerms: text(20).optional(),
  PaymentMethod: text(20).optional(),
  CustomerPostingGroup: text(20).optional(),
  Customer: text(40).optional(),
  IBAN: text(50).optional(),
  Telefono: text(30).optional(),
  RetencionPorDefecto: z.union([text(10), z.number()]).optional(),
  ImpuestoPorDefecto: text(20).optional(),
  DatosRegistrales: text(300).optional(),
});

export const ReiniciarContadorBody = z.object({
  NoSerie: text(100),
  /** Ours, optional, as in `SetDatosEmpresa1`. */
  PasswordActual: text(1000).default(''),
});

/** DeleteAccount has no body; ours, optional: the password, when the sign-in is not recent. */
/** Ours: state of the ZIP with all the company's data. */
export const CopiaDatos = z.object({
  estado: z.enum(['ninguna', 'preparando', 'lista', 'fallida']),
  /** While it is being made: invoices drawn so far, and their total. */
  facturas: z.number().int().optional(),
  total: z.number().int().optional(),
  /** Once ready: its size, and until when it can be downloaded. */
  bytes: z.number().int().optional(),
  hasta: z.string().optional(),
});
export type CopiaDatos = z.infer<typeof CopiaDatos>;

/** The text that opens a copy without a session. */
export const EnlaceCopia = z.object({ enlace: z.string() });

export const EnlaceCopiaBody = z.object({ Enlace: text(200) });

export const CopiaEnlazada = z.object({
  archivo: z.string(),
  bytes: z.number().int(),
  hasta: z.string(),
});
export type CopiaEnlazada = z.infer<typeof CopiaEnlazada>;

export const DeleteAccountBody = z.object({ PasswordActual: text(1000).default('') }).nullish();

export const SupportMailBody = z.object({
  Asunto: text(200).default(''),
  Body: text(10_000).default(''),
});

/** What every page needs to know about the provider: footer, links, version. Ours, public. */
export const Configuracion = z.object({
  version: z.string(),
  entornoAEAT: z.enum(['simulador', 'pruebas', 'produccion']),
  desarrollo: z.boolean(),
  /** The program as named in every registro (`NombreSistemaInformatico`, `IdSistemaInformatico`). */
  sistema: z.object({ nombre: z.string(), identificador: z.string() }),
  empresa: z.object({
    razonSocial: z.string(),
    nif: z.string(),
    direccion: z.string(),
    telefono: z.string(),
    correo: z.string(),
  }),
  enlaces: z.object({
    comoFunciona: z.string(),
    avisoLegal: z.string(),
    privacidad: z.string(),
    terminos: z.string(),
    pagos: z.string(),
  }),
});
export type Configuracion = z.infer<typeof Configuracion>;
