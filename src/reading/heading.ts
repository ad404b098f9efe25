import { checkNif } from '../domain/nif.ts';
import type { Word } from './shapes.ts';
import { findDate } from './values.ts';
import { type Cell, cellAbove, cellFrom, cellsBelow, type Row, wordsAt } from './words.ts';

export interface Found {
  readonly valor: string;
  readonly words: readonly Word[];
  /** It was found under its own name, not just under a plausible one. */
  readonly isNamed: boolean;
}

/** Words that may follow «factura» to say which kind it is. */
const KIND =
  '(rectificativa|rectif\\.?|simplificada|simpl\\.?|ordinaria|completa|de (abono|ventas?|compra|honorarios|servicios))';
const PAPER = `(factura|faktura|fact\\.?|fra\\.?|invoice|abono|rectificativa|nota de (credito|abono|honorarios)|minuta( de honorarios)?|recibo)`;
/** OCR reads «º» as many different characters. */
const MARK = '[º°o9e2gf£?"“”’*]';
const NO = `(n\\.?\\s?${MARK}?\\.?|num(ero)?\\.?|ref\\.?)`;
const NUMBER_NAMES: readonly (readonly [RegExp, number])[] = [
  [new RegExp(`\\b${NO}\\s*(de\\s+)?(la\\s+)?(${KIND}\\s*)?${PAPER}(\\s*${KIND})?(?![a-z])`), 4],
  [
    new RegExp(
      `\\b${PAPER}\\s*((${KIND}|de [a-z]{4,})( [a-z]{4,})?\\s*)?(n\\.?\\s?${MARK}\\.?|n\\.|num(ero)?\\.?|number|zk\\.?|#)(?![a-z])`,
    ),
    4,
  ],
  [/\bnumero de serie\b|\bserie y numero\b|\bserie\s?\/\s?numero\b|\bserie-numero\b/, 4],
  [new RegExp(`\\b${PAPER}(\\s+${KIND})?(?![a-z])\\s*:?`), 2],
  [new RegExp(`\\b${NO}\\s*(de\\s+)?documento\\b`), 3],
  [new RegExp(`\\bdocumento\\s*(n\\.?\\s?${MARK}\\.?|num(ero)?\\.?)(?![a-z])`), 3],
  [new RegExp(`^(n\\.?\\s?${MARK}|num(ero)?\\.?)(?![a-z0-9])\\s*:?`), 1.5],
];
/** The number of another document, or of the invoice that this one corrects. */
const OTHER_PAPER =
  /albaran|pedido|presupuesto|cliente|telefono|proforma|cuenta|contrato|registro|reparacion|orden|rectifica(da|r|ndo|cion|tiva (de|a|sobre))?\b|corrige|corregida|original|anula|sustituye|abono (de|a) (la )?(fra|fact)|devolucion/;
const NUMBER = /^[A-Z0-9][A-Z0-9/_.-]{0,29}$/i;

/** The invoice's own number, as printed. */
export function findNumber(rows: readonly Row[]): Found | null {
  const candidates = rows.flatMap(({ cells }) =>
    cells.flatMap((cell, i) => numbersBy(rows, cell, cells[i + 1])),
  );
  const best = candidates.sort((a, b) => b.score - a.score)[0] ?? unnamedNumber(rows);
  return best ? { valor: best.valor, words: best.words, isNamed: best.score >= 3 } : null;
}

/** For when nothing is labelled as a number: a bare `26/118` or `F-2026-31` beside the date or the word «factura». */
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
    // On a bilingual invoice the label appears twice: `Núm. factura / Nº factura: 26/118`.
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
  // With a bare «Nº», the words after it say what it is the number of.
  const said = weight < 2 ? cell.plain : cell.plain.slice(0, end);
  if (OTHER_PAPER.test(said.replace(/rectificativa(?! (de|a|sobre) )/g, ''))) return null;
  // «Fecha fra.»: what follows is not a number.
  if (/(fecha|data|date|\bf\.)\s*(de\s*)?(la\s*)?$/.test(cell.plain.slice(0, match.index)))
    return null;
  const rest =
    end < cell.text.length ? firstNumber(wordsAt(cell, end + 1, cell.text.length)) : null;
  if (rest) return { ...wholeNumber(rows, cell, rest), score: weight + 0.5 };
  const beside = next ? firstNumber(next.words) : null;
  if (next && beside) return { ...wholeNumber(rows, next, beside), score: weight + 0.3 };
  for (const below of cellsBelow(rows, cell)) {
    // It has to be alone in its cell, or before a date: a postcode has its town beside it.
    const under = firstNumber(below.words);
    const number = under?.words.at(-1);
    const rest = number ? below.words.slice(below.words.indexOf(number) + 1) : [];
    const isAlone =
      rest.length === 0 ||
      findDate(
        rest
          .map(({ text }) => text)
          .join(' ')
          .replace(/^\W+/, ''),
      )?.start === 0;
    if (under && isAlone) return { ...wholeNumber(rows, below, under), score: weight };
  }
  return null;
}

type FoundNumber = Omit<Found, 'isNamed'>;

/** `FR-2026-`, and under it `00310`: a number broken at a mark. */
function wholeNumber(rows: readonly Row[], cell: Cell, found: FoundNumber): FoundNumber {
  const [last] = found.words;
  const isBroken = last === cell.words.at(-1) && /[/-]$/.test(last?.text ?? '');
  const rest = isBroken ? cellsBelow(rows, cell)[0]?.words[0] : undefined;
  if (!last || !rest || !/^[A-Z0-9]+$/i.test(rest.text)) return found;
  return { valor: `${last.text}${rest.text}`, words: [last, rest] };
}

/** A series set apart from its number, as in `TA 26/00712`: letters that are no word of ours. */
const SERIES = /^(?!(DEL?|EN|LA|EL|AL?|MES)$)[A-Z]{1,4}$/;

/** The same before a number filled with zeros, as in `1 000456`: no label either, nor a part of one. */
const SERIES_OF_PADDED = /^(?!(DEL?|EN|LA|EL|AL|MES|N|NO|NUM)$)([A-Z]{1,4}|\d{1,2})$/;

function isSeriesOf(series: string, number: string): boolean {
  return /^0\d{3,}$/.test(number)
    ? SERIES_OF_PADDED.test(series)
    : SERIES.test(series) && /^\d{2,4}[/-]\d{2,}$/.test(number);
}

/** The value has to come next: only marks may be in front of it. */
function firstNumber(words: readonly Word[]): FoundNumber | null {
  const [series, number] = words;
  if (series && number && isSeriesOf(series.text, number.text))
    return { valor: `${series.text} ${number.text}`, words: [series, number] };
  for (const word of words.slice(0, 3)) {
    const text = word.text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
    // OCR reads «Nº» in many different ways.
    if (/^(n\.?[^\d]{0,2}|n\.?[29][^\d]{0,2}|num\.?|\W*)$/i.test(text)) continue;
    const next = words[words.indexOf(word) + 1]?.text ?? '';
    const isOther =
      findDate(text) ||
      (checkNif(text).ok && !/\d-\d/.test(text)) ||
      // A misread NIF.
      /^\d{8}[A-Z]$/.test(text) ||
      /^\d+[.,]\d{2}$|€|%/.test(text) ||
      // «Recibo 30 días».
      (/^\d{1,3}$/.test(text) && /^(d[ií]as?|d\.?\/?f\.?)\b/i.test(next));
    return NUMBER.test(text) && /\d/.test(text) && !isOther ? { valor: text, words: [word] } : null;
  }
  return null;
}

/** The date of a payment, or of another document. */
const NEVER = -9;
/** Another date. Where no other one is printed, it is the invoice's too. */
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

/** The date of issue: the one with the best label beside or above it. */
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
    // A label in front takes precedence over one above, which may belong to another row.
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

/** Whether it is one end of a period such as `01/08/2026 - 31/08/2026`, whose other end is a date too. */
function isOfPeriod(before: string, after: string, isFirst: boolean): boolean {
  const next = /^\s*(-|–|al?|hasta)\s+/i.exec(after)?.[0];
  const isStart = next !== undefined && findDate(after.slice(next.length))?.start === 0;
  return isStart || (!isFirst && /^(-|al?|hasta)$/.test(before));
}

/** A date that did not fit in its line. */
const HALF_DATE =
  /(^|\s)\d{1,2} de( [a-z]+( del?)?)?$|\d{2}[/-]\d{2}[/-]$|\b(fecha|data|date)\b.*\s\d{1,2}( de)?$/;

/** A cell with the rest of its date, taken from the next one or two lines below it. */
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

/** Day, month and year in separate boxes, under their names. */
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
