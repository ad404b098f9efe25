import { hadNoRoom, withWholeNames } from './broken-names.ts';
import { formedNames } from './formed-names.ts';
import { lacksSurname } from './given-names.ts';
import {
  type Block,
  blockAround,
  isContact,
  type Person,
  personIn,
  personInForm,
  tightened,
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
import { rolesOf } from './party-roles.ts';
import { personInSentence } from './party-sentences.ts';
import {
  endsInPostcode,
  hasTown,
  isCapital,
  isEntity,
  isName,
  isRegion,
  isRestOfTown,
  isStreet,
  isTown,
  isTownAbroad,
  isUnfinished,
  LEGAL_FORM,
  likeness,
  named,
} from './party-words.ts';
import { type FoundNif, findNifs } from './printed-nifs.ts';
import type { Word } from './shapes.ts';
import { amountOf, findDate } from './values.ts';
import { type Cell, cellFrom, type Row } from './words.ts';

/** Somebody whose NIF, or at least whose name, is printed on the paper. */
export interface Party extends Person {
  readonly nif?: {
    readonly valor: string;
    readonly words: readonly Word[];
    readonly isMended: boolean;
    /** Chosen by the order of the paper alone: nothing on it says whose NIF it is. */
    readonly isGuess: boolean;
  };
}

/** Where somebody's NIF is printed, and all NIF of the paper. */
interface Places {
  readonly times: readonly FoundNif[];
  readonly all: readonly FoundNif[];
}

/** A candidate for a party, and how much evidence there is for it. */
interface Candidate extends Person {
  readonly weight: number;
}

/** How much the place of a name or an address counts; what a name looks like is added to it. */
const WEIGHT = {
  /** With its address beside the NIF, in lines without a gap. */
  whole: 7,
  /** The same, in lines further apart. */
  wide: 6,
  /** Labelled as such: «Cliente: …». */
  labelled: 5,
  /** A company's whole name in the line of the NIF, or anybody's in the sentence that contains it. */
  inLine: 5,
  /** Above an address, as in the window of an envelope. */
  window: 4,
  /** Before an address, in one line. */
  sender: 4,
  /** At the top of the sheet; bigger letters count more. */
  top: 2.5,
  /** Something that looks like a person's name, alone with the NIF in lines without a gap. */
  alone: 4,
  /** A name alone near the NIF. */
  near: 2,
  /** A company's whole name anywhere. */
  anywhere: 1,
} as const;

/**
 * Who issues the invoice and who receives it.
 *
 * @param issuerNif if it is printed, its owner is the issuer: the NIF of the tax QR or, without one, that of the
 *   company that uploads
 * @param isCertain it is so whatever the labels say
 */
export function findParties(
  printed: readonly Row[],
  issuerNif: string,
  { isCertain = false }: { readonly isCertain?: boolean | undefined } = {},
): { emisor: Party; cliente: Party } {
  const rows = withWholeNames(printed);
  const all = findNifs(rows, issuerNif);
  const { issuer, client, isGuess } = rolesOf(rows, all, { issuerNif, isCertain });
  // Every place where it is printed.
  const timesOf = (nif: FoundNif | undefined) => all.filter(({ valor }) => valor === nif?.valor);
  const [issuerTimes, clientTimes] = [timesOf(issuer), timesOf(client)];
  const [ofIssuer, ofClient] = [placesOf(rows, issuerTimes, all), placesOf(rows, clientTimes, all)];
  const labelled = labelledIn(rows).filter(
    ({ role, value }) => role === 'issuer' || !value.words.some((word) => ofIssuer.has(word)),
  );
  const issuers =
    issuer || client ? issuersOf(rows, { times: issuerTimes, all }, labelled, ofClient) : [];
  const clients = clientsOf(rows, { times: clientTimes, all }, labelled, ofIssuer);
  const [one, other] = likeliest(issuers, clients);
  const emisor = merged(rows, one, issuers, { otherName: other?.nombre, nif: issuer?.valor });
  const cliente = merged(rows, other, clients, { otherName: one?.nombre, nif: client?.valor });
  return { emisor: withNif(emisor, issuer, isGuess), cliente: withNif(cliente, client, isGuess) };
}

function withNif(person: Person, nif: FoundNif | undefined, isGuess: boolean): Party {
  if (!nif) return person;
  const { valor, words, isMended } = nif;
  return { nif: { valor, words, isMended, isGuess }, ...person };
}

/** The words around every place where a NIF is printed. */
function placesOf(
  rows: readonly Row[],
  times: readonly FoundNif[],
  all: readonly FoundNif[],
): ReadonlySet<Word> {
  return new Set(
    times
      .flatMap((nif) => tightened(blockOf(rows, nif, all), nif.cell))
      .flatMap(({ words }) => words),
  );
}

/** The pair with different names that has the most evidence, taken together. */
function likeliest(
  issuers: readonly Candidate[],
  clients: readonly Candidate[],
): [Candidate | null, Candidate | null] {
  const nobody: Candidate = { weight: 0 };
  let best: [Candidate, Candidate] = [nobody, nobody];
  for (const one of [...issuers, nobody])
    for (const other of [...clients, nobody])
      if (
        !isSameName(one.nombre, other.nombre) &&
        one.weight + other.weight > best[0].weight + best[1].weight
      )
        best = [one, other];
  return [best[0] === nobody ? null : best[0], best[1] === nobody ? null : best[1]];
}

/** The block around a NIF, up to the line of any other NIF: there begin, or end, the data of somebody else. */
function blockOf(rows: readonly Row[], { cell, valor }: FoundNif, all: readonly FoundNif[]): Block {
  const block = blockAround(rows, cell);
  const isOfOther = (line: Cell) =>
    line.row !== cell.row &&
    all.some((one) => one.valor !== valor && one.words.some((word) => line.words.includes(word)));
  const above = block.findLastIndex((line) => line.row < cell.row && isOfOther(line));
  const below = block.findIndex((line) => line.row > cell.row && isOfOther(line));
  return block.slice(above + 1, below < 0 ? block.length : below);
}

const lettersOf = (cell: Cell) => cell.plain.replace(/[^a-z0-9]/g, '');

const isSameName = (one: Cell | undefined, other: Cell | undefined) =>
  one !== undefined && other !== undefined && lettersOf(one) === lettersOf(other);

/** Candidates for the issuer, given its NIF. */
function issuersOf(
  rows: readonly Row[],
  { times, all: nifs }: Places,
  labelled: readonly Labelled[],
  ofClient: ReadonlySet<Word>,
): Candidate[] {
  const isOfEntity = isEntity(times[0]?.valor ?? '');
  const lines = new Set(times.map(({ cell }) => cell.row));
  const formed = formedNames(rows)
    .filter((cell) => labelledNot(rows, cell) && !cell.words.some((word) => ofClient.has(word)))
    // Where there is an account number, the name is a bank.
    .filter(
      ({ row }) => !/\biban\b|\bes\d{2} ?\d{4}/.test(rows[row]?.plain ?? '') || lines.has(row),
    )
    .map(
      (nombre): Candidate => ({
        nombre,
        weight: lines.has(nombre.row) ? WEIGHT.inLine : WEIGHT.anywhere,
      }),
    );
  const said = labelledPerson(rows, labelled, 'issuer');
  const all = [
    ...aroundNifs(rows, { times, all: nifs }),
    ...(said ? [{ ...said, weight: WEIGHT.labelled }] : []),
    ...onTop(rows, isOfEntity),
    ...senders(rows, ofClient),
    ...formed,
  ];
  // The letter of a NIF tells what kind of name its owner has.
  return all.map((one) => {
    if (!one.nombre) return one;
    const isFormed = LEGAL_FORM.test(one.nombre.plain);
    return { ...one, weight: one.weight + (isFormed ? (isOfEntity ? 2.5 : -1) : 0) };
  });
}

/** Candidates for the recipient, given its NIF, if that is printed. */
function clientsOf(
  rows: readonly Row[],
  { times, all }: Places,
  labelled: readonly Labelled[],
  ofIssuer: ReadonlySet<Word>,
): Candidate[] {
  const said = labelledPerson(rows, labelled, 'client');
  return [
    ...aroundNifs(rows, { times, all }),
    ...(said ? [{ ...said, weight: WEIGHT.labelled }] : []),
    ...addressees(rows, ofIssuer),
  ];
}

/** The people described around a NIF, in every place where it is printed. */
function aroundNifs(rows: readonly Row[], { times, all }: Places): Candidate[] {
  return times.flatMap((nif): Candidate[] => {
    const { valor, cell, words } = nif;
    const block = blockOf(rows, nif, all);
    const seen = { words, nif: valor };
    const told = personInSentence(rows, cell, words);
    const inForm = personInForm(rows, cell);
    const tight = personIn(tightened(block, cell), seen);
    const wide = personIn(block, seen);
    // With an address it is more likely a person than some words nearby. A town alone is no address.
    const hasStreet = ({ direccion }: Person) =>
      direccion !== undefined &&
      !(direccion.length === 1 && direccion.every((one) => isTown(one.plain)));
    const weigh = (one: Person | null, whole: number, alone: number): Candidate[] =>
      one ? [{ ...one, weight: one.nombre && hasStreet(one) ? whole : alone }] : [];
    const isLikely = tight.nombre && likeness(tight.nombre, isEntity(valor)) >= 2;
    return [
      ...weigh(told, WEIGHT.whole, WEIGHT.inLine),
      ...weigh(inForm, WEIGHT.whole, WEIGHT.inLine),
      ...weigh(tight, WEIGHT.whole, isLikely ? WEIGHT.alone : WEIGHT.near),
      ...weigh(wide, WEIGHT.wide, WEIGHT.near),
    ];
  });
}

/** Names with their whole address in one line: above the window of an envelope, or at the foot. */
function senders(rows: readonly Row[], ofClient: ReadonlySet<Word>): Candidate[] {
  return rows
    .flatMap(({ cells }) => cells)
    .filter((cell) => labelledNot(rows, cell) && !cell.words.some((word) => ofClient.has(word)))
    .flatMap((cell): Candidate[] => {
      const person = senderIn(cell);
      return person ? [{ ...person, weight: WEIGHT.sender }] : [];
    });
}

/** Somebody's name, street and town in one line: `Lienzos, S.L. · C/ Mayor, 3 · 28013 Madrid`. */
function senderIn(cell: Cell): Person | null {
  if (!hasTown(cell)) return null;
  const person = personIn([cell], {});
  return person.nombre && (person.direccion?.length ?? 0) > 1 ? person : null;
}

/** The likely names among the first lines of the first page. */
function onTop(rows: readonly Row[], isOfEntity: boolean): Candidate[] {
  // Above the first amount are the headings of the table.
  const table = rows.findIndex(({ words }) => words.some(({ text }) => amountOf(text) !== null));
  const cells = rows
    .slice(0, table < 0 ? rows.length : Math.max(0, table - 1))
    .filter(({ page, y }) => page === 1 && y - (rows[0]?.y ?? 0) < 170)
    .flatMap((row) => row.cells)
    .filter((cell) => isName(cell) && labelledNot(rows, cell) && !isOfDay(rows, cell));
  return cells.map((cell) => ({
    nombre: named(cell),
    weight: WEIGHT.top + 0.4 * likeness(cell, isOfEntity) + cell.h / 100,
  }));
}

/** Whether there is a date close beside it: then it is the label of that date. */
function isOfDay(rows: readonly Row[], cell: Cell): boolean {
  const cells = rows[cell.row]?.cells ?? [];
  const beside = cells[cells.indexOf(cell) + 1];
  return (
    beside !== undefined &&
    beside.x - cell.x - cell.w < 8 * cell.h &&
    findDate(beside.text)?.start === 0
  );
}

const labelledNot = (rows: readonly Row[], cell: Cell) =>
  roleOver(rows, cell) === null && segmentsOf(cell).every(({ kind }) => kind === null);

/**
 * A name with its address: its own if that is complete, or the likeliest one that does not belong to the other party.
 */
function merged(
  rows: readonly Row[],
  chosen: Candidate | null,
  candidates: readonly Candidate[],
  { otherName, nif }: { readonly otherName: Cell | undefined; readonly nif: string | undefined },
): Person {
  // Contains a postcode and its town: a line may have been missed between two columns.
  const isWhole = ({ direccion = [] }: Candidate) =>
    /(?<!\d)\d{5}\)?[\s,.·-]+\p{L}/u.test(direccion.map(({ text }) => text).join(', '));
  const isPerson = /^\d/.test(nif ?? '');
  const nombre = chosen?.nombre && wholeName(rows, chosen.nombre, candidates, { isPerson });
  const mine = [...candidates]
    .sort((a, b) => b.weight - a.weight)
    .filter((one) => one.direccion && !isSameName(one.nombre, otherName));
  const placed =
    mine.find((one) => isSameName(one.nombre, nombre) && isWhole(one)) ??
    mine.find(isWhole) ??
    mine[0];
  return {
    ...(nombre && { nombre }),
    ...(placed?.direccion && { direccion: placed.direccion }),
  };
}

/**
 * A name together with what did not fit in its line: the rest of it below, the part above its legal form, or the whole
 * name as printed elsewhere.
 */
function wholeName(
  rows: readonly Row[],
  name: Cell,
  candidates: readonly Candidate[],
  { isPerson }: { readonly isPerson: boolean },
): Cell {
  const own = cellOf(rows, name);
  const title = wholeTitle(rows, name);
  if (title) return named(title);
  const isEnd = own.x + own.w - name.x - name.w < name.h;
  const below = isEnd ? lineUnder(rows, name, own) : undefined;
  const both = below && cellFrom([...name.words, ...below.words], name.row);
  if (both && below.words.length < 4 && isFormOf(both, name)) return named(both);
  if (both && isHalfName(name, below, { isPerson }) && hadNoRoom(rows, own, below)) return both;
  const above = lineOver(rows, name);
  if (above && (LEGAL_FORM.test(name.plain) || lacksSurname(above.plain)))
    if (hadNoRoom(rows, above, name)) return cellFrom([...above.words, ...name.words], above.row);
  const isPart = (one: Cell) => {
    const [whole, part] = [lettersOf(one), lettersOf(name)];
    return whole !== part && (whole.startsWith(part) || whole.endsWith(part));
  };
  const longer = candidates.flatMap(({ nombre }) =>
    nombre && isPart(nombre) && LEGAL_FORM.test(nombre.plain) && likeness(nombre, false) >= 1
      ? [nombre]
      : [],
  );
  return longer.find(({ words }) => words.length < name.words.length + 5) ?? name;
}

/** A company's name in big letters that takes up to three lines, of which the last one ends in its legal form. */
function wholeTitle(rows: readonly Row[], name: Cell): Cell | null {
  const page = rows.filter((row) => row.page === name.page);
  const usual = page.map(({ h }) => h).sort((a, b) => a - b)[page.length >> 1] ?? 0;
  if (LEGAL_FORM.test(name.plain) || name.h < 1.3 * usual) return null;
  const width = Math.max(...page.flatMap(({ cells }) => cells.map(({ x, w }) => x + w))) - name.x;
  let [whole, last] = [name, name];
  for (let lines = 1; lines < 3; lines += 1) {
    const line = last;
    const next = rows
      .slice(line.row + 1, line.row + 4)
      .filter((row) => row.page === name.page && row.y - line.y < 1.8 * line.h)
      .flatMap(({ cells }) => cells)
      .find(({ x, w, h }) => {
        const isUnder =
          Math.abs(x - line.x) < 0.3 * h || Math.abs(x + w / 2 - line.x - line.w / 2) < 0.3 * h;
        return isUnder && Math.abs(h - line.h) < 0.1 * h;
      });
    const first = next?.words[0];
    // A line that had room for the next word ends what it says.
    if (!next || !first || line.w + 0.3 * line.h + first.w < 0.35 * width) return null;
    whole = cellFrom([...whole.words, ...next.words], name.row);
    if (LEGAL_FORM.test(whole.plain)) return hadNoRoom(rows, line, next) ? whole : null;
    last = next;
  }
  return null;
}

/** The cell that contains these words, including their label. */
const cellOf = (rows: readonly Row[], { row, words, ...cell }: Cell): Cell =>
  rows[row]?.cells.find((one) => one.words.includes(words[0] as Word)) ?? { row, words, ...cell };

/** The beginning of the line immediately below a name, in letters of the same size. */
function lineUnder(rows: readonly Row[], name: Cell, own: Cell): Cell | undefined {
  return rows
    .slice(name.row + 1, name.row + 3)
    .filter(({ page, y }) => page === name.page && y - name.y < 2.2 * name.h)
    .flatMap(({ cells }) => cells)
    .filter((cell) => isAligned(cell, name) || isAligned(cell, own))
    .flatMap((cell) => segmentsOf(cell).slice(0, 1))
    .find(({ kind }) => kind === null);
}

/** The line immediately above a name, which may be its beginning. */
function lineOver(rows: readonly Row[], name: Cell): Cell | undefined {
  return rows
    .slice(Math.max(0, name.row - 2), name.row)
    .filter(({ page, y }) => page === name.page && name.y - y < 1.7 * name.h)
    .flatMap(({ cells }) => cells)
    .find(
      (cell) =>
        isAligned(cell, name) &&
        isCapital(cell) === isCapital(name) &&
        isName(cell) &&
        !LEGAL_FORM.test(cell.plain) &&
        labelledNot(rows, cell),
    );
}

/** Their left or right edges are aligned, in letters of the same size. */
function isAligned(one: Cell, other: Cell): boolean {
  const [a, b] = [one.words[0]?.h ?? 0, other.words[0]?.h ?? 0];
  const isFlush =
    Math.abs(one.x - other.x) < 0.6 * b || Math.abs(one.x + one.w - other.x - other.w) < 0.3 * b;
  return isFlush && Math.abs(a - b) < 0.15 * b;
}

/** Whether a name ends where none can, or is a person's without both surnames, and the other line may continue it. */
function isHalfName(
  { plain, words }: Cell,
  rest: Cell,
  { isPerson }: { readonly isPerson: boolean },
): boolean {
  if (!isName(rest) || rest.words.length > 3 || /\d/.test(rest.plain)) return false;
  // Holders of a Spanish personal NIF nearly all have two surnames.
  const isShort = isPerson && words.length < 3 && !LEGAL_FORM.test(plain);
  return /\s(de|del|la|las|los|el|y|e)$/.test(plain) || lacksSurname(plain) || isShort;
}

/** Whether the legal form of a name ends only in its second line. */
function isFormOf(both: Cell, name: Cell): boolean {
  const form = LEGAL_FORM.exec(both.plain.replace(/[,;:]+$/, ''))?.[0];
  const own = LEGAL_FORM.exec(name.plain)?.[0] ?? '';
  const rest = both.plain.slice(name.plain.length).replace(/^[,;:\s]+|[,;:]+$/g, '');
  return form !== undefined && form.trim().length > own.trim().length && form.includes(rest);
}

/** The person described by the labels of a role. */
function labelledPerson(
  rows: readonly Row[],
  labelled: readonly Labelled[],
  role: 'client' | 'issuer',
): Person | null {
  const all = labelled
    .filter((one) =>
      // Issuers do not put labels on their own data, unless the label says that the data are theirs.
      role === 'issuer' ? one.role === 'issuer' : one.role === 'client' || one.role === null,
    )
    .filter(({ kind, said }) => kind !== 'client' || !isContact(rows, said));
  // Whoever stays or is treated does not pay if somebody else is billed.
  const isBilled = ({ kind, said }: Labelled) => kind === 'client' && !GUEST.test(said.plain);
  const mine = all.some(isBilled)
    ? all.filter((one) => one.kind !== 'client' || isBilled(one))
    : all;
  const isFit = ({ value }: Labelled) => isName(value);
  const name =
    mine.find((one) => one.kind === 'name' && isFit(one)) ??
    mine.find((one) => one.kind === role && one.isBeside && isFit(one)) ??
    mine.find((one) => one.kind === role && isFit(one) && likeness(one.value, true) > 0);
  const street =
    mine.find(
      ({ kind, value }) => kind === 'street' && !/\b(factura|fecha|nif)\b/.test(value.plain),
    ) ??
    // «Domicilio del cliente».
    mine.find(
      ({ value, said }) =>
        /^(domicilio|direccion|adreca)/.test(said.plain) && isStreet(value.plain),
    );
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

const GUEST = /^(huesped|asegurad[oa]|abonad[oa]|propietari[oa]|usuari[oa])/;

const nameOf = (rows: readonly Row[], name: Labelled) => named(withRest(rows, name));

/** The address below a name. */
function placeUnder(rows: readonly Row[], name: Cell): Pick<Party, 'direccion'> {
  const { direccion } = personIn(walkDown(rows, name), {});
  return direccion?.[0] && !isTown(direccion[0].plain) ? { direccion } : {};
}

const isNear = (cell: Segment, other: Segment | undefined) =>
  other !== undefined && cell.page === other.page && Math.abs(cell.row - other.row) <= 3;

/** Adds what did not fit beside its label and is in the row below, where no other label begins. */
function withRest(rows: readonly Row[], { kind, value, isBeside, said }: Labelled): Cell {
  const next = rows[value.row + 1];
  const town =
    townUnder(rows, value) ?? (kind === 'street' ? streetUnder(rows, value, said) : undefined);
  if (town) return cellFrom([...value.words, ...town.words], value.row);
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
    (kind === 'street' ||
      kind === 'town' ||
      isUnfinished(value.plain) ||
      (isName(below) && !isStreet(below.plain)));
  return isRest ? cellFrom([...value.words, ...below.words], value.row) : value;
}

/** The town of an address whose line ends in its postcode, at the start of the next line. */
function townUnder(rows: readonly Row[], value: Cell): Cell | undefined {
  const next = rows[value.row + 1];
  const own = rows[value.row]?.cells.find(({ x, w }) => x <= value.x && x + w >= value.x);
  if (!own || next?.page !== value.page || next.y - value.y > 1.9 * value.h) return undefined;
  if (!endsInPostcode(value)) return undefined;
  return next.cells.find((one) => Math.abs(one.x - own.x) < 0.6 * value.h && isRestOfTown(one));
}

/** The rest of an address that began after its label, in the same cell, and goes on below that label. */
function streetUnder(rows: readonly Row[], value: Cell, said: Cell): Cell | undefined {
  const next = rows.slice(value.row + 1, value.row + 3).find(({ cells }) => cells.some(isUnder));
  const below = next?.cells.find(isUnder);
  if (!below || said.row !== value.row || said.x + said.w < value.x || hasTown(value))
    return undefined;
  const isRest = /,$|\s(de|del|la|las|los)$/.test(value.plain) || hasTown(below);
  const isLabelled = segmentsOf(below).some(({ kind }) => kind !== null);
  return isRest && !isLabelled && labelOf(below.plain) === null ? below : undefined;

  function isUnder({ page, x, y }: Cell): boolean {
    return page === said.page && Math.abs(x - said.x) < 0.6 * said.h && y - said.y < 1.9 * said.h;
  }
}

/** Names above an address, as in the window of an envelope, except the issuer's. */
function addressees(rows: readonly Row[], ofIssuer: ReadonlySet<Word>): Candidate[] {
  return rows
    .flatMap(({ cells }) => cells)
    .filter((cell) => isTown(cell.plain) || isTownAbroad(rows, cell))
    .filter(({ words }) => !words.some((word) => ofIssuer.has(word)))
    .filter((cell) => roleOver(rows, cell) !== 'other')
    .flatMap((cell, i): Candidate[] => {
      const above = walkUp(rows, cell);
      const sender = above.findLastIndex((one) => senderIn(one) !== null);
      const below = walkDown(rows, cell).slice(0, 1).filter(isRegion);
      const person = personIn([...above.slice(sender + 1), cell, ...below], {});
      const isWhole = person.nombre && (person.direccion?.length ?? 0) > 1;
      return isWhole ? [{ ...person, weight: WEIGHT.window - 0.1 * i }] : [];
    });
}
