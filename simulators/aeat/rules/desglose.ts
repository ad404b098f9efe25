import { abs } from '../values.ts';
import { isCompleta } from './alta.ts';
import type { LineaView } from './alta-view.ts';
import { TIPO_RULES } from './rates.ts';
import type { Rule } from './rule.ts';

const codes = (list: string): ReadonlySet<string | undefined> => new Set(list.split(' '));

const CLAVES_IVA = codes('01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20');
const CLAVES_IGIC = codes('01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20 21');
const CLAVES_IPSI = codes('01 08 11 18 19 20');
const TOLERANCIA_CENTS = 10_00n;

const isS1 = ({ calificacion }: LineaView) => calificacion === 'S1';
const isNoSujeta = ({ calificacion }: LineaView) => calificacion === 'N1' || calificacion === 'N2';
const isExenta = ({ exenta }: LineaView) => exenta !== undefined;
const clave =
  (value: string) =>
  ({ clave }: LineaView) =>
    clave === value;
const hasNoTax = ({ tipo, cuota, tipoRecargo, cuotaRecargo }: LineaView) =>
  [tipo, cuota, tipoRecargo, cuotaRecargo].every((value) => value === undefined);

/** ClaveRegimen of an IPSI line: until 2027 only a warning (2009). */
export const isIpsiWithoutClave = ({ isIpsi, clave }: LineaView): boolean =>
  isIpsi && !CLAVES_IPSI.has(clave);

/**
 * Sums are only checked for ordinary lines: not for rectificativas by differences, nor for R2 and R3, whose base may
 * stay as it was.
 */
const isCuotaChecked = (linea: LineaView) =>
  isS1(linea) &&
  linea.tipo !== undefined &&
  linea.cuota !== undefined &&
  linea.alta.registro.TipoRectificativa !== 'I' &&
  !['R2', 'R3'].includes(linea.alta.tipoFactura);

const haveSameSign = (a: bigint, b: bigint) => a * b >= 0n;

/** |cuota − base × tipo / 100| ≤ 10.00, without dividing: tipo is in hundredths of a percent. */
const isCuotaOf = (base: bigint, { tipo = 0n, cuota = 0n }: LineaView) =>
  abs(cuota * 10_000n - base * tipo) <= TOLERANCIA_CENTS * 10_000n;

/** Every `DetalleDesglose` of an alta (Validaciones 1.2.2, block Desglose). */
export const DESGLOSE_RULES: readonly Rule<LineaView>[] = [
  {
    code: 1195,
    must: ({ calificacion, exenta }) => calificacion !== undefined || exenta !== undefined,
  },
  {
    code: 1196,
    must: ({ calificacion, exenta }) => calificacion === undefined || exenta === undefined,
  },
  {
    code: 1245,
    when: ({ isIva, isIgic, isIpsi }, { hasRulesOf2027 }) =>
      isIva || isIgic || (isIpsi && hasRulesOf2027),
    must: ({ clave }) => clave !== undefined,
  },
  { code: 1260, when: ({ impuesto }) => impuesto === '05', must: ({ clave }) => !clave },
  { code: 1246, when: ({ isIva }) => isIva, must: ({ clave }) => CLAVES_IVA.has(clave) },
  { code: 1246, when: ({ isIgic }) => isIgic, must: ({ clave }) => CLAVES_IGIC.has(clave) },
  {
    code: 1246,
    when: ({ isIpsi }, { hasRulesOf2027 }) => isIpsi && hasRulesOf2027,
    must: ({ clave }) => CLAVES_IPSI.has(clave),
  },
  {
    code: 1182,
    when: ({ exenta }) => exenta === 'E7' || exenta === 'E8',
    must: ({ isIgic }) => isIgic,
  },
  { code: 1237, when: (linea) => linea.isIva && isNoSujeta(linea), must: hasNoTax },
  { code: 1238, when: isExenta, must: hasNoTax },
  ...TIPO_RULES,
  {
    code: 1257,
    when: ({ coste }) => coste !== undefined,
    must: ({ clave, impuesto }) => clave === '06' || impuesto === '02' || impuesto === '05',
  },

  {
    code: 1197,
    when: ({ calificacion }) => calificacion === 'S2',
    must: ({ alta }) => isCompleta(alta),
  },
  {
    code: 1198,
    when: ({ calificacion }) => calificacion === 'S2',
    must: ({ tipo, cuota }) => tipo === 0n && cuota === 0n,
  },
  {
    code: 1199,
    when: (linea) => (linea.isIva || linea.isIgic) && clave('01')(linea),
    must: ({ exenta }) => exenta !== 'E2' && exenta !== 'E3',
  },
  {
    code: 1289,
    when: ({ isIva, exenta }) => isIva && exenta === 'E5',
    must: ({ alta }) => alta.destinatarios.every(({ NIF }) => NIF === undefined),
  },
  {
    code: 1286,
    when: (linea) => (linea.isIva || linea.isIgic) && clave('02')(linea),
    must: isExenta,
  },
  { code: 1200, when: clave('03'), must: (linea) => isExenta(linea) || isS1(linea) },
  {
    code: 1201,
    when: clave('04'),
    must: ({ calificacion, exenta }) => exenta !== undefined || calificacion === 'S2',
  },
  {
    code: 1202,
    when: clave('06'),
    must: ({ alta, coste }) =>
      !['F2', 'F3', 'R5'].includes(alta.tipoFactura) && coste !== undefined,
  },
  {
    code: 1203,
    when: clave('07'),
    must: ({ calificacion = '', exenta = '' }) =>
      !['S2', 'N1', 'N2'].includes(calificacion) && !['E2', 'E3', 'E4', 'E5'].includes(exenta),
  },
  { code: 1252, when: clave('08'), must: ({ calificacion }) => calificacion === 'N2' },
  {
    code: 1205,
    when: clave('10'),
    must: ({ calificacion, alta }) =>
      calificacion === 'N1' &&
      alta.tipoFactura === 'F1' &&
      alta.destinatarios.every(({ NIF }) => NIF !== undefined),
  },
  {
    code: 1206,
    when: (linea) => linea.isIva && clave('11')(linea),
    must: ({ tipo }) => tipo === 21_00n,
  },
  {
    code: 1147,
    when: clave('14'),
    must: ({ alta: { operacion, expedicion = '' } }) =>
      operacion !== undefined && operacion > expedicion,
  },
  {
    code: 1149,
    when: clave('14'),
    must: ({ alta }, { isCensado }) =>
      alta.destinatarios.every(({ NIF = '' }) => /^[PQSV]/.test(NIF) && isCensado(NIF)),
  },
  {
    code: 1148,
    when: clave('14'),
    must: ({ alta }) => isCompleta(alta) && alta.tipoFactura !== 'F3',
  },
  {
    code: 1293,
    when: (linea) => linea.isIgic && clave('20')(linea),
    must: ({ calificacion }) => calificacion === 'N2',
  },

  { code: 1207, when: ({ cuota = 0n }) => cuota !== 0n, must: isS1 },
  {
    code: 1208,
    when: (linea) => isS1(linea) && linea.coste === undefined,
    must: ({ tipo, cuota }) => tipo !== undefined && cuota !== undefined,
  },
  {
    code: 1209,
    when: (linea) => isS1(linea) && clave('06')(linea),
    must: ({ tipo, cuota }) => tipo !== undefined && cuota !== undefined,
  },
  {
    code: 1143,
    when: (linea) => isCuotaChecked(linea) && linea.coste === undefined,
    must: ({ base, cuota = 0n }) => haveSameSign(base, cuota),
  },
  {
    code: 1142,
    when: (linea) => isCuotaChecked(linea) && linea.coste === undefined,
    must: (linea) => isCuotaOf(linea.base, linea),
  },
  {
    code: 1140,
    when: (linea) => isCuotaChecked(linea) && linea.coste !== undefined,
    must: ({ coste = 0n, cuota = 0n }) => haveSameSign(coste, cuota),
  },
  {
    code: 1144,
    when: (linea) => isCuotaChecked(linea) && linea.coste !== undefined,
    must: (linea) => isCuotaOf(linea.coste ?? 0n, linea),
  },
];
