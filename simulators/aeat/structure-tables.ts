import { COUNTRIES } from './countries.ts';
import { NS } from './namespaces.ts';
import {
  block,
  either,
  eitherCheckedLater,
  type Leaf,
  many,
  one,
  optional,
  type ValueOf,
} from './structure.ts';
import { isCalendarDate } from './values.ts';

/**
 * Order, cardinality and values of the messages (schemas 1.0, SuministroInformacion of 11-01-2026). The number beside
 * a leaf is the AEAT's code for a wrong value there; 1100 is «wrong value or type», for fields without a code of
 * their own.
 */

const text = (max: number, { min = 0, code = 1100 } = {}): Leaf => ({
  kind: 'leaf',
  code,
  accepts: (value) => hasLength(value, min, max),
});
const pattern = (expression: RegExp, code = 1100): Leaf => ({
  kind: 'leaf',
  code,
  accepts: (value) => expression.test(value),
});
const oneOf = (values: string, code: number): Leaf => {
  const allowed = new Set(values.split(' '));
  return { kind: 'leaf', code, accepts: (value) => allowed.has(value) };
};
const nif = (code = 1100) => text(9, { min: 9, code });
const fecha = (code: number) => pattern(/^\d{2}-\d{2}-\d{4}$/, code);
const importe = pattern(/^[+-]?\d{1,12}(\.\d{0,2})?$/);
/** A wrong length of a total has a code of its own (1266, 1267); any other wrong form is 1100. */
const total = (lengthCode: number): Leaf => ({
  ...importe,
  code: (value) => (/^[+-]?\d{13,}(\.\d{0,2})?$/.test(value) ? lengthCode : 1100),
});
const tipo = pattern(/^\d{1,3}(\.\d{0,2})?$/);
/** Fractions and an offset without colon are refused; `Z` is not (measured). */
const fechaHoraHuso: Leaf = {
  kind: 'leaf',
  code: 1244,
  accepts: (value) =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$/.test(value) &&
    isCalendarDate(value.slice(0, 10)) &&
    !Number.isNaN(Date.parse(value)),
};
const siNo = (code: number) => oneOf('S N', code);

/** In characters, not in UTF-16 units; most values need no counting. */
function hasLength(value: string, min: number, max: number): boolean {
  if (value.length < min) return false;
  return value.length <= max || [...value].length <= max;
}

const idOtro = (idTypeCode: number) =>
  block(NS.sf, {
    CodigoPais: optional({
      kind: 'leaf',
      code: 1101,
      accepts: (value: string) => COUNTRIES.has(value),
    }),
    IDType: one(oneOf('02 03 04 05 06 07', idTypeCode)),
    ID: one(text(20, { min: 1, code: 1103 })),
  });

const personaES = (nifCode: number) =>
  block(NS.sf, { NombreRazon: one(text(120)), NIF: one(nif(nifCode)) });

const persona = (codes: { nif: number; idType: number }) =>
  block(NS.sf, {
    NombreRazon: one(text(120)),
    NIF: either(nif(codes.nif)),
    IDOtro: either(idOtro(codes.idType)),
  });

const IDFacturaExpedida = block(NS.sf, {
  IDEmisorFactura: one(nif()),
  NumSerieFactura: one(text(60, { min: 1, code: 1104 })),
  FechaExpedicionFactura: one(fecha(1105)),
});

const IDFacturaAnulada = block(NS.sf, {
  IDEmisorFacturaAnulada: one(nif()),
  NumSerieFacturaAnulada: one(text(60, { min: 1, code: 1104 })),
  FechaExpedicionFacturaAnulada: one(fecha(1105)),
});

const ImporteRectificacion = block(NS.sf, {
  BaseRectificada: one(importe),
  CuotaRectificada: one(importe),
  CuotaRecargoRectificado: optional(importe),
});

const DetalleDesglose = block(NS.sf, {
  Impuesto: optional(oneOf('01 02 03 05', 1218)),
  ClaveRegimen: optional(oneOf('01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20 21', 1246)),
  CalificacionOperacion: eitherCheckedLater(oneOf('S1 S2 N1 N2', 1181)),
  OperacionExenta: eitherCheckedLater(oneOf('E1 E2 E3 E4 E5 E6 E7 E8', 1182)),
  TipoImpositivo: optional(tipo),
  BaseImponibleOimporteNoSujeto: one(importe),
  BaseImponibleACoste: optional(importe),
  CuotaRepercutida: optional(importe),
  TipoRecargoEquivalencia: optional(tipo),
  CuotaRecargoEquivalencia: optional(importe),
});

/** The previous huella has no limits here: a wrong one is only a warning (2002, 2003). */
const Encadenamiento = block(NS.sf, {
  PrimerRegistro: either(oneOf('S', 1274)),
  RegistroAnterior: either(
    block(NS.sf, {
      IDEmisorFactura: one(nif(1269)),
      NumSerieFactura: one(text(60, { min: 1, code: 1175 })),
      FechaExpedicionFactura: one(fecha(1174)),
      Huella: one(text(Number.POSITIVE_INFINITY)),
    }),
  ),
});

const SistemaInformatico = block(NS.sf, {
  NombreRazon: one(text(120)),
  NIF: eitherCheckedLater(nif(1176)),
  IDOtro: eitherCheckedLater(idOtro(1221)),
  NombreSistemaInformatico: one(text(30, { min: 1, code: 1220 })),
  IdSistemaInformatico: one(pattern(/^[A-Z0-9]{2}$/)),
  Version: one(text(50, { min: 1 })),
  NumeroInstalacion: one(text(100, { min: 1 })),
  TipoUsoPosibleSoloVerifactu: one(siNo(1212)),
  TipoUsoPosibleMultiOT: one(siNo(1213)),
  IndicadorMultiplesOT: one(siNo(1226)),
});

const Signature = optional({ kind: 'opaque', uri: NS.dsig });

const RegistroAlta = block(NS.sf, {
  IDVersion: one(oneOf('1.0', 1251)),
  IDFactura: one(IDFacturaExpedida),
  RefExterna: optional(text(60, { code: 1253 })),
  NombreRazonEmisor: one(text(120)),
  Subsanacion: optional(siNo(1171)),
  RechazoPrevio: optional(oneOf('N S X', 1171)),
  TipoFactura: one(oneOf('F1 F2 F3 R1 R2 R3 R4 R5', 1106)),
  TipoRectificativa: optional(oneOf('S I', 1107)),
  FacturasRectificadas: optional(
    block(NS.sf, { IDFacturaRectificada: many(1000, IDFacturaExpedida) }),
  ),
  FacturasSustituidas: optional(
    block(NS.sf, { IDFacturaSustituida: many(1000, IDFacturaExpedida) }),
  ),
  ImporteRectificacion: optional(ImporteRectificacion),
  FechaOperacion: optional(fecha(1145)),
  DescripcionOperacion: one(text(500, { min: 1 })),
  FacturaSimplificadaArt7273: optional(siNo(1136)),
  FacturaSinIdentifDestinatarioArt61d: optional(siNo(1184)),
  Macrodato: optional(siNo(1137)),
  EmitidaPorTerceroODestinatario: optional(oneOf('T D', 1151)),
  Tercero: optional(persona({ nif: 1100, idType: 1102 })),
  Destinatarios: optional(
    block(NS.sf, { IDDestinatario: many(1000, persona({ nif: 1100, idType: 1102 })) }),
  ),
  Cupon: optional(siNo(1157)),
  Desglose: one(block(NS.sf, { DetalleDesglose: many(12, DetalleDesglose) })),
  CuotaTotal: one(total(1266)),
  ImporteTotal: one(total(1267)),
  Encadenamiento: one(Encadenamiento),
  SistemaInformatico: one(SistemaInformatico),
  FechaHoraHusoGenRegistro: one(fechaHoraHuso),
  NumRegistroAcuerdoFacturacion: optional(text(15)),
  IdAcuerdoSistemaInformatico: optional(text(16)),
  TipoHuella: one(oneOf('01', 1247)),
  Huella: one(text(64, { code: 1262 })),
  Signature,
});

const RegistroAnulacion = block(NS.sf, {
  IDVersion: one(oneOf('1.0', 1251)),
  IDFactura: one(IDFacturaAnulada),
  RefExterna: optional(text(60, { code: 1253 })),
  SinRegistroPrevio: optional(siNo(1276)),
  RechazoPrevio: optional(siNo(1275)),
  GeneradoPor: optional(oneOf('E D T', 1225)),
  Generador: optional(
    block(NS.sf, {
      NombreRazon: one(text(120)),
      NIF: eitherCheckedLater(nif(1258)),
      IDOtro: eitherCheckedLater(idOtro(1231)),
    }),
  ),
  Encadenamiento: one(Encadenamiento),
  SistemaInformatico: one(SistemaInformatico),
  FechaHoraHusoGenRegistro: one(fechaHoraHuso),
  TipoHuella: one(oneOf('01', 1247)),
  Huella: one(text(64, { code: 1262 })),
  Signature,
});

/** Wrong values here are Faults, with these codes. */
const Cabecera = block(NS.sf, {
  ObligadoEmision: one(personaES(4116)),
  Representante: optional(personaES(4117)),
  RemisionVoluntaria: optional(
    block(NS.sf, {
      FechaFinVeriFactu: optional(fecha(4120)),
      Incidencia: optional(siNo(4121)),
    }),
  ),
  RemisionRequerimiento: optional(
    block(NS.sf, {
      RefRequerimiento: one(text(18, { code: 4122 })),
      FinRequerimiento: optional(siNo(4131)),
    }),
  ),
});

const SistemaInformaticoConsulta = block(NS.sf, {
  NombreRazon: one(text(120)),
  NIF: either(nif(1176)),
  IDOtro: either(idOtro(1221)),
  NombreSistemaInformatico: optional(text(30)),
  IdSistemaInformatico: one(text(2)),
  Version: optional(text(50)),
  NumeroInstalacion: one(text(100)),
  TipoUsoPosibleSoloVerifactu: optional(siNo(1212)),
  TipoUsoPosibleMultiOT: optional(siNo(1213)),
  IndicadorMultiplesOT: optional(siNo(1226)),
});

const Consulta = block(NS.consulta, {
  Cabecera: one(
    block(NS.sf, {
      IDVersion: one(oneOf('1.0', 1251)),
      ObligadoEmision: either(personaES(4116)),
      Destinatario: either(personaES(4109)),
      IndicadorRepresentante: optional(oneOf('S', 1249)),
    }),
  ),
  FiltroConsulta: one(
    block(NS.consulta, {
      PeriodoImputacion: one(
        block(NS.sf, {
          Ejercicio: one(pattern(/^\d{4}$/)),
          Periodo: one(oneOf('01 02 03 04 05 06 07 08 09 10 11 12', 1248)),
        }),
      ),
      NumSerieFactura: optional(text(60, { min: 1, code: 1104 })),
      Contraparte: optional(persona({ nif: 1123, idType: 1102 })),
      FechaExpedicionFactura: optional(
        block(NS.sf, {
          FechaExpedicionFactura: optional(fecha(1105)),
          RangoFechaExpedicion: optional(
            block(NS.sf, { Desde: optional(fecha(1145)), Hasta: optional(fecha(1145)) }),
          ),
        }),
      ),
      SistemaInformatico: optional(SistemaInformaticoConsulta),
      RefExterna: optional(text(60, { code: 1253 })),
      ClavePaginacion: optional(IDFacturaExpedida),
    }),
  ),
  DatosAdicionalesRespuesta: optional(
    block(NS.consulta, {
      MostrarNombreRazonEmisor: optional(siNo(1270)),
      MostrarSistemaInformatico: optional(siNo(1271)),
    }),
  ),
});

export const TABLES = { Cabecera, RegistroAlta, RegistroAnulacion, Consulta } as const;

export type Cabecera = ValueOf<typeof Cabecera>;
export type RegistroAlta = ValueOf<typeof RegistroAlta>;
export type RegistroAnulacion = ValueOf<typeof RegistroAnulacion>;
export type Consulta = ValueOf<typeof Consulta>;
export type DetalleDesglose = ValueOf<typeof DetalleDesglose>;
export type SistemaInformatico = ValueOf<typeof SistemaInformatico>;
export type Persona = ValueOf<ReturnType<typeof persona>>;
export type IDOtro = ValueOf<ReturnType<typeof idOtro>>;
export type IDFactura = ValueOf<typeof IDFacturaExpedida>;
