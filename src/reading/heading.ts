import { checkNif } from '../domain/nif.ts';
import { wordsAt } from './parties.ts';
import type { Word } from './shapes.ts';
import { findDate } from './values.ts';
import { type Cell, cellAbove, cellFrom, cellsBelow, type Row } from './words.ts';

export interface Found {
  readonly valor: string;
  readonly words: readonly Word[];
  /** It stands by its own name, not by a likely one. */
  readonly isNamed: boolean;
}

/** What an invoice is called, besides. */
const KIND =
  '(rectificativa|rectif\\.?|simplificada|simpl\\.?|ordinaria|completa|de (abono|ventas?|compra|honorarios|servicios))';
const PAPER = `(factura|fact\\.?|fra\\.?|invoice|abono|rectificativa|nota de (credito|abono|honorarios)|minuta( de honorarios)?|recibo)`;
/** OCR makes many things of «º». */
const MARK = '[º°o9e2gf£?"“”’*]';
const NO = `(n\\.?\\s?${MARK}?\\.?|num(ero)?\\.?|ref\\.?)`;
const NUMBER_NAMES: readonly (readonly [RegExp, number])[] = [
  [new RegExp(`\\b${NO}\\s*(de\\s+)?(la\\s+)?(${KIND}\\s*)?${PAPER}(\\s*${KIND})?(?![a-z])`), 4],
  [
    new RegExp(
      `\\b${PAPER}\\s*(${KIND}\\s*)?(n\\.?\\s?${MARK}\\.?|n\\.|num(ero)?\\.?|number|zk\\.?|#)(?![a-z])`,
    ),
    4,
  ],
  [/\bnumero de serie\b|\bserie y numero\b|\bserie\s?\/\s?numero\b|\bserie-numero\b/, 4],
  [new RegExp(`\\b${PAPER}(\\s+${KIND})?(?![a-z])\\s*:?`), 2],
  [new RegExp(`\\b${NO}\\s*(de\\s+)?documento\\b`), 3],
  [new RegExp(`\\bdocumento\\s*(n\\.?\\s?${MARK}\\.?|num(ero)?\\.?)(?![a-z])`), 3],
  [new RegExp(`^(n\\.?\\s?${MARK}|num(ero)?\\.?)(?![a-z0-9])\\s*:?`), 1.5],
];
/** Another paper's number, or that of the invoice which this one corrects. */
const OTHER_PAPER =
  /albaran|pedido|presupuesto|cliente|telefono|proforma|cuenta|contrato|registro|reparacion|orden|rectifica(da|r|ndo|cion)?\b|corrige|corregida|original|anula|sustituye|abono (de|a) (la )?(fra|fact)|devolucion/;
const NUMBER = /^[A-Z0-9][A-Z0-9/_.-]{0,29}$/i;

/** The invoice's own number, as it is printed. */
export function findNumber(rows: readonly Row[]): Found | null {
  const candidates = rows.flatMap(({ cells }) =>
    cells.flatMap((cell, i) => numbersBy(rows, cell, cells[i + 1])),
  );
  const best = candidates.sort((a, b) => b.score - a.score)[0] ?? unnamedNumber(rows);
  return best ? { valor: best.valor, words: best.words, isNamed: best.score >= 3 } : null;
}

/** A bare `26/118` or `F-2026-31` beside the day or the word «factura», where nothing is called a number. */
function unnamedNumber(rows: readonly Row[]) {
  const isMarked = ({ plain }: Cell) => /\bfactura\b/.test(plain) || findDate(plain) !== null;
  const marks = rows.slice(0, 25).flatMap(({ cells }) => cells.filter(isMarked));
  const alone = marks.flatMap((mark) =>
    rows
      .slice(Math.max(0, mark.row - 2), mark.row + 3)
      .filter(({ page }) => page === mark.page)
      .flatMap(({ cells }) => cells.filter((cell) => Math.abs(cell.x - mark.x) < 4 * mark.h)),
  );
  for (const { words } of alone) {
    const found = words.length === 1 ? firstNumber(words) : null;
    if (found && /^(?=.*\d{2})([A-Z]*\d+[/-]\w|[A-Z]{1,4}[/-]?\d)/i.test(found.valor))
      return { ...found, score: 1 };
  }
  return null;
}

function numbersBy(rows: readonly Row[], cell: Cell, next: Cell | undefined) {
  for (const [name, weight] of NUMBER_NAMES) {
    // In two tongues it has its name twice: `Núm. factura / Nº factura: 26/118`.
    for (const match of cell.plain.matchAll(new RegExp(name, 'g'))) {
      const found = numberAfter(rows, cell, { match, weight, next });
      if (found) return [found];
    }
  }
  return [];
}

function numberAfter(
  rows: readonly Row[],
  cell: Cell,
  { match, weight, next }: { match: RegExpExecArray; weight: number; next: Cell | undefined },
) {
  const end = match.index + match[0].length;
  // Of a bare «Nº», what it is the number of comes after it.
  const said = weight < 2 ? cell.plain : cell.plain.slice(0, end);
  if (OTHER_PAPER.test(said.replace(/rectificativa/g, ''))) return null;
  // «Fecha fra.»: what follows is no number.
  if (/(fecha|data|date|\bf\.)\s*(de\s*)?(la\s*)?$/.test(cell.plain.slice(0, match.index)))
    return null;
  const rest =
    end < cell.text.length ? firstNumber(wordsAt(cell, end + 1, cell.text.length)) : null;
  if (rest) return { ...wholeNumber(rows, cell, rest), score: weight + 0.5 };
  const beside = next ? firstNumber(next.words) : null;
  if (next && beside) return { ...wholeNumber(rows, next, beside), score: weight + 0.3 };
  for (const below of cellsBelow(rows, cell)) {
    // Alone in its cell: a post code has its town beside it.
    const under = firstNumber(below.words);
    if (under && under.words[0] === below.words.at(-1))
      return { ...wholeNumber(rows, below, under), score: weight };
  }
  return null;
}

type FoundNumber = Omit<Found, 'isNamed'>;

/** `FR-2026-`, and under it `00310`: a number that was broken at a mark. */
function wholeNumber(rows: readonly Row[], cell: Cell, found: FoundNumber): FoundNumber {
  const [last] = found.words;
  const isBroken = last === cell.words.at(-1) && /[/-]$/.test(last?.text ?? '');
  const rest = isBroken ? cellsBelow(rows, cell)[0]?.words[0] : undefined;
  if (!last || !rest || !/^[A-Z0-9]+$/i.test(rest.text)) return found;
  return { valor: `${last.text}${rest.text}`, words: [last, rest] };
}

/** The value has to be what comes next: only marks may stand in front of it. */
function firstNumber(words: readonly Word[]): FoundNumber | null {
  for (const word of words.slice(0, 3)) {
    const text = word.text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
    // OCR makes many things of «Nº».
    if (/^(n\.?[^\d]{0,2}|n\.?[29][^\d]{0,2}|num\.?|\W*)$/i.test(text)) continue;
    const next = words[words.indexOf(word) + 1]?.text ?? '';
    const isOther =
      findDate(text) ||
      checkNif(text).ok ||
      // A NIF that was misread.
      /^\d{8}[A-Z]$/.test(text) ||
      /^\d+[.,]\d{2}$|€|%/.test(text) ||
      // «Recibo 30 días».
      (/^\d{1,3}$/.test(text) && /^(d[ií]as?|d\.?\/?f\.?)\b/i.test(next));
    return NUMBER.test(text) && /\d/.test(text) && !isOther ? { valor: text, words: [word] } : null;
  }
  return null;
}

/** Of paying, or of another paper. */
const NEVER = -9;
/** Of something else; but where no other day is printed, the invoice's too. */
const OTHER_DAY = -5;
const DATE_NAMES: readonly (readonly [RegExp, number])[] = [
  [
    /fecha\s*(de\s*(la\s*)?)?(factura|fra\b|expedicion|emision)|\b(emitid|expedid|fechad|facturad)[oa]\s+(el|en|a)\b|data (de )?(factura|expedicio|emissio)|(invoice|issue) date|date of issue/,
    4,
  ],
  [
    /\bf\. ?(factura|emision|expedicion)|^(emision|expedicion)\b|^(emitid|expedid)[oa]\b|^issued\b/,
    4,
  ],
  [
    /venc|vence|caduc|pago|cargo|cobro|limite|\bdue\b|payment|registro merc|inscri|rectifica(?!tiva)|corrige|original/,
    NEVER,
  ],
  [
    /operaci|servicio|periodo|pedido|albaran|entrega|desde|hasta|lectura|impres|order|delivery/,
    OTHER_DAY,
  ],
  [/\b(fecha|data|date)\b|^dia\s*:?$/, 3],
  // «En Soria, a 3 de mayo»
  [/^(en )?[a-z][a-z ]+,( a)?$/, 2],
  [/factura/, 1],
];

/** The day of issue: the date with the best name beside it or over it. */
export function findIssueDate(rows: readonly Row[], today: string): Found | null {
  const inCells = rows.flatMap(({ cells }) =>
    cells.flatMap((cell, i) => datesOf(rows, withRestOfDate(rows, cell), cells[i - 1])),
  );
  const isPast = ({ valor }: { valor: string }) => valor >= '2012-01-01' && valor <= today;
  const likeliest = (found: typeof inCells) =>
    found.filter((one) => isPast(one) && one.score > -2).sort((a, b) => b.score - a.score)[0];
  const inRows = () => rows.flatMap(({ words }, i) => datesOf(rows, cellFrom(words, i), undefined));
  const others = inCells.filter((one) => isPast(one) && one.score === OTHER_DAY);
  const only = others.every(({ valor }) => valor === others[0]?.valor) ? others[0] : undefined;
  const best = likeliest(inCells) ?? likeliest(inRows()) ?? only;
  return best ? { valor: best.valor, words: best.words, isNamed: best.score >= 3 } : null;
}

function datesOf(rows: readonly Row[], cell: Cell, before: Cell | undefined) {
  const found: { valor: string; words: readonly Word[]; score: number }[] = [];
  let from = 0;
  for (let date = findDate(cell.text); date; date = findDate(cell.text.slice(from))) {
    const [start, end] = [from + date.start, from + date.end];
    const own = cell.plain.slice(from, start).trim();
    const isFirst = from === 0;
    from = end;
    const above = cellAbove(rows, cell);
    // A label in front wins over one above, which may be of another row.
    const names = [
      own,
      own || !isFirst ? '' : (before?.plain ?? ''),
      own || !isFirst ? '' : (above?.plain ?? ''),
    ].filter((name) => name !== '' && !/^\d/.test(name));
    const scores = names.flatMap((name) => {
      const match = DATE_NAMES.find(([pattern]) => pattern.test(name));
      return match ? [match[1]] : [];
    });
    const named = scores.length > 0 ? Math.max(...scores) : 0;
    const score = named < 3 && isOfPeriod(own, cell.text.slice(end), isFirst) ? OTHER_DAY : named;
    found.push({ valor: date.iso, words: wordsAt(cell, start, end), score });
  }
  return [...found, ...boxedDate(rows, cell)];
}

/** One end of `01/08/2026 - 31/08/2026`, the other of which is a day too. */
function isOfPeriod(before: string, after: string, isFirst: boolean): boolean {
  const next = /^\s*(-|–|al?|hasta)\s+/i.exec(after)?.[0];
  const isStart = next !== undefined && findDate(after.slice(next.length))?.start === 0;
  return isStart || (!isFirst && /^(-|al?|hasta)$/.test(before));
}

/** A date that has had no room in its line. */
const HALF_DATE =
  /(^|\s)\d{1,2} de( [a-z]+( del?)?)?$|\d{2}[/-]\d{2}[/-]$|\b(fecha|data|date)\b.*\s\d{1,2}( de)?$/;

/** A cell with the rest of its date, in the one or two lines that stand under it. */
function withRestOfDate(rows: readonly Row[], cell: Cell): Cell {
  let [whole, last] = [cell, cell];
  for (let lines = 0; lines < 2 && HALF_DATE.test(whole.plain); lines += 1) {
    const [below] = cellsBelow(rows, last);
    if (!below) break;
    whole = cellFrom([...whole.words, ...below.words], cell.row);
    last = below;
  }
  return findDate(whole.text) ? whole : cell;
}

/** Day, month and year in boxes of their own, under their names. */
function boxedDate(rows: readonly Row[], cell: Cell) {
  if (!/^dia$/.test(cell.plain)) return [];
  const names = rows[cell.row]?.cells ?? [];
  const at = names.indexOf(cell);
  if (names[at + 1]?.plain !== 'mes' || !/^ano$/.test(names[at + 2]?.plain ?? '')) return [];
  const parts = names.slice(at, at + 3).map((name) => cellsBelow(rows, name)[0]);
  const [day, month, year] = parts.map((part) => part?.text ?? '');
  const date = findDate(`${day}/${month}/${year}`) ?? findDate(`${day} de ${month} de ${year}`);
  const words = parts.flatMap((part) => part?.words ?? []);
  return date ? [{ valor: date.iso, words, score: 3 }] : [];
}
