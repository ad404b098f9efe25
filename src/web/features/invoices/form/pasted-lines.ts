import type { Producto } from '../../../../contract/parties.ts';
import { LINE_COLUMNS, type LineColumn, lineTitles } from '../../../../domain/line-titles.ts';
import { parseDecimal } from '../../../../domain/money.ts';
import { fold } from '../../../ui/table/search.ts';
import { tidyDiscount, tidyPrice, tidyQuantity } from './lines.ts';

/** A line as it stands in the cells of a spreadsheet. What they do not say is absent. */
export interface PastedLine {
  readonly description: string;
  readonly quantity?: string;
  readonly price?: string;
  readonly discount?: string;
  /** The product whose code or name it has. */
  readonly product?: Producto;
}

type Cells = readonly string[];

const HEADINGS: ReadonlyMap<string, LineColumn> = new Map(
  LINE_COLUMNS.flatMap((column) => lineTitles(column, 'cells').map((title) => [title, column])),
);

/**
 * Reads cells copied from a spreadsheet as lines: by the headings in the first row or, without them, by what the
 * columns contain: the longest text is the description, and the first two numbers the quantity and the price. A single
 * number is the price.
 *
 * @returns null for what is not a table of lines: ordinary text, or only numbers
 */
export function pastedLines(text: string, products: readonly Producto[]): PastedLine[] | null {
  const rows = tableOf(text);
  if (!rows) return null;
  const [first = []] = rows;
  const headed = fieldsByHeading(first);
  const body = headed ? rows.slice(1) : rows;
  const fields = headed ?? fieldsByContent(body);
  if (!fields.includes('description') && !fields.includes('code')) return null;
  const findProduct = productFinder(products);
  return body.map((cells) => lineOf(cells, fields, findProduct));
}

type FindProduct = (code: string, name: string) => Producto | undefined;

/**
 * Finds the product of a row: the first with its code or, if there is none, the first whose name or code is what it has
 * as its name. The products are folded once for all rows.
 */
function productFinder(products: readonly Producto[]): FindProduct {
  const byCode = new Map<string, Producto>();
  const byName = new Map<string, Producto>();
  // From the end, so that the first of two is the one that stays.
  for (const product of products.toReversed()) {
    const code = fold(product.No);
    byCode.set(code, product);
    byName.set(code, product).set(fold(product.Name), product);
  }
  return (code, name) => byCode.get(code) ?? byName.get(name);
}

/** The cells of a range, without its empty rows; null for text that is no range of several columns. */
export function tableOf(text: string): Cells[] | null {
  if (!text.includes('\t')) return null;
  const rows: string[][] = [[]];
  // A cell with quotes, tabs or line breaks in it is quoted, and its quotes are doubled.
  for (const [, quoted, plain = '', end] of text.matchAll(CELL)) {
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  return rows.filter((cells) => cells.some((cell) => cell !== ''));
}

const CELL = /(?:"((?:[^"]|"")*)"(?=\t|\r?\n|$)|([^\t\r\n]*))(\t|\r?\n|$)/g;

/** Null when the row is not one of headings. */
function fieldsByHeading(row: Cells): (LineColumn | null)[] | null {
  const fields = row.map((cell) => HEADINGS.get(plainHeading(cell)) ?? null);
  // A second column of the same name is another program's own business.
  const unique = fields.map((field, index) => (fields.indexOf(field) === index ? field : null));
  return unique.filter((field) => field !== null).length >= 2 ? unique : null;
}

/** `Dto. (%)` → `dto`, `Precio €` → `precio`. */
function plainHeading(cell: string): string {
  return fold(cell)
    .replace(/[^a-zñ ]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function fieldsByContent(rows: readonly Cells[]): (LineColumn | null)[] {
  const columns: Cells[] = Array.from(
    { length: Math.max(0, ...rows.map(({ length }) => length)) },
    (_, at) => rows.map((cells) => cells[at] ?? ''),
  );
  const texts = columns.filter((cells) => !areNumbers(cells) && cells.some((cell) => cell !== ''));
  const description = texts.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
  const isCode = (cells: Cells, at: number) =>
    at < columns.indexOf(description ?? []) && (texts.includes(cells) || areCodes(cells));
  const numbers = columns.filter((cells, at) => areNumbers(cells) && !isCode(cells, at));
  const isAlone = numbers.length === 1;
  const quantity = isAlone ? undefined : numbers[0];
  const price = isAlone ? numbers[0] : numbers[1];
  return columns.map((cells, at) => {
    if (cells === description) return 'description';
    if (cells === quantity) return 'quantity';
    if (cells === price) return 'price';
    return isCode(cells, at) ? 'code' : null;
  });
}

const lengthOf = (cells: Cells) => cells.reduce((sum, { length }) => sum + length, 0);

function areNumbers(cells: Cells): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length > 0 && filled.every(isNumber);
}

/** Amounts may have any number of decimals here: their fields say how many they take. A bar code is one too. */
const isNumber = (cell: string) => /^\d+$/.test(cell) || parseDecimal(cell, 30) !== null;

/** Whole numbers longer than any quantity, as bar codes are, or with zeros in front. */
const areCodes = (cells: Cells) => cells.every((cell) => /^(?:\d{8,}|0\d+)?$/.test(cell));

function lineOf(
  cells: Cells,
  fields: readonly (LineColumn | null)[],
  findProduct: FindProduct,
): PastedLine {
  const cellOf = (field: LineColumn) => cells[fields.indexOf(field)] ?? '';
  const code = fold(cellOf('code'));
  const name = fold(cellOf('description'));
  const product = findProduct(code, name);
  const text = cellOf('description') || cellOf('code');
  const quantity = cellOf('quantity');
  const price = cellOf('price');
  const discount = tidyDiscount(cellOf('discount'));
  return {
    description: product && (name === '' || name === fold(product.No)) ? product.Name : text,
    ...(quantity !== '' && { quantity: tidyQuantity(quantity) }),
    ...(price !== '' && { price: tidyPrice(price) }),
    // What is no discount at all is none to show either.
    ...(discount !== '' && discount !== '0' && { discount }),
    ...(product && { product }),
  };
}

/**
 * Numbers copied from a spreadsheet, to be put in the cells to the right of a field and below it.
 *
 * @returns null for a single cell, which the browser pastes by itself, and for what is no table of numbers
 */
export function pastedNumbers(text: string): Cells[] | null {
  const rows = tableOf(text) ?? columnOf(text);
  const isOne = rows.length === 1 && rows[0]?.length === 1;
  return !isOne && rows.every((cells) => cells.every((cell) => cell === '' || isNumber(cell)))
    ? rows
    : null;
}

function columnOf(text: string): Cells[] {
  return text
    .trim()
    .split(/\r?\n/)
    .map((cell) => [cell.trim()]);
}

/** The fields of a line that are numbers, from left to right, and how each shows a new value. */
export const TIDY = {
  quantity: tidyQuantity,
  price: tidyPrice,
  discount: tidyDiscount,
} as const;

export type Figure = keyof typeof TIDY;

export const FIGURES = Object.keys(TIDY) as Figure[];

export function isFigure(field: string | undefined): field is Figure {
  return field !== undefined && field in TIDY;
}
