import { divRound, parseDecimal } from '../domain/money.ts';
import type { Linea, Word } from './shapes.ts';
import { amountOf, decimalOf, rateOf } from './values.ts';
import type { Cell, Row } from './words.ts';

type Column =
  | 'description'
  | 'code'
  | 'quantity'
  | 'price'
  | 'discount'
  | 'rate'
  | 'quota'
  | 'total';

interface Header {
  readonly column: Column;
  readonly x: number;
  readonly w: number;
}

const HEADERS: readonly (readonly [RegExp, Column])[] = [
  [/^(cod(igo)?|ref(erencia)?|sku|art)\.?$/, 'code'],
  [/concepto|descripcio|articulo|producto|servicio|detalle|trabajos?/, 'description'],
  [/^(cant|unid|uds|ud\b|horas?$|qty)/, 'quantity'],
  [/precio|^p\.?\s?u|p\.?v\.?p|tarifa|unitario/, 'price'],
  [/^(dto|desc(uento)?|% ?dto|%? ?desc)\b\.?/, 'discount'],
  [/^(% ?)?(iva|igic|ipsi|tipo|impuesto)( ?%)?$|^%$/, 'rate'],
  [/cuota/, 'quota'],
  [/importe|total|neto|subtotal|base/, 'total'],
];
const STOP =
  /base imp|sub-?\s?total|\btotal\b|suma|^base\b|iva \d|forma de pago|observaciones|impuestos/;
const UNIT =
  /^(h|hr|hrs|hora|horas|ud|uds|u|kg|g|l|m|m2|m²|m3|dia|dias|mes|meses|caja|cajas|€|eur|%)\.?$/;

/** A line as its row says it, with the words of that row. */
export interface FoundLine extends Pick<Linea, 'description' | 'quantity' | 'price' | 'discount'> {
  readonly totalCents: bigint;
  readonly rateBps: bigint | null;
  readonly addsUp: boolean;
  readonly words: readonly Word[];
}

/** The lines of the table under a row of headings, on every page; none when no heading is known. */
export function findLines(rows: readonly Row[]): FoundLine[] {
  const lines: DraftLine[] = [];
  let headers: Header[] = [];
  for (const row of rows) {
    const heading = headersOf(row);
    if (
      heading.length >= 2 &&
      heading.some(({ column }) => column === 'total' || column === 'price')
    ) {
      if (heading.some(({ column }) => column === 'description')) headers = heading;
      continue;
    }
    if (headers.length === 0) continue;
    if (STOP.test(row.plain) && !isItem(row, headers)) {
      headers = [];
      continue;
    }
    const line = lineOf(row, headers);
    if (line) lines.push(line);
    else {
      const last = lines.at(-1);
      // What follows a line without an amount goes on with its description.
      if (last && last.row.page === row.page && row.y - last.bottom < 1.9 * row.h) {
        last.description = `${last.description} ${row.text}`.trim();
        last.bottom = row.y;
      }
    }
  }
  return lines.flatMap(finished);
}

interface DraftLine {
  readonly row: Row;
  bottom: number;
  description: string;
  readonly values: ReadonlyMap<Column, string>;
}

function headersOf(row: Row): Header[] {
  if (/\d{3}|,\d{2}/.test(row.plain)) return [];
  const byCell = row.cells.flatMap((cell) => {
    const column = columnOf(cell.plain);
    return column ? [{ column, x: cell.x, w: cell.w }] : [];
  });
  const byWord = row.words.flatMap((word) => {
    const column = columnOf(word.text.toLowerCase().normalize('NFD').replace(/[̀-ͯ]/g, ''));
    return column ? [{ column, x: word.x, w: word.w }] : [];
  });
  // Headings close to each other may stand in one cell.
  const kinds = (list: readonly Header[]) => new Set(list.map(({ column }) => column)).size;
  const headers = kinds(byWord) > kinds(byCell) ? byWord : byCell;
  return headers
    .sort((a, b) => a.x - b.x)
    .filter(({ column }, i, all) => all.findIndex((other) => other.column === column) === i);
}

function columnOf(plain: string): Column | null {
  const text = plain.trim();
  return text.length > 30 ? null : (HEADERS.find(([name]) => name.test(text))?.[1] ?? null);
}

function isItem(row: Row, headers: readonly Header[]): boolean {
  const values = lineOf(row, headers)?.values;
  return values ? values.has('quantity') && values.has('price') : false;
}

function lineOf(row: Row, headers: readonly Header[]): DraftLine | null {
  const values = new Map<Column, string>();
  const description: string[] = [];
  const cells = row.cells.flatMap(unglued);
  const figures = cells.filter(isNumeric);
  const columns = headers.filter(({ column }) => column !== 'description' && column !== 'code');
  // As many figures as columns: each to its own, wherever a heading starts above it.
  const inOrder = figures.length === columns.length;
  for (const cell of cells) {
    if (!isNumeric(cell)) {
      const column = nearest(cell, headers);
      if (column !== 'code' || !/^\S+$/.test(cell.text)) description.push(cell.text);
      continue;
    }
    const ordered = inOrder ? columns[figures.indexOf(cell)]?.column : undefined;
    const column = ordered ?? nearest(cell, headers);
    if (column === 'description') description.push(cell.text);
    else if (!values.has(column)) values.set(column, cell.text);
  }
  const has = (column: Column) => decimalOf(values.get(column) ?? '') !== null;
  const isLine = amountOf(values.get('total') ?? '') !== null || (has('quantity') && has('price'));
  if (!isLine || !/\p{L}{2}/u.test(description.join(' '))) return null;
  return { row, bottom: row.y, description: description.join(' '), values };
}

/** Figures at the end of a cell of words, where the columns stand close. */
function unglued(cell: Cell): { text: string; x: number; w: number }[] {
  let cut = cell.words.length;
  const isFigure = (text: string) => amountOf(text) !== null;
  while (cut > 0 && isFigure(cell.words[cut - 1]?.text ?? '')) cut -= 1;
  if (cut === cell.words.length || cut === 0)
    return cell.words.length > 1 && cut === 0 ? cell.words.map(part) : [cell];
  const front = cell.words.slice(0, cut);
  const [first, last] = [front[0], front.at(-1)];
  if (!first || !last) return [cell];
  const text = front.map((word) => word.text).join(' ');
  return [{ text, x: first.x, w: last.x + last.w - first.x }, ...cell.words.slice(cut).map(part)];
}

const part = ({ text, x, w }: { text: string; x: number; w: number }) => ({ text, x, w });

function isNumeric({ text }: { text: string }): boolean {
  const words = text.split(' ').filter((word) => !UNIT.test(word.toLowerCase()));
  return words.length > 0 && words.every((word) => decimalOf(word) !== null);
}

/** The heading that a value stands under: figures align right, words left. */
function nearest(cell: { x: number; w: number }, headers: readonly Header[]): Column {
  const distance = ({ x, w }: Header) =>
    Math.min(
      Math.abs(x - cell.x),
      Math.abs(x + w - cell.x - cell.w),
      Math.abs(x + w / 2 - cell.x - cell.w / 2),
    );
  const sorted = [...headers].sort((a, b) => distance(a) - distance(b));
  return sorted[0]?.column ?? 'description';
}

function finished({ row, description, values }: DraftLine): FoundLine[] {
  const clean = (column: Column) =>
    decimalOf(
      (values.get(column) ?? '')
        .split(' ')
        .filter((word) => !UNIT.test(word.toLowerCase()) || word === '%')
        .join(''),
    );
  const discount = clean('discount');
  const quantity = clean('quantity') ?? (values.has('price') ? null : '1');
  const price = clean('price');
  const printed = amountOf(values.get('total') ?? '');
  // An amount that was not legible is what the rest of its row makes.
  const made = quantity && price ? product(quantity, price, discount) : null;
  const totalCents = printed ?? made;
  if (totalCents === null) return [];
  const addsUp = quantity !== null && price !== null && made !== null && isNear(made, totalCents);
  const rate = values.get('rate');
  return [
    {
      description: description.trim(),
      quantity: quantity ?? '1',
      price: price ?? textOf(totalCents),
      ...(discount && discount !== '0' && Number(discount) !== 0 && { discount }),
      totalCents,
      rateBps: rate ? rateOf(rate) : null,
      addsUp: addsUp || (price === null && quantity === '1'),
      words: row.words,
    },
  ];
}

/** Quantity × price − discount, in cents; null for what is no number. */
function product(quantity: string, price: string, discount: string | null): bigint | null {
  const [q, p] = [parseDecimal(quantity, 4), parseDecimal(price, 6)];
  const d = parseDecimal(discount ?? '0', 2);
  if (q === null || p === null || d === null) return null;
  return divRound(q * p * (10_000n - d), 10_000n * 10n ** 8n);
}

function isNear(cents: bigint, total: bigint): boolean {
  return cents - total <= 2n && total - cents <= 2n;
}

function textOf(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
