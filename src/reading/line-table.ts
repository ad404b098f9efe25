import type { FoundLine } from './line-items.ts';
import type { Word } from './shapes.ts';
import { rateOf, undotted } from './values.ts';
import { plainOf, type Row, wordGap } from './words.ts';

/**
 * The lines of a table whose columns are told by what multiplies, in all its rows together, and not by
 * their headings, which are no more than a hint.
 */

/** A number on the paper, with what is stuck to it. */
interface Figure {
  readonly value: number;
  /** Plain decimal text. */
  readonly text: string;
  readonly decimals: number;
  readonly mark: '' | '%' | '€' | 'unit';
  readonly x: number;
  readonly right: number;
  readonly h: number;
  readonly row: number;
  readonly words: readonly Word[];
  /** Among words, as the 5 of «Cable de 5 m». */
  readonly isInText: boolean;
}

/** Figures one under another. */
interface Track {
  readonly figures: ReadonlyMap<number, Figure>;
  readonly x: number;
  readonly right: number;
}

/** Which track is what; the net amount is worked out where only one with tax is printed. */
interface Roles {
  readonly quantity: number;
  readonly price: number;
  readonly discount: number | null;
  readonly net: number | null;
  readonly gross: number | null;
  readonly rate: number | null;
}

const UNITS =
  'h|hr|hrs|hora|horas|ud|uds|u|und|unid|unidad|unidades|kg|g|l|m|ml|m2|m²|m3|m³|dia|dias|mes|meses|caja|cajas|pza|pzas|pcs|units?|unitats?|hores|km|t';
const UNIT = new RegExp(`^(${UNITS})\\.?$`);
const GLUED = new RegExp(`^([-−]?\\d[\\d.,]*)(${UNITS})\\.?$`);
const NUMBER = /^[-−–(]?[€]?\d[\d.,']*\)?-?$/;
const RATES = [21, 10, 4, 5, 7.5, 2, 0, 7, 3, 9.5, 15, 20, 13.5, 8, 1, 0.5];
const STOP =
  /base imp|sub-?\s?total|\btotal\b|\bsuma\b|^base\b|\b(iva|igic|ipsi|vat) (al )?\d|\d ?% (de )?(iva|igic)|impuestos|importe (neto|bruto)|\birpf\b|retenci|recargo|\bvat\b|total (capitulo|partida)/;
/** Over several lines, and of none of them. */
const SECTION = /^(capitulo|partida|obra|albaran|seccion|fase|zona|apartado|grupo)\b.*\d|:$/;
/** What a column's heading hints at. */
const HINTS: readonly (readonly [keyof Roles, RegExp])[] = [
  ['price', /prec|preu|\bp\.? ?u|pvp|tarifa|unitari|price|rate\b|coste/],
  ['quantity', /cant|unid|\buds?\b|qty|quant|unit|ctd|horas|num/],
  ['discount', /dto|dcto|desc|dte|disc|bonif|rebaja/],
  ['gross', /con iva|iva inc|gross|con impuestos/],
  ['rate', /iva|igic|tipo|vat|impto|ipsi/],
  ['net', /import|total|net|base|amount|valor/],
];

/** Readings of the lines, likeliest first; which one is right, the sums tell. */
export interface Tables {
  /** Of rows that all multiply, then with one or two solved from the rest, then of amounts alone; worked out as asked for. */
  readonly readings: Iterable<readonly FoundLine[]>;
  /** Of rows that multiply, with those that do not as they are printed: for when no sum can tell. */
  readonly asPrinted: readonly (readonly FoundLine[])[];
}

export function findTables(rows: readonly Row[]): Tables {
  const point = pointOf(rows);
  const gap = gapOf(rows);
  const figures = rows.map((row, index) => figuresOf(row, index, { point, gap }));
  const tracks = tracksOf(figures);
  const sheet: Sheet = { gap, rows, figures, tracks };
  const tables = rolesOf(sheet).map((roles) => {
    const anchors = rows.flatMap((_, i) => (makesLine(sheet, roles, i) ? [i] : []));
    return { roles, anchors, doubts: doubtsOf(sheet, roles, anchors) };
  });
  function* readings() {
    for (const { roles, anchors } of tables) yield linesAt(sheet, anchors, roles);
    for (const { roles, anchors, doubts } of tables.slice(0, 3))
      for (const mended of combinations(doubts))
        if (mended.size <= anchors.length) yield linesAt(sheet, anchors, roles, mended);
    yield* charges(sheet);
  }
  const asPrinted = tables.map(({ roles, anchors, doubts }) => {
    const mended = new Map(doubts.map(({ row, ways: [way] }) => [row, way as Mended]));
    return linesAt(sheet, anchors, roles, mended).map((line) =>
      line.isSolved ? { ...line, addsUp: false } : line,
    );
  });
  return {
    readings: readings(),
    asPrinted: asPrinted.filter((lines) => lines.length > 0),
  };
}

/** What a line comes to when one of its figures was not legible. */
interface Mended {
  readonly quantity: string;
  readonly price: string;
  readonly discount: string | null;
  readonly net: number;
}

/** A row among those that multiply which does not, and the ways in which it would. */
interface Doubt {
  readonly row: number;
  readonly ways: readonly Mended[];
}

/** How far below the last row that multiplies another line may stand. */
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

function waysOf(sheet: Sheet, roles: Roles, row: number): Mended[] {
  const [q, p] = [at(sheet, roles.quantity, row), at(sheet, roles.price, row)];
  const [printed, less] = [at(sheet, roles.net, row), at(sheet, roles.discount, row)];
  const net = printed && isAmount(printed) && printed.value !== 0 ? printed : null;
  const left = 1 - Math.abs(less?.value ?? 0) / 100;
  const discount = less && less.value !== 0 ? less.text.replace('-', '') : null;
  const ways: Mended[] = [];
  const put = (quantity: string | null, price: string | null, amount: number) => {
    if (quantity !== null && price !== null) ways.push({ quantity, price, discount, net: amount });
  };
  if (net && q && p && roles.discount !== null && !discount) {
    const lost = neat(100 * (1 - net.value / (q.value * p.value)), 0);
    if (lost !== null && Number(lost) > 0 && Number(lost) <= 60)
      ways.push({ quantity: q.text, price: p.text, discount: lost, net: net.value });
  }
  if (net && q && q.value !== 0) put(q.text, neat(net.value / q.value / left, 2), net.value);
  if (net && p && p.value !== 0) put(neat(net.value / p.value / left, 0), p.text, net.value);
  if (q && p && q.value * p.value !== 0) put(q.text, p.text, cents(netOf(q, p, less)) / 100);
  if (net && p && p.value !== 0) put(neat(net.value / p.value / left, 2), p.text, net.value);
  return ways;
}

/** With so many decimals and no more; null for what has others, is nothing, or is beyond any line. */
function neat(value: number, decimals: number): string | null {
  const scale = 10 ** decimals;
  const rounded = Math.round(value * scale) / scale;
  const isExact = Math.abs(value - rounded) < 1e-7 * Math.max(1, Math.abs(value));
  return isExact && rounded !== 0 && Math.abs(rounded) < 1e7 ? String(rounded) : null;
}

/** The ways together of one or two rows. More bad ones than that are a bad reading. */
function combinations(doubts: readonly Doubt[]): Map<number, Mended>[] {
  if (doubts.length === 0 || doubts.length > 4) return [];
  const sets = (from: readonly Doubt[]): Map<number, Mended>[] =>
    from.reduce<Map<number, Mended>[]>(
      (all, { row, ways }) =>
        all.flatMap((set) => ways.slice(0, 3).map((way) => new Map([...set, [row, way]]))),
      [new Map()],
    );
  const one = doubts.map((doubt) => [doubt]);
  const two = doubts.flatMap((a, i) => doubts.slice(i + 1).map((b) => [a, b]));
  return [...one, ...two].flatMap(sets);
}

interface Sheet {
  /** Heights of letter between words; more than that parts columns. */
  readonly gap: number;
  readonly rows: readonly Row[];
  readonly figures: readonly (readonly Figure[])[];
  readonly tracks: readonly Track[];
}

/** The mark before the cents in most of the amounts. */
function pointOf(rows: readonly Row[]): ',' | '.' {
  let commas = 0;
  for (const { words } of rows)
    for (const { text } of words) {
      if (/\d,\d{2}(?!\d)/.test(text)) commas += 1;
      else if (/\d\.\d{2}(?!\d)/.test(text)) commas -= 1;
    }
  return commas >= 0 ? ',' : '.';
}

/** What parts columns, in heights of letter: more than what stands between the words of this document. */
function gapOf(rows: readonly Row[]): number {
  const all = rows.map(({ words }) => words);
  const usual = wordGap(all, 1.4);
  // Scanned letters of one width.
  if (usual > 0.65) return Math.min(1.5, 1.4 * usual);
  return Math.min(0.74, Math.max(0.5, 1.4 * wordGap(all, 0.75)));
}

function figuresOf(
  { words }: Row,
  row: number,
  { point, gap }: { point: ',' | '.'; gap: number },
): Figure[] {
  const found: Figure[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const from = i;
    const first = words[i] as Word;
    const glued = GLUED.exec(first.text.toLowerCase());
    let text = glued?.[1] ?? first.text;
    let mark: Figure['mark'] = glued ? 'unit' : '';
    const isNext = (most: number) => {
      const [here, next] = [words[i], words[i + 1]];
      return here && next && next.x - here.x - here.w < most * first.h ? next.text : null;
    };
    if (/^[-−–]$/.test(text) && /^\d/.test(isNext(0.7) ?? '')) {
      i += 1;
      text = `-${words[i]?.text}`;
    }
    if (/%$/.test(text)) mark = '%';
    else if (/€$|^€/.test(text)) mark = '€';
    const bare = text.replace(/[€%\s]|EUR$/g, '').replace(/[−–]/g, '-');
    const number = NUMBER.test(bare) ? numberOf(bare, point) : null;
    if (!number) {
      i = from;
      continue;
    }
    const after = isNext(Math.max(0.9, gap))?.toLowerCase() ?? '';
    const tail = after === '%' ? '%' : /^(€|eur|euros?)$/.test(after) ? '€' : null;
    if (tail) {
      mark = tail;
      i += 1;
    } else if (UNIT.test(plainOf(after)) && mark === '') {
      const [unit, next] = [words[i + 1] as Word, words[i + 2]];
      if (!next || next.x - unit.x - unit.w > gap * first.h) {
        mark = 'unit';
        i += 1;
      }
    }
    const [before, last, next] = [words[from - 1], words[i] as Word, words[i + 1]];
    const isWord = (word: Word | undefined) =>
      word !== undefined && /\p{L}|^[-–.,/]$/u.test(word.text);
    const near = gap * first.h;
    found.push({
      ...number,
      ...{ mark, row, h: first.h, x: first.x, right: last.x + last.w },
      words: words.slice(from, i + 1),
      isInText:
        (isWord(before) && first.x - (before as Word).x - (before as Word).w < near) ||
        (isWord(next) && (next as Word).x - last.x - last.w < near),
    });
  }
  return found;
}

/** `'1.234,50'` as its mark of decimals says; null for what is no number. */
function numberOf(
  bare: string,
  point: ',' | '.',
): { value: number; text: string; decimals: number } | null {
  const isNegative = /^[-(]|-$/.test(bare);
  const digits = bare.replace(/[-()]/g, '').replace(/'/g, '');
  const other = point === ',' ? '.' : ',';
  const grouped = new RegExp(`^\\d{1,3}(\\${other}\\d{3})+(\\${point}\\d+)?$`);
  let plain = digits;
  if (grouped.test(digits)) plain = digits.replaceAll(other, '');
  else if (digits.includes(other) && digits.includes(point)) return null;
  plain = plain.replace(',', '.');
  if (!/^\d+(\.\d{1,6})?$/.test(plain)) return null;
  const text = `${isNegative ? '-' : ''}${plain}`;
  return { value: Number(text), text, decimals: plain.split('.')[1]?.length ?? 0 };
}

/** Where figures stand one under another: at their right, their left or their middle. */
function tracksOf(figures: readonly (readonly Figure[])[]): Track[] {
  const rows = figures.filter((row) => row.some(isAmount));
  // Rows of many figures are lines rather than sums.
  const weight = ({ row }: Figure) => figures[row]?.length ?? 1;
  let left = rows.flat().filter((one) => !one.isInText || (isAmount(one) && one.decimals === 2));
  const tracks: Track[] = [];
  const edges = [
    ({ right }: Figure) => right,
    ({ x }: Figure) => x,
    ({ x, right }: Figure) => (x + right) / 2,
  ];
  while (left.length > 0 && tracks.length < 14) {
    let best: Figure[] = [];
    let most = 0;
    for (const edge of edges) {
      const sorted = [...left].sort((a, b) => edge(a) - edge(b));
      let from = 0;
      let heft = 0;
      for (let to = 0; to < sorted.length; to += 1) {
        const last = sorted[to] as Figure;
        heft += weight(last);
        while (edge(last) - edge(sorted[from] as Figure) > 0.45 * last.h) {
          heft -= weight(sorted[from] as Figure);
          from += 1;
        }
        if (heft > most) {
          best = sorted.slice(from, to + 1);
          most = heft;
        }
      }
    }
    const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1] as number;
    const x = median(best.map((one) => one.x));
    const right = median(best.map((one) => one.right));
    const all = left.filter((one) => best.includes(one) || isUnder(one, { x, right }));
    const byRow = new Map<number, Figure>();
    for (const one of all) {
      const rival = byRow.get(one.row);
      if (!rival || (best.includes(one) && !best.includes(rival))) byRow.set(one.row, one);
    }
    const taken = new Set(byRow.values());
    left = left.filter((one) => !taken.has(one));
    tracks.push({ figures: byRow, x, right });
  }
  return tracks;
}

/** By more than half of the narrower of both. */
function isUnder(one: Figure, { x, right }: { x: number; right: number }): boolean {
  const shared = Math.min(one.right, right) - Math.max(one.x, x);
  return shared > 0.5 * Math.min(one.right - one.x, right - x);
}

const isAmount = ({ decimals, mark }: Figure) => decimals >= 2 && mark !== '%' && mark !== 'unit';

const at = ({ tracks }: Sheet, track: number | null, row: number): Figure | undefined =>
  track === null ? undefined : tracks[track]?.figures.get(row);

/** Do the figures of a row make a line? */
function makesLine(sheet: Sheet, roles: Roles, row: number): boolean {
  const [quantity, price] = [at(sheet, roles.quantity, row), at(sheet, roles.price, row)];
  if (!quantity || !price) return false;
  const made = netOf(quantity, price, at(sheet, roles.discount, row));
  const net = at(sheet, roles.net, row);
  if (roles.net !== null) return net !== undefined && net.value !== 0 && isNear(made, net.value);
  const [gross, rate] = [at(sheet, roles.gross, row), at(sheet, roles.rate, row)];
  return (
    gross !== undefined &&
    rate !== undefined &&
    gross.value !== 0 &&
    isNear(made * (1 + rate.value / 100), gross.value)
  );
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
            ...{ quantity, price, discount, net: last, gross: null, rate: null },
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

/** Rows that multiply; then, what headings, units and habits hint at. */
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

/** What stands over a track, right above its first line. */
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

/** The rows as lines, with the text that belongs to each. */
function linesAt(
  sheet: Sheet,
  legible: readonly number[],
  roles: Roles | { readonly net: number },
  mended: ReadonlyMap<number, Mended> = new Map(),
): FoundLine[] {
  const { rows, tracks } = sheet;
  const rateTrack = rateTrackOf(sheet, legible, roles);
  const anchors = [...legible, ...mended.keys()].sort((a, b) => a - b);
  // Columns that are nothing of ours: quotas, codes, amounts with tax.
  const ours: (number | null)[] = Object.values(roles);
  const columns = tracks.filter(
    ({ figures }, track) =>
      ours.includes(track) || anchors.filter((i) => figures.has(i)).length >= 0.6 * anchors.length,
  );
  const rest = new Map(
    anchors.map((i): [number, Word[]] => {
      const taken = new Set(
        columns.flatMap(({ figures }) => {
          const one = figures.get(i);
          return one && (!one.isInText || isAmount(one)) ? one.words : [];
        }),
      );
      return [
        i,
        withoutMarks(
          (rows[i] as Row).words.filter(
            (word) => !taken.has(word) && !(mended.has(i) && isSpoilt(word)),
          ),
          sheet.gap,
        ),
      ];
    }),
  );
  const own = withoutCodes([...rest], sheet);
  // Where a figure of ours should stand, and what stands there is none.
  function isSpoilt({ text, x, w }: Word): boolean {
    return (
      /\d/.test(text) &&
      ours.some((track) => {
        const one = track === null ? undefined : tracks[track];
        return one !== undefined && x < one.right && x + w > one.x;
      })
    );
  }
  const texts = textsOf(sheet, anchors, own);
  return anchors.flatMap((i): FoundLine[] => {
    const row = rows[i] as Row;
    const description = (texts.get(i) ?? []).join(' ').trim();
    const rate = at(sheet, rateTrack, i)?.value ?? rateSaid(row);
    const rateBps = rate === null ? null : rateOf(String(rate).replace('.', ','));
    const common = { description, rateBps, words: row.words, addsUp: true };
    if (!/\p{L}{2}/u.test(description)) return [];
    if (!('quantity' in roles)) {
      const amount = at(sheet, roles.net, i) as Figure;
      const totalCents = BigInt(Math.round(amount.value * 100));
      return [{ ...common, quantity: '1', price: amount.text, totalCents }];
    }
    const solved = mended.get(i);
    if (solved) {
      const { discount, net, ...figures } = solved;
      const totalCents = BigInt(cents(net));
      return [{ ...common, ...figures, ...(discount && { discount }), totalCents, isSolved: true }];
    }
    const [quantity, price] = [at(sheet, roles.quantity, i), at(sheet, roles.price, i)];
    if (!quantity || !price) return [];
    const discount = at(sheet, roles.discount, i);
    const amount = at(sheet, roles.net, i)?.value ?? netOf(quantity, price, discount);
    return [
      {
        ...common,
        ...{ quantity: quantity.text, price: price.text },
        ...(discount && discount.value !== 0 && { discount: discount.text.replace('-', '') }),
        totalCents: BigInt(cents(amount)),
      },
    ];
  });
}

/** Ties away from zero, whatever a float makes of them. */
function cents(amount: number): number {
  const size = Math.round(Math.abs(amount) * 100 + 1e-6);
  return amount < 0 && size > 0 ? -size : size;
}

function rateTrackOf(
  sheet: Sheet,
  anchors: readonly number[],
  roles: Roles | { readonly net: number },
): number | null {
  if ('rate' in roles && roles.rate !== null) return roles.rate;
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

/** Without units, marks and taxes that stand in a column of their own. */
function withoutMarks(all: readonly Word[], gap: number): Word[] {
  const isFar = (word: Word | undefined, next: Word | undefined) =>
    !word || !next || next.x - word.x - word.w > gap * next.h;
  const words = all.filter((_, i) => {
    // «IVA 21 %»
    const tax = [i, i - 1, i - 2].find((k) => isTaxName(all[k]) && isFar(all[k - 1], all[k]));
    return (
      tax === undefined ||
      !all.slice(tax + 1, i + 1).every(({ text }) => /^[\d.,]*%?$/.test(text)) ||
      !/\d/.test(all[tax + 1]?.text ?? '')
    );
  });
  return words.filter((word, i) => {
    const [before, next] = [words[i - 1], words[i + 1]];
    const isApart =
      (!before || word.x - before.x - before.w > gap * word.h) &&
      (!next || next.x - word.x - word.w > gap * word.h);
    const plain = undotted(plainOf(word.text));
    if (/^[-–—%€]+$/.test(plain)) return !isApart;
    return !(isApart && (UNIT.test(plain) || /^(iva|igic|ipsi|vat)$/.test(plain)));
  });
}

const isTaxName = (word: Word | undefined) =>
  word !== undefined && /^(iva|igic|ipsi|vat)$/.test(undotted(plainOf(word.text)));

/** Without the column of codes: one word in each row, and what follows begins at one place. */
function withoutCodes(
  rest: readonly (readonly [number, readonly Word[]])[],
  { rows, gap }: Sheet,
): Map<number, readonly Word[]> {
  const full = rest.filter(([, words]) => words.length > 0);
  const isCode = ({ text }: Word) => /^[\p{L}\d][\p{L}\d./-]*$/u.test(text) && /\d/.test(text);
  const isApart = ([, [first, next]]: readonly [number, readonly Word[]]) =>
    first !== undefined &&
    isCode(first) &&
    (next === undefined || next.x - first.x - first.w > gap * first.h);
  const starts = full.flatMap(([, words]) => (words[1] ? [words[1].x] : []));
  const h = rows[full[0]?.[0] ?? 0]?.h ?? 10;
  const isColumn =
    full.length > 0 &&
    full.every(isApart) &&
    (starts.length === 0 || Math.max(...starts) - Math.min(...starts) < 0.5 * h);
  return new Map(rest.map(([i, words]) => [i, isColumn ? words.slice(1) : words]));
}

/** The words of each line, from its own row and from those that wrap around it. */
function textsOf(
  { rows, figures }: Sheet,
  anchors: readonly number[],
  own: ReadonlyMap<number, readonly Word[]>,
): Map<number, string[]> {
  const say = (words: readonly Word[]) => words.map(({ text }) => text).join(' ');
  const texts = new Map(anchors.map((i) => [i, [say(own.get(i) ?? [])]]));
  const lefts = anchors.flatMap((i) => own.get(i)?.[0]?.x ?? []).sort((a, b) => a - b);
  const left = lefts[lefts.length >> 1] ?? null;
  const isLine = new Set(anchors);
  const from = Math.max(0, (anchors[0] ?? 0) - 3);
  const to = Math.min(rows.length - 1, (anchors.at(-1) ?? 0) + 4);
  const isText = (i: number) => {
    const row = rows[i] as Row;
    const x = row.words[0]?.x ?? 0;
    return (
      !isLine.has(i) &&
      row.cells.length === 1 &&
      !SECTION.test(row.plain) &&
      !(figures[i] ?? []).some((one) => isAmount(one) && !one.isInText) &&
      (left === null || Math.abs(x - left) < 0.6 * row.h)
    );
  };
  const step = (i: number) => {
    const [a, b] = [rows[i] as Row, rows[i + 1]];
    return b && a.page === b.page ? b.y - a.y : Number.POSITIVE_INFINITY;
  };
  const [between, within]: [number[], number[]] = [[], []];
  for (let i = from; i < to; i += 1) {
    if (isLine.has(i) && isLine.has(i + 1)) between.push(step(i));
    else if ((isLine.has(i) || isText(i)) && (isLine.has(i + 1) || isText(i + 1)))
      within.push(step(i));
  }
  const h = rows[anchors[0] ?? 0]?.h ?? 10;
  const apart = Math.min(...between);
  // Half a step where figures stand in the middle of what wraps. Printers round to their dots.
  const halves = within.filter((one) => one < 0.9 * h);
  const steps = within.filter((one) => one >= 0.9 * h);
  const wrap = halves.length > 0 ? 2 * Math.max(...halves) : Math.min(...steps);
  const reach =
    wrap < Math.min(1.65 * h, apart - 0.06 * h)
      ? Math.min(wrap + 0.12 * h, apart - 0.03 * h)
      : 0.7 * h;
  let i = from;
  while (i <= to) {
    let end = i;
    while (end < to && step(end) <= reach && (isText(end + 1) || isLine.has(end + 1))) end += 1;
    const block = Array.from({ length: end - i + 1 }, (_, k) => i + k);
    const [line, ...more] = block.filter((k) => isLine.has(k));
    if (line !== undefined && more.length === 0) {
      texts.set(
        line,
        block
          .filter((k) => k === line || isText(k))
          .map((k) => (k === line ? say(own.get(k) ?? []) : (rows[k] as Row).text))
          .filter(Boolean),
      );
    }
    i = end + 1;
  }
  for (const line of anchors) {
    const isEmpty = !/\p{L}{2}/u.test((texts.get(line) ?? []).join(' '));
    if (isEmpty && (own.get(line) ?? []).length === 0) texts.set(line, centred(rows, line, isText));
  }
  return texts;
}

/** The rows of text with their middle at a row of figures: as many above it as below. */
function centred(rows: readonly Row[], line: number, isText: (row: number) => boolean): string[] {
  const middle = rows[line] as Row;
  const placed = (i: number) => {
    const row = rows[i];
    return row && row.page === middle.page && isText(i) ? row : null;
  };
  const centre = ({ y, h }: Row) => y + h / 2;
  const texts: string[] = [];
  let [top, bottom] = [middle, middle];
  let reach = 2 * middle.h;
  for (let far = 1; ; far += 1) {
    const [above, below] = [placed(line - far), placed(line + far)];
    if (!above || !below) return texts;
    const [up, down] = [centre(top) - centre(above), centre(below) - centre(bottom)];
    if (Math.abs(up - down) > 0.4 * middle.h || Math.max(up, down) > reach) return texts;
    texts.unshift(above.text);
    texts.push(below.text);
    // Between two lines of it, and not between it and another.
    if (far === 1) reach = 1.1 * (up + down);
    [top, bottom] = [above, below];
  }
}

/** Rows of a description and an amount, up to each place where the sums may begin. */
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
      // Sums under their headings.
      const isUnderStop =
        !/\p{L}{2}/u.test(row.text) && STOP.test(undotted(rows[i - 1]?.plain ?? ''));
      if (!isUnderStop && one.value !== 0) found.push(i);
    }
    if (found.length > 0) ends.push(found);
    return ends.slice(0, 8).map((anchors) => linesAt(sheet, anchors, { net }));
  });
}
