import { isRole, labelOf, type Segment, segmentsOf } from './party-labels.ts';
import {
  bareEnd,
  endsInPostcode,
  isCalledAsStreet,
  isCapital,
  isEntity,
  isName,
  isOnlyForm,
  isRegion,
  isRestOfTown,
  isStation,
  isStreet,
  isUnfinished,
  LEGAL_FORM,
  likeness,
  NOT_AN_ADDRESS,
  named,
  PUBLIC,
  STREET,
  TOWN,
  TOWN_INSIDE,
  textOf,
} from './party-words.ts';
import type { Word } from './shapes.ts';
import { amountOf } from './values.ts';
import { type Cell, cellFrom, overlaps, plainOf, type Row } from './words.ts';

/** The name and address of somebody, and where they are printed. */
export interface Person {
  readonly nombre?: Cell;
  readonly direccion?: readonly Cell[];
}

/** Lines of a column that belong together. */
export type Block = readonly Cell[];

/** The lines above and below the cell in the same column that follow each other without a gap. */
export function blockAround(rows: readonly Row[], cell: Cell): Block {
  const own = walkUp(rows, cell);
  const mates = matesOf(rows, cell);
  // With nothing above the cell, a line with several cells counts as a whole.
  const from = own.length === 0 && mates.length > 1 ? lineOf(rows, cell) : cell;
  const whole = (lines: readonly Cell[]) => lines.flatMap((line) => withTown(rows, line));
  return [
    ...whole(from === cell ? own : walkUp(rows, from)),
    ...mates,
    ...whole(walkDown(rows, from)),
  ];
}

/** A street with its town, which is set apart from it in the same line: `C/ Mayor, 3   28013 Madrid`. */
function withTown(rows: readonly Row[], line: Cell): Cell[] {
  const cells = rows[line.row]?.cells ?? [];
  const next = cells[cells.indexOf(line) + 1];
  const isTownOf =
    next !== undefined &&
    next.x - line.x - line.w < 2.2 * line.h &&
    TOWN.test(next.plain) &&
    isStreet(line.plain) &&
    !TOWN_INSIDE.test(line.plain);
  return isTownOf ? [line, next] : [line];
}

/** The part of a block around the cell: lines beyond a gap wider than those inside it belong to somebody else. */
export function tightened(block: Block, cell: Cell): Block {
  const lines = block.filter((one, i) => block.indexOf(one) === i);
  const white = (i: number) => {
    const [above, below] = [lines[i], lines[i + 1]];
    return above && below && above.row !== below.row ? below.y - above.y - above.h : 0;
  };
  const least = Math.min(
    ...lines.slice(1).flatMap((line, i) => (line.row === lines[i]?.row ? [] : [white(i)])),
  );
  const isApart = (i: number) => white(i) > Math.max(0, least) + 0.35 * cell.h;
  const at = lines.findIndex(({ row }) => row === cell.row);
  if (at < 0) return block;
  let [from, to] = [at, at];
  while (from > 0 && !isApart(from - 1)) from -= 1;
  while (to < lines.length - 1 && !isApart(to)) to += 1;
  return lines.slice(from, to + 1);
}

/** Cells close together with this one in its row, including itself. */
function matesOf(rows: readonly Row[], cell: Cell): Cell[] {
  const cells = rows[cell.row]?.cells ?? [];
  const at = cells.indexOf(cell);
  const isClose = (a: Cell | undefined, b: Cell | undefined) =>
    a !== undefined && b !== undefined && b.x - a.x - a.w < 2.2 * b.h && !isRole(labelOf(b.plain));
  let [from, to] = [at, at];
  while (isClose(cells[from - 1], cells[from])) from -= 1;
  while (isClose(cells[to], cells[to + 1])) to += 1;
  return at < 0 ? [cell] : cells.slice(from, to + 1);
}

/** Everything close together with a cell in its row, from left to right, as one cell. */
const lineOf = (rows: readonly Row[], cell: Cell) =>
  cellFrom(
    matesOf(rows, cell).flatMap(({ words }) => words),
    cell.row,
  );

export const walkUp = (rows: readonly Row[], cell: Cell) => walk(rows, cell, 'up').reverse();

export const walkDown = (rows: readonly Row[], cell: Cell) => walk(rows, cell, 'down');

function walk(rows: readonly Row[], cell: Cell, way: 'up' | 'down'): Cell[] {
  const steps =
    way === 'up'
      ? rows.slice(Math.max(0, cell.row - 14), cell.row).reverse()
      : rows.slice(cell.row + 1, cell.row + 9);
  const block: Cell[] = [];
  if (way === 'up' && isBesideRole(rows, cell)) return block;
  let last = cell;
  for (const row of steps) {
    // There may be an empty line between a NIF and its address.
    const reach = block.length === 0 ? 3.4 : 2.6;
    if (row.page !== cell.page) break;
    if (Math.abs(row.y - last.y) > reach * Math.max(last.h, row.h)) break;
    const next =
      row.cells.find((one) => Math.abs(one.x - cell.x) < 2.5 * cell.h) ??
      row.cells.find((one) => Math.abs(one.x + one.w - cell.x - cell.w) < cell.h) ??
      row.cells.find((one) => Math.abs(one.x + one.w / 2 - cell.x - cell.w / 2) < 0.5 * cell.h) ??
      // For centred text: a single cell in the row, over the middle.
      (row.cells.length === 1 ? row.cells.find((one) => overlaps(one, cell)) : undefined);
    if (!next) {
      // A row of another column, between two of this one.
      if (Math.abs(row.y - last.y) < 2 * last.h) continue;
      break;
    }
    // The sums belong to nobody's address.
    if (row.words.some(({ text }) => amountOf(text) !== null)) break;
    if (isOfOther(row, next) || isContact(rows, next)) {
      last = next;
      continue;
    }
    const kinds = [labelOf(next.plain), ...segmentsOf(next).map(({ kind }) => kind)];
    const begins = kinds.some(isRole) || isBesideRole(rows, next);
    // The data of somebody else begin here. Below its NIF, however, a shop may say who owns it.
    const isOwner = /^titular/.test(next.plain) && !/\d{7}/.test(next.plain);
    if (begins && way === 'down' && !isOwner) break;
    block.push(next);
    last = next;
    if (begins) break;
  }
  return block;
}

/**
 * Whether somebody's data begin here: «Arrendatario» is in front, and below that not the data, as they would be in a
 * column of their own.
 */
function isBesideRole(rows: readonly Row[], cell: Cell): boolean {
  const cells = rows[cell.row]?.cells ?? [];
  const label = cells[cells.indexOf(cell) - 1];
  if (!label || !isRole(labelOf(label.plain))) return false;
  return !rows
    .slice(label.row + 1, label.row + 3)
    .filter(({ page, y }) => page === label.page && y - label.y < 2.6 * label.h)
    .flatMap((row) => row.cells)
    .some(({ x, plain }) => Math.abs(x - label.x) < 2.5 * label.h && labelOf(plain) === null);
}

/** Whether the label just in front of a value says that it belongs to something else: `Lugar de entrega: C/ Mayor, 3`. */
function isOfOther({ cells }: Row, value: Cell): boolean {
  const label = cells[cells.indexOf(value) - 1];
  if (!label || value.x - label.x - label.w > 12 * value.h) return false;
  const kind = labelOf(label.plain);
  return kind === 'other' || (kind === 'rest' && label.text.endsWith(':'));
}

const ATTENTION = /^(?:a la atencion de|at(?:te?|tn)?\.|a\/a\.?|atencion|contacto)\s*:?\s/;

/** «A/A: Elena Mora» below a name: whoever opens the letter, not who pays. */
export function isContact(rows: readonly Row[], cell: Cell): boolean {
  if (!ATTENTION.test(cell.plain)) return false;
  const above = rows
    .slice(Math.max(0, cell.row - 2), cell.row)
    .filter(({ page, y }) => page === cell.page && cell.y - y < 2.2 * cell.h)
    .flatMap(({ cells }) => cells)
    .find(({ x }) => Math.abs(x - cell.x) < cell.h);
  return above !== undefined && isName(above);
}

/** One item of a line of a block. */
interface Piece extends Segment {
  /** Width of that line. */
  readonly lineWidth: number;
}

/**
 * Finds a name and an address in a block of lines.
 *
 * @param words those of a NIF in it, which are nobody's name
 * @param nif tells a company from a person
 */
export function personIn(
  block: Block,
  { words = [], nif = '' }: { readonly words?: readonly Word[]; readonly nif?: string },
): Person {
  const isNif = (word: Word) => words.some((one) => one === word || isPartOf(word, one));
  const cut = block.flatMap((line) =>
    segmentsOf(line).map((piece): Piece => ({ ...piece, lineWidth: line.w })),
  );
  const pieces = cut.flatMap((piece): Piece[] => {
    if (piece.kind === 'rest' || piece.kind === 'other') return [];
    const rest = withoutNif(piece, isNif);
    const bare = rest.filter((word, i) => i > 0 || !/^[·|•–-]$/.test(word.text));
    if (bare.length === 0) return [];
    const left = cellFrom(bare, piece.row);
    // After a NIF, its line may continue with the address.
    if (piece.kind === 'nif')
      return STREET.test(left.plain) ? [{ ...piece, ...left, kind: null }] : [];
    return parted({ ...piece, ...left });
  });
  const place = addressIn(pieces);
  const before = place ? pieces.slice(0, place.from) : pieces;
  const after = place ? pieces.slice(place.to) : [];
  const over = nameIn(before, nif, pieces) ?? (place ? null : nameIn(after, nif, pieces));
  const nombre = likelier(over, nameBeside(after, words), nif);
  return {
    ...(nombre && { nombre: named(nombre) }),
    ...(place && { direccion: place.cells }),
  };
}

/** Whether a word was cut out of another one, as `72344309V` out of `NIF:72344309V`. */
const isPartOf = (word: Word, whole: Word) =>
  word.page === whole.page &&
  word.y === whole.y &&
  word.x >= whole.x - 0.1 &&
  word.x + word.w <= whole.x + whole.w + 0.1;

/** The words of a piece without those of a NIF, and without its label if a mark precedes that: `, Nº IVA: B12…`. */
function withoutNif({ words }: Piece, isNif: (word: Word) => boolean): Word[] {
  const at = words.findIndex(isNif);
  const lead = at < 0 ? [] : words.slice(Math.max(0, at - 4), at);
  const mark = lead.findLastIndex(({ text }) => /[,;(]$|^[-–·|(]/.test(text));
  const label = lead.slice(mark + 1);
  const isLabel =
    mark >= 0 &&
    !LEGAL_FORM.test(plainOf(textOf(label))) &&
    label.every(({ text }) => /^[(\p{L}.º°/-]+:?$/u.test(text));
  const cut = isLabel ? at - label.length : at;
  return words.filter((word, i) => !isNif(word) && (at < 0 || i < cut || i > at));
}

/** The name at the beginning of the row of a NIF, below the address: `C/ Mayor, 3` and `Ana Ruiz · NIF: …`. */
function nameBeside(pieces: readonly Piece[], nif: readonly Word[]): Cell | null {
  const isBefore = (piece: Piece) =>
    nif.some(({ x, y, h }) => piece.x < x && Math.abs(piece.y - y) < 0.5 * h);
  return pieces.find((piece) => piece.kind === null && isName(piece) && isBefore(piece)) ?? null;
}

/** Of two possible names, the first unless the other looks more like one. */
function likelier(one: Cell | null, other: Cell | null, nif: string): Cell | null {
  if (!one || !other) return one ?? other;
  return likeness(other, isEntity(nif)) > likeness(one, isEntity(nif)) ? other : one;
}

/** Splits `Ana Ruiz, C/ Mayor, 3, 28013 Madrid` into a name and its address. */
function parted(piece: Piece): Piece[] {
  if (piece.kind === 'street' || piece.kind === 'town') return [piece];
  const named = endOfCompany(piece);
  if (STREET.test(piece.plain) && named === 0) return [piece];
  const at = piece.words.findIndex(
    ({ text }, i) =>
      i > 0 &&
      i >= named &&
      STREET.test(plainOf(text)) &&
      (/^[-–—]$/.test(piece.words[i - 1]?.text ?? '') ||
        (/[,;]$/.test(piece.words[i - 1]?.text ?? '') && hasHouse(piece.words.slice(i)))),
  );
  if (at < 0) return [piece];
  const isMarked = at > 1 && /^[-–—]$/.test(piece.words[at - 1]?.text ?? '');
  return [
    { ...piece, ...cellFrom(piece.words.slice(0, isMarked ? at - 1 : at), piece.row) },
    { ...piece, ...cellFrom(piece.words.slice(at), piece.row), kind: null },
  ];
}

/** How many words of a line are the name of a company called after a street, at its start; 0 if there is none. */
function endOfCompany({ plain, words }: Piece): number {
  if (!STREET.test(plain)) return 0;
  const ends = words.findIndex(({ text }, i) => {
    const own = plainOf(textOf(words.slice(0, i + 1)));
    return /,$/.test(text) && isCalledAsStreet(own);
  });
  return ends + 1;
}

/** Whether it is a street with its number or its town, and not a company named after a street. */
function hasHouse(words: readonly Word[]): boolean {
  const plain = plainOf(textOf(words));
  return (/\d|\bs\/n\b/.test(plain) && !LEGAL_FORM.test(plain)) || TOWN_INSIDE.test(plain);
}

interface Place {
  readonly from: number;
  readonly to: number;
  readonly cells: readonly Cell[];
}

function addressIn(pieces: readonly Piece[]): Place | null {
  const street = pieces.findIndex(({ kind }) => kind === 'street');
  if (street >= 0) return byStreet(pieces, street);
  const town = pieces.findIndex(
    ({ plain, kind }) =>
      (kind === null || kind === 'town') && !NOT_AN_ADDRESS.test(plain) && TOWN_INSIDE.test(plain),
  );
  return town >= 0 ? byTown(pieces, town) : streetAlone(pieces);
}

/** The address from a labelled street on, with the town and other labelled parts. */
function byStreet(pieces: readonly Piece[], street: number): Place {
  const rest = pieces
    .slice(street + 1)
    .filter(({ kind }) => kind === 'town' || kind === 'postcode');
  const next = pieces[street + 1];
  const more = rest.length > 0 ? rest.slice(0, 2) : next && TOWN.test(next.plain) ? [next] : [];
  const first = pieces[street] as Piece;
  const isCut = more.length === 0 && next && endsInPostcode(first) && isRestOfTown(next);
  const whole = isCut ? cellFrom([...first.words, ...next.words], first.row) : first;
  return {
    from: street,
    to: street + 1 + more.length + (isCut ? 1 : 0),
    cells: [whole, ...more].map(bareEnd),
  };
}

/** No street ends like this. */
const ENDS_IN_ARTICLE = /\s(de|del|la|las|los|san|santa)$/;

/** The address from a postcode and its town upwards. */
function byTown(pieces: readonly Piece[], at: number): Place {
  const town = pieces[at] as Piece;
  let from = startOfStreet(pieces, at);
  const cells: Cell[] = [...pieces.slice(from, at + 1)];
  const next = pieces[at + 1];
  const isMore = next?.kind === null && isRestOfTown(next);
  if (isMore && (wraps(pieces, at) || next.text.startsWith('(') || isRegion(next)))
    cells.push(next);
  // «Príncipe de», and below it «Vergara, 131».
  const [start, top] = [pieces[from - 1], pieces[from]];
  const hasStreet = from < at || !TOWN.test(town.plain);
  if (hasStreet && start?.kind === null && top && ENDS_IN_ARTICLE.test(start.plain)) {
    cells[0] = cellFrom([...start.words, ...top.words], start.row);
    from -= 1;
  }
  return { from, to: at + 1, cells: cells.map(bareEnd) };
}

/** Where the street above a town begins; `at`, the town's own line, if there is none. */
function startOfStreet(pieces: readonly Piece[], at: number): number {
  const town = pieces[at] as Piece;
  const streetAt = (i: number) => {
    const line = pieces[i];
    return line?.kind === null && isStreet(line.plain);
  };
  // Up to two lines, unless one of them could only be a name. A town with its street in front of it needs none.
  if (streetAt(at - 1) && !STREET.test(town.plain))
    return streetAt(at - 2) && !endsName(pieces, at - 2) ? at - 2 : at - 1;
  const above = pieces[at - 1];
  if (above?.kind !== null || LEGAL_FORM.test(above.plain)) return at;
  // What did not fit in its line.
  if (streetAt(at - 2) && wraps(pieces, at - 2)) return at - 2;
  // A street without a number, below somebody's name.
  return at >= 2 && TOWN.test(town.plain) && isName(above) ? at - 1 : at;
}

/** Whether a line is the end of the name above it: `Comunidad de Propietarios Avda. de` over `América, 12`. */
function endsName(pieces: readonly Piece[], at: number): boolean {
  const above = pieces[at - 1]?.plain ?? '';
  return PUBLIC.test(above) && isUnfinished(above);
}

/** The address from a line that looks like a street, where nothing looks like a town, with the line below it. */
function streetAlone(pieces: readonly Piece[]): Place | null {
  const alone = pieces.findIndex(({ plain, kind }) => kind === null && isStreet(plain));
  if (alone < 0) return null;
  const [next, last] = pieces.slice(alone + 1);
  const isMore =
    next && next.kind === null && !NOT_AN_ADDRESS.test(next.plain) && !LEGAL_FORM.test(next.plain);
  // `C/ Mayor, 3 · 28013` and its town below it.
  const isCut = isMore && /^\d{5}$/.test(next.plain) && last && isRestOfTown(last);
  const end = alone + (isCut ? 3 : isMore ? 2 : 1);
  const region = pieces[end];
  const cells = pieces.slice(alone, region?.kind === null && isRegion(region) ? end + 1 : end);
  return { from: alone, to: alone + cells.length, cells: cells.map(bareEnd) };
}

/** Whether the first word of the next line did not fit in this one. */
function wraps(pieces: readonly Piece[], at: number): boolean {
  const [line, next] = [pieces[at], pieces[at + 1]];
  const first = next?.words[0];
  if (!line || !next || !first || next.row === line.row) return false;
  if (next.y - line.y > 2.6 * line.h) return false;
  const isUnder = (edge: (one: Piece) => number) =>
    Math.abs(edge(next) - edge(line)) < 0.6 * line.h;
  const isFlush = isUnder(({ x }) => x) || isUnder(({ x, w }) => x + w / 2);
  const widest = Math.max(...pieces.map(({ lineWidth }) => lineWidth));
  return isFlush && line.w + 0.25 * line.h + first.w > widest + 0.5 * line.h;
}

/** Of several lines before an address, the one that is somebody's legal name. */
function nameIn(pieces: readonly Piece[], nif: string, all: readonly Piece[]): Cell | null {
  const said = pieces.find((piece) => piece.kind === 'name' && isName(piece));
  if (said) return said;
  const role = pieces.find(({ kind }) => kind === 'client' || kind === 'issuer');
  const free = pieces.filter(
    (piece) => piece === role || (piece.kind === null && (isName(piece) || isOnlyForm(piece))),
  );
  const lines = joined(
    free.filter((piece) => piece !== role || isName(piece)),
    all,
  ).filter(isName);
  const [first] = lines;
  if (!first) return null;
  return lines.reduce((best, one) => likelier(best, one, nif) ?? best);
}

/** Joins a name that did not fit in its line with the next line. */
function joined(lines: readonly Piece[], all: readonly Piece[]): Cell[] {
  const out: Cell[] = [];
  for (const [i, line] of lines.entries()) {
    const last = out.at(-1);
    const before = lines[i - 1];
    const both = last && cellFrom([...last.words, ...line.words], last.row);
    const isRest =
      both !== undefined &&
      before !== undefined &&
      line.y - before.y < 1.9 * before.h &&
      !LEGAL_FORM.test(last?.plain ?? '') &&
      !isStation(last?.plain ?? '') &&
      isCapital(line) === isCapital(before) &&
      Math.abs(line.h - before.h) < 0.3 * before.h &&
      (/,$/.test(last?.plain ?? '') || wraps(all, all.indexOf(before))) &&
      all.indexOf(line) === all.indexOf(before) + 1 &&
      // Below a name this wide there may be something else.
      (LEGAL_FORM.test(both.plain) || isHalf(last?.plain ?? '', lines[i + 1]));
    if (isRest && both) out[out.length - 1] = both;
    else out.push(line);
  }
  return out;
}

/** It ends where no name can, or its legal form comes two lines below. */
const isHalf = (plain: string, later: Cell | undefined) =>
  isUnfinished(plain) || (later !== undefined && LEGAL_FORM.test(later.plain));

/**
 * Finds somebody in a form whose rows consist of labels with a colon and their values, whatever the labels are:
 * `Entidad: Ana Ruiz NIF: 12345678Z`, with the address in the next row.
 */
export function personInForm(rows: readonly Row[], nif: Cell): Person | null {
  const [values, below] = [valuesOf(rows[nif.row]), valuesOf(rows[nif.row + 1])];
  const [name] = values;
  const isOfTwo = values.filter(({ plain }) => /\d{7}/.test(plain)).length > 1;
  if (!name || name === nif || !values.includes(nif) || isOfTwo || !isName(name)) return null;
  const street = below.find(({ plain }) => isStreet(plain) && !TOWN.test(plain));
  const town = below.find(({ plain }) => TOWN.test(plain));
  return { nombre: named(name), ...(street && town && { direccion: [street, town] }) };
}

/** The values beside the labels with a colon, in a row that begins with one. */
function valuesOf(row: Row | undefined): Cell[] {
  const cells = row?.cells ?? [];
  if (!cells[0]?.text.endsWith(':')) return [];
  return cells.filter((cell, i) => !cell.text.endsWith(':') && cells[i - 1]?.text.endsWith(':'));
}
