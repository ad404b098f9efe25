import { isNif } from '../nif.ts';
import { abs, addYears } from '../values.ts';
import type { AltaView } from './alta-view.ts';
import type { Rule } from './rule.ts';

/** First day a registro may be dated on: entry into force of Orden HAC/1177/2024. */
const FIRST_DAY = '2024-10-28';
const MACRODATO = 100_000_000_00n;
export const COMPLETAS: ReadonlySet<string> = new Set(['F1', 'F3', 'R1', 'R2', 'R3', 'R4']);

/** Invoices that name their recipient. */
export const isCompleta = ({ tipoFactura }: AltaView): boolean => COMPLETAS.has(tipoFactura);

/** Pending VAT: the only case where the operation may come after the invoice. */
const isIvaPendiente = ({ lineas }: AltaView): boolean =>
  lineas.every(
    ({ isIva, isIgic, clave }) => (isIva || isIgic) && (clave === '14' || clave === '15'),
  );

/** All rules of an alta except for its parties and its desglose (Validaciones 1.2.2, RegistroAlta). */
export const ALTA_RULES: readonly Rule<AltaView>[] = [
  { code: 1112, must: ({ expedicion = '' }, { today }) => expedicion <= today },
  { code: 1152, must: ({ expedicion = '' }) => expedicion >= FIRST_DAY },

  {
    code: 1161,
    when: ({ registro }) => registro.RechazoPrevio === 'S',
    must: ({ registro }) => registro.Subsanacion === 'S',
  },
  {
    code: 1153,
    when: ({ registro }) => registro.RechazoPrevio === 'X',
    must: ({ registro }) => registro.Subsanacion === 'S',
  },

  {
    code: 1114,
    when: ({ isRectificativa }) => isRectificativa,
    must: ({ registro }) => registro.TipoRectificativa !== undefined,
  },
  {
    code: 1115,
    when: ({ isRectificativa }) => !isRectificativa,
    must: ({ registro }) => registro.TipoRectificativa === undefined,
  },
  {
    code: 1117,
    when: ({ isRectificativa }) => !isRectificativa,
    must: ({ registro }) => registro.FacturasRectificadas === undefined,
  },
  {
    code: 1116,
    when: ({ tipoFactura }) => tipoFactura !== 'F3',
    must: ({ registro }) => registro.FacturasSustituidas === undefined,
  },
  {
    code: 1154,
    must: ({ registro }, { isCensado }) =>
      [
        ...(registro.FacturasRectificadas?.IDFacturaRectificada ?? []),
        ...(registro.FacturasSustituidas?.IDFacturaSustituida ?? []),
      ].every(({ IDEmisorFactura: nif }) => isNif(nif) && isCensado(nif)),
  },
  {
    code: 1118,
    when: ({ registro }) => registro.TipoRectificativa === 'S',
    must: ({ registro }) => registro.ImporteRectificacion !== undefined,
  },
  {
    code: 1119,
    when: ({ registro }) => registro.TipoRectificativa !== 'S',
    must: ({ registro }) => registro.ImporteRectificacion === undefined,
  },

  {
    code: 1145,
    when: ({ registro }) => registro.FechaOperacion !== undefined,
    must: ({ operacion }) => operacion !== undefined,
  },
  {
    code: 1134,
    when: ({ operacion }) => operacion !== undefined,
    must: ({ operacion = '' }, { today }) => operacion >= addYears(today, -20),
  },
  {
    code: 1125,
    when: ({ operacion }) => operacion !== undefined,
    must: ({ operacion = '' }, { today }) => operacion <= `${addYears(today, 1).slice(0, 4)}-12-31`,
  },
  {
    code: 1173,
    when: ({ operacion = '' }, { today }) => operacion > today,
    must: isIvaPendiente,
  },
  {
    code: 1146,
    when: ({ expedicion = '', operacion = '' }) => operacion > expedicion,
    must: isIvaPendiente,
  },

  {
    code: 1183,
    when: ({ registro }) => registro.FacturaSimplificadaArt7273 === 'S',
    must: isCompleta,
  },
  {
    code: 1185,
    when: ({ registro }) => registro.FacturaSinIdentifDestinatarioArt61d === 'S',
    must: ({ tipoFactura }) => tipoFactura === 'F2' || tipoFactura === 'R5',
  },
  {
    code: 1138,
    when: ({ registro }) => registro.Macrodato === 'S',
    must: ({ importeTotal }) => abs(importeTotal) >= MACRODATO,
  },
  {
    code: 1139,
    when: ({ importeTotal }) => abs(importeTotal) >= MACRODATO,
    must: ({ registro }) => registro.Macrodato === 'S',
  },
  {
    code: 1157,
    when: ({ registro }) => registro.Cupon === 'S',
    must: ({ tipoFactura }) => tipoFactura === 'R1' || tipoFactura === 'R5',
  },
  {
    code: 1128,
    when: ({ registro }) => registro.NumRegistroAcuerdoFacturacion !== undefined,
    must: ({ registro }, { hasAcuerdo }) =>
      hasAcuerdo(registro.NumRegistroAcuerdoFacturacion ?? ''),
  },
  {
    code: 1242,
    when: ({ registro }) => registro.IdAcuerdoSistemaInformatico !== undefined,
    must: ({ registro }, { hasAcuerdo }) => hasAcuerdo(registro.IdAcuerdoSistemaInformatico ?? ''),
  },
];

/** Which parties an alta must have; the rules about each are in `parties.ts`. */
export const PRESENCE_RULES: readonly Rule<AltaView>[] = [
  {
    code: 1186,
    when: ({ registro }) => registro.EmitidaPorTerceroODestinatario === 'T',
    must: ({ registro }) => registro.Tercero !== undefined,
  },
  {
    code: 1155,
    when: ({ registro }) => registro.Tercero !== undefined,
    must: ({ registro }) => registro.EmitidaPorTerceroODestinatario !== undefined,
  },
  {
    code: 1159,
    when: ({ registro }) => registro.Tercero !== undefined,
    must: ({ registro }) => registro.EmitidaPorTerceroODestinatario === 'T',
  },
  {
    code: 1158,
    when: ({ registro }) => registro.EmitidaPorTerceroODestinatario === 'D',
    must: ({ destinatarios }) => destinatarios.length > 0,
  },
  { code: 1189, when: isCompleta, must: ({ destinatarios }) => destinatarios.length > 0 },
  {
    code: 1190,
    when: (alta) => !isCompleta(alta),
    must: ({ destinatarios }) => destinatarios.length === 0,
  },
];
