import type { FilaPorTipo, SumasPorTipo } from '../../../contract/invoices.ts';
import { numberToCents, withComma } from '../../../domain/money.ts';
import { amount, fileOf, type ListFile, type ListSource } from './list-file.ts';

export interface RateSource extends Pick<ListSource, 'onProgress' | 'isStopped'> {
  /** The sums of the next invoices, starting after the place where the previous part said it ended. */
  readonly partOf: (despues?: string) => Promise<SumasPorTipo>;
}

interface Sums {
  readonly fila: FilaPorTipo;
  base: bigint;
  cuota: bigint;
  recargo: bigint;
  facturas: number;
}

/**
 * The amounts of invoices by quarter and rate, for a spreadsheet: what the declaration of the tax requires about sales.
 * Null when it was stopped.
 *
 * @param tax the tax that the company charges
 */
export async function rateFile(source: RateSource, tax: string): Promise<ListFile | null> {
  const sums = new Map<string, Sums>();
  let [invoices, total] = [0, 0];
  let despues: string | undefined;
  do {
    const part = await source.partOf(despues);
    if (source.isStopped?.()) return null;
    for (const fila of part.filas) add(sums, fila);
    invoices += part.facturas;
    total = part.total ?? total;
    despues = part.siguiente;
    if (despues !== undefined) source.onProgress?.({ done: invoices, total, isMore: false });
  } while (despues !== undefined);
  return { file: fileOf(linesOf([...sums.values()].sort(inOrder), tax)), invoices };
}

function add(sums: Map<string, Sums>, fila: FilaPorTipo): void {
  const { trimestre, impuesto, tipo, recargo, causa } = fila;
  const key = [trimestre, impuesto, tipo, recargo, causa].join('|');
  const sum = sums.get(key) ?? { fila, base: 0n, cuota: 0n, recargo: 0n, facturas: 0 };
  sum.base += numberToCents(fila.base);
  sum.cuota += numberToCents(fila.cuota);
  sum.recargo += numberToCents(fila.cuotaRecargo);
  sum.facturas += fila.facturas;
  sums.set(key, sum);
}

/** Only companies that sell to shops in recargo de equivalencia get its columns. */
function linesOf(all: readonly Sums[], tax: string): (readonly string[])[] {
  const hasRecargo = all.some(({ fila }) => fila.recargo !== undefined);
  const ofRecargo = (...cells: string[]) => (hasRecargo ? cells : []);
  return [
    [
      ...['Trimestre', 'Impuesto', 'Operaciones', 'Tipo (%)', ...ofRecargo('Recargo (%)')],
      ...['Facturas', 'Base imponible', `Cuota de ${tax}`, ...ofRecargo('Cuota de recargo')],
    ],
    ...all.map(({ fila, base, cuota, recargo, facturas }) => [
      ...[fila.trimestre, fila.impuesto, operacionesOf(fila), rate(fila.tipo)],
      ...ofRecargo(rate(fila.recargo)),
      ...[String(facturas), amount(base), amount(cuota), ...ofRecargo(amount(recargo))],
    ]),
  ];
}

/** `5.2` → `5,2`: a number for a spreadsheet. */
const rate = (value: number | undefined) => withComma(value === undefined ? '' : String(value));

function inOrder({ fila: a }: Sums, { fila: b }: Sums): number {
  return (
    a.trimestre.localeCompare(b.trimestre) ||
    a.impuesto.localeCompare(b.impuesto) ||
    (b.tipo ?? -1) - (a.tipo ?? -1) ||
    (a.recargo ?? 0) - (b.recargo ?? 0) ||
    (a.causa ?? '').localeCompare(b.causa ?? '')
  );
}

function operacionesOf({ impuesto, causa }: FilaPorTipo): string {
  if (causa === undefined) return `Con ${impuesto}`;
  const words = SIN_CUOTA[causa];
  return words ?? `Exentas: ${EXENTAS[impuesto][causa] ?? causa}`;
}

const SIN_CUOTA: { readonly [Causa in NonNullable<FilaPorTipo['causa']>]?: string } = {
  S2: 'Inversión del sujeto pasivo',
  N1: 'No sujetas',
  N2: 'No sujetas por reglas de localización',
  OSS: 'Ventanilla única (OSS)',
};

/** List L10, as articles of the law of each tax: Leyes 37/1992, 8/1991, 20/1991 and 19/1994. */
const EXENTAS: Readonly<Record<FilaPorTipo['impuesto'], Readonly<Record<string, string>>>> = {
  IVA: {
    E1: 'art. 20',
    E2: 'exportaciones (art. 21)',
    E3: 'asimiladas a exportaciones (art. 22)',
    E4: 'zonas francas y depósitos (arts. 23 y 24)',
    E5: 'entregas intracomunitarias (art. 25)',
    E6: 'otras',
  },
  IPSI: {
    E1: 'art. 7',
    E2: 'exportaciones (art. 8)',
    E3: 'asimiladas a exportaciones (art. 8)',
    E4: 'arts. 9 y 10',
    E5: 'art. 8',
    E6: 'otras',
  },
  IGIC: {
    E1: 'interiores',
    E2: 'exportaciones (art. 11)',
    E3: 'asimiladas a exportaciones (art. 12)',
    E4: 'art. 13',
    E5: 'art. 25 de la Ley 19/1994',
    E6: 'ZEC (art. 47 de la Ley 19/1994)',
    E7: 'pequeño empresario',
    E8: 'otras',
  },
};
