import { absCents, divRound, parsePlainDecimal } from '../domain/money.ts';
import type { FoundLine } from './line-items.ts';
import type { Tramo, Word } from './shapes.ts';
import { amountOf, decimalOf, rateOf, undotted } from './values.ts';
import { overlaps, type Row } from './words.ts';

/** A printed amount, in cents. */
interface Amount {
  readonly cents: bigint;
  readonly words: readonly Word[];
  readonly row: number;
  /** In the row of the label of a total, not below it. */
  readonly isBeside?: true;
}

export interface Sum {
  readonly cents: bigint;
  readonly words: readonly Word[];
}

export interface Sums {
  readonly tramos: readonly Tramo[];
  readonly base: Sum | null;
  readonly quota: Sum | null;
  readonly total: Sum | null;
  readonly retencion: (Sum & { readonly rateBps: bigint }) | null;
  /** Laid out for the client: part of what is paid, not of the total. */
  readonly suplidosCents?: bigint;
  readonly addsUp: boolean;
  readonly impuesto: 'IVA' | 'IGIC' | 'IPSI';
}

const IVA = [2100n, 1000n, 400n, 500n, 750n, 200n];
const IGIC = [700n, 300n, 500n, 950n, 1500n, 2000n, 1350n];
const IPSI = [50n, 100n, 200n, 400n, 800n, 1000n];
/** Recargo de equivalencia of each rate (Ley 37/1992, art. 161). */
const RECARGO: ReadonlyMap<bigint, bigint> = new Map([
  [2100n, 520n],
  [1000n, 140n],
  [400n, 50n],
]);

const TOTAL = /\btotal\b|\bliquido\b|\bimporte (total|a pagar|de la factura)\b|\ba pagar\b/;
const PARTIAL =
  /sub-?\s?total|total (base|(iva|igic|ipsi|impuestos?)(?! incl)|bruto|neto|sin|cuota|retenc|descuento|recargo|lineas?|uds|unidades)|suma y sigue|importe neto/;
const BASE = /\bbase\b|sub-?\s?total|total (neto|sin)|importe neto|\bneto\b|bruto/;
const RETENTION = /i\.?\s?r\.?\s?p\.?\s?f|retenci/;
/** Kept back until a work has stood for some time: no tax. */
const KEPT = /\bgarantia/;
const LAID_OUT = /\bsuplid/;
const APART = /\bsuplid|\bgarantia|\bprovision(es)? de fondos|\ba cuenta\b|\banticip/;
const RECARGO_NAME = /recargo|\bre\b|\br\.?\s?e\.?\b|equiv|\brec\b/;
const TAX = /\b(iva|ive|igic|ipsi)(?![a-z])/;
/** What is charged without any tax. */
const UNTAXED = /exent|no sujet|inversion del sujeto|\b0([.,]00?)?\s*%/;
const PER_CENT = /(\d{1,2}(?:[.,]\d{1,2})?)\s*%/g;
/** How a label goes on that begins with «Total» in a line of its own. */
const END_OF_TOTAL = /^(factura|a pagar|general|documento|eur(os)?|con iva|iva incl\w*)\b/;
/** Lines of text are further apart than this, in letter heights. */
const HALF_LINE = 0.9;
/** One cent for rounding the group, another for what its lines may have lost. */
const SLACK = 2n;

/**
 * Bases, quotas, retention and total: the interpretation of the printed amounts that adds up.
 *
 * @param lines what the lines charge: a base may be printed nowhere else
 */
export function findSums(printed: readonly Row[], lines: readonly FoundLine[] = []): Sums {
  const rows = printed.map((row) => ({
    ...row,
    plain: undotted(row.plain),
    cells: row.cells.map((cell) => ({ ...cell, plain: undotted(cell.plain) })),
  }));
  const sums = sumsIn(rows, lines, amountsOf);
  if (sums.addsUp) return sums;
  const unrounded = sumsIn(rows, lines, unroundedOf);
  return unrounded.addsUp ? unrounded : sums;
}

function sumsIn(
  rows: readonly Row[],
  lines: readonly FoundLine[],
  amountsIn: (row: Row, index: number) => Amount[],
): Sums {
  const text = rows.map(({ plain }) => plain).join('\n');
  const impuesto = /\bigic\b/.test(text) ? 'IGIC' : /\bipsi\b/.test(text) ? 'IPSI' : 'IVA';
  const allowed = { IVA, IGIC, IPSI }[impuesto];
  const amounts = rows.map(amountsIn);
  const all = amounts.flat();

  const totals = totalCandidates(rows, amounts);
  const retencion = findRetention(rows, amounts);
  const sheet: Sheet = { rows, amounts, all, allowed, totals, charged: chargedBy(lines) };
  const found = { retencion, impuesto } as const;
  const tramos = findTramos(sheet);
  const withheld = retencion?.cents ?? 0n;
  const settled = settledApart(rows, amounts)
    .map(({ cents, laidOutCents }) => ({ cents: withheld + cents, laidOutCents }))
    .filter(({ cents }) => cents !== 0n);
  /** Adds up to a total, but a larger total is printed. */
  let lesser: Sums | null = null;
  for (const set of subsets(tramos)) {
    const due = set.reduce(
      (sum, one) => sum + one.baseCents + one.quotaCents + one.recargoCents,
      0n,
    );
    const said = totals.filter(({ cents }) => near(cents, due));
    const leaves = (one: Amount, less: bigint) => near(absCents(one.cents), absCents(due) - less);
    const apart = settled.find(({ cents }) => totals.some((one) => leaves(one, cents)));
    const net = totals.filter((one) => apart !== undefined && leaves(one, apart.cents));
    if (set.length === 0 || (said.length === 0 && net.length === 0)) continue;
    const total = said.at(-1) ?? all.findLast(({ cents }) => near(cents, due));
    const sums = sumsOf(set, {
      all,
      total: total ?? { cents: due, words: net.at(-1)?.words ?? [] },
      addsUp: !isExceeded(due + (apart?.laidOutCents ?? 0n), sheet),
      suplidosCents: apart?.laidOutCents ?? 0n,
      ...found,
    });
    if (sums.addsUp) return sums;
    lesser ??= sums;
  }
  // If it adds up to less than another total, somebody should look at it.
  for (const find of [byQuotas, byLines, byCombination, byRate, exempt, partlyExempt(tramos)]) {
    const sums = find(sheet, found);
    if (sums?.addsUp) return sums;
    lesser ??= sums;
  }
  return (
    lesser ??
    misreadTotal(sheet, tramos, found) ??
    // With several rates, the base of one of them would be taken for that of the invoice, so none is returned.
    sumsOf(hasOneRate(sheet, tramos, lines) ? tramos.slice(0, 1) : [], {
      all,
      total: totals.at(-1) ?? null,
      addsUp: false,
      ...found,
    })
  );
}

/** Whether a row says «total» beside a larger amount: then `due` is a part of it, and nobody knows which part. */
function isExceeded(due: bigint, { totals }: Pick<Sheet, 'totals'>): boolean {
  return totals.some(({ cents, isBeside }) => isBeside && absCents(cents) > absCents(due) + SLACK);
}

/** By whatever was legible of the sums: rates may be named for which no base was found. */
function hasOneRate(
  { rows, allowed }: Sheet,
  tramos: readonly FoundTramo[],
  lines: readonly FoundLine[],
): boolean {
  const named = rows.flatMap((row) =>
    (TAX.test(row.plain) || BASE.test(row.plain)) && !RETENTION.test(row.plain)
      ? [...row.plain.matchAll(PER_CENT)].map((match) => rateOf(match[1] ?? ''))
      : [],
  );
  const rates = new Set([
    ...tramos.map(({ rateBps }) => rateBps),
    ...lines.flatMap(({ rateBps }) => rateBps ?? []),
    ...named.filter((rate) => rate !== null && allowed.includes(rate)),
  ]);
  return rates.size <= 1;
}

/** All that the search looks at. */
interface Sheet {
  readonly rows: readonly Row[];
  /** By row. */
  readonly amounts: readonly (readonly Amount[])[];
  readonly all: readonly Amount[];
  /** Rates that the tax has. */
  readonly allowed: readonly bigint[];
  readonly totals: readonly Amount[];
  readonly charged: Charged;
}

type Rest = Pick<Sums, 'retencion' | 'impuesto'>;

/** What the lines add up to, by rate and in all; null where they do not tell. */
interface Charged {
  readonly byRate: ReadonlyMap<bigint, bigint>;
  readonly whole: bigint | null;
}

function chargedBy(lines: readonly FoundLine[]): Charged {
  const byRate = new Map<bigint, bigint>();
  if (lines.length === 0 || !lines.every(({ addsUp }) => addsUp)) return { byRate, whole: null };
  for (const { rateBps, totalCents } of lines) {
    if (rateBps !== null) byRate.set(rateBps, (byRate.get(rateBps) ?? 0n) + totalCents);
  }
  const isTold = lines.every(({ rateBps }) => rateBps !== null);
  return {
    byRate: isTold ? byRate : new Map(),
    whole: lines.reduce((sum, { totalCents }) => sum + totalCents, 0n),
  };
}

function amountsOf(row: Row, index: number): Amount[] {
  return row.words.flatMap((word, i) => {
    const next = row.words[i + 1]?.text ?? '';
    if (/%/.test(word.text) || /^%/.test(next)) return [];
    const cents = amountOf(word.paper ? withoutStroke(word.text, next) : word.text);
    // A minus sign set apart, as in justified figures.
    const isNegative = row.words[i - 1]?.text === '-' && cents !== null;
    return cents === null
      ? []
      : [{ cents: isNegative ? -cents : cents, words: [word], row: index }];
  });
}

/** What a spreadsheet prints in the rows of the sums, as `900,5`, `600` or `189,105`. A scan has rather lost a mark. */
function unroundedOf(row: Row, index: number): Amount[] {
  const isOfSums = [TOTAL, BASE, TAX, RETENTION].some((name) => name.test(row.plain));
  if (!isOfSums || row.words.some(({ paper }) => paper)) return amountsOf(row, index);
  return row.words.flatMap((word, i) => {
    if (/%/.test(word.text) || /^%/.test(row.words[i + 1]?.text ?? '')) return [];
    const cents = amountOf(word.text) ?? centsOf(decimalOf(word.text) ?? '');
    return cents === null ? [] : [{ cents, words: [word], row: index }];
  });
}

function centsOf(plain: string): bigint | null {
  const micros = parsePlainDecimal(plain, 6);
  return micros === null ? null : divRound(micros, 10_000n);
}

/** `'40,603€'` or `'40,603 €'` in a picture: sums have two decimals, and part of the euro sign was also read as a figure. */
function withoutStroke(text: string, next: string): string {
  return /€$/.test(text) || /^€/.test(next)
    ? text.replace(/(?<=^-?[\d.]*\d,\d{2})\d(?=€?$)/, '')
    : text;
}

/** Amounts labelled as a total, the most certain last: the largest, and of equal ones the lowest on the page. */
function totalCandidates(rows: readonly Row[], amounts: readonly Amount[][]): Amount[] {
  const found = rows.flatMap((row, i) => {
    const anchors = row.cells.filter(({ plain }) => TOTAL.test(plain) && !PARTIAL.test(plain));
    return anchors.flatMap((anchor) => {
      const beside =
        [i, ...besideTwoLines(rows, amounts, i)]
          .map((at) => (amounts[at] ?? []).filter(({ words }) => (words[0]?.x ?? 0) > anchor.x))
          .find((found) => found.length > 0) ?? [];
      if (beside.length > 0)
        return beside.slice(-1).map((one): Amount => ({ ...one, isBeside: true }));
      // Below its label, as in a table of totals.
      return amounts
        .slice(i + 1, i + 4)
        .flat()
        .filter(
          ({ words: [word] }) =>
            word &&
            word.page === row.page &&
            word.x + word.w > anchor.x - anchor.h &&
            word.x < anchor.x + anchor.w + 4 * anchor.h,
        )
        .slice(0, 2);
    });
  });
  return found.sort((a, b) => compare(absCents(a.cents), absCents(b.cents)) || a.row - b.row);
}

/** The rows of amounts beside a label that takes two lines: beside its middle, or its end. */
function besideTwoLines(
  rows: readonly Row[],
  amounts: readonly (readonly Amount[])[],
  i: number,
): number[] {
  const [row, next] = [rows[i], rows[i + 1]];
  const isHalfLine = (other: Row | undefined) =>
    row !== undefined &&
    other?.page === row.page &&
    Math.abs(other.y - row.y) < HALF_LINE * row.h &&
    !/\p{L}/u.test(other.plain.replace(/\beur\b/g, ''));
  const isEnd =
    row?.page === next?.page && row?.words.length === 1 && END_OF_TOTAL.test(next?.plain ?? '');
  return [i + 1, i - 1].filter(
    (at) =>
      (amounts[at]?.length ?? 0) > 0 && (isHalfLine(rows[at]) || (isEnd && rows[at] === next)),
  );
}

/** A difference between the total of an invoice and what is paid in the end. */
interface Apart {
  /** How much less is paid. */
  readonly cents: bigint;
  /** What was laid out for the client, which is paid as well. */
  readonly laidOutCents: bigint;
}

/** What was paid already, is kept back or was laid out for the client, in all the ways in which it adds up. */
function settledApart(rows: readonly Row[], amounts: readonly Amount[][]): Apart[] {
  const apart = rows.flatMap(({ plain }, i): Apart[] => {
    const printed = amounts[i]?.at(-1)?.cents;
    const isTax = RETENTION.test(plain) && !KEPT.test(plain);
    if (printed === undefined || isTax || !APART.test(plain)) return [];
    const cents = absCents(printed);
    return LAID_OUT.test(plain)
      ? [{ cents: -cents, laidOutCents: cents }]
      : [{ cents, laidOutCents: 0n }];
  });
  const ways: Apart[] = [{ cents: 0n, laidOutCents: 0n }];
  for (const one of apart.slice(0, 4))
    ways.push(
      ...ways.map((way) => ({
        cents: way.cents + one.cents,
        laidOutCents: way.laidOutCents + one.laidOutCents,
      })),
    );
  return ways;
}

function findRetention(rows: readonly Row[], amounts: readonly Amount[][]) {
  for (const [i, row] of rows.entries()) {
    if (!RETENTION.test(row.plain) || KEPT.test(row.plain)) continue;
    const rate = [...row.plain.matchAll(PER_CENT)]
      .map((match) => rateOf(match[1] ?? ''))
      .find((bps) => bps !== null);
    const strip = (amounts[i] ?? []).length === 0 ? retentionUnder(rows, amounts, i) : null;
    if (strip) return strip;
    const label = row.cells.find(({ plain }) => RETENTION.test(undotted(plain)));
    const under = (amounts[i + 1] ?? []).find(
      ({ words: [word] }) => label && word?.page === row.page && overlaps(label, word),
    );
    const printed = (amounts[i] ?? []).at(-1) ?? under;
    if (!rate || !printed || printed.cents === 0n) continue;
    return { cents: absCents(printed.cents), words: printed.words, rateBps: rate };
  }
  return null;
}

/** Below headings: the rate under that of the retention, and in the same row the amount that it makes of another. */
function retentionUnder(rows: readonly Row[], amounts: readonly Amount[][], heading: number) {
  const [head, row, here] = [rows[heading], rows[heading + 1], amounts[heading + 1] ?? []];
  const labels = head?.cells.filter(({ plain }) => RETENTION.test(undotted(plain))) ?? [];
  const rates = row?.words.filter(
    (word) => word.page === head?.page && labels.some((label) => overlaps(label, word)),
  );
  for (const rate of rates ?? []) {
    const rateBps = rateOf(rate.text);
    if (rateBps === null || rateBps === 0n) continue;
    const withheld = here.findLast(
      ({ cents, words }) =>
        !words.includes(rate) &&
        here.some((base) => isQuota(absCents(base.cents), rateBps, absCents(cents))),
    );
    if (withheld) return { cents: absCents(withheld.cents), words: withheld.words, rateBps };
  }
  return null;
}

interface FoundTramo extends Tramo {
  readonly baseWords: readonly Word[];
  readonly quotaWords: readonly Word[];
}

/** The possible pairs of base and quota of each rate. */
function findTramos(sheet: Sheet): FoundTramo[] {
  const { rows, amounts, all, allowed, charged } = sheet;
  const bases = rows.flatMap((row, i) => (BASE.test(row.plain) ? (amounts[i] ?? []) : []));
  const found = rows.flatMap((row, i) => {
    if (RETENTION.test(row.plain)) return [];
    const here = amounts[i] ?? [];
    const isHeaded = !/%/.test(row.plain);
    const headed = isHeaded ? here.flatMap((quota) => tramosUnder(sheet, quota)) : [];
    const named = ratesIn(row, allowed).flatMap((rateBps) => {
      const pairs = here.flatMap((base) =>
        here
          .filter((quota) => quota !== base && isQuota(base.cents, rateBps, quota.cents))
          .map((quota) => tramoOf(rateBps, base, quota)),
      );
      if (pairs.length > 0) return pairs;
      const isRecargo = RECARGO_NAME.test(row.plain) && !TAX.test(row.plain);
      const ofLines = [charged.byRate.get(rateBps), charged.whole].flatMap((cents): Amount[] =>
        cents === undefined || cents === null ? [] : [{ cents, words: [], row: -1 }],
      );
      // The quota in one row, its base in another.
      return here.flatMap((quota) =>
        isRecargo
          ? []
          : [...bases, ...all, ...ofLines]
              .filter((base) => base.row !== i && isQuota(base.cents, rateBps, quota.cents))
              .slice(0, 1)
              .map((base) => tramoOf(rateBps, base, quota)),
      );
    });
    return [...named, ...headed];
  });
  return withRecargo(sheet, unique(found));
}

/** For rates that head their columns: the quota is below its rate, with its base above, below or beside it. */
function tramosUnder({ rows, all, allowed }: Sheet, quota: Amount): FoundTramo[] {
  const [word] = quota.words;
  if (!word) return [];
  for (const row of rows.slice(Math.max(0, quota.row - 3), quota.row).reverse()) {
    const head = row.cells.find((cell) => cell.page === word.page && overlaps(cell, word));
    if (!head || RETENTION.test(head.plain)) continue;
    const named = [...head.plain.matchAll(PER_CENT)].map((match) => rateOf(match[1] ?? ''));
    const rate = allowed.find((one) => named.includes(one));
    const isRecargo = RECARGO_NAME.test(head.plain) && !TAX.test(head.plain);
    if (rate === undefined || isRecargo) continue;
    const base = all.find(
      (one) =>
        one !== quota &&
        Math.abs(one.row - quota.row) <= 3 &&
        isQuota(one.cents, rate, quota.cents),
    );
    return base ? [tramoOf(rate, base, quota)] : [];
  }
  return [];
}

function ratesIn(row: Row, allowed: readonly bigint[]): bigint[] {
  const named = [...row.plain.matchAll(PER_CENT)].map((match) => rateOf(match[1] ?? ''));
  const bare = row.words.map(({ text }) => rateOf(text));
  return allowed.filter((rate) => [...named, ...bare].includes(rate));
}

/** Each with its recargo, and also without it, in case that amount is something else. */
function withRecargo({ rows, all }: Sheet, tramos: readonly FoundTramo[]): FoundTramo[] {
  if (!rows.some(({ plain }) => RECARGO_NAME.test(plain))) return [...tramos];
  return tramos.flatMap((tramo) => {
    const rate = RECARGO.get(tramo.rateBps);
    const recargo =
      rate && all.find(({ cents }) => cents !== 0n && isQuota(tramo.baseCents, rate, cents));
    return recargo ? [{ ...tramo, recargoCents: recargo.cents }, tramo] : [tramo];
  });
}

/** Sets with at most one of each rate, trying large bases first. They are few, so all are tried. */
function* subsets(tramos: readonly FoundTramo[]): Generator<FoundTramo[]> {
  const byRate = [...new Set(tramos.map(({ rateBps }) => rateBps))].map((rate) =>
    tramos
      .filter(({ rateBps }) => rateBps === rate)
      .sort((a, b) => compare(absCents(b.baseCents), absCents(a.baseCents)))
      .slice(0, 6),
  );
  const choose = function* (at: number, chosen: FoundTramo[]): Generator<FoundTramo[]> {
    const group = byRate[at];
    if (!group) {
      yield chosen;
      return;
    }
    for (const one of group) yield* choose(at + 1, [...chosen, one]);
    yield* choose(at + 1, chosen);
  };
  yield* choose(0, []);
}

/** Quotas of several rates with a single base for all: each rate's own base is worked out. */
function byQuotas(sheet: Sheet, found: Rest): Sums | null {
  const { rows, amounts, all, allowed, totals, charged } = sheet;
  const named = (isTax: (plain: string) => boolean, rates: readonly bigint[]) =>
    rows.flatMap((row, i) => {
      const here = amounts[i] ?? [];
      const [rate, ...more] = ratesIn(row, rates);
      const quota = here[0];
      return isTax(row.plain) && quota && here.length === 1 && rate && more.length === 0
        ? [{ rate, quota }]
        : [];
    });
  const isRecargo = (plain: string) => RECARGO_NAME.test(plain) && !TAX.test(plain);
  const quotas = named((plain) => TAX.test(plain) && !RETENTION.test(plain), allowed);
  const recargos = named(isRecargo, [...RECARGO.values()]);
  if (quotas.length === 0) return null;
  const tax = quotas.reduce((sum, { quota }) => sum + quota.cents, 0n);
  const more = recargos.reduce((sum, { quota }) => sum + quota.cents, 0n);
  const withheld = found.retencion?.cents ?? 0n;
  const ofLines: Amount[] =
    charged.whole === null ? [] : [{ cents: charged.whole, words: [], row: -1 }];
  for (const total of [...totals].reverse()) {
    const dues = withheld === 0n ? [total.cents] : [total.cents, total.cents + withheld];
    const due = dues.find((cents) => baseOf(cents) !== undefined);
    const base = due === undefined ? undefined : baseOf(due);
    if (due === undefined || !base) continue;
    const bases = quotas.map(({ rate, quota }) => divRound(quota.cents * 10_000n, rate));
    const off = base.cents - bases.reduce((sum, cents) => sum + cents, 0n);
    // Half a cent of a quota at 4 % is twelve cents of its base.
    if (absCents(off) > 30n * BigInt(quotas.length)) continue;
    const tramos = quotas.map(({ rate, quota }, i) => ({
      rateBps: rate,
      baseCents: charged.byRate.get(rate) ?? (bases[i] ?? 0n) + (i === 0 ? off : 0n),
      quotaCents: quota.cents,
      recargoCents: recargos.find((one) => one.rate === RECARGO.get(rate))?.quota.cents ?? 0n,
    }));
    const quota = { cents: tax, words: quotas[0]?.quota.words ?? [] };
    const said = due === total.cents ? total : { cents: due, words: total.words };
    return { tramos, base, quota, total: said, addsUp: !isExceeded(due, sheet), ...found };
  }
  return null;

  function baseOf(due: bigint): Amount | undefined {
    return [...all, ...ofLines].find(({ cents }) => cents !== 0n && near(cents, due - tax - more));
  }
}

/** What is due, as printed; or by what is left of it after the retention. */
function totalOf(due: bigint, totals: readonly Amount[], { retencion }: Rest): Sum | undefined {
  const printed = totals.findLast(({ cents }) => near(cents, due));
  if (printed || !retencion) return printed;
  const net = totals.findLast(({ cents }) =>
    near(absCents(cents), absCents(due) - retencion.cents),
  );
  return net && { cents: due, words: net.words };
}

/** For rates that only the lines state: with their taxes, they add up to the printed total. */
function byLines({ rows, all, totals, charged }: Sheet, found: Rest): Sums | null {
  const hasRecargo = rows.some(({ plain }) => RECARGO_NAME.test(plain));
  const groups = [...charged.byRate].map(([rateBps, baseCents]): Tramo => {
    const part = (bps: bigint) => divRound(baseCents * bps, 10_000n);
    const recargo = hasRecargo ? (RECARGO.get(rateBps) ?? 0n) : 0n;
    return { rateBps, baseCents, quotaCents: part(rateBps), recargoCents: part(recargo) };
  });
  if (groups.length === 0) return null;
  const sum = (of: (group: Tramo) => bigint) => groups.reduce((cents, one) => cents + of(one), 0n);
  const [base, quota] = [sum((one) => one.baseCents), sum((one) => one.quotaCents)];
  const due = base + quota + sum((one) => one.recargoCents);
  const total = totalOf(due, totals, found);
  const placed = (cents: bigint) => all.findLast((one) => near(one.cents, cents));
  // One of the two has to be printed: from a total alone, nobody can tell its parts.
  const isPlaced = (one: { baseCents: bigint; quotaCents: bigint }) =>
    (placed(one.quotaCents) ?? placed(one.baseCents)) !== undefined;
  const isWhole = isPlaced({ baseCents: base, quotaCents: quota });
  if (!total || quota === 0n || !(isWhole || groups.every(isPlaced))) return null;
  return {
    tramos: groups,
    base: placed(base) ?? { cents: base, words: [] },
    quota: placed(quota) ?? { cents: quota, words: [] },
    total,
    addsUp: !isExceeded(due, { totals }),
    ...found,
  };
}

/** Any three amounts with base + quota = total at an existing rate: even a torn page may have them. */
function byCombination({ all, allowed, totals }: Sheet, found: Rest): Sums | null {
  for (const total of [...totals].reverse()) {
    const addsUp = !isExceeded(total.cents, { totals });
    for (const base of all.filter(({ cents }) => cents !== 0n)) {
      const quota = all.find(({ cents }) => cents !== 0n && cents === total.cents - base.cents);
      const rateBps = quota && allowed.find((rate) => isQuota(base.cents, rate, quota.cents));
      if (!quota || !rateBps || quota === base) continue;
      return sumsOf([tramoOf(rateBps, base, quota)], { all, total, addsUp, ...found });
    }
  }
  return null;
}

/** For an illegible quota: base, rate and total are printed, and leave only one possibility. */
function byRate(sheet: Sheet, found: Rest): Sums | null {
  const { rows, amounts, all, allowed, totals } = sheet;
  const taxed = rows.filter(({ plain }) => TAX.test(plain) && !RETENTION.test(plain));
  const rates = new Set(taxed.flatMap((row) => ratesIn(row, allowed)));
  const hasRecargo = rows.some(({ plain }) => RECARGO_NAME.test(plain));
  const bases = rows.flatMap((row, i) => (BASE.test(row.plain) ? (amounts[i] ?? []) : []));
  const [rateBps] = rates;
  if (rates.size !== 1 || rateBps === undefined) return null;
  for (const base of bases) {
    const part = (bps: bigint) => divRound(base.cents * bps, 10_000n);
    const recargoCents = hasRecargo ? part(RECARGO.get(rateBps) ?? 0n) : 0n;
    const quota = { cents: part(rateBps), words: [], row: -1 };
    const due = base.cents + quota.cents + recargoCents;
    const total = totals.findLast(({ cents }) => cents === due);
    if (!total || quota.cents === 0n) continue;
    const tramo = { ...tramoOf(rateBps, base, quota), recargoCents };
    return sumsOf([tramo], { all, total, addsUp: !isExceeded(due, sheet), ...found });
  }
  return null;
}

/** Bases confirmed by lines and quotas, with a total in which one or two figures were misread: somebody should look at it. */
function misreadTotal(sheet: Sheet, tramos: readonly FoundTramo[], found: Rest): Sums | null {
  const { all, totals, charged } = sheet;
  for (const set of subsets(tramos)) {
    const base = set.reduce((sum, { baseCents }) => sum + baseCents, 0n);
    if (set.length === 0 || base !== charged.whole) continue;
    const due = set.reduce((sum, one) => sum + one.quotaCents + one.recargoCents, base);
    const total = totals.find(
      ({ cents, words }) => words[0]?.paper && [1, 2].includes(figuresOff(cents, due)),
    );
    if (total)
      return sumsOf(set, { all, total: { ...total, cents: due }, addsUp: false, ...found });
  }
  return null;
}

/** In how many figures two amounts of the same length differ; infinitely many if one is longer. */
export function figuresOff(cents: bigint, other: bigint): number {
  const [one, two] = [String(cents), String(other)];
  if (one.length !== two.length) return Number.POSITIVE_INFINITY;
  return [...one].filter((char, i) => char !== two[i]).length;
}

/** No tax is charged: the total is the base. */
function exempt({ rows, amounts, totals }: Sheet, found: Rest): Sums | null {
  const text = rows.map(({ plain }) => plain).join('\n');
  if (!UNTAXED.test(text)) return null;
  const base = rows.flatMap((row, i) => (BASE.test(row.plain) ? (amounts[i] ?? []) : [])).at(-1);
  const total = totals.findLast(({ cents }) => base && near(cents, base.cents));
  if (!base || !total) return null;
  const addsUp = !isExceeded(total.cents, { totals });
  // «IVA (exento) 0,00 €»
  const zeros = rows.flatMap((row, i) => (TAX.test(row.plain) ? (amounts[i] ?? []) : []));
  const quota = zeros.find(({ cents }) => cents === 0n) ?? null;
  return { tramos: [], base, quota, total, addsUp, ...found };
}

/** Bases with a tax, and another one that has none: all together, they make the total. */
function partlyExempt(tramos: readonly FoundTramo[]) {
  return ({ rows, amounts, all, totals }: Sheet, found: Rest): Sums | null => {
    const free = rows.flatMap((row, i) =>
      UNTAXED.test(row.plain) ? (amounts[i] ?? []).filter(({ cents }) => cents !== 0n) : [],
    );
    const withheld = found.retencion?.cents ?? 0n;
    for (const set of subsets(tramos)) {
      if (set.length === 0) continue;
      const taxed = set.reduce(
        (sum, one) => sum + one.baseCents + one.quotaCents + one.recargoCents,
        0n,
      );
      for (const base of free) {
        const due = taxed + base.cents;
        const total = totals.findLast(({ cents }) => near(cents, due) || cents === due - withheld);
        if (!total || isExceeded(due, { totals })) continue;
        const untaxed = { ...tramoOf(0n, base, { ...base, cents: 0n }), quotaWords: [] };
        return sumsOf([...set, untaxed], {
          all,
          total: { cents: due, words: total.words },
          addsUp: true,
          ...found,
        });
      }
    }
    return null;
  };
}

function sumsOf(
  tramos: readonly FoundTramo[],
  rest: Pick<Sums, 'total' | 'retencion' | 'suplidosCents' | 'addsUp' | 'impuesto'> & {
    readonly all: readonly Amount[];
  },
): Sums {
  const { all, ...sums } = rest;
  const [first] = tramos;
  if (!first) return { ...sums, tramos: [], base: null, quota: null };
  const base = tramos.reduce((sum, { baseCents }) => sum + baseCents, 0n);
  const quota = tramos.reduce((sum, { quotaCents }) => sum + quotaCents, 0n);
  const place = (cents: bigint, words: readonly Word[]) =>
    tramos.length === 1 ? words : (all.findLast((one) => one.cents === cents)?.words ?? words);
  return {
    ...sums,
    tramos: tramos.map(({ rateBps, baseCents, quotaCents, recargoCents }) => ({
      rateBps,
      baseCents,
      quotaCents,
      recargoCents,
    })),
    base: { cents: base, words: place(base, first.baseWords) },
    quota: { cents: quota, words: place(quota, first.quotaWords) },
  };
}

function tramoOf(rateBps: bigint, base: Amount, quota: Amount): FoundTramo {
  return {
    rateBps,
    baseCents: base.cents,
    quotaCents: quota.cents,
    recargoCents: 0n,
    baseWords: base.words,
    quotaWords: quota.words,
  };
}

function unique(tramos: readonly FoundTramo[]): FoundTramo[] {
  const key = (one: FoundTramo) => `${one.rateBps} ${one.baseCents} ${one.quotaCents}`;
  return [...new Map(tramos.map((one) => [key(one), one])).values()];
}

function isQuota(base: bigint, rateBps: bigint, quota: bigint): boolean {
  return quota !== 0n && base !== 0n && near(divRound(base * rateBps, 10_000n), quota);
}

function near(a: bigint, b: bigint): boolean {
  return absCents(a - b) <= SLACK;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
