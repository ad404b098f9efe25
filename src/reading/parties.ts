import { checkNif } from '../domain/nif.ts';
import { mendedNif } from './misread.ts';
import {
  blockAround,
  isName,
  isStreet,
  isTown,
  likeness,
  named,
  type Person,
  personIn,
  personInSentence,
  walkDown,
  walkUp,
} from './party-blocks.ts';
import {
  type Labelled,
  labelledIn,
  labelOf,
  roleOver,
  type Segment,
  segmentsOf,
} from './party-labels.ts';
import type { Word } from './shapes.ts';
import { undotted } from './values.ts';
import { type Cell, cellFrom, type Row } from './words.ts';

/** Somebody whose NIF, or at least whose name, stands on the paper. */
export interface Party extends Person {
  readonly nif?: {
    readonly valor: string;
    readonly words: readonly Word[];
    readonly isMended: boolean;
  };
}

interface FoundNif {
  readonly valor: string;
  readonly cell: Cell;
  readonly words: readonly Word[];
  /** OCR had spoiled it. */
  readonly isMended: boolean;
}

const NIF =
  /(?<![A-Z0-9])(?:ES[\s-]?)?([A-HJNP-SUVW][\s.-]?\d{2}[.\s]?\d{3}[.\s]?\d{2}[\s-]?[0-9A-J]|\d{1,2}[.\s]?\d{3}[.\s]?\d{3}[\s-]?[A-Z]|[XYZKLM][\s-]?\d{7}[\s-]?[A-Z])(?![A-Z0-9])/g;

/** Who issues and who receives. The company that uploads, when it is one of them, settles the roles. */
export function findParties(
  rows: readonly Row[],
  ownNif: string,
): { emisor: Party; cliente: Party } {
  const nifs = findNifs(rows);
  const own = nifs.find(({ valor }) => valor === ownNif);
  const others = nifs.filter(({ valor }) => valor !== own?.valor);
  const byLabel = others.find(({ cell }) => roleOver(rows, cell) === 'client');
  const issuer =
    own ??
    others.find(({ cell }) => roleOver(rows, cell) === 'issuer') ??
    others.find((nif) => nif.valor !== byLabel?.valor);
  const client = byLabel ?? others.find(({ valor }) => valor !== issuer?.valor);
  const ofIssuer = new Set(
    nifs
      .filter(({ valor }) => valor === issuer?.valor)
      .flatMap(({ cell }) => blockAround(rows, cell).flatMap(({ words }) => words)),
  );
  const labelled = labelledIn(rows).filter(
    ({ role, value }) => role === 'issuer' || !value.words.some((word) => ofIssuer.has(word)),
  );
  const emisor = issuer
    ? partyOf(rows, issuer, [labelledPerson(rows, labelled, 'issuer')], { isHead: true })
    : {};
  const isOther = ({ plain }: Cell) => plain !== emisor.nombre?.plain;
  const said = labelledPerson(rows, labelled, 'client', isOther);
  const window = addressee(rows, emisor);
  const cliente = client
    ? partyOf(rows, client, [said], { instead: [window], isOther })
    : merged([said, window]);
  return { emisor, cliente };
}

/** All of a NIF that is printed, each time that it is. */
function findAllNifs(rows: readonly Row[]): FoundNif[] {
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
  // Beside its name, what is one letter away from a NIF was one.
  const mended = cells.flatMap(({ cell, before }) => {
    const name = NIF_NAME.test(undotted(`${before?.plain ?? ''} ${cell.plain}`));
    if (!name || printed.some((one) => one.cell === cell)) return [];
    return cell.words.flatMap((word) => {
      const valor = mendedNif(word.text.replace(/^[:.]+|[,;:.]+$/g, ''));
      return valor ? [{ valor, cell, words: [word], isMended: true }] : [];
    });
  });
  return [...printed, ...mended].sort((a, b) => a.cell.row - b.cell.row);
}

const NIF_NAME = /\b(nif|cif|dni|vat)\b/;

function findNifs(rows: readonly Row[]): FoundNif[] {
  const found = findAllNifs(rows);
  return found.filter(({ valor }, i) => found.findIndex((one) => one.valor === valor) === i);
}

/** The words that stand between two characters of a cell's text. */
export function wordsAt(cell: Cell, start: number, end: number): readonly Word[] {
  let at = 0;
  const inside = cell.words.filter(({ text }) => {
    const from = at;
    at += text.length + 1;
    return from < end && from + text.length > start;
  });
  return inside.length > 0 ? inside : cell.words;
}

type Candidate = Person | null;

/** Name and address of whose NIF this is: as they are labelled, or from the text around it. */
function partyOf(
  rows: readonly Row[],
  nif: FoundNif,
  labelled: readonly Candidate[],
  {
    instead = [],
    isOther = () => true,
    isHead = false,
  }: {
    instead?: readonly Candidate[];
    isOther?: (cell: Cell) => boolean;
    /** It may have its name on top of the sheet, and its NIF at the foot. */
    isHead?: boolean;
  } = {},
): Party {
  const everywhere = findAllNifs(rows).filter(({ valor }) => valor === nif.valor);
  const around = everywhere
    .flatMap(({ cell, words }) => [
      personInSentence(rows, cell, words),
      personIn(blockAround(rows, cell), { words, nif: nif.valor }),
    ])
    .filter((one) => one !== null)
    .map((one): Person => (one.nombre && !isOther(one.nombre) ? {} : one));
  // Who has an address is rather somebody than a word that stands near.
  const whole = around.filter(({ nombre, direccion }) => nombre && direccion);
  const { valor, words, isMended } = nif;
  const head = isHead && !whole.some(({ nombre }) => nombre) ? [onTop(rows, valor)] : [];
  return {
    nif: { valor, words, isMended },
    ...merged([...whole, ...labelled, ...instead, ...head, ...around]),
  };
}

/** The likeliest name among the first lines of the first page; of those, the one in the biggest letters. */
function onTop(rows: readonly Row[], nif: string): Candidate {
  const isEntity = /^[A-HJNPQRSUVW]/.test(nif);
  const weight = (cell: Cell) => likeness(cell, isEntity) + cell.h / 100;
  const cells = rows
    .filter(({ page, y }) => page === 1 && y - (rows[0]?.y ?? 0) < 170)
    .flatMap((row) => row.cells)
    .filter((cell) => isName(cell) && labelledNot(rows, cell));
  const [best] = cells.sort((a, b) => weight(b) - weight(a));
  return best ? { nombre: named(best) } : null;
}

const labelledNot = (rows: readonly Row[], cell: Cell) =>
  roleOver(rows, cell) === null && segmentsOf(cell).every(({ kind }) => kind === null);

/** The first name there is, and the address that came with it unless another one is whole. */
function merged(candidates: readonly Candidate[]): Person {
  const isWhole = (one: Candidate) =>
    one?.direccion?.some(({ text }) => /(?<!\d)\d{5}(?!\d)/.test(text));
  const nombre = candidates.find((one) => one?.nombre)?.nombre;
  const placed =
    candidates.find((one) => one?.nombre === nombre && isWhole(one)) ??
    candidates.find(isWhole) ??
    candidates.find((one) => one?.direccion);
  return {
    ...(nombre && { nombre }),
    ...(placed?.direccion && { direccion: placed.direccion }),
  };
}

/** Whoever is called by the labels of a role. */
function labelledPerson(
  rows: readonly Row[],
  labelled: readonly Labelled[],
  role: 'client' | 'issuer',
  isOther: (cell: Cell) => boolean = () => true,
): Candidate {
  const mine = labelled.filter((one) =>
    // Who issues does not call its own things by their names, unless it says that they are its.
    role === 'issuer' ? one.role === 'issuer' : one.role === 'client' || one.role === null,
  );
  const isFit = ({ value }: Labelled) => isName(value) && isOther(value);
  const name =
    mine.find((one) => one.kind === 'name' && isFit(one)) ??
    mine.find((one) => one.kind === role && one.isBeside && isFit(one));
  const street = mine.find(({ kind }) => kind === 'street');
  const of = (kind: Labelled['kind']) =>
    mine.find((one) => one.kind === kind && isNear(one.value, street?.value));
  if (!name && !street) return null;
  if (!street) return name ? { nombre: nameOf(rows, name), ...placeUnder(rows, name.value) } : null;
  const said = [street, of('postcode'), of('town')].filter((one) => one !== undefined);
  return {
    ...(name && { nombre: nameOf(rows, name) }),
    direccion: said.map((one) => withRest(rows, one)),
  };
}

const nameOf = (rows: readonly Row[], name: Labelled) => named(withRest(rows, name));

/** The address that stands under a name. */
function placeUnder(rows: readonly Row[], name: Cell): Pick<Party, 'direccion'> {
  const { direccion } = personIn(walkDown(rows, name), {});
  return direccion?.[0] && !isTown(direccion[0].plain) ? { direccion } : {};
}

const isNear = (cell: Segment, other: Segment | undefined) =>
  other !== undefined && cell.page === other.page && Math.abs(cell.row - other.row) <= 3;

/** With what had no room beside its label and stands under it, where no other label begins. */
function withRest(rows: readonly Row[], { kind, value, isBeside }: Labelled): Cell {
  const next = rows[value.row + 1];
  const below = next?.cells.find(({ x }) => Math.abs(x - value.x) < 0.6 * value.h);
  const isRest =
    isBeside &&
    next?.page === value.page &&
    next.y - value.y < 1.7 * value.h &&
    rows[value.row]?.cells.some(({ x, w }) => x + w < value.x) &&
    below &&
    !next.cells.some(({ x, w }) => x + w < value.x && value.x - x < 30 * value.h) &&
    labelOf(below.plain) === null &&
    segmentsOf(below).every((piece) => piece.kind === null) &&
    (kind === 'street' || kind === 'town' || (isName(below) && !isStreet(below.plain)));
  return isRest ? cellFrom([...value.words, ...below.words], value.row) : value;
}

/** Whoever an address stands under, as in an envelope's window, when it is not the issuer's. */
function addressee(rows: readonly Row[], emisor: Party): Candidate {
  const issuers = new Set(emisor.direccion?.flatMap(({ words }) => words));
  const towns = rows
    .flatMap(({ cells }) => cells)
    .filter(({ plain, words }) => isTown(plain) && !words.some((word) => issuers.has(word)));
  for (const cell of towns) {
    if (roleOver(rows, cell) === 'other') continue;
    const person = personIn([...walkUp(rows, cell), cell], {});
    const { nombre, direccion = [] } = person;
    if (nombre && direccion.length > 1 && nombre.plain !== emisor.nombre?.plain) return person;
  }
  return null;
}
