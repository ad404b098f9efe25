import { isGiven } from './given-names.ts';
import { isRole, labelOf, type Segment, segmentsOf } from './party-labels.ts';
import type { Word } from './shapes.ts';
import { amountOf, findDate } from './values.ts';
import { type Cell, cellFrom, overlaps, plainOf, type Row } from './words.ts';

/** The name and address of somebody, and where they are printed. */
export interface Person {
  readonly nombre?: Cell;
  readonly direccion?: readonly Cell[];
}

const NOT_A_NAME =
  /^(datos (del?|fiscales)|nombre|razon social|apellidos|direccion|poblacion|gracias|atentamente|saludos|firmado|conforme|condiciones|uds?|cant(idad)?|unid(ades)?|precio|p\.? ?unit\w*|preu|tarifa|importe|conceptos?|detalle|descripcion|articulo|total|base|referencia|ref|dto|iva|documento|numero|num|fra|minuta|expedida|emitida|data|dia|serie|recibo|ticket|hoja|obra|original|copia|espana|spain|dpto|dpt|dept|departamento|pag)\b|^(n\.?\s?[º°o]\.?|num(ero)?\.?)\s*(de\s+)?(cliente|fra|factura|documento|contrato|socio|abonado)\b|\b(rectificativa|abono|presupuesto|albaran|pedido|n\.?i\.?f|c\.?i\.?f|d\.?n\.?i|vat|tax [il1]d|tel|telefono|tfno|movil|fax|e-?mail|www|fecha|factura|iban|vencimiento|pagina|registro mercantil|codigo|domicilio|imponible|colegiad[oa]|r\.? ?i\.? \d|inscrita)\b|@|\b\d{2}[/-]\d{2}[/-]\d{4}\b|\.(es|com|net|org|cat|eu|shop)$|\d{3}[\s.]?\d{2,3}[\s.]?\d{2,3}/;
/**
 * Words that rule out a name even before a legal form. Companies do have names like «Red Móvil, S.A.» or «Data 3,
 * S.L.».
 */
const NOT_A_COMPANY =
  /\b(n\.?i\.?f|c\.?i\.?f|d\.?n\.?i|vat|tax [il1]d|fecha|factura|iban|vencimiento|registro mercantil|domicilio|inscrita)\b|@|\bwww\b|\d{3}[\s.]?\d{2,3}[\s.]?\d{2,3}/;
const NOT_AN_ADDRESS =
  /\b(n\.?i\.?f|c\.?i\.?f|d\.?n\.?i|vat|tax [il1]d|tel|telefono|tfno|movil|fax|e-?mail|www|fecha|factura|fra|minuta|iban|vencimiento|registro mercantil|numero|concepto|descripcion|matricula|bastidor|kilometros|colegiad[oa]|r\.?i\.)\b|@|(?<!\d)\d{2}[/-]\d{2}[/-]\d{2,4}(?!\d)/;
export const LEGAL_FORM =
  /(?<![a-z])(s\.? ?l\.?( ?[unpl]\.?| ?n\.? ?e\.?)?|s\.? ?a\.?( ?[ultd]\.?)?|s\.? ?c\.?( ?[pla]\.?| ?c\.? ?l\.?)?|c\.? ?b\.?|s\.? ?coop\.?( (de )?[a-z]{1,4}(-[a-z]{1,3})?\.?| galega| andaluza| madrilena| valenciana)?|s\.? ?r\.? ?l\.?|sociedad (limitada|anonima|cooperativa|civil)( (laboral|profesional|andaluza|galega|madrilena|valenciana))?|a\.? ?i\.? ?e\.?|u\.? ?t\.? ?e\.?|gmbh|ltd\.?|inc\.?|llc|sas|lda\.?|s\.p\.a\.?)(,? (sociedad )?\(?unipersonal\)?|,? sucursal en espana)?\s*$/;
const PUBLIC =
  /^(cooperativa|comunidad|c\.?\s?prop|cdad|cp |c\. ?p\. ?(?=[a-z])|ayuntamiento|asociacion|fundacion|colegio|i\.?e\.?s\.? |ceip|universidad|hermandad|parroquia|club|junta|diputacion|consejeria|hijos de|hermanos|hnos)/;
const STREET =
  /^(c\/|c\.\/|cl\.|calle|av|avd|avda|avenida|avinguda|plaza|plz|plza|pza|placa|paseo|passeig|p[ºo]\.?(?=\s|$)|ptge|pasaje|pol|poligono|p\.? ?i\.(?=\s|$)|ctra|carretera|crta|camino|cno|cami|ronda|rda|rua|carrer|via|gran via|urb|urbanizacion|apartado|apdo|glorieta|gta|travesia|trv|barrio|bda|parque|cuesta|costanilla|lugar|finca|edificio|edif|nave|parcela|avenue|rue|boulevard|\d{1,4},? ?(?:bis )?(?:rue|avenue|boulevard))(?![a-z])/;
/** The last two are of other countries: `D-80331 München`, `4000-447 Porto`. */
const TOWN =
  /^(?:(?:[a-z]-)?\(?(?:c\.?\s?p\.?:?\s*)?(?<!\d)(?:0[1-9]|[1-4]\d|5[0-2])\d{3}\)?[\s,·-]+(?:[ao]\s|l['’])?|[a-z]{1,2}-\d{4,5}\s|\d{4}-\d{3}\s)[a-z]{2}/;
const TOWN_INSIDE = /(?<![\d/-])(?:0[1-9]|[1-4]\d|5[0-2])\d{3}\)?[\s,·-]+(?:[ao]\s|l['’])?[a-z]{2}/;

export const isTown = (plain: string) => TOWN.test(plain);

export const hasTown = ({ plain }: Cell) => TOWN_INSIDE.test(plain);

const COUNTRY =
  /^(?:francia|france|alemania|germany|deutschland|portugal|italia|italy|reino unido|united kingdom|irlanda|ireland|paises bajos|netherlands|belgica|belgium|austria|suiza|switzerland|polonia|suecia|dinamarca|andorra)$/;

/** A postcode and a town, with their country below. */
export function isTownAbroad(rows: readonly Row[], cell: Cell): boolean {
  return (
    /^(?:\d{4,5}|[a-z]{1,2}-\d{4,5})\s[a-z]{2}/.test(cell.plain) &&
    rows
      .slice(cell.row + 1, cell.row + 3)
      .filter(({ page, y }) => page === cell.page && y - cell.y < 2 * cell.h)
      .flatMap(({ cells }) => cells)
      .some(({ plain, x }) => COUNTRY.test(plain) && Math.abs(x - cell.x) < cell.h)
  );
}

/** «Calle Mayor Inversiones, S.L.»: a company named after a street, whatever mark is behind it. */
export function isCalledAsStreet(said: string): boolean {
  const plain = said.replace(/[\s,;:·|–-]+$/, '');
  return (
    STREET.test(plain) &&
    /[a-z]{3},? (s\. ?[al]\.|s[al]u?$)/.test(plain) &&
    !/\d,|\d{5}/.test(plain) &&
    LEGAL_FORM.test(plain)
  );
}

export function isStreet(plain: string): boolean {
  if (NOT_AN_ADDRESS.test(plain) || PUBLIC.test(plain)) return false;
  if (isCalledAsStreet(plain)) return false;
  if (STREET.test(plain)) return true;
  return (
    (/(?<![a-z0-9])[a-z]{3,}(?![a-z0-9]).*\d|\bs\/n\b/.test(plain) ||
      /\bcalle\b|\bc\//.test(plain)) &&
    !LEGAL_FORM.test(plain) &&
    findDate(plain) === null
  );
}

/** Whether it could be somebody's name. */
export function isName({ plain, words }: Cell): boolean {
  const text = plain.trim();
  return (
    /[a-z]{3}/.test(text) &&
    labelOf(text) === null &&
    !(LEGAL_FORM.test(text) ? NOT_A_COMPANY : NOT_A_NAME).test(text) &&
    (!STREET.test(text) || isCalledAsStreet(text)) &&
    !TOWN.test(text) &&
    (LEGAL_FORM.test(text) || !TRADE.test(text)) &&
    !IS_NUMBER.test(text) &&
    !AROUND_QR.test(text) &&
    (LEGAL_FORM.test(text) || findDate(text) === null) &&
    !words.some(({ text: word }) => amountOf(word) !== null)
  );
}

/** `FS26-00012`: a number of a document. */
const IS_NUMBER = /^(?=\S*\d\S*\d)[a-z]{1,5}[\d/.-]+$/;

/** What is printed over and under the tax QR (RD 1619/2012 arts. 6.5 and 7.5). */
const AROUND_QR = /^qr tributari[aou]?\b|^veri\W?factu$/;

/** A trade stated below a name. */
const TRADE =
  /^(abogad[oa]s?|economistas?|arquitect[oa]s?( tecnic[oa]s?)?|aparejador[a]?|procurador[a]?|fisioterapeutas?|psicolog[oa]s?|ingenier[oa]s?( \w+)?|asesor[a]?( fiscal)?|notari[oa]|gestor[a]? administrativ[oa]|medic[oa]|odontolog[oa]s?|veterinari[oa]s?|fotograf[oa]|traductor[a]?( jurad[oa])?|disenador[a]?( grafic[oa])?|electricistas?|fontaner[oa]s?|pintor[a]?|carpinter[oa]|autonom[oa]|fontaneria(,? (y |gas|calefaccion|electricidad).*)?|reformas|taller mecanico( y .*)?)$/;

const COURTESY =
  /^a ?la atencion de\s+(?=[a-z])|^((sres|sr|sra|srs)\.?\s+)?(d\.ª|d\.?\/d\.?(?:ª|n?a)\.?|d\.|don|dna\.?|da\.|dona)\s*:?\s+(?=[a-z])|^(sres|sr|sra)\.?\s*:?\s+(?=[a-z])/;
/** A label before a name or an address: `Promotor:`, `Helbidea:`. */
const SAID_BEFORE =
  /^[a-z][a-z.]*([ /]+[a-z.]+){0,2}\s*:\s+(?=[a-z0-9]{2})|^(con )?domicilio( fiscal)? en\s+/;
const CUSTOMER_CODE = /^\(?\d{3,}\)?\s*([-–·/:]\s*)?(?=[a-z]{2})/;

/** What companies have to state by law after their name. */
const REGISTERED = /[\s.,;·-]+(inscrita|reg(istro|\.)?\s*merc|r\.\s?m\.).*$/i;

/** The name without forms of address, without labels of the books before it, and without marks behind it. */
export function named(cell: Cell): Cell {
  const front =
    sentenceBefore(cell) ??
    SAID_BEFORE.exec(cell.plain)?.[0] ??
    CUSTOMER_CODE.exec(cell.plain)?.[0] ??
    COURTESY.exec(cell.plain)?.[0] ??
    // Below the name of a shop: «de Ana Ruiz».
    /^de\s/.exec(cell.text)?.[0] ??
    '';
  const bare = front === '' ? cell : cellFrom(wordsFrom(cell, front.length), cell.row);
  const text = bare.text
    .replace(REGISTERED, '')
    // The hyphen was at the end of a line.
    .replace(/(?<=\p{L})- (?=\p{L})/gu, '-')
    .replace(/\s*\((c[oó]d|ref|n[º°o.]|cliente)[^)]*\)?$/i, '')
    .replace(/(?<!\bC(?:oop|OOP)\.\s\p{Lu}*)(?<=\s\p{Lu}{2,3})\.$/u, '')
    // The end of a sentence, not of «Hnos.» or «S. Coop.».
    .replace(/(?<=\s(?!hnos|coop|asoc|prop)\p{L}{4,})\.$/iu, '')
    .replace(/[\s,;:·|–-]+(con)?$/, '')
    .replace(/\.{2}$/, '.');
  return { ...bare, text, plain: plainOf(text) };
}

/**
 * The words that lead up to a name in its line: before a company's, a whole sentence; before anybody's, «servicios
 * prestados a» or «tratados por».
 */
function sentenceBefore({ text, plain }: Cell): string | undefined {
  const ended = LEGAL_FORM.test(plain)
    ? /^.*\p{Ll}{4,}\.\s+(?=\p{Lu})/u.exec(text)?.[0]
    : undefined;
  return ended ?? /^\p{L}+ .*\p{Ll}{4,} (?:a|por)\s+(?=\p{Lu})/u.exec(text)?.[0];
}

/** The words from a character of a cell's text on; all of them if there would be none. */
function wordsFrom(cell: Cell, start: number): readonly Word[] {
  let at = 0;
  const words = cell.words.filter(({ text }) => {
    const from = at;
    at += text.length + 1;
    return from >= start;
  });
  return words.length > 0 ? words : cell.words;
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
  const isLabel = mark >= 0 && label.every(({ text }) => /^[(\p{L}.º°/-]+:?$/u.test(text));
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

/** Whether a NIF begins with the letter of an entity; false for an unknown one, `''`. */
export const isEntity = (nif: string) => /^[A-HJNPQRSUVW]/.test(nif);

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

const textOf = (words: readonly Word[]) => words.map(({ text }) => text).join(' ');

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
  if (isMore && (wraps(pieces, at) || next.text.startsWith('('))) cells.push(next);
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
  const cells = pieces.slice(alone, alone + (isCut ? 3 : isMore ? 2 : 1));
  return { from: alone, to: alone + cells.length, cells: cells.map(bareEnd) };
}

/** The town did not fit in the line. */
export const endsInPostcode = ({ plain }: Cell) => /(?<!\d)\d{5}$/.test(plain);

export const isRestOfTown = (cell: Cell) =>
  isName(cell) && !LEGAL_FORM.test(cell.plain) && !/\d/.test(cell.plain);

/** Without its label and without the marks behind it. */
function bareEnd(cell: Cell): Cell {
  const front = SAID_BEFORE.exec(cell.plain)?.[0] ?? '';
  const bare = front === '' ? cell : cellFrom(wordsFrom(cell, front.length), cell.row);
  return { ...bare, text: bare.text.replace(/\s*[,;:·|–-]+$/, '') };
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

/** «S.L.», which did not fit in the line of its name. */
export const isOnlyForm = ({ plain }: Cell) => LEGAL_FORM.test(plain) && !/[a-z]{3}/.test(plain);

export const isCapital = ({ text }: Cell) => !/\p{Ll}/u.test(text);

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

/** It ends where neither a name nor a street can. */
export const isUnfinished = (plain: string) =>
  /(^|\s)(de|del|la|las|los|y|e|i|san|santa)$|,$/.test(plain);

/** It ends where no name can, or its legal form comes two lines below. */
const isHalf = (plain: string, later: Cell | undefined) =>
  isUnfinished(plain) || (later !== undefined && LEGAL_FORM.test(later.plain));

/** How much it looks like the name of a company, or of a person. */
export function likeness({ text, plain }: Cell, isEntity: boolean): number {
  const words = text.replace(/[,.]+$/, '').split(' ');
  const isTitled = words.every((word) =>
    /^[\p{Lu}(]|^(de|del|la|las|los|y|i|e|en|el)$/u.test(word),
  );
  const isFormed = LEGAL_FORM.test(plain);
  if (isFormed) return isEntity ? 3 : 2.2;
  if (PUBLIC.test(plain)) return 2.5;
  if (/[·|/]|\d{3}/.test(text)) return -1;
  // Above a personal NIF, the person's own name is preferred to a trade name.
  if (!isEntity && isGiven(plain)) return 3;
  return isTitled && words.length > 1 ? 2 : words.length > 1 ? 0.5 : 0;
}

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

/**
 * Finds somebody described in a sentence, together with the rows in which it continues: `Lienzos, S.L., con NIF
 * B12345674 y domicilio en …`.
 */
export function personInSentence(
  rows: readonly Row[],
  cell: Cell,
  words: readonly Word[],
): Person | null {
  const text = paragraphOf(rows, cell);
  const at = text.findIndex((word) => words.includes(word));
  if (at <= 0) return null;
  const settled = settledIn(text.slice(startOfParty(text, at), at), cell.row);
  if (settled) return settled;
  const tail = text.slice(at + 1);
  const from = tail.findIndex(({ text: word }) =>
    /^(domicili\w*|direcci[oó]n|residencia):?$/i.test(word),
  );
  const lead = segmentsOf(cellFrom(text.slice(startOfParty(text, at), at), cell.row));
  const front = lead.findLast((piece) => piece.kind !== 'nif' && piece.kind !== 'rest');
  const isTold = /\b(con|provist[oa] del?|titular del?)(\s+(el|su))?\s*$/.test(front?.plain ?? '');
  if (!isTold && (from < 0 || from > 3)) return null;
  const name = front?.words.filter(
    ({ text: word }, i, all) =>
      !(i >= all.length - 2 && /^(con|el|su|del?|provist[oa]|titular)$/i.test(word)),
  );
  const place = from < 0 ? [] : sentence(tail.slice(from + 1));
  const direccion = place.length > 0 ? [bareEnd(cellFrom(place, cell.row))] : undefined;
  const nombre =
    name && name.length > 0 ? named(cellFrom(name, front?.row ?? cell.row)) : undefined;
  return {
    ...(nombre && isName(nombre) && { nombre }),
    ...(direccion && { direccion }),
  };
}

/**
 * In front of a NIF: `Lienzos, S.L. con domicilio social en C/ Mayor, 3, 28013 Madrid y CIF`, or `Fundación Pinares.
 * Domicilio social: C/ Mayor, 3, 28013 Madrid. CIF:`
 */
function settledIn(words: readonly Word[], row: number): Person | null {
  const plain = words.map(({ text }) => plainOf(text));
  const at = plain.findLastIndex((word) => /^domicili\w*$/.test(word));
  const isSentence = /[.,]$/.test(plain[at - 1] ?? '');
  if (at < 2 || !(isSentence || /^(con|y)$/.test(plain[at - 1] ?? ''))) return null;
  const rest = sentence(words.slice(at + 1));
  const end = rest.findLastIndex(({ text }) => /^(y|con)$/.test(text) || /,$/.test(text));
  const last = rest[end];
  const place = /,$/.test(last?.text ?? '')
    ? rest.slice(0, end + 1)
    : rest.slice(0, Math.max(end, 0));
  const own = cellFrom(words.slice(0, isSentence ? at : at - 1), row);
  const isEnded = isSentence && !LEGAL_FORM.test(own.plain);
  const nombre = named(isEnded ? { ...own, text: own.text.replace(/\.$/, '') } : own);
  if (!isName(nombre) || place.length === 0) return null;
  const direccion = bareEnd(cellFrom(place, row));
  return { nombre, ...(hasTown(direccion) && { direccion: [direccion] }) };
}

/** Where the other party of a sentence begins: after «…, factura a» or «… a favor de». */
function startOfParty(text: readonly Word[], nif: number): number {
  const plain = text.slice(0, nif).map((word) => plainOf(word.text));
  const to = plain.findLastIndex(
    (word, i) =>
      (word === 'a' &&
        /^(factura|facturan|facturado|debe|adeuda|abona)$/.test(plain[i - 1] ?? '')) ||
      (word === 'de' && /^(favor|cargo|nombre|recib(i|ido|imos))$/.test(plain[i - 1] ?? '')),
  );
  return to + 1;
}

/** What follows «domicilio» up to the end of its sentence. */
function sentence(words: readonly Word[]): Word[] {
  const start = words.findIndex(
    ({ text }) => !/^(fiscal|social|en|:|la|el|sito|sita)$/i.test(text),
  );
  const rest = start < 0 ? [] : words.slice(start);
  const code = rest.findIndex(({ text }) => /^\d{5}$/.test(text));
  const end = rest.findIndex(
    ({ text }, i) =>
      i > Math.max(code, 1) &&
      (/[.;]$/.test(text) ||
        /^(inscrita|tel[eé]fono|y|debe|adeuda|abona|factura|emite|presta)$/i.test(text) ||
        (/^(los|las|por)$/.test(text) && /,$/.test(rest[i - 1]?.text ?? ''))),
  );
  const kept = end < 0 ? rest : rest.slice(0, end + (/[.;]$/.test(rest[end]?.text ?? '') ? 1 : 0));
  return kept.map((word, i) =>
    i === kept.length - 1 ? { ...word, text: word.text.replace(/[.;,]+$/, '') } : word,
  );
}

/** The words of the rows that a sentence runs over. */
function paragraphOf(rows: readonly Row[], cell: Cell): Word[] {
  const full = Math.max(
    ...rows
      .filter(({ page }) => page === cell.page)
      .flatMap(({ cells }) => cells.map(({ x, w }) => x + w)),
  );
  const isFull = (one: Cell) => one.x + one.w > cell.x + 0.8 * (full - cell.x);
  const words = [...cell.words];
  let last = cell;
  for (const row of rows.slice(cell.row + 1, cell.row + 3)) {
    const next = row.cells.find(({ x }) => Math.abs(x - cell.x) < cell.h);
    if (!next || !isFull(last) || row.page !== cell.page || row.y - last.y > 2 * cell.h) break;
    words.push(...next.words);
    last = next;
  }
  const above = rows[cell.row - 1];
  const before = above?.cells.find(({ x }) => Math.abs(x - cell.x) < cell.h);
  const goesOn =
    before && above?.page === cell.page && cell.y - before.y < 2 * cell.h && isFull(before);
  return goesOn && before.words.length > 2 && !/\.$/.test(before.text)
    ? [...before.words, ...words]
    : words;
}
