import { checkNif } from '../domain/nif.ts';
import { foreignNifIva } from '../domain/nif-iva.ts';
import { completedNif, mendedNif } from './misread.ts';
import { labelOf, roleOver } from './party-labels.ts';
import type { Word } from './shapes.ts';
import { undotted } from './values.ts';
import { type Cell, cellAbove, type Row, wordsAt } from './words.ts';

/** A NIF, or the NIF-IVA of another country, in one of the places where it is printed. */
export interface FoundNif {
  readonly valor: string;
  readonly cell: Cell;
  readonly words: readonly Word[];
  /** OCR had spoiled it. */
  readonly isMended: boolean;
}

/** The F of a dotted label, as in `N.I.F 48588990 H`, is no first letter. */
const NIF =
  /(?<![A-Z0-9]|\b[A-Z]\.)(?:ES[\s-]?)?([A-HJNP-SUVW][\s.-]?\d{2}[.\s]?\d{3}[.\s]?\d{2}[\s-]?[0-9A-J]|\d{1,2}[.\s]?\d{3}[.\s]?\d{3}(?:\s?-\s?|\s)?[A-Z]|[XYZKLM][\s-]?\d{7}[\s-]?[A-Z])(?![A-Z0-9])/g;

/**
 * All NIF on the paper, in every place where they are printed.
 *
 * @param known that of the company that uploads: what is almost the same is taken for it
 */
export function findNifs(rows: readonly Row[], known: string): FoundNif[] {
  const cells = rows.flatMap((row) =>
    row.cells.map((cell, i) => ({ cell, before: row.cells[i - 1] })),
  );
  const printed = cells.flatMap(({ cell, before }) => {
    const spanish = [...cell.text.toUpperCase().matchAll(NIF)].flatMap((match) => {
      const check = checkNif((match[1] ?? '').replace(/^(\d{7})([A-Z])$/, '0$1$2'));
      if (!check.ok) return [];
      const words = wordsAt(cell, match.index, match.index + match[0].length);
      return [{ valor: check.nif, cell, words, isMended: false }];
    });
    return spanish.length > 0 ? spanish : foreignNifs(cell, before);
  });
  const isPrinted = new Set(printed.map(({ cell }) => cell));
  const own = cells.flatMap(({ cell }) =>
    isPrinted.has(cell)
      ? []
      : cell.words
          .filter(({ text }) => isAlmost(text, known))
          .map((word) => ({ valor: known, cell, words: [word], isMended: true })),
  );
  const hasOther = printed.some(({ valor }) => valor !== known);
  // Beside the label of a NIF, what is one letter away from one is a misread NIF.
  const mended = cells.flatMap(({ cell, before }) => {
    const over = cell.words.length === 1 ? cellAbove(rows, cell) : null;
    const isNamed =
      NIF_NAME.test(undotted(`${before?.plain ?? ''} ${cell.plain}`)) ||
      // The whole of the label above it.
      (over !== null && labelOf(over.plain) === 'nif');
    const isLikely =
      isNamed ||
      // Alone in a line of the client's data, and not a telephone number.
      (cell.words.length === 1 &&
        !(hasOther && /^[6-9]/.test(cell.text)) &&
        roleOver(rows, cell) === 'client');
    if (!isLikely || isPrinted.has(cell) || own.some((one) => one.cell === cell)) return [];
    return cell.words.flatMap((word) => {
      const text = word.text.replace(/^(.*:|\.+)|[,;:.]+$/g, '');
      const valor = mendedNif(text) ?? (isNamed && word.paper ? completedNif(text) : null);
      return valor ? [{ valor, cell, words: [word], isMended: true }] : [];
    });
  });
  return [...printed, ...own, ...mended].sort((a, b) => a.cell.row - b.cell.row);
}

/**
 * The prefix of a NIF-IVA, and what may follow it. France has some with a letter there, without check digits, as
 * `FRA 2026000123`, which is rather an invoice's number, would be.
 */
const NIF_IVA = /(?<![\p{L}\p{N}])[A-Z]{2}(?=[\s.-]?U?\d)[A-Z\d\s.-]{7,20}/gu;
/** A NIF-IVA, in the languages of those who have one. */
const NIF_IVA_NAME =
  /\b(nif|cif|vat|iva|tva|ust|uid|mwst|btw|moms|alv|dph|nip|nipc|tax id|intracom\w*|id fiscal)\b/;

/** The NIF-IVA of another country: after its name, or alone in its cell. */
function foreignNifs(cell: Cell, before: Cell | undefined): FoundNif[] {
  return [...cell.text.matchAll(NIF_IVA)].flatMap((match) => {
    const named = undotted(`${before?.plain ?? ''} ${cell.plain.slice(0, match.index)}`);
    const isAlone = match.index === 0 && match[0].length === cell.text.length;
    if (!isAlone && !NIF_IVA_NAME.test(named)) return [];
    // With its figures in groups, as in `FR 40 303 265 045`: as many of them as make one.
    const ends = [...match[0].matchAll(/[A-Z\d](?![A-Z\d])/g)].map(({ index }) => index + 1);
    for (const end of ends.reverse()) {
      const found = foreignNifIva(match[0].slice(0, end));
      if (!found) continue;
      const words = wordsAt(cell, match.index, match.index + end);
      return [{ valor: found.nifIva, cell, words, isMended: false }];
    }
    return [];
  });
}

const NIF_NAME = /\b(nif|cif|dni|ifz|vat|tax [il1]d)\b/;

/** Whether its nine letters and figures differ from those of a NIF in at most two. */
function isAlmost(text: string, nif: string): boolean {
  const bare = text
    .toUpperCase()
    .replace(/^.*[:.](?=.{9,})|[\s.,;-]/g, '')
    .replace(/^ES(?=.{9}$)/, '');
  // `80367519`: the letter of an entity was lost.
  if (/^\d{8}$/.test(bare)) return /^[A-Z]/.test(nif) && nif.endsWith(bare);
  if (bare.length !== 9 || nif.length !== 9 || checkNif(bare).ok) return false;
  return [...bare].filter((char, i) => char !== nif.charAt(i)).length <= 2;
}
