import { blockAround } from './party-blocks.ts';
import { labelOf, roleOver, segmentsOf } from './party-labels.ts';
import type { FoundNif } from './printed-nifs.ts';
import { amountOf } from './values.ts';
import { type Cell, overlaps, type Row } from './words.ts';

/** Which NIF is the issuer's, and which the recipient's. */
export interface Roles {
  readonly issuer?: FoundNif | undefined;
  readonly client?: FoundNif | undefined;
  /** Chosen by their places alone: nothing on the paper says whose they are. */
  readonly isGuess: boolean;
}

/**
 * Tells the issuer from the recipient by the labels over their NIF, by whose invoices are usually uploaded, and by what
 * only issuers print beside theirs.
 *
 * @param all every NIF, in every place
 * @param issuerNif see `findParties`
 */
export function rolesOf(
  rows: readonly Row[],
  all: readonly FoundNif[],
  { issuerNif, isCertain }: { readonly issuerNif: string; readonly isCertain: boolean },
): Roles {
  const nifs = all.filter(({ valor }, i) => all.findIndex((one) => one.valor === valor) === i);
  const own = nifs.find(({ valor }) => valor === issuerNif);
  const others = nifs.filter((one) => one !== own);
  if (!own) return byLabels(rows, nifs);
  const byLabel = others.find((one) => roleOf(rows, one) === 'client');
  const asIssuer: Roles = { issuer: own, client: byLabel ?? others[0], isGuess: false };
  if (isCertain) return asIssuer;
  const payers = nifs.filter((one) => isLabelledPayer(rows, one, { isFirst: one === nifs[0] }));
  if (payers.length === 1 && payers[0] === own)
    return others.length > 0 ? byLabels(rows, nifs) : { client: own, isGuess: true };
  if (others.length === 0 || roleOf(rows, own) === 'issuer') return asIssuer;
  const signsOf = ({ valor }: FoundNif) =>
    Math.max(...all.filter((one) => one.valor === valor).map(({ cell }) => signs(rows, cell)));
  const more = Math.min(
    ...others.map((one) => signsOf(one) - signsOf(own) + order(rows, one.cell, own.cell)),
  );
  if (payers.length > 0) return { ...asIssuer, isGuess: more >= RECEIVED };
  return more >= RECEIVED
    ? { issuer: others[0], client: own, isGuess: true }
    : { ...asIssuer, isGuess: more > 0 };
}

/** For papers on which the NIF of whoever uploads is not the issuer's. */
function byLabels(rows: readonly Row[], nifs: readonly FoundNif[]): Roles {
  const client = nifs.find((one) => roleOf(rows, one) === 'client');
  const told = nifs.find((one) => one !== client && roleOf(rows, one) === 'issuer');
  const issuer = told ?? nifs.find((one) => one !== client);
  return {
    issuer,
    client: client ?? nifs.find((one) => one !== issuer),
    // A third one may be a bank's, to which the debt was ceded.
    isGuess: !told && (!client || nifs.length > 2),
  };
}

/** Whose NIF it is by its labels; for `NIF: B12345674` in two cells, also by those over the first. */
function roleOf(rows: readonly Row[], { cell }: FoundNif) {
  const cells = rows[cell.row]?.cells ?? [];
  const label = cells[cells.indexOf(cell) - 1];
  const isNamed = label !== undefined && labelOf(label.plain) === 'nif';
  return roleOver(rows, cell) ?? (isNamed ? roleOver(rows, label) : null);
}

/** Whether a NIF has the label of a recipient in its row or close above it. */
function isLabelledPayer(
  rows: readonly Row[],
  nif: FoundNif,
  { isFirst }: { readonly isFirst: boolean },
): boolean {
  const { cell } = nif;
  if (roleOf(rows, nif) !== 'client') return false;
  let top = cell.row;
  const isUnder = (above: Row | undefined, row: Row | undefined) =>
    above?.page === row?.page && (row?.y ?? 0) - (above?.y ?? 0) < 2.2 * cell.h;
  while (top > 0 && isUnder(rows[top - 1], rows[top])) top -= 1;
  return rows
    .slice(top, cell.row + 1)
    .flatMap(({ cells }) => cells)
    .some(
      (one) =>
        (labelOf(one.plain) === 'client' ||
          segmentsOf(one).some(({ kind }) => kind === 'client')) &&
        !(isFirst && OWNER.test(one.plain)),
    );
}

/** At the top of the sheet, whoever a shop belongs to. */
const OWNER = /^titular\b(?! del? )/;
/** What companies print by law on what they issue (Código de Comercio, art. 24). */
const REGISTRY =
  /\binscrit[ao]\b|\breg(istro|\.) ?merc|\br\. ?m\.|\b(tomo|t\.) ?[\d.]+.*\b(folio|f\.|hoja|h\.)/;
const CONTACT = /\b(tel(efono|f)?|tfno|movil|fax|iban)\b|@|\bwww\./;
/** Around the NIF of who pays, in a sentence. */
const OWES = /\b(debe|adeuda) a\b|\b(prestad|facturad|realizad)[oa]s a\b/;

/** From this many more signs on, the other one is the issuer. */
const RECEIVED = 3;

/** How much of what issuers print is beside a NIF, and how little of what is printed beside a recipient's. */
function signs(rows: readonly Row[], cell: Cell): number {
  const block = [cell, ...blockAround(rows, cell)];
  const has = (words: RegExp) => block.some(({ plain }) => words.test(plain));
  const over = block.filter(({ row }) => row <= cell.row);
  const isInForm = over.some((line) => {
    const kinds = [labelOf(line.plain), ...segmentsOf(line).map(({ kind }) => kind)];
    return kinds.some((kind) => kind === 'name' || kind === 'street' || kind === 'town');
  });
  return (
    (isAtFoot(rows, cell) || isRegistered(rows, cell) ? 4 : 0) +
    (has(CONTACT) ? 2 : 0) -
    (isInForm ? 2 : 0) -
    (owes(rows, cell) ? 4 : 0)
  );
}

/** Below everything that is charged on its page. */
function isAtFoot(rows: readonly Row[], cell: Cell): boolean {
  const hasAmount = (row: Row) => row.words.some(({ text }) => amountOf(text) !== null);
  const page = rows.filter((row) => row.page === cell.page);
  return (
    page.some((row) => row.y < cell.y && hasAmount(row)) &&
    !page.some((row) => row.y >= cell.y && hasAmount(row) && !/\bcapital\b/.test(row.plain))
  );
}

/** Whether the entry in the Registro Mercantil is stated in the lines around a NIF. */
function isRegistered(rows: readonly Row[], cell: Cell): boolean {
  return rows
    .slice(Math.max(0, cell.row - 3), cell.row + 4)
    .filter(({ page, y }) => page === cell.page && Math.abs(y - cell.y) < 5 * cell.h)
    .flatMap(({ cells }) => cells)
    .some((one) => overlaps(one, cell) && REGISTRY.test(one.plain));
}

/** Whether a sentence around a NIF says that its owner pays; it may go on in the next row. */
function owes(rows: readonly Row[], cell: Cell): boolean {
  const next = rows[cell.row + 1];
  const rest = next?.cells.find(
    ({ page, x, y }) =>
      page === cell.page && Math.abs(x - cell.x) < cell.h && y - cell.y < 2 * cell.h,
  );
  return OWES.test(rest ? `${cell.plain} ${rest.plain}` : cell.plain);
}

/** 1 if somebody's data are above or in front of somebody else's; -1 if they come later. */
function order(rows: readonly Row[], one: Cell, other: Cell): number {
  if (one.page !== other.page) return one.page < other.page ? 1 : -1;
  const [a, b] = [sides(rows, one), sides(rows, other)];
  const areBeside = a.top < b.bottom && b.top < a.bottom && (a.right < b.left || b.right < a.left);
  return (areBeside ? a.left < b.left : one.y < other.y) ? 1 : -1;
}

function sides(rows: readonly Row[], cell: Cell) {
  const block = [cell, ...blockAround(rows, cell)];
  return {
    top: Math.min(...block.map(({ y }) => y)),
    bottom: Math.max(...block.map(({ y, h }) => y + h)),
    left: Math.min(...block.map(({ x }) => x)),
    right: Math.max(...block.map(({ x, w }) => x + w)),
  };
}
