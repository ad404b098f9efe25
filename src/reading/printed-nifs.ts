import { checkNif } from '../domain/nif.ts';
import { completedNif, mendedNif } from './misread.ts';
import { labelOf, roleOver } from './party-labels.ts';
import type { Word } from './shapes.ts';
import { undotted } from './values.ts';
import { type Cell, cellAbove, type Row, wordsAt } from './words.ts';

/** A NIF, in one of the places where it is printed. */
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
  const printed = cells.flatMap(({ cell }) =>
    [...cell.text.toUpperCase().matchAll(NIF)].flatMap((match) => {
      const check = checkNif((match[1] ?? '').replace(/^(\d{7})([A-Z])$/, '0$1$2'));
      if (!check.ok) return [];
      const words = wordsAt(cell, match.index, match.index + match[0].length);
      return [{ valor: check.nif, cell, words, isMended: false }];
    }),
  );
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
