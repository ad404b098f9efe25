import { undotted } from './values.ts';
import type { Row } from './words.ts';

/** Where the lines of a table end: at its sums, and at the table of taxes. */

const SUM =
  /base imp|\bb\. ?imp|imponible|sub-?\s?total|\btotal\b|\bsuma\b|^(base|neto)\b|\b(iva|igic|ipsi|vat) (al )?\d|\d ?% (de )?(iva|igic)|impuestos|importe (neto|bruto)|\birpf\b|retenci|recargo|\bvat\b|total (capitulo|partida)/;
/** The headings of a table of taxes: at 10 %, its quota times its rate is its base. */
const TAX_HEADINGS = /base imp|\bb\. ?imp|imponible/;
const LINE_HEADINGS =
  /concept|descrip|detall|articul|product|servici|prec|preu|cant|unid|\buds?\b|price|qty/;
/** How far from the rows that multiply there may be another line. */
const ROWS_AROUND = 5;

export const isSum = ({ plain }: Row): boolean => SUM.test(undotted(plain));

/** The rows from `first` to `last`, and those around them that no sum separates from them. Sums are left out. */
export function rowsAround(rows: readonly Row[], first: number, last: number): number[] {
  const start = Math.max(0, first - ROWS_AROUND);
  let around: number[] = [];
  for (const [i, row] of rows.slice(start, last + ROWS_AROUND + 1).entries()) {
    const at = start + i;
    if (!isSum(row)) around.push(at);
    else if (at > last) break;
    else if (at < first) around = [];
  }
  return around;
}

/** Whether only figures stand between a row and the headings of a table of taxes above it. */
export function isUnderTaxes(rows: readonly Row[], row: number): boolean {
  const heading = textOver(rows, row);
  return heading !== null && TAX_HEADINGS.test(heading) && !LINE_HEADINGS.test(heading);
}

/** Whether a row has only figures and the text above it is that of sums, whose amounts may take several rows. */
export function isUnderSums(rows: readonly Row[], row: number): boolean {
  return SUM.test(textOver(rows, row) ?? '');
}

/** The nearest text above a row of figures, `''` if there is none; null for a row with a text of its own. */
function textOver(rows: readonly Row[], row: number): string | null {
  let above = row;
  while (isBare(rows[above])) above -= 1;
  return above === row ? null : undotted(rows[above]?.plain ?? '');
}

/** Contains only figures. */
const isBare = (row: Row | undefined): boolean =>
  row !== undefined && !/\p{L}{2}/u.test(row.text.replace(/\beur(os)?\b/gi, ''));
