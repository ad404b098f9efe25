import type { LineaView } from './alta-view.ts';
import type { Rule } from './rule.ts';

/** Rates of VAT, in hundredths of a percent. A dated one has a code of its own outside its dates. */
const TIPOS: readonly { tipo: bigint; desde?: string; hasta?: string; code?: number }[] = [
  { tipo: 0n },
  { tipo: 2_00n, desde: '2024-10-01', hasta: '2024-12-31', code: 1235 },
  { tipo: 4_00n },
  { tipo: 5_00n, desde: '2022-07-01', hasta: '2024-09-30', code: 1194 },
  { tipo: 7_50n, desde: '2024-10-01', hasta: '2024-12-31', code: 1236 },
  { tipo: 10_00n },
  { tipo: 21_00n },
];

const RECARGOS: readonly (bigint | undefined)[] = [0n, 26n, 50n, 62n, 1_00n, 1_40n, 1_75n, 5_20n];

/** Recargo that goes with each rate, within dates when they matter. */
const RECARGO_BY_TIPO: readonly {
  tipo: bigint;
  recargos: readonly bigint[];
  desde?: string;
  hasta?: string;
  code: number;
}[] = [
  { tipo: 21_00n, recargos: [5_20n, 1_75n], code: 1162 },
  { tipo: 10_00n, recargos: [1_40n], code: 1163 },
  { tipo: 7_50n, recargos: [1_00n], code: 1169 },
  { tipo: 5_00n, recargos: [50n, 62n], code: 1160 },
  { tipo: 5_00n, recargos: [50n], hasta: '2022-12-31', code: 1167 },
  { tipo: 5_00n, recargos: [62n], desde: '2023-01-01', hasta: '2024-09-30', code: 1168 },
  { tipo: 4_00n, recargos: [50n], code: 1164 },
  { tipo: 2_00n, recargos: [26n], code: 1166 },
  { tipo: 0n, recargos: [0n], desde: '2023-01-01', hasta: '2024-09-30', code: 1165 },
  // The document ends at September 2024, and code 1170 mentions 0.26 after it: both are accepted.
  { tipo: 0n, recargos: [0n, 26n], code: 1277 },
];

const isTaxed = ({ isIva, calificacion }: LineaView) => isIva && calificacion === 'S1';

function isWithin({ desde = '', hasta = '9999' }: { desde?: string; hasta?: string }, day: string) {
  return day >= desde && day <= hasta;
}

/** Rates of VAT and of recargo. For the other taxes, no list of rates is checked. */
export const TIPO_RULES: readonly Rule<LineaView>[] = [
  {
    code: 1124,
    when: (linea) => isTaxed(linea) && linea.tipo !== undefined,
    must: (linea) => TIPOS.some(({ tipo }) => tipo === linea.tipo),
  },
  ...TIPOS.filter(({ code }) => code !== undefined).map((dated) => ({
    code: dated.code as number,
    when: (linea: LineaView) => isTaxed(linea) && linea.tipo === dated.tipo,
    must: ({ alta }: LineaView) => isWithin(dated, alta.devengo),
  })),
  {
    code: 1281,
    when: ({ tipoRecargo, cuotaRecargo }) =>
      tipoRecargo !== undefined || cuotaRecargo !== undefined,
    must: ({ calificacion }) => calificacion === 'S1',
  },
  {
    code: 1284,
    must: ({ tipoRecargo, cuotaRecargo }) =>
      (tipoRecargo === undefined) === (cuotaRecargo === undefined),
  },
  {
    code: 1127,
    when: (linea) => isTaxed(linea) && linea.tipoRecargo !== undefined,
    must: ({ tipoRecargo }) => RECARGOS.includes(tipoRecargo),
  },
  ...RECARGO_BY_TIPO.map((row) => ({
    code: row.code,
    when: (linea: LineaView) =>
      isTaxed(linea) &&
      linea.tipoRecargo !== undefined &&
      linea.tipo === row.tipo &&
      isWithin(row, linea.alta.devengo),
    must: ({ tipoRecargo = -1n }: LineaView) => row.recargos.includes(tipoRecargo),
  })),
];
