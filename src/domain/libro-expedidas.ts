/**
 * The «Libro registro de facturas expedidas» of IVA (RD 1624/1992 art. 63), in the format in which the AEAT takes it.
 *
 * Source: AEAT, «Formatos de los Libros Registro de IVA e IRPF», V.18.02.2026, and its «Diseños de registro
 * normalizados» for 2026 (LSI.xlsx), book of expedidas; «note» is a number of its VALIDACIONES.
 */

import { startOfQuarter } from './dates.ts';
import { type Naming, takenBy } from './figures.ts';
import {
  type ClienteEmitido,
  type IssuedInvoice,
  isRectificativa,
  isSimplified,
} from './invoice.ts';
import { centsToText, sumText, textToCents } from './money.ts';
import { isMargen } from './situaciones.ts';
import { spreadsheetText } from './spreadsheet-text.ts';
import { xmlText } from './verifactu/text.ts';

/** The part of an invoice that the book contains. */
export type Booked = Naming &
  Pick<
    IssuedInvoice,
    'tipoFactura' | 'fechaExpedicion' | 'fechaOperacion' | 'desglose' | 'total'
  > & {
    readonly cliente: Pick<ClienteEmitido, 'nombre' | 'nif' | 'idOtro'> | null;
  };

/** A cobro of an invoice under criterio de caja. */
export interface BookedCobro {
  readonly fecha: string;
  readonly importe: string;
  readonly medio: string;
  /** Empty for nothing. */
  readonly identificacion: string;
}

/** How the value of a column is written. Days are `YYYY-MM-DD`, amounts and rates decimal text. */
export type LibroKind = 'text' | 'year' | 'day' | 'amount';

export interface LibroColumn {
  /** Of its group of columns, over its first one. Without a title, the group is the column. */
  readonly group?: string;
  readonly title?: string;
  readonly kind: LibroKind;
  readonly width: number;
  /** Absent for what Huella does not know, and for what belongs to the books of IRPF (note 12). */
  readonly of?: keyof LibroRow | keyof CobroRow;
}

/** A row of the book. Null is an empty cell. */
export interface LibroRow {
  readonly ejercicio: string;
  readonly periodo: string;
  readonly tipoFactura: string;
  readonly fechaExpedicion: string;
  readonly fechaOperacion: string | null;
  readonly serie: string | null;
  readonly numero: string;
  readonly idType: string | null;
  readonly pais: string | null;
  readonly identificacion: string | null;
  readonly nombre: string;
  readonly clave: string;
  readonly calificacion: string | null;
  readonly exenta: string | null;
  readonly total: string;
  readonly base: string;
  readonly tipo: string | null;
  readonly cuota: string | null;
  readonly tipoRecargo: string | null;
  readonly cuotaRecargo: string | null;
  readonly referencia: string | null;
}

/** A row of a cobro under criterio de caja: of its invoice only what tells which it is. */
export interface CobroRow
  extends Pick<
    LibroRow,
    | 'ejercicio'
    | 'periodo'
    | 'tipoFactura'
    | 'fechaExpedicion'
    | 'fechaOperacion'
    | 'serie'
    | 'numero'
    | 'idType'
    | 'pais'
    | 'identificacion'
    | 'nombre'
    | 'clave'
  > {
  readonly fechaCobro: string;
  readonly importeCobro: string;
  readonly medio: string;
  readonly identificacionMedio: string | null;
}

/** The name of the sheet. */
export const EXPEDIDAS = 'EXPEDIDAS';

/** The 36 columns of the book, in its order. */
export const LIBRO_COLUMNS: readonly LibroColumn[] = [
  { group: 'Autoliquidación', title: 'Ejercicio', kind: 'year', width: 10, of: 'ejercicio' },
  { title: 'Periodo', kind: 'text', width: 9, of: 'periodo' },
  { group: 'Actividad', title: 'Código', kind: 'text', width: 9 },
  { title: 'Tipo', kind: 'text', width: 7 },
  { title: 'Grupo o Epígrafe del IAE', kind: 'text', width: 12 },
  { group: 'Tipo de Factura', kind: 'text', width: 10, of: 'tipoFactura' },
  { group: 'Concepto de Ingreso', kind: 'text', width: 12 },
  { group: 'Ingreso Computable', kind: 'amount', width: 13 },
  { group: 'Fecha Expedición', kind: 'day', width: 13, of: 'fechaExpedicion' },
  { group: 'Fecha Operación', kind: 'day', width: 13, of: 'fechaOperacion' },
  {
    group: 'Identificación de la Factura',
    title: 'Serie',
    kind: 'text',
    width: 12,
    of: 'serie',
  },
  { title: 'Número', kind: 'text', width: 20, of: 'numero' },
  { title: 'Número-Final', kind: 'text', width: 14 },
  { group: 'NIF Destinatario', title: 'Tipo', kind: 'text', width: 7, of: 'idType' },
  { title: 'Código País', kind: 'text', width: 9, of: 'pais' },
  { title: 'Identificación', kind: 'text', width: 15, of: 'identificacion' },
  { group: 'Nombre Destinatario', kind: 'text', width: 38, of: 'nombre' },
  { group: 'Clave de Operación', kind: 'text', width: 11, of: 'clave' },
  { group: 'Calificación de la Operación', kind: 'text', width: 13, of: 'calificacion' },
  { group: 'Operación Exenta', kind: 'text', width: 11, of: 'exenta' },
  { group: 'Total Factura', kind: 'amount', width: 14, of: 'total' },
  { group: 'Base Imponible', kind: 'amount', width: 14, of: 'base' },
  { group: 'Tipo de IVA', kind: 'amount', width: 9, of: 'tipo' },
  { group: 'Cuota IVA Repercutida', kind: 'amount', width: 13, of: 'cuota' },
  { group: 'Tipo de Recargo Eq.', kind: 'amount', width: 11, of: 'tipoRecargo' },
  { group: 'Cuota Recargo Eq.', kind: 'amount', width: 13, of: 'cuotaRecargo' },
  {
    group: 'Cobro (Operación Criterio de Caja de IVA y/o artículo 7.2.1º de Reglamento del IRPF)',
    title: 'Fecha',
    kind: 'day',
    width: 12,
    of: 'fechaCobro',
  },
  { title: 'Importe', kind: 'amount', width: 12, of: 'importeCobro' },
  { title: 'Medio Utilizado', kind: 'text', width: 10, of: 'medio' },
  {
    title: 'Identificación Medio Utilizado',
    kind: 'text',
    width: 16,
    of: 'identificacionMedio',
  },
  { group: 'Tipo Retención del IRPF', kind: 'amount', width: 11 },
  { group: 'Importe Retenido del IRPF', kind: 'amount', width: 13 },
  { group: 'Registro Acuerdo Facturación', kind: 'text', width: 13 },
  { group: 'Inmueble', title: 'Situación', kind: 'text', width: 10 },
  { title: 'Referencia Catastral', kind: 'text', width: 21 },
  { group: 'Referencia Externa', kind: 'text', width: 38, of: 'referencia' },
];

/** Who is in the book without a name (note 2). */
const NOBODY = 'VENTAS A CONSUMIDOR FINAL';

/** Lengths of «Alfanumérico». */
const MAX_NAME = 40;
const MAX_NUMBER = 20;
const MAX_REFERENCE = 40;
const MAX_MEDIO = 34;

const CRITERIO_DE_CAJA = '07';

/**
 * The rows of an invoice: one for each line of its desglose (note 7), of which the totals add up to its own.
 *
 * A rectificativa por sustitución comes behind the invoices that it replaces with their amounts negative (note 8), in
 * the period of the rectificativa, in which the difference is declared (`sums-by-rate.ts`). One that had itself
 * replaced another of them has taken that one off already; if several had, it was taken off too often, and is put back.
 * An F3 takes nothing off: its type says so (note 9).
 *
 * @param originals the invoices of ours that it names, as they were then
 */
export function libroRows(invoice: Booked, originals: readonly Booked[]): LibroRow[] {
  const own = rowsOf(invoice, invoice, referenceOf(invoice));
  if (invoice.tipoRectificativa !== 'S') return own;
  const by = referenceTo('Rectificada por', [invoice.numSerie]);
  const times = new Map<Booked, number>();
  for (const { original, isPutBack } of takenBy(invoice, originals)) {
    times.set(original, (times.get(original) ?? 0) + (isPutBack ? 1 : -1));
  }
  const taken = [...times]
    .filter(([, count]) => count !== 0)
    .flatMap(([original, count]) =>
      rowsOf(original, invoice, by).map((row) => multiplied(row, count)),
    );
  return [...taken, ...own];
}

/**
 * The row of a cobro, in the period in which it falls: one for each, without the amounts of its invoice, which has
 * rows of its own (AEAT, «Criterio de cobros y pagos en IRPF vs. Régimen Especial del criterio de caja del IVA»; decision
 * 0510).
 */
export function cobroRow(invoice: Booked, cobro: BookedCobro): CobroRow {
  return {
    ...identityOf(invoice, cobro.fecha),
    clave: CRITERIO_DE_CAJA,
    fechaCobro: cobro.fecha,
    importeCobro: cobro.importe,
    medio: cobro.medio,
    identificacionMedio: typed(cobro.identificacion, MAX_MEDIO) || null,
  };
}

/** @param declared the invoice whose period it is declared in */
function rowsOf(invoice: Booked, declared: Booked, referencia: string | null): LibroRow[] {
  const common = { ...identityOf(invoice, dayDeclared(declared)), referencia };
  return totalled(invoice).map((line) => ({ ...common, ...line }));
}

/**
 * A day of the period in which an invoice is declared: that of the operation. The operation of a rectificativa is the
 * one that it rectifies (AEAT, SII, frequent question 2.13), but what it changes is declared when it is issued (Ley
 * 37/1992 art. 89.Cinco), unless the tax is not due until later (claves 14 and 15).
 */
function dayDeclared({ tipoFactura, fechaOperacion, fechaExpedicion }: Booked): string {
  const day = fechaOperacion ?? fechaExpedicion;
  return isRectificativa(tipoFactura) && day < fechaExpedicion ? fechaExpedicion : day;
}

/** @param day in the period of the row */
function identityOf(invoice: Booked, day: string) {
  const { serie, numero } = splitNumber(invoice.numSerie);
  return {
    ejercicio: day.slice(0, 4),
    periodo: quarterOf(day),
    tipoFactura: invoice.tipoFactura,
    fechaExpedicion: invoice.fechaExpedicion,
    fechaOperacion: invoice.fechaOperacion,
    serie,
    numero,
    ...destinatario(invoice),
  };
}

type LibroLine = Pick<
  LibroRow,
  | 'clave'
  | 'calificacion'
  | 'exenta'
  | 'total'
  | 'base'
  | 'tipo'
  | 'cuota'
  | 'tipoRecargo'
  | 'cuotaRecargo'
>;

/**
 * The lines of the desglose. What the invoice comes to beyond them, the price outside the margin (claves 03 and 05), is
 * in the total of a line of that regime, which note 37 lets differ from its parts.
 */
function totalled({ desglose, total }: Booked): LibroLine[] {
  const lines = desglose.map(lineOf);
  const rest = textToCents(total) - textToCents(sumText(lines.map((line) => line.total)));
  const at = Math.max(0, desglose.findIndex(isMargen));
  return lines.map((line, index) =>
    index === at ? { ...line, total: centsToText(textToCents(line.total) + rest) } : line,
  );
}

/**
 * Another tax, or another State's, is no quota of IVA: what is sold with IGIC or IPSI is not subject, under the clave
 * 08 (notes 6 and 24), with its tax in the amount as in the total (note 37). The registro says so of OSS by itself.
 */
function lineOf(detalle: Booked['desglose'][number]): LibroLine {
  const { Impuesto, CalificacionOperacion, OperacionExenta, vatRate, recargoRate } = detalle;
  const { base, quota, recargo } = detalle;
  const total = sumText([base, quota, recargo]);
  const without = { tipo: null, cuota: null, tipoRecargo: null, cuotaRecargo: null };
  if (Impuesto !== '01') {
    return { clave: '08', calificacion: 'N2', exenta: null, total, base: total, ...without };
  }
  const isTaxed = CalificacionOperacion === 'S1' || CalificacionOperacion === 'S2';
  return {
    clave: detalle.ClaveRegimen,
    calificacion: CalificacionOperacion,
    exenta: OperacionExenta,
    total,
    base,
    ...without,
    // With inversión del sujeto pasivo both are zero (note 22).
    ...(isTaxed && { tipo: vatRate ?? '0', cuota: quota }),
    ...(recargoRate !== null && { tipoRecargo: recargoRate, cuotaRecargo: recargo }),
  };
}

/** A NIF stands alone, one without census (07) too: the list of documents of note 2 ends before it. */
function destinatario({
  tipoFactura,
  cliente,
}: Booked): Pick<LibroRow, 'idType' | 'pais' | 'identificacion' | 'nombre'> {
  const nobody = { idType: null, pais: null, identificacion: null, nombre: NOBODY };
  if (cliente === null || isSimplified(tipoFactura)) return nobody;
  const nombre = typed(cliente.nombre, MAX_NAME);
  const { nif, idOtro } = cliente;
  if (nif !== null || idOtro === null) return { ...nobody, identificacion: nif, nombre };
  const identificacion = typed(idOtro.ID, MAX_NUMBER);
  if (idOtro.IDType === '07') return { ...nobody, identificacion, nombre };
  return { idType: idOtro.IDType, pais: idOtro.CodigoPais ?? null, identificacion, nombre };
}

/** A number that fits stays whole; of a longer one, what does not fit is the series. */
function splitNumber(numSerie: string): Pick<LibroRow, 'serie' | 'numero'> {
  if (numSerie.length <= MAX_NUMBER) return { serie: null, numero: spreadsheetText(numSerie) };
  return {
    serie: spreadsheetText(numSerie.slice(0, -MAX_NUMBER)),
    numero: spreadsheetText(numSerie.slice(-MAX_NUMBER)),
  };
}

function referenceOf({ rectifies, sustituye }: Booked): string | null {
  const numbersOf = (named: Booked['rectifies']) => named.map(({ numSerie }) => numSerie);
  if (rectifies.length > 0) return referenceTo('Rectifica', numbersOf(rectifies));
  return sustituye.length > 0 ? referenceTo('Sustituye a', numbersOf(sustituye)) : null;
}

/** «Rectifica 00001/26, 00002/26 y 3 más»: as many as fit. */
function referenceTo(verb: string, numbers: readonly string[]): string {
  for (let named = numbers.length; named > 0; named--) {
    const left = numbers.length - named;
    const some = numbers.slice(0, named).join(', ');
    const text = `${verb} ${some}${left > 0 ? ` y ${left} más` : ''}`;
    if (text.length <= MAX_REFERENCE) return xmlText(text, MAX_REFERENCE);
  }
  return xmlText(`${verb} ${numbers[0] ?? ''}`, MAX_REFERENCE);
}

const typed = (text: string, max: number) => xmlText(spreadsheetText(text.trim()), max);

/** `2026-11-20` → `4T` */
const quarterOf = (day: string) => `${(Number(startOfQuarter(day).slice(5, 7)) + 2) / 3}T`;

/** Its amounts, as often as that; less than none takes them off. */
function multiplied(row: LibroRow, count: number): LibroRow {
  const timesOf = (amount: string) => centsToText(textToCents(amount) * BigInt(count));
  return {
    ...row,
    total: timesOf(row.total),
    base: timesOf(row.base),
    cuota: row.cuota && timesOf(row.cuota),
    cuotaRecargo: row.cuotaRecargo && timesOf(row.cuotaRecargo),
  };
}
