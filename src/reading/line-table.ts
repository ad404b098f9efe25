import { at, type Figure, isAmount, type Sheet, sheetOf, type Track } from './line-figures.ts';
import { type Formula, formulasOf } from './line-formulas.ts';
import type { FoundLine } from './line-items.ts';
import { SECTION, textsOf } from './line-texts.ts';
import type { Word } from './shapes.ts';
import { rateOf, undotted } from './values.ts';
import { plainOf, type Row } from './words.ts';

/**
 * Reads the lines of a table by finding the columns that multiply in all of its rows together. Its headings are only a
 * hint.
 */

/** Which track plays which part. The net amount is worked out where only an amount with tax is printed. */
interface Roles {
  readonly quantity: number;
  readonly price: number;
  readonly discount: number | null;
  readonly net: number | null;
  readonly gross: number | null;
  readonly rate: number | null;
}

const RATES = [21, 10, 4, 5, 7.5, 2, 0, 7, 3, 9.5, 15, 20, 13.5, 8, 1, 0.5];
const STOP =
  /base imp|\bb\. ?imp|imponible|sub-?\s?total|\btotal\b|\bsuma\b|^(base|neto)\b|\b(iva|igic|ipsi|vat) (al )?\d|\d ?% (de )?(iva|igic)|impuestos|importe (neto|bruto)|\birpf\b|retenci|recargo|\bvat\b|total (capitulo|partida)/;
/** What a column's heading hints at. */
const HINTS: readonly (readonly [keyof Roles, RegExp])[] = [
  [
    'price',
    /prec|preu|\bp\.? ?u|p\.?v\.?p|tarifa|unitari|price|rate\b|coste|(€|eur|euros) ?\/ ?[a-z]/,
  ],
  ['quantity', /cant|unid|\buds?\b|qty|quant|unit|ctd|horas|num/],
  ['discount', /dto|dcto|desc|dte|disc|bonif|rebaja/],
  ['gross', /con iva|iva inc|gross|con impuestos/],
  ['rate', /iva|igic|tipo|vat|impto|ipsi/],
  ['net', /import|total|net|base|amount|valor/],
];

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
    const anchors = rows.flatMap((_, i) =>
      makesLine(sheet, roles, i) && !isUnderTaxes(rows, i) ? [i] : [],
    );
    const lines = anchors.map((row) => pricedAt(sheet, roles, row));
    return { roles, lines, doubts: doubtsOf(sheet, roles, anchors) };
  });
  const formulas = formulasOf(sheet).map((formula) => pricedBy(formula));
  function* readings() {
    for (const { roles, lines } of tables) yield linesOf(sheet, lines, roles);
    if (formulas.length > 0) {
      yield linesOf(sheet, formulas, {});
      const ones = withOnes(sheet, formulas, { quantity: null, net: netTrackOf(sheet, formulas) });
      yield linesOf(sheet, ones, {});
    }
    for (const { roles, lines } of tables.slice(0, 3)) {
      const more = withOnes(sheet, lines, roles);
      if (more.length > lines.length) yield linesOf(sheet, more, roles);
    }
    for (const { roles, lines, doubts } of tables.slice(0, 3))
      for (const mended of [firstWays(doubts), ...combinations(doubts)])
        if (mended.length <= lines.length) yield linesOf(sheet, [...lines, ...mended], roles);
    yield* charges(sheet);
  }
  const asPrinted = tables.map(({ roles, lines, doubts }) => {
    return linesOf(sheet, [...lines, ...firstWays(doubts)], roles).map((line) =>
      line.isSolved ? { ...line, addsUp: false } : line,
    );
  });
  return {
    readings: readings(),
    asPrinted: asPrinted.filter((lines) => lines.length > 0),
  };
}

/** The amount of a line, and where it is printed. */
interface Priced {
  readonly row: number;
  readonly quantity: string;
  readonly price: string;
  readonly discount: string | null;
  readonly cents: number;
  readonly isSolved?: true;
  /** Words that do not belong to its description, wherever they are. */
  readonly taken: readonly Word[];
}

function pricedAt(sheet: Sheet, roles: Roles, row: number): Priced {
  const discount = at(sheet, roles.discount, row);
  const net = at(sheet, roles.net, row);
  const [quantity, price] = factorsOf(
    [at(sheet, roles.quantity, row) as Figure, at(sheet, roles.price, row) as Figure],
    { discount, net },
  ) as Factors;
  const amount = net?.value ?? netOf(quantity, price, discount);
  return {
    row,
    quantity: quantity.text,
    price: price.text,
    cents: cents(amount),
    taken: [],
    discount: discount && discount.value !== 0 ? discount.text.replace('-', '') : null,
  };
}

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

/** One unit of something for which only the amount is printed. */
function oneOf(row: number, amount: Figure): Priced {
  const { text, value, words } = amount;
  return {
    row,
    quantity: '1',
    price: text,
    discount: null,
    cents: cents(value),
    taken: words,
  };
}

/** Adds the rows around them that have an amount in the same column and no factors that produce it. */
function withOnes(
  sheet: Sheet,
  lines: readonly Priced[],
  {
    quantity,
    net: track,
  }: Pick<Roles, 'quantity' | 'net'> | { quantity: null; net: number | null },
): readonly Priced[] {
  const { rows, figures } = sheet;
  const [first, last] = [lines[0]?.row, lines.at(-1)?.row];
  if (track === null || first === undefined || last === undefined) return lines;
  const known = new Set(lines.flatMap(({ row, taken }) => [row, ...taken]));
  const ones: Priced[] = [];
  for (let i = Math.max(0, first - ROWS_AFTER); i <= last + ROWS_AFTER && i < rows.length; i += 1) {
    const amount = at(sheet, track, i);
    const plain = undotted(rows[i]?.plain ?? '');
    if (STOP.test(plain)) {
      if (i > last) break;
      if (i < first) ones.length = 0;
      continue;
    }
    if (!amount || known.has(i) || amount.words.some((word) => known.has(word))) continue;
    const others = (figures[i] ?? []).filter((one) => one !== amount && isAmount(one));
    if (!isAmount(amount) || amount.value === 0 || others.length > 0) continue;
    // Several units, of which the price could not be read.
    if ((at(sheet, quantity, i)?.value ?? 1) !== 1) continue;
    if (/\p{L}{2}/u.test(plain)) ones.push(oneOf(i, amount));
  }
  return [...lines, ...ones].sort((a, b) => a.row - b.row);
}

/** The track in which the amounts of formulas are aligned. */
function netTrackOf({ tracks }: Sheet, lines: readonly Priced[]): number | null {
  const words = new Set(lines.flatMap(({ taken }) => taken));
  const found = tracks.findIndex(({ figures }) =>
    [...figures.values()].some((one) => words.has(one.words[0] as Word) && isAmount(one)),
  );
  return found === -1 ? null : found;
}

/** A row that does not multiply, among others that do, and the ways in which it would. */
interface Doubt {
  readonly row: number;
  readonly ways: readonly Priced[];
}

/** How many rows below the last one that multiplies there may be another line. */
const ROWS_AFTER = 5;

function doubtsOf(sheet: Sheet, roles: Roles, anchors: readonly number[]): Doubt[] {
  const { rows } = sheet;
  const [first, last] = [anchors[0], anchors.at(-1)];
  if (first === undefined || last === undefined || roles.net === null) return [];
  const doubts: Doubt[] = [];
  for (let i = Math.max(0, first - ROWS_AFTER); i <= last + ROWS_AFTER && i < rows.length; i += 1) {
    if (anchors.includes(i)) continue;
    const name = undotted((rows[i] as Row).plain);
    if (STOP.test(name)) {
      if (i > last) break;
      if (i < first) doubts.length = 0;
      continue;
    }
    const ways = SECTION.test(name) ? [] : waysOf(sheet, roles, i);
    if (ways.length > 0) doubts.push({ row: i, ways });
  }
  return doubts;
}

function waysOf(sheet: Sheet, roles: Roles, row: number): Priced[] {
  const [q, p] = [at(sheet, roles.quantity, row), at(sheet, roles.price, row)];
  const [printed, less] = [at(sheet, roles.net, row), at(sheet, roles.discount, row)];
  const net = printed && isAmount(printed) && printed.value !== 0 ? printed : null;
  const left = 1 - Math.abs(less?.value ?? 0) / 100;
  const discount = less && less.value !== 0 ? less.text.replace('-', '') : null;
  const ways: Priced[] = [];
  const put = (
    quantity: string | null,
    price: string | null,
    amount: number,
    lost: string | null = discount,
  ) => {
    if (quantity === null || price === null) return;
    // A minus sign that was not seen belongs to the quantity: prices are not negative.
    const isFlipped = price.startsWith('-') && !quantity.startsWith('-');
    const figures = {
      quantity: isFlipped ? `-${quantity}` : quantity,
      price: isFlipped ? price.slice(1) : price,
      discount: lost,
      cents: cents(amount),
    };
    ways.push({ row, ...figures, isSolved: true, taken: spoiltIn(sheet, roles, row) });
  };
  if (net && q && p && roles.discount !== null && q.value * p.value !== 0) {
    const lost = Math.round(1000 * (1 - net.value / (q.value * p.value))) / 10;
    if (lost > 0 && lost <= 60 && isNear(q.value * p.value * (1 - lost / 100), net.value))
      put(q.text, p.text, net.value, String(lost));
  }
  // `55` for 5,5: the comma was not seen.
  if (net && q && p)
    for (const value of [q.value / 10, q.value / 100])
      if (isNear(value * p.value * left, net.value)) put(String(value), p.text, net.value);
  if (net && q && q.value !== 0) put(q.text, priceOf(net.value, q.value * left), net.value);
  if (net && p && p.value !== 0) put(neat(net.value / p.value / left, 0), p.text, net.value);
  if (q && p && q.value * p.value !== 0) put(q.text, p.text, cents(netOf(q, p, less)) / 100);
  if (net && p && p.value !== 0) put(neat(net.value / p.value / left, 2), p.text, net.value);
  if (net) put('1', net.text, net.value, null);
  return ways;
}

/** The only price to the cent that makes an amount, which is rounded; null if several do, or none. */
function priceOf(amount: number, factor: number): string | null {
  const guess = Math.round((100 * amount) / factor);
  const fitting = [guess - 1, guess, guess + 1].filter(
    (cents) => Math.abs((cents * factor) / 100 - amount) < 0.00501,
  );
  return fitting.length === 1 ? neat(guess / 100, 2) : null;
}

/** With at most this many decimals; null for a value that has more, is zero, or is too large for any line. */
function neat(value: number, decimals: number): string | null {
  const scale = 10 ** decimals;
  const rounded = Math.round(value * scale) / scale;
  const isExact = Math.abs(value - rounded) < 1e-7 * Math.max(1, Math.abs(value));
  return isExact && rounded !== 0 && Math.abs(rounded) < 1e7 ? String(rounded) : null;
}

/** The likeliest way of each row in doubt. */
const firstWays = (doubts: readonly Doubt[]) => doubts.map(({ ways: [way] }) => way as Priced);

/** The combinations of ways for one or two of the rows in doubt. With too many bad rows, the whole reading is bad. */
function combinations(doubts: readonly Doubt[]): (readonly Priced[])[] {
  if (doubts.length === 0 || doubts.length > 4) return [];
  const sets = (from: readonly Doubt[]): (readonly Priced[])[] =>
    from.reduce<(readonly Priced[])[]>(
      (all, { ways }) => all.flatMap((set) => ways.slice(0, 3).map((way) => [...set, way])),
      [[]],
    );
  const one = doubts.map((doubt) => [doubt]);
  const two = doubts.flatMap((a, i) => doubts.slice(i + 1).map((b) => [a, b]));
  return [...one, ...two].flatMap(sets);
}

/** Whether the figures of a row make a line. */
function makesLine(sheet: Sheet, roles: Roles, row: number): boolean {
  const [quantity, price] = [at(sheet, roles.quantity, row), at(sheet, roles.price, row)];
  if (!quantity || !price) return false;
  const discount = at(sheet, roles.discount, row);
  const net = at(sheet, roles.net, row);
  if (roles.net !== null)
    return (
      net !== undefined &&
      net.value !== 0 &&
      factorsOf([quantity, price], { discount, net }) !== null
    );
  const made = netOf(quantity, price, discount);
  const [gross, rate] = [at(sheet, roles.gross, row), at(sheet, roles.rate, row)];
  return (
    gross !== undefined &&
    rate !== undefined &&
    gross.value !== 0 &&
    isNear(made * (1 + rate.value / 100), gross.value)
  );
}

/** A quantity and a price. */
type Factors = readonly [Figure, Figure];

/**
 * The factors that produce the amount of a line, or null: as printed, with a minus sign that was not seen on the
 * quantity, with a quantity such as `9,000` whose comma was read as a thousands separator, or with a price that lost
 * its decimal mark.
 */
function factorsOf(
  [quantity, price]: Factors,
  { discount, net }: { discount: Figure | undefined; net: Figure | undefined },
): Factors | null {
  if (!net) return [quantity, price];
  const isMade = (q: Figure, p: Figure) => isNear(netOf(q, p, discount), net.value);
  if (isMade(quantity, price)) return [quantity, price];
  const quantities = [quantity, ...(isThousands(quantity) ? [times(quantity, 0.001)] : [])];
  const prices = [
    price,
    ...(price.decimals === 0 && price.value >= 100 ? [times(price, 0.01)] : []),
  ];
  for (const p of prices)
    for (const bare of quantities)
      for (const q of [bare, times(bare, -1)]) if (isMade(q, p)) return [q, p];
  return null;
}

const isThousands = ({ value, decimals }: Figure) =>
  decimals === 0 && Math.abs(value) >= 1000 && value % 1000 === 0;

/** A figure reinterpreted, with as many decimals as it needs. */
function times(figure: Figure, factor: number): Figure {
  const value = Math.round(figure.value * factor * 1000) / 1000;
  return { ...figure, value, text: String(value) };
}

function netOf(quantity: Figure, price: Figure, discount: Figure | undefined): number {
  return quantity.value * price.value * (1 - Math.abs(discount?.value ?? 0) / 100);
}

const isNear = (a: number, b: number) => Math.abs(a - b) < 0.016;

/** The ways to read the columns that make most rows multiply, best first. */
function rolesOf(sheet: Sheet): Roles[] {
  const { rows, tracks } = sheet;
  const tried = new Map<string, Roles>();
  for (const i of rows.keys()) {
    const here = [...tracks.keys()].filter((track) => at(sheet, track, i));
    if (here.length < 3 || here.length > 12) continue;
    for (const roles of rolesIn(sheet, here, i)) tried.set(JSON.stringify(roles), roles);
  }
  return [...tried.values()]
    .map((roles) => ({ roles, score: scoreOf(sheet, roles) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 6)
    .map(({ roles }) => roles);
}

function* rolesIn(sheet: Sheet, here: readonly number[], row: number): Generator<Roles> {
  const fits = (roles: Roles) => makesLine(sheet, roles, row);
  const one = (track: number) => at(sheet, track, row) as Figure;
  for (const quantity of here) {
    if (one(quantity).mark === '%' || one(quantity).mark === '€') continue;
    for (const price of here) {
      if (price === quantity || !isPrice(one(price))) continue;
      for (const last of here) {
        if (last === price || last === quantity || !isAmount(one(last))) continue;
        for (const discount of [null, ...here]) {
          if (discount === quantity || discount === price || discount === last) continue;
          if (discount !== null && !isPerCent(one(discount))) continue;
          const net: Roles = {
            quantity,
            price,
            discount,
            net: last,
            gross: null,
            rate: null,
          };
          if (fits(net)) yield net;
          for (const rate of here) {
            if ([quantity, price, last, discount].includes(rate)) continue;
            if (!RATES.includes(one(rate).value) || one(rate).value === 0) continue;
            const gross = { ...net, net: null, gross: last, rate };
            if (fits(gross)) yield gross;
          }
        }
      }
    }
  }
}

const isPrice = ({ decimals, mark }: Figure) => decimals >= 2 && mark !== '%' && mark !== 'unit';
const isPerCent = ({ value, mark }: Figure) =>
  Math.abs(value) < 100 && (mark === '%' || mark === '');

/** Counts the rows that multiply and then adds the hints of headings, units and habits. */
function scoreOf(sheet: Sheet, roles: Roles): number {
  const { rows, tracks } = sheet;
  let score = 0;
  const made = [...rows.keys()].filter((i) => makesLine(sheet, roles, i));
  for (const i of made) {
    const [quantity, price] = [at(sheet, roles.quantity, i), at(sheet, roles.price, i)];
    const discount = at(sheet, roles.discount, i);
    score += 1;
    if (quantity && Number.isInteger(quantity.value)) score += 0.1;
    if (quantity && Math.abs(quantity.value) > 1000) score -= 0.05;
    if (quantity?.mark === 'unit') score += 0.1;
    if (quantity && quantity.decimals !== 2) score += 0.03;
    if (price?.mark === '€') score += 0.1;
    const net = at(sheet, roles.net, i);
    // Prefers figures as printed to figures reinterpreted.
    if (quantity && price && net && !isNear(netOf(quantity, price, discount), net.value))
      score -= 0.3;
    if (price && price.value < 0) score -= 0.2;
    if (discount && discount.value !== 0) score += 0.02;
  }
  const share = made.length === 0 ? 0 : score / made.length;
  const first = made[0];
  let hints = roles.gross === null ? 0.3 : 0;
  if (roles.discount !== null) hints -= 0.02;
  const [q, p] = [tracks[roles.quantity], tracks[roles.price]];
  const last = tracks[roles.net ?? roles.gross ?? 0];
  if (q && p && last) {
    if (q.x < p.x) hints += 0.03;
    if (p.x < last.x) hints += 0.04;
    if (q.x < last.x) hints += 0.04;
  }
  if (first !== undefined) {
    for (const [role, name] of HINTS) {
      const track = roles[role] === null ? undefined : tracks[roles[role] as number];
      if (!track) continue;
      const heading = headingOf(sheet, track, first);
      if (heading === '') continue;
      const hinted = HINTS.find(([, hint]) => hint.test(heading))?.[0];
      if (name.test(heading)) hints += hinted === role ? 0.12 : 0.04;
      else if (hinted) hints -= 0.06;
    }
  }
  return made.length + (share - 1) + hints;
}

/** The text above a track, immediately over its first line. */
function headingOf({ rows }: Sheet, track: Track, first: number): string {
  const line = rows[first] as Row;
  const words: string[] = [];
  for (const row of rows.slice(Math.max(0, first - 5), first)) {
    if (row.page !== line.page || line.y - row.y > 6 * line.h || /\d{2}/.test(row.plain)) continue;
    const over = row.words.filter(
      ({ x, w }) => x < track.right + 0.8 * line.h && x + w > track.x - 0.8 * line.h,
    );
    if (over.length > 0) words.push(...over.map(({ text }) => text));
  }
  return undotted(plainOf(words.join(' ')));
}

/** Words where one of the line's figures should be, but which are not figures. */
function spoiltIn({ rows, tracks }: Sheet, roles: Partial<Roles>, row: number): Word[] {
  const ours = Object.values(roles).flatMap((track) =>
    track === null ? [] : (tracks[track] ?? []),
  );
  return (rows[row] as Row).words.filter(
    ({ text, x, w }) => /\d/.test(text) && ours.some((one) => x < one.right && x + w > one.x),
  );
}

/** The rows as lines, with the text that belongs to each. */
function linesOf(sheet: Sheet, given: readonly Priced[], roles: Partial<Roles>): FoundLine[] {
  const { rows, tracks } = sheet;
  const lines = [...given].sort((a, b) => a.row - b.row);
  const anchors = lines.map(({ row }) => row);
  const rateTrack = rateTrackOf(sheet, anchors, roles);
  // Columns that are not used here: quotas, codes, amounts with tax.
  const ours = Object.values(roles);
  const columns = tracks.filter(
    ({ figures }, track) =>
      ours.includes(track) || anchors.filter((i) => figures.has(i)).length >= 0.6 * anchors.length,
  );
  const elsewhere = new Set(lines.flatMap(({ taken }) => taken));
  const isAnchor = new Set(anchors);
  const quantities = tracks[roles.quantity ?? -1];
  const takenOf = (row: number): ReadonlySet<Word> => {
    if (!isAnchor.has(row)) return elsewhere;
    const figures = columns.flatMap((column) => {
      const one = column.figures.get(row);
      return one && (!one.isInText || isAmount(one) || column === quantities) ? one.words : [];
    });
    return new Set([...elsewhere, ...figures]);
  };
  const texts = textsOf(sheet, anchors, takenOf, columns);
  return lines.flatMap(
    ({ row: i, quantity, price, discount, cents: total, isSolved }): FoundLine[] => {
      const row = rows[i] as Row;
      const { text: description = '', words = [] } = texts.get(i) ?? {};
      if (!/\p{L}{2}/u.test(description)) return [];
      const rate = at(sheet, rateTrack, i)?.value ?? rateSaid(row);
      return [
        {
          description,
          quantity,
          price,
          addsUp: true,
          ...(discount && { discount }),
          totalCents: BigInt(total),
          rateBps: rate === null ? null : rateOf(String(rate).replace('.', ',')),
          ...(isSolved && { isSolved }),
          words: [...row.words, ...words],
        },
      ];
    },
  );
}

/** Rounds ties away from zero despite floating-point error. */
function cents(amount: number): number {
  const size = Math.round(Math.abs(amount) * 100 + 1e-6);
  return amount < 0 && size > 0 ? -size : size;
}

function rateTrackOf(
  sheet: Sheet,
  anchors: readonly number[],
  roles: Partial<Roles>,
): number | null {
  if (roles.rate !== undefined && roles.rate !== null) return roles.rate;
  const taken: (number | null)[] = Object.values(roles);
  const first = anchors[0] ?? 0;
  const fitting = [...sheet.tracks.entries()].filter(([i, track]) => {
    if (taken.includes(i)) return false;
    return anchors.every((row) => {
      const one = track.figures.get(row);
      return one && RATES.includes(one.value) && one.decimals <= 2 && one.mark !== '€';
    });
  });
  const [best] = fitting
    .map(([i, track]) => {
      const isMarked = anchors.every((row) => track.figures.get(row)?.mark === '%');
      const isNamed = /iva|igic|ipsi|vat|tipo|impto/.test(headingOf(sheet, track, first));
      return { i, sure: (isMarked ? 1 : 0) + (isNamed ? 2 : 0) };
    })
    .filter(({ sure }) => sure > 0)
    .sort((a, b) => b.sure - a.sure);
  return best?.i ?? null;
}

/** The rate in `'IVA 21 %'`. */
function rateSaid({ plain }: Row): number | null {
  const said = /\b(?:iva|igic|ipsi|vat)\s*(\d{1,2}(?:[.,]\d{1,2})?)\s*%/.exec(undotted(plain))?.[1];
  return said === undefined ? null : Number(said.replace(',', '.'));
}

/**
 * One unit of something. If there is another amount in its row, perhaps the price of several, somebody should look at
 * it.
 */
function chargeOf({ figures }: Sheet, row: number, amount: Figure): Priced {
  const others = (figures[row] ?? []).filter((one) => one !== amount && isAmount(one));
  const isDoubtful = others.some(({ value }) => value !== amount.value);
  return { ...oneOf(row, amount), ...(isDoubtful && { isSolved: true }) };
}

/** The headings of a table of taxes: at 10 %, its quota times its rate is its base. */
const TAX_HEADINGS = /base imp|\bb\. ?imp|imponible/;
const LINE_HEADINGS =
  /concept|descrip|detall|articul|product|servici|prec|preu|cant|unid|\buds?\b|price|qty/;

/** Whether only figures stand between a row and the headings of a table of taxes above it. */
function isUnderTaxes(rows: readonly Row[], row: number): boolean {
  let above = row;
  while (rows[above] && isBare(rows[above] as Row)) above -= 1;
  const plain = undotted(rows[above]?.plain ?? '');
  return above < row && TAX_HEADINGS.test(plain) && !LINE_HEADINGS.test(plain);
}

/** Contains only figures. */
const isBare = ({ text }: Row) => !/\p{L}{2}/u.test(text.replace(/\beur(os)?\b/gi, ''));

/** Rows of a description and an amount, ending at each place where the sums may begin. */
function charges(sheet: Sheet): FoundLine[][] {
  const { rows, tracks } = sheet;
  return tracks.slice(0, 6).flatMap((track, net) => {
    const found: number[] = [];
    const ends: number[][] = [];
    for (const [i, row] of rows.entries()) {
      const one = track.figures.get(i);
      if (!one || !isAmount(one)) continue;
      const name = undotted(row.plain);
      if (STOP.test(name)) {
        if (found.length > 0) ends.push([...found]);
        continue;
      }
      // Sums under their headings, perhaps in several rows.
      let above = i;
      while (rows[above] && isBare(rows[above] as Row)) above -= 1;
      const isUnderStop = above < i && STOP.test(undotted(rows[above]?.plain ?? ''));
      if (!isUnderStop && one.value !== 0) found.push(i);
    }
    if (found.length > 0) ends.push(found);
    return ends.slice(0, 8).map((anchors) =>
      linesOf(
        sheet,
        anchors.map((row) => chargeOf(sheet, row, track.figures.get(row) as Figure)),
        { net },
      ),
    );
  });
}
