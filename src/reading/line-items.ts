import { centsToText, parsePlainDecimal } from '../domain/money.ts';
import {
  DISCOUNT_DECIMALS,
  netCentsOf,
  PRICE_DECIMALS,
  QUANTITY_DECIMALS,
} from '../domain/totals.ts';
import { SECTION } from './line-wrapping.ts';
import type { Linea, Word } from './shapes.ts';
import { amountOf, decimalOf, rateOf, undotted } from './values.ts';
import { type Cell, overlaps, plainOf, type Row } from './words.ts';

type Column =
  | 'description'
  | 'code'
  | 'quantity'
  | 'unit'
  | 'price'
  | 'discount'
  | 'rate'
  | 'quota'
  | 'total'
  | 'unknown';

interface Header {
  readonly column: Column;
  readonly name: string;
  readonly x: number;
  readonly w: number;
}

const HEADERS: readonly (readonly [RegExp, Column])[] = [
  [/^(n[º°o]\.?|#|linea|pos\.?|cod\w*|ref\w*|sku|art|ean|lote|fecha|albaran)\.?$/, 'code'],
  [/^(unidad(es)? de medida|u\.?\/?m\.?|ud\.? medida|medida)$/, 'unit'],
  [/precio|\bp\.?\s?u(nit)?|\bp\.?v\.?p|tarifa|unitario|coste|€ ?\/ ?(ud|h)/, 'price'],
  [
    /concepto|descripcio|articulo|producto|servicio|detalle|trabajos?|denominacio|material/,
    'description',
  ],
  [
    /^(cant|unid|uds?\b|(horas?|litros|kilos|kgs?|kwh|metros|m[23]|dias|noches|bultos)\.?$|qty|ctd|num\.? (uds|horas)|h\.$)/,
    'quantity',
  ],
  [/\b(dto|dcto|descuento|desc|bonif\w*|rebaja)\b\.?/, 'discount'],
  [/^[(% ]*(iva|igic|ipsi|tipo|impuestos?|impto|imp\.?)( aplicado)?[ %)]*$|^%$/, 'rate'],
  [/cuota/, 'quota'],
  [/importe|total|neto|subtotal|valor|^base$/, 'total'],
];
/** Headings of the table of taxes, which is not the table of lines. */
const TAX_TABLE =
  /base imp|b\. ?imp|\bcuota\b|% ?(r\.?e\.?|rec)|imp(orte)?\.? (iva|igic|bruto)|bases?\b.*\b(iva|igic)/;
const STOP =
  /base imp|sub-?\s?total|\btotal\b|\bsuma\b|^base\b|\b(iva|igic) (al )?\d|\d ?% (de )?(iva|igic)|forma de pago|observaciones|impuestos|importe neto|importe bruto/;
/** The same table continues on the next page, or after an amount carried over. */
const CARRIED = /suma y sigue|suma anterior|(pasa|viene)n? de|pagina \d|continua/;
const UNIT =
  /^(h|hr|hrs|hora|horas|ud|uds|u|und|unid|kg|g|l|m|ml|m2|m²|m3|m³|dia|dias|mes|meses|caja|cajas|€|eur|euros?|%|x)\.?$/;

/** A line as its row states it, with the words of that row and of the other rows of its description. */
export interface FoundLine extends Pick<Linea, 'description' | 'quantity' | 'price' | 'discount'> {
  readonly totalCents: bigint;
  readonly rateBps: bigint | null;
  readonly addsUp: boolean;
  /** One of its figures was illegible and was worked out from the others: somebody should look at it. */
  readonly isSolved?: true;
  readonly words: readonly Word[];
}

/** The lines of the table below a row of headings, on all pages. */
export function findLines(rows: readonly Row[]): FoundLine[] {
  const drafts = rowsUnderHeadings(rows);
  return (drafts.length > 0 ? drafts : rowsThatMultiply(rows)).flatMap(finished);
}

interface DraftLine {
  readonly row: Row;
  /** Rows of text that continue its description. */
  readonly wrapped: Row[];
  bottom: number;
  description: string;
  readonly values: Values;
}

interface Values {
  readonly quantity: string | null;
  readonly price: string | null;
  readonly discount: string | null;
  readonly rate: string | null;
  readonly total: bigint | null;
}

function rowsUnderHeadings(rows: readonly Row[]): DraftLine[] {
  const lines: DraftLine[] = [];
  /** Text that waits for the line it belongs to. */
  let loose: Row[] = [];
  let headers: Header[] = [];
  let headedAt = -2;
  const keepLoose = () => {
    for (const row of loose) attach(row, lines, null);
    loose = [];
  };
  for (const [index, row] of rows.entries()) {
    const heading = headersOf(row, rows[index + 1]);
    if (heading) {
      keepLoose();
      headers = heading;
      headedAt = index;
      continue;
    }
    if (headers.length === 0 || (headedAt === index - 1 && isRestOfHeading(row, rows[headedAt])))
      continue;
    if (CARRIED.test(row.plain)) continue;
    if (STOP.test(undotted(row.plain)) && !isItem(row, headers)) {
      keepLoose();
      headers = [];
      continue;
    }
    const line = lineOf(row, headers);
    if (!line) {
      if (isText(row, headers)) loose.push(row);
      continue;
    }
    const before = loose;
    loose = [];
    lines.push(line);
    for (const text of before) attach(text, lines, row);
  }
  keepLoose();
  return lines;
}

/** Text in a row of its own continues the line above it or, if it is nearer to the line below, precedes that one. */
function attach(row: Row, lines: DraftLine[], below: Row | null): void {
  const next = below ? lines.at(-1) : undefined;
  const last = lines.at(below ? -2 : -1);
  const up = last && last.row.page === row.page ? row.y - last.bottom : Number.POSITIVE_INFINITY;
  const down = next && next.row.page === row.page ? next.row.y - row.y : Number.POSITIVE_INFINITY;
  const reach = 1.9 * row.h;
  if (last && up < reach && up <= down) {
    last.description = `${last.description} ${row.text}`.trim();
    last.bottom = row.y;
    last.wrapped.push(row);
  } else if (next && down < 1.3 * row.h) {
    next.description = `${row.text} ${next.description}`.trim();
    next.wrapped.push(row);
  }
}

/** What may continue a description: it has no figures, and heads no lines. */
function isText(row: Row, headers: readonly Header[]): boolean {
  if (SECTION.test(row.plain)) return false;
  const figures = row.cells.filter(isNumeric).length;
  const left = Math.min(...headers.map(({ x }) => x));
  return figures === 0 && (row.words[0]?.x ?? 0) > left - 2 * row.h;
}

/** The headings in a row, completed with the next row; null for any other row. */
function headersOf(row: Row, next: Row | undefined): Header[] | null {
  if (/\d{3}|,\d{2}/.test(row.plain) || TAX_TABLE.test(undotted(row.plain))) return null;
  const byCell = row.cells.map((cell) => headerOf(cell));
  const byWord = row.words.map((word) => headerOf({ ...word, plain: plainOf(word.text) }));
  const below = next && isRestOfHeading(next, row) ? next.cells : [];
  const taller = row.cells.map((cell) => {
    const rest = below.filter((other) => other.x < cell.x + cell.w && other.x + other.w > cell.x);
    return headerOf({ ...cell, plain: [cell, ...rest].map(({ plain }) => plain).join(' ') });
  });
  // Headings close to each other may be in one cell.
  const [best] = [taller, byCell, byWord]
    .map((list) => distinct(list))
    .sort((a, b) => known(b) - known(a));
  if (!best) return null;
  const has = (column: Column) => best.some((header) => header.column === column);
  // Rates and amounts without the factors of a multiplication: a table of taxes.
  const isTable =
    known(best) >= 2 &&
    (has('total') || has('price')) &&
    (has('quantity') || has('price') || (has('description') && !has('rate')));
  if (!isTable) return null;
  if (has('description')) return best;
  // The first heading that is nothing else, or whatever is at the left.
  const free = best.findIndex(({ column }) => column === 'unknown');
  return best.map((header, i) => (i === free ? { ...header, column: 'description' } : header));
}

const known = (headers: readonly Header[]) =>
  headers.filter(({ column }) => column !== 'unknown').length;

function distinct(headers: readonly Header[]): Header[] {
  // «Artículo» beside «Descripción» is the item's code.
  const [first, second] = headers.filter(({ column }) => column === 'description');
  return headers
    .map((header) =>
      second && header === first && /^art/.test(first.name)
        ? { ...header, column: 'code' as const }
        : header,
    )
    .sort((a, b) => a.x - b.x)
    .filter(
      ({ column }, i, all) =>
        column === 'unknown' || all.findIndex((other) => other.column === column) === i,
    );
}

function headerOf({ plain, x, w }: { plain: string; x: number; w: number }): Header {
  const text = undotted(plain).replace(/[€:]/g, '').trim();
  const column = text.length > 34 ? undefined : HEADERS.find(([name]) => name.test(text))?.[1];
  return { column: column ?? 'unknown', name: text, x, w };
}

/** The second line of headings that take two: immediately below the first, without figures. */
function isRestOfHeading(row: Row, above: Row | undefined): boolean {
  return (
    above !== undefined &&
    above.page === row.page &&
    row.y - above.y < 1.6 * row.h &&
    !/\d/.test(row.plain) &&
    row.cells.every((cell) => above.cells.some((other) => overlaps(cell, other)))
  );
}

function isItem(row: Row, headers: readonly Header[]): boolean {
  const values = lineOf(row, headers)?.values;
  return values ? values.quantity !== null && values.price !== null : false;
}

function lineOf(row: Row, headers: readonly Header[]): DraftLine | null {
  const found = new Map<Column, string>();
  const description: string[] = [];
  const cells = row.cells.flatMap(unglued);
  const figures = cells.filter(isNumeric);
  const columns = headers.filter(
    ({ column }) => !['description', 'code', 'unit', 'unknown'].includes(column),
  );
  const fromLeft = Math.min(...columns.map(({ x }) => x));
  const inTable = figures.filter(({ x, w }) => x + w > fromLeft);
  // If there are as many figures as columns, each goes to its own, wherever the heading above starts.
  const inOrder = inTable.length === columns.length;
  for (const cell of cells) {
    if (!isNumeric(cell)) {
      const column = nearest(cell, headers);
      const rate = column === 'rate' ? rateIn(cell.text) : null;
      if (rate !== null) found.set('rate', rate);
      else if (column === 'unit' || UNIT.test(cell.text.toLowerCase())) continue;
      else if (/^[-–—]+$/.test(cell.text)) continue;
      else if (column !== 'code' || !/^\S+$/.test(cell.text)) description.push(cell.text);
      continue;
    }
    const ordered = inOrder ? columns[inTable.indexOf(cell)]?.column : undefined;
    const column = ordered ?? nearest(cell, headers);
    if (column === 'description') description.push(cell.text);
    else if (!found.has(column)) found.set(column, cell.text);
  }
  const values = settled(found, figures);
  const isLine = values.total !== null || (values.quantity !== null && values.price !== null);
  if (!isLine || !/\p{L}{2}/u.test(description.join(' '))) return null;
  return { row, wrapped: [], bottom: row.y, description: description.join(' '), values };
}

/** What the columns say or, if those figures do not multiply, the figures of the row that do. */
function settled(
  found: ReadonlyMap<Column, string>,
  figures: readonly { readonly text: string }[],
): Values {
  const clean = (column: Column) => bare(found.get(column) ?? '');
  const rate = found.get('rate') ?? null;
  const said: Values = withSign({
    quantity: clean('quantity'),
    price: clean('price'),
    discount: clean('discount'),
    rate,
    total: amountOf(found.get('total') ?? ''),
  });
  const isRight =
    said.quantity !== null &&
    said.price !== null &&
    said.total !== null &&
    isProduct(said.quantity, said.price, said.discount, said.total);
  if (isRight || figures.length < 3) return said;
  const made = multiplied(figures.map(({ text }) => text));
  return made ? { ...said, ...made } : said;
}

/** Restores a minus sign that was not seen: the sign of the amount is also that of the quantity. */
function withSign(values: Values): Values {
  const { quantity, price, discount, total } = values;
  if (!quantity || !price || total === null) return values;
  if (!isProduct(quantity, price, discount, -total)) return values;
  return quantity.startsWith('-')
    ? { ...values, total: -total }
    : { ...values, quantity: `-${quantity}` };
}

/** Finds in a row's figures a quantity, a price and perhaps a discount whose product is a later figure, the amount. */
function multiplied(
  texts: readonly string[],
): Pick<Values, 'quantity' | 'price' | 'discount' | 'total'> | null {
  const numbers = texts.map(bare);
  const amounts = texts.map((text) => amountOf(text));
  for (const { p, q, t } of triples(texts.length)) {
    const [price, quantity, total] = [numbers[p], numbers[q], amounts[t]];
    if (!price || !quantity || !total || amounts[p] === null) continue;
    // One times the amount holds for any amount that is printed twice: quantities come first.
    if (price === quantity || (p < q && amounts[q] !== null)) continue;
    if (isProduct(quantity, price, null, total)) return { quantity, price, discount: null, total };
    const discount = numbers
      .slice(0, t)
      .find(
        (one, d) =>
          d !== p && d !== q && one && isLess(one) && isProduct(quantity, price, one, total),
      );
    if (discount) return { quantity, price, discount, total };
  }
  return null;
}

/** The places of a price, a quantity and, after both, their amount: the last amount comes first. */
function* triples(count: number): Generator<{ p: number; q: number; t: number }> {
  for (let t = count - 1; t >= 2; t -= 1)
    for (let p = 0; p < t; p += 1) for (let q = 0; q < t; q += 1) if (p !== q) yield { p, q, t };
}

/** Rows above the sums whose figures multiply, for documents without known headings. */
function rowsThatMultiply(rows: readonly Row[]): DraftLine[] {
  return rows.flatMap((row) => {
    if (STOP.test(undotted(row.plain))) return [];
    const cells = row.cells.flatMap(unglued);
    const made = multiplied(cells.filter(isNumeric).map(({ text }) => text));
    const description = cells
      .filter((cell) => !isNumeric(cell))
      .map(({ text }) => text)
      .join(' ');
    if (!made || !/\p{L}{3}/u.test(description)) return [];
    const values = { ...made, rate: rateIn(row.text) };
    return [{ row, wrapped: [], bottom: row.y, description, values }];
  });
}

interface Part {
  readonly text: string;
  readonly x: number;
  readonly w: number;
}

/** Figures at the end of a cell of words, where the columns are close. */
function unglued(cell: Cell): Part[] {
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

const part = ({ text, x, w }: Part): Part => ({ text, x, w });

function isNumeric({ text }: { text: string }): boolean {
  const words = text.split(' ').filter((word) => !UNIT.test(word.toLowerCase()));
  return words.length > 0 && words.every((word) => decimalOf(word) !== null);
}

/** `'3 ud'` → `'3'`; null for anything that is not a number. */
function bare(text: string): string | null {
  const words = text.split(' ').filter((word) => !UNIT.test(word.toLowerCase()) || word === '%');
  return decimalOf(words.join(''));
}

/** The rate in `'IVA 21 %'`. */
function rateIn(text: string): string | null {
  return /(\d{1,2}(?:[.,]\d{1,2})?)\s*%/.exec(text)?.[1] ?? null;
}

/** The heading above a value: figures are aligned right, words left. */
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

function finished({ row, wrapped, description, values }: DraftLine): FoundLine[] {
  const discount = values.discount?.replace(/^-/, '') ?? null;
  const quantity = values.quantity ?? (values.price === null ? '1' : null);
  const { price, rate } = values;
  // An illegible amount is worked out from the rest of its row.
  const made = quantity && price ? product(quantity, price, discount) : null;
  const totalCents = values.total ?? made;
  if (totalCents === null) return [];
  const addsUp = quantity !== null && price !== null && made !== null && isNear(made, totalCents);
  return [
    {
      description: description.trim(),
      quantity: quantity ?? '1',
      price: price ?? centsToText(totalCents),
      ...(discount && Number(discount) !== 0 && { discount }),
      totalCents,
      rateBps: rate ? rateOf(rate) : null,
      addsUp: addsUp || (price === null && quantity === '1'),
      ...(values.total === null && { isSolved: true as const }),
      words: [row, ...wrapped].flatMap(({ words }) => words),
    },
  ];
}

/** Between zero and a hundred percent. */
function isLess(text: string): boolean {
  const percent = parsePlainDecimal(text.replace(/^-/, ''), 4);
  return percent !== null && percent > 0n && percent < 1_000_000n;
}

function isProduct(
  quantity: string,
  price: string,
  discount: string | null,
  total: bigint,
): boolean {
  const made = product(quantity, price, discount?.replace(/^-/, '') ?? null);
  return made !== null && isNear(made, total);
}

/** Quantity × price − discount, in cents; null for anything that is not a number. */
function product(quantity: string, price: string, discount: string | null): bigint | null {
  const [q, p] = [
    parsePlainDecimal(quantity, QUANTITY_DECIMALS),
    parsePlainDecimal(price, PRICE_DECIMALS),
  ];
  const d = parsePlainDecimal(discount ?? '0', DISCOUNT_DECIMALS);
  if (q === null || p === null || d === null) return null;
  return netCentsOf(q, p, d);
}

function isNear(cents: bigint, total: bigint): boolean {
  return cents - total <= 2n && total - cents <= 2n;
}
