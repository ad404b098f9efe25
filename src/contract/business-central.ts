import { z } from 'zod';
import { IsoDate, limited, text } from './common.ts';

const Guid = z.guid('Elige la empresa de la lista.');

/** Empty keeps the saved secret. */
const Acceso = z.object({
  tenant: limited(z.string().trim(), 100),
  entorno: limited(z.string().trim(), 30),
  clientId: limited(z.string().trim(), 36),
  clientSecret: limited(z.string().trim(), 300).default(''),
});

export const BusinessCentralEmpresasBody = Acceso;
export const BusinessCentralEmpresas = z.array(z.object({ value: z.string(), label: z.string() }));

export const SetBusinessCentralBody = Acceso.extend({
  empresaId: Guid,
  /** What a posted invoice becomes: a draft, or an invoice registered at once. */
  modo: z.enum(['borradores', 'registrar']).default('borradores'),
  /** Writes state, huella, CSV and QR back into the document there. */
  devolver: z.boolean().default(true),
  /** First day of issue that is imported. */
  desde: IsoDate,
  cadaMinutos: z.number().int().min(5).max(1440).default(15),
});
export type SetBusinessCentralBody = z.infer<typeof SetBusinessCentralBody>;
export type SetBusinessCentralInput = z.input<typeof SetBusinessCentralBody>;

export const Sincronizacion = z.object({
  id: z.string(),
  causa: z.enum(['manual', 'programada', 'reintento']),
  estado: z.enum(['en-marcha', 'terminada', 'aplazada', 'fallida', 'parada']),
  fase: z.string(),
  /** Its counts: `clientesNuevos`, `facturasNuevas`, `retenidas`… */
  cuentas: z.record(z.string(), z.number()),
  mensaje: z.string().optional(),
  empezada: z.string(),
  acabada: z.string().optional(),
});
export type Sincronizacion = z.infer<typeof Sincronizacion>;

export const BusinessCentral = z.object({
  estado: z.enum(['sin-conectar', 'preparada', 'activa', 'pausada']),
  conexion: z
    .object({
      tenant: z.string(),
      entorno: z.string(),
      clientId: z.string(),
      empresaId: z.string(),
      empresa: z.string(),
      modo: z.enum(['borradores', 'registrar']),
      devolver: z.boolean(),
      desde: z.string(),
      cadaMinutos: z.number(),
    })
    .optional(),
  /** Who stated that VERI*FACTU is switched off there, and when. */
  verifactuApagado: z.object({ quien: z.string(), cuando: z.string() }).optional(),
  proxima: z.string().optional(),
  enMarcha: Sincronizacion.optional(),
  /** Newest first. */
  historial: z.array(Sincronizacion),
  /** VAT codes that nobody has mapped yet. */
  ivaPendiente: z.number().int(),
  conProblemas: z.number().int(),
});
export type BusinessCentral = z.infer<typeof BusinessCentral>;

export const ProbarBusinessCentral = z.object({
  correcta: z.boolean(),
  pasos: z.array(
    z.object({
      texto: z.string(),
      estado: z.enum(['bien', 'aviso', 'mal', 'pendiente']),
      mensaje: z.string().optional(),
    }),
  ),
});
export type ProbarBusinessCentral = z.infer<typeof ProbarBusinessCentral>;

export const ActivarBusinessCentralBody = z.object({
  /** «VERI*FACTU está desactivado en Business Central»: only required the first time. */
  verifactuApagado: z.boolean().default(false),
});

export const SincronizarBusinessCentralBody = z.object({
  /** Judges held documents again. */
  reintentar: z.boolean().default(false),
});

const CodigoIva = z.object({
  /** Group of the clients: `NAC`, `UE`… */
  grupo: text(20),
  codigo: text(40),
  /** Per cent, as decimal text. */
  porcentaje: text(10),
  /** Our VATProdPostingGroup; empty until somebody chooses it. */
  tax: text(20),
});

export const BusinessCentralIva = z.array(
  CodigoIva.extend({
    grupoNombre: z.string(),
    propuesta: z.string(),
    opciones: z.array(z.object({ value: z.string(), label: z.string() })),
    /** Documents that wait for it. */
    esperan: z.number().int(),
  }),
);
export type BusinessCentralIva = z.infer<typeof BusinessCentralIva>;

export const SetBusinessCentralIvaBody = z.object({ codigos: z.array(CodigoIva).max(500) });
export type SetBusinessCentralIvaBody = z.infer<typeof SetBusinessCentralIvaBody>;

export const BusinessCentralProblemas = z.object({
  total: z.number().int(),
  problemas: z.array(
    z.object({
      tipo: z.enum(['cliente', 'producto', 'factura', 'abono']),
      numero: z.string(),
      nombre: z.string(),
      fecha: z.string().optional(),
      total: z.number().optional(),
      motivos: z.array(z.string()),
      /** The draft or invoice it became. */
      DocNo: z.string().optional(),
    }),
  ),
});
export type BusinessCentralProblemas = z.infer<typeof BusinessCentralProblemas>;
