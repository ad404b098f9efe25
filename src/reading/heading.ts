import { checkNif } from '../domain/nif.ts';
import { wordsAt } from './parties.ts';
import type { Word } from './shapes.ts';
import { findDate } from './values.ts';
import { type Cell, cellAbove, cellsBelow, type Row } from './words.ts';

export interface Found {
  readonly valor: string;
  readonly words: readonly Word[];
  /** It stands by its own name, not by a likely one. */
  readonly isNamed: boolean;
}

const NUMBER_NAMES: readonly (readonly [RegExp, number])[] = [
  [/\b(n[º°o.]{0,2}|num(ero)?\.?|ref\.?)\s*(de\s+)?(la\s+)?(factura|fra)\b\.?/, 4],
  [
    /\b(factura|fra\.?|invoice)\s*(rectificativa\s*|simplificada\s*)?(n[º°o]\.?|n\.|num(ero)?\.?|no\.?|number|#)/,
    4,
  ],
  [/\bnumero de serie\b|\bserie y numero\b|\bserie\/numero\b/, 4],
  [/\bfactura(\s+(rectificativa|simplificada))?\b\s*:?/, 2],
  [/^(n[º°]|num(ero)?\.?|numero)\s*:?/, 1],
];
const OTHER_PAPER =
  /albaran|pedido|presupuesto|cliente|telefono|proforma|cuenta|contrato|registro|rectifica a/;
const NUMBER = /^[A-Z0-9][A-Z0-9/_.-]{0,29}$/i;

/** The invoice's own number, as it is printed. */
export function findNumber(rows: readonly Row[]): Found | null {
  const candidates = rows.flatMap(({ cells }) =>
    cells.flatMap((cell, i) => numbersBy(rows, cell, cells[i + 1])),
  );
  const best = candidates.sort((a, b) => b.score - a.score)[0];
  return best ? { valor: best.valor, words: best.words, isNamed: best.score >= 3 } : null;
}

function numbersBy(rows: readonly Row[], cell: Cell, next: Cell | undefined) {
  for (const [name, weight] of NUMBER_NAMES) {
    const match = name.exec(cell.plain);
    if (!match || OTHER_PAPER.test(cell.plain.slice(0, match.index + match[0].length))) continue;
    const end = match.index + match[0].length;
    const rest =
      end < cell.text.length ? firstNumber(wordsAt(cell, end + 1, cell.text.length)) : null;
    if (rest) return [{ ...rest, score: weight + 0.5 }];
    const beside = next ? firstNumber(next.words) : null;
    if (beside) return [{ ...beside, score: weight + 0.3 }];
    for (const below of cellsBelow(rows, cell)) {
      const under = firstNumber(below.words);
      if (under) return [{ ...under, score: weight }];
    }
  }
  return [];
}

/** The value has to be what comes next: only marks may stand in front of it. */
function firstNumber(words: readonly Word[]): Omit<Found, 'isNamed'> | null {
  for (const word of words.slice(0, 3)) {
    const text = word.text.replace(/^[:#]+|[:;,]+$|\.$/g, '');
    // OCR makes many things of «Nº».
    if (/^(n\D{0,2}|num\.?|\W*)$/i.test(text)) continue;
    const isOther = findDate(text) || checkNif(text).ok || /^\d+[.,]\d{2}$|€|%/.test(text);
    return NUMBER.test(text) && /\d/.test(text) && !isOther ? { valor: text, words: [word] } : null;
  }
  return null;
}

const DATE_NAMES: readonly (readonly [RegExp, number])[] = [
  [
    /venc|operaci|servicio|periodo|caduc|pedido|albaran|entrega|registro|inscri|desde|hasta|pago|rectifica/,
    -5,
  ],
  [
    /fecha\s*(de\s*(la\s*)?)?(factura|expedicion|emision)|data (de )?(factura|expedicio|emissio)|invoice date/,
    4,
  ],
  [/\bf\.\s*(factura|emision|expedicion)/, 4],
  [/\b(fecha|data|date)\b/, 3],
  [/factura/, 1],
];

/** The day of issue: the date with the best name beside it or over it. */
export function findIssueDate(rows: readonly Row[], today: string): Found | null {
  const candidates = rows
    .flatMap(({ cells }) => cells.flatMap((cell, i) => datesOf(rows, cell, cells[i - 1])))
    .filter(({ valor, score }) => valor >= '2012-01-01' && valor <= today && score > -2)
    .sort((a, b) => b.score - a.score);
  const best = candidates[0];
  return best ? { valor: best.valor, words: best.words, isNamed: best.score >= 3 } : null;
}

function datesOf(rows: readonly Row[], cell: Cell, before: Cell | undefined) {
  const date = findDate(cell.text);
  if (!date) return [];
  const own = cell.plain.slice(0, date.start).trim();
  const above = cellAbove(rows, cell);
  // A label in front wins over one above, which may be of another row.
  const names = [own, own ? '' : (before?.plain ?? ''), own ? '' : (above?.plain ?? '')].filter(
    (name) => name !== '' && !/^\d/.test(name),
  );
  const scores = names.flatMap((name) => {
    const match = DATE_NAMES.find(([pattern]) => pattern.test(name));
    return match ? [match[1]] : [];
  });
  const score = scores.length > 0 ? Math.max(...scores) : 0;
  return [{ valor: date.iso, words: wordsAt(cell, date.start, date.end), score }];
}
