import { isSum, isUnderSums, isUnderTaxes } from './line-ends.ts';
import { at, isAmount, type Sheet, sheetOf, type Track } from './line-figures.ts';
import { type Formula, formulasOf } from './line-formulas.ts';
import type { FoundLine } from './line-items.ts';
import {
  combinations,
  discountUnder,
  doubtsOf,
  firstWays,
  otherAmounts,
  withOnes,
  withoutQuantities,
} from './line-mending.ts';
import { cents, oneOf, type Priced } from './line-priced.ts';
import { pricedOf, productIn, type Roles, rateTrackOf, rolesOf } from './line-roles.ts';
import { textsOf } from './line-texts.ts';
import type { Word } from './shapes.ts';
import { rateOf, undotted } from './values.ts';
import type { Row } from './words.ts';

/**
 * Reads the lines of a table by finding the columns that multiply in all of its rows together. Its headings are only a
 * hint.
 */

/** Readings of the lines, likeliest first. The sums tell which one is right. */
export interface Tables {
  /**
   * First those whose rows all multiply, then those where one or two figures are solved from the rest, then those of
   * amounts alone. Each one is worked out only when it is asked for.
   */
  readonly readings: Iterable<readonly FoundLine[]>;
  /** Rows that multiply, along with those that do not, as printed: for when no sums can decide. */
  readonly asPrinted: readonly (readonly FoundLine[])[];
}

export function findTables(rows: readonly Row[]): Tables {
  const sheet = sheetOf(rows);
  const tables = rolesOf(sheet).map((roles) => {
    const products = [...rows.keys()]
      .flatMap((row) => productIn(sheet, roles, row) ?? [])
      .filter(({ row }) => !isUnderTaxes(rows, row));
    const anchors = products.map(({ row }) => row);
    const doubts = doubtsOf(sheet, roles, anchors);
    return { roles, lines: products.map(pricedOf), doubts };
  });
  const formulas = formulasOf(sheet).map(pricedBy);
  function* readings() {
    for (const { roles, lines } of tables) yield linesOf(sheet, lines, roles);
    const pairs = pairsApart(tables);
    for (const pair of pairs)
      yield pair.flatMap(({ roles, lines }) => linesOf(sheet, lines, roles));
    for (const { roles, lines } of tables.slice(0, 3)) {
      const less = discountUnder(sheet, lines);
      if (less) yield linesOf(sheet, [...lines, less], roles);
    }
    if (formulas.length > 0) {
      yield linesOf(sheet, formulas, {});
      const ones = withOnes(sheet, formulas, { quantity: null, net: netTrackOf(sheet, formulas) });
      yield linesOf(sheet, ones, {});
    }
    for (const { roles, lines } of tables.slice(0, 3)) {
      const more = withOnes(sheet, lines, roles);
      if (more.length > lines.length) yield linesOf(sheet, more, roles);
    }
    for (const { roles, lines, doubts } of tables.slice(0, 3)) {
      const isMisread = doubts.every(({ isNearlyPrinted }) => isNearlyPrinted);
      if (isMisread || doubts.length <= lines.length)
        yield linesOf(sheet, [...lines, ...firstWays(doubts)], roles);
      for (const mended of combinations(doubts))
        if (mended.length <= lines.length) yield linesOf(sheet, [...lines, ...mended], roles);
    }
    for (const pair of pairs)
      if (pair.every(({ lines, doubts }) => doubts.length <= lines.length))
        yield pair.flatMap(({ roles, lines, doubts }) =>
          linesOf(sheet, [...lines, ...firstWays(doubts)], roles),
        );
    for (const lines of withoutQuantities(sheet)) yield linesOf(sheet, lines, {});
    yield* amountsAlone(sheet);
  }
  const asPrinted = tables.map(({ roles, lines, doubts }) =>
    linesOf(sheet, [...lines, ...firstWays(doubts)], roles).map((line) =>
      line.isSolved ? { ...line, addsUp: false } : line,
    ),
  );
  return {
    readings: readings(),
    asPrinted: [...asPrinted, linesOf(sheet, formulas, {})].filter((lines) => lines.length > 0),
  };
}

/** Tables one above another, each with its own columns. */
function pairsApart<T extends { readonly lines: readonly Priced[] }>(tables: readonly T[]): T[][] {
  const found = tables.filter(({ lines }) => lines.length > 0);
  return found.flatMap((one, i) =>
    found.slice(i + 1).flatMap((other) => {
      const [first, last] = [one, other].sort((a, b) => firstRow(a) - firstRow(b)) as [T, T];
      return (first.lines.at(-1)?.row ?? 0) < firstRow(last) ? [[first, last]] : [];
    }),
  );
}

const firstRow = ({ lines }: { readonly lines: readonly Priced[] }) => lines[0]?.row ?? 0;

function pricedBy({ row, quantity, price, discount, net, words }: Formula): Priced {
  return {
    row,
    quantity,
    price,
    discount,
    cents: cents(net.value),
    taken: [...words, ...net.words],
  };
}

/** The track in which the amounts of formulas are aligned. */
function netTrackOf({ tracks }: Sheet, lines: readonly Priced[]): number | null {
  const words = new Set(lines.flatMap(({ taken }) => taken));
  const found = tracks.findIndex(({ figures }) =>
    [...figures.values()].some((one) => words.has(one.words[0] as Word) && isAmount(one)),
  );
  return found === -1 ? null : found;
}

/** The rows as lines, with the text that belongs to each. */
function linesOf(sheet: Sheet, given: readonly Priced[], roles: Partial<Roles>): FoundLine[] {
  const lines = [...given].sort((a, b) => a.row - b.row);
  const anchors = lines.map(({ row }) => row);
  const rateTrack = rateTrackOf(sheet, anchors, roles);
  const columns = columnsOf(sheet, anchors, roles);
  const texts = textsOf(sheet, anchors, figureWords(sheet, lines, { columns, roles }), columns);
  return lines.flatMap((line): FoundLine[] => {
    const row = sheet.rows[line.row] as Row;
    const { text: description = '', words = [] } = texts.get(line.row) ?? {};
    if (!/\p{L}{2}/u.test(description)) return [];
    const rate = at(sheet, rateTrack, line.row)?.value ?? rateSaid(row);
    const { quantity, price, discount, isSolved } = line;
    return [
      {
        description,
        quantity,
        price,
        addsUp: true,
        ...(discount && { discount }),
        totalCents: BigInt(line.cents),
        rateBps: rate === null ? null : rateOf(String(rate).replace('.', ',')),
        ...(isSolved && { isSolved }),
        words: [...row.words, ...words],
      },
    ];
  });
}

/** The columns of figures: those with a role, and those with a figure in most lines (quotas, codes, amounts with tax). */
function columnsOf(
  { tracks }: Sheet,
  anchors: readonly number[],
  roles: Partial<Roles>,
): readonly Track[] {
  const ours = Object.values(roles);
  return tracks.filter(
    ({ figures }, track) =>
      ours.includes(track) ||
      anchors.filter((row) => figures.has(row)).length >= 0.6 * anchors.length,
  );
}

/** Which words of a row are figures of a line, so that they do not belong to any text. */
function figureWords(
  { tracks }: Sheet,
  lines: readonly Priced[],
  { columns, roles }: { readonly columns: readonly Track[]; readonly roles: Partial<Roles> },
): (row: number) => ReadonlySet<Word> {
  const anchors = new Set(lines.map(({ row }) => row));
  const elsewhere = new Set(lines.flatMap(({ taken }) => taken));
  const quantities = tracks[roles.quantity ?? -1];
  return (row) => {
    if (!anchors.has(row)) return elsewhere;
    const figures = columns.flatMap((column) => {
      const one = column.figures.get(row);
      return one && (!one.isInText || isAmount(one) || column === quantities) ? one.words : [];
    });
    return new Set([...elsewhere, ...figures]);
  };
}

/** The rate in `'IVA 21 %'`. */
function rateSaid({ plain }: Row): number | null {
  const said = /\b(?:iva|igic|ipsi|vat)\s*(\d{1,2}(?:[.,]\d{1,2})?)\s*%/.exec(undotted(plain))?.[1];
  return said === undefined ? null : Number(said.replace(',', '.'));
}

/** Lines of a description and an amount, ending at each place where the sums may begin. */
function amountsAlone(sheet: Sheet): FoundLine[][] {
  return sheet.tracks
    .slice(0, 6)
    .flatMap((track, net) =>
      listsOfAmounts(sheet, track).map((lines) => linesOf(sheet, lines, { net })),
    );
}

function listsOfAmounts(sheet: Sheet, { figures }: Track): (readonly Priced[])[] {
  const { rows } = sheet;
  const found: Priced[] = [];
  const lists: Priced[][] = [];
  for (const [i, row] of rows.entries()) {
    const amount = figures.get(i);
    if (!amount || !isAmount(amount)) continue;
    if (isSum(row)) lists.push([...found]);
    else if (amount.value !== 0 && !isUnderSums(rows, i)) {
      // With another amount in its row it is perhaps the price of several: somebody should look at it.
      const isDoubtful = otherAmounts(sheet, i, amount).some(({ value }) => value !== amount.value);
      found.push({ ...oneOf(i, amount), ...(isDoubtful && { isSolved: true }) });
    }
  }
  return [...lists, found].filter((list) => list.length > 0).slice(0, 8);
}
