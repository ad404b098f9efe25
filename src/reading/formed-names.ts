import { isStreet, isTown, LEGAL_FORM } from './party-words.ts';
import type { Word } from './shapes.ts';
import { type Cell, cellFrom, plainOf, type Row } from './words.ts';

/** The longest name that is looked for, in words. */
const LONGEST = 14;
/** Words that precede a company's name in a line of mixed text. */
const BEFORE_A_NAME =
  /^(©|\(c\)|20\d\d|copyright|vendid[oa]|emitid[oa]|expedid[oa]|facturad[oa]|gestionad[oa]|factura|por|de|del|la|el|empresa|sociedad|titular|emisor[a]?|es|a|nombre|marca|comercial|registrada)$/;

/**
 * Finds companies' names anywhere in a line, by the legal form at their end. At the foot of a sheet, where the law
 * requires register, NIF and address, all may be in one line and nothing else sets the name apart.
 */
export function formedNames(rows: readonly Row[]): Cell[] {
  return rows.flatMap(({ cells }) => cells.flatMap((cell) => formedIn(cell)));
}

function formedIn(cell: Cell): Cell[] {
  const found: Cell[] = [];
  let start = 0;
  for (const [i, { text }] of cell.words.entries()) {
    if (isMark(text)) {
      start = i + 1;
      continue;
    }
    const words = cell.words.slice(Math.max(start, i - LONGEST), i + 1);
    const name = endsFormed(words, cell.words[i + 1]) ? named(words, cell.row) : null;
    if (name) {
      found.push(name);
      start = i + 1;
    } else if (/[:;]$/.test(text) || (/\.$/.test(text) && isWord(text))) start = i + 1;
  }
  return found;
}

/**
 * Whether the words end in a complete legal form: the `S.` of `S. Coop.` is not one, nor is the `S.L.` of `S.L.
 * Unipersonal`.
 */
function endsFormed(words: readonly Word[], next: Word | undefined): boolean {
  if (words.length < 2 || !LEGAL_FORM.test(bare(words))) return false;
  return !next || !LEGAL_FORM.test(bare([...words, next])) || /[.,;:]{2}$|[,;:]$/.test(last(words));
}

const last = (words: readonly Word[]) => words.at(-1)?.text ?? '';

const bare = (words: readonly Word[]) =>
  plainOf(words.map(({ text }) => text).join(' ')).replace(/[,;:.]*$/, (marks) =>
    marks.startsWith('.') ? '.' : '',
  );

/** Cuts off what precedes the name: an address, or words that lead up to it. */
function named(words: readonly Word[], row: number): Cell | null {
  let from = 0;
  for (const [i, { text }] of words.entries()) {
    const before = plainOf(
      words
        .slice(from, i + 1)
        .map((word) => word.text)
        .join(' '),
    );
    const isPlace = isStreet(before) || isTown(before) || /^[\d.,]+$/.test(text);
    if (/,$/.test(text) && isPlace && i < words.length - 2) from = i + 1;
  }
  // «sus datos son tratados por Lienzos, S.L.»
  for (const [i, { text }] of words.entries()) {
    const [before, next] = [words[i - 1]?.text ?? '', words[i + 1]?.text ?? ''];
    const isLed = /^(por|a|con|para|es)$/.test(text) && /^\p{Ll}{4,}$/u.test(before);
    const isIssued = /^(emite|expide|emitida|expedida|presenta)$/.test(text);
    if ((isLed || isIssued) && /^\p{Lu}/u.test(next) && i >= from && i < words.length - 2)
      from = i + 1;
  }
  const isLead = ({ text }: Word) => BEFORE_A_NAME.test(plainOf(text).replace(/[:,]$/, ''));
  // «La Huerta, S.L.» begins with its article; in «factura emitida por La Huerta, S.L.» other words come first.
  const led = words.slice(from).findIndex((word) => !isLead(word));
  const isLower =
    /^\p{Ll}/u.test(words[from]?.text ?? '') ||
    /^(©|Vendid|Emitid|Expedid)/.test(words[from]?.text ?? '');
  const kept = words.slice(from + (isLower && led > 0 ? led : 0));
  if (kept.length < 2) return null;
  const name = cellFrom(kept, row);
  const text = name.text.replace(/(?<=\.)\s*[.,;:]+$|\s*[,;:]+$|(?<=\s\p{Lu}{2,3})\.$/u, '');
  return /\p{L}{2}/u.test(text.split(' ')[0] ?? '') || kept.length > 2
    ? { ...name, text, plain: plainOf(text) }
    : null;
}

const isMark = (text: string) => /^[-–—·|•/*]+$/.test(text);

/** A word whose full stop ends a sentence, not an abbreviation. */
const isWord = (text: string) => /^[\p{L}\d-]{5,}\.$|^\p{Ll}{4,}\.$/u.test(text);
