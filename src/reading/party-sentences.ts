import type { Person } from './party-blocks.ts';
import { segmentsOf } from './party-labels.ts';
import { bareEnd, hasTown, isName, LEGAL_FORM, named } from './party-words.ts';
import type { Word } from './shapes.ts';
import { type Cell, cellFrom, plainOf, type Row } from './words.ts';

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
