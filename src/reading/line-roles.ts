import { at, type Figure, isAmount, type Sheet, type Track } from './line-figures.ts';
import { cents, discountText, isNear, netOf, type Priced } from './line-priced.ts';
import { undotted } from './values.ts';
import { plainOf, type Row } from './words.ts';

/** Which column of a table is the quantity, which the price and so on, by the rows in which they multiply. */

/** The track of each part. The net amount is worked out where only an amount with tax is printed. */
export interface Roles {
  readonly quantity: number;
  readonly price: number;
  readonly discount: number | null;
  readonly net: number | null;
  readonly gross: number | null;
  readonly rate: number | null;
}

const RATES = [21, 10, 4, 5, 7.5, 2, 0, 7, 3, 9.5, 15, 20, 13.5, 8, 1, 0.5];
const NAMES_OF_TAXES = /iva|igic|ipsi|vat|tipo|impto/;
/** What a column's heading hints at. */
const HINTS: readonly (readonly [keyof Roles, RegExp])[] = [
  [
    'price',
    /prec|preu|\bp\.? ?u|p\.?v\.?p|tarifa|unitari|price|rate\b|coste|(€|eur|euros) ?\/ ?[a-z]/,
  ],
  [
    'quantity',
    /cant|unid|\buds?\b|qty|quant|unit|ctd|horas|num|\b(litros|kilos|kgs?|kwh|metros|m[23]|dias|noches|bultos)\b/,
  ],
  ['discount', /dto|dcto|desc|dte|disc|bonif|rebaja/],
  ['gross', /con iva|iva inc|gross|con impuestos/],
  ['rate', /iva|igic|tipo|vat|impto|ipsi/],
  ['net', /import|total|net|base|amount|valor/],
];

/** The ways to read the columns that make most rows multiply, best first. */
export function rolesOf(sheet: Sheet): Roles[] {
  const { rows, tracks } = sheet;
  const tried = new Map<string, Roles>();
  for (const row of rows.keys()) {
    const here = [...tracks.keys()].filter((track) => at(sheet, track, row));
    if (here.length < 3 || here.length > 12) continue;
    for (const roles of rolesIn(sheet, here, row)) tried.set(JSON.stringify(roles), roles);
  }
  return [...tried.values()]
    .map((roles) => ({ roles, score: scoreOf(sheet, roles) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 6)
    .map(({ roles }) => roles);
}

/** The roles with which the figures of one row multiply. */
function* rolesIn(sheet: Sheet, here: readonly number[], row: number): Generator<Roles> {
  const tracksOf = (fits: (figure: Figure) => boolean) =>
    here.filter((track) => fits(at(sheet, track, row) as Figure));
  const rates = tracksOf(({ value }) => RATES.includes(value) && value !== 0);
  for (const { amount, ...factors } of factorTracks(tracksOf)) {
    const readings: Roles[] = [
      { ...factors, net: amount, gross: null, rate: null },
      ...without(rates, amount, ...Object.values(factors)).map((rate) => ({
        ...factors,
        net: null,
        gross: amount,
        rate,
      })),
    ];
    yield* readings.filter((roles) => productIn(sheet, roles, row));
  }
}

/** The tracks of one row that by the look of their figures may be a quantity, a price, a discount and their amount. */
function* factorTracks(
  tracksOf: (fits: (figure: Figure) => boolean) => readonly number[],
): Generator<Pick<Roles, 'quantity' | 'price' | 'discount'> & { amount: number }> {
  const prices = tracksOf(isPrice);
  const amounts = tracksOf(isAmount);
  const discounts = tracksOf(isPerCent);
  for (const quantity of tracksOf(isQuantity))
    for (const price of without(prices, quantity))
      for (const amount of without(amounts, quantity, price))
        for (const discount of [null, ...without(discounts, quantity, price, amount)])
          yield { quantity, price, discount, amount };
}

const without = (tracks: readonly number[], ...taken: readonly (number | null)[]) =>
  tracks.filter((track) => !taken.includes(track));

const isQuantity = ({ mark }: Figure) => mark !== '%' && mark !== '€';
/** «45 €» is one too, and so is what may have lost its mark on a scan. */
const isPrice = (figure: Figure) =>
  figure.mark !== '%' &&
  figure.mark !== 'unit' &&
  (figure.decimals >= 2 || figure.mark === '€' || mayHaveLostMark(figure));
const isPerCent = ({ value, mark }: Figure) =>
  Math.abs(value) < 100 && (mark === '%' || mark === '');

/** A quantity and a price. */
type Factors = readonly [quantity: Figure, price: Figure];

/** A row whose figures multiply. */
interface Product {
  readonly row: number;
  readonly printed: Factors;
  /** As printed, or reinterpreted so that they produce the amount. */
  readonly factors: Factors;
  readonly discount: Figure | undefined;
  /** As printed, or reinterpreted so that the factors produce it. */
  readonly net: Figure | undefined;
}

/** The figures of a row, if they make a line. */
export function productIn(sheet: Sheet, roles: Roles, row: number): Product | null {
  const of = (role: keyof Roles) => at(sheet, roles[role], row);
  const [quantity, price, discount, net] = [of('quantity'), of('price'), of('discount'), of('net')];
  if (!quantity || !price) return null;
  const printed: Factors = [quantity, price];
  if (roles.net !== null) {
    const made = net && net.value !== 0 ? madeOf(printed, { discount, net }) : null;
    return made && { row, printed, discount, ...made };
  }
  const [gross, rate] = [of('gross'), of('rate')];
  if (!gross || !rate || gross.value === 0) return null;
  const made = netOf(quantity, price, discount) * (1 + rate.value / 100);
  return isNear(made, gross.value) ? { row, printed, factors: printed, discount, net } : null;
}

export function pricedOf({ row, factors: [quantity, price], discount, net }: Product): Priced {
  return {
    row,
    quantity: quantity.text,
    price: price.text,
    discount: discountText(discount),
    cents: cents(net?.value ?? netOf(quantity, price, discount)),
    taken: [],
  };
}

/**
 * The factors that produce the amount of a line, or null: as printed, with a minus sign that was not seen on the
 * quantity, or with decimal marks that were not seen, as in `125` for 12,5 and `9000` for 9,000.
 */
function madeOf(
  [quantity, price]: Factors,
  { discount, net }: { readonly discount: Figure | undefined; readonly net: Figure },
): Pick<Product, 'factors' | 'net'> | null {
  const prices = [price, ...(hasLostMark(price) ? [times(price, 0.01)] : [])];
  const factors = prices.flatMap((p) =>
    quantitiesOf(quantity).flatMap((q): Factors[] => [
      [q, p],
      [times(q, -1), p],
    ]),
  );
  for (const made of amountsOf(net))
    for (const [q, p] of factors)
      if (isNear(netOf(q, p, discount), made.value)) return { factors: [q, p], net: made };
  return null;
}

function quantitiesOf(printed: Figure): readonly Figure[] {
  const { decimals, value } = printed;
  if (decimals > 0) return [printed];
  const places = [1, 2, 3].filter((count) => Math.abs(value) >= 10 ** count);
  return [printed, ...places.map((count) => times(printed, 10 ** -count))];
}

/** What an amount without decimals may be. On a scan, it has rather lost its mark than been printed without it. */
export function amountsOf(net: Figure): readonly Figure[] {
  if (!mayHaveLostMark(net)) return [net];
  return [{ ...times(net, 0.01), decimals: 2 }, net];
}

const hasLostMark = ({ value, decimals }: Figure) => decimals === 0 && Math.abs(value) >= 100;

const mayHaveLostMark = (figure: Figure) =>
  hasLostMark(figure) && figure.words.some(({ paper }) => paper);

/** A figure reinterpreted, with as many decimals as it needs. */
function times(figure: Figure, factor: number): Figure {
  const value = Math.round(figure.value * factor * 1000) / 1000;
  return { ...figure, value, text: String(value) };
}

/** Counts the rows that multiply; habits, headings and the order of the columns decide between equal counts. */
function scoreOf(sheet: Sheet, roles: Roles): number {
  const products = [...sheet.rows.keys()].flatMap((row) => productIn(sheet, roles, row) ?? []);
  const [first] = products;
  const share = first ? sum(products.flatMap(pointsOf)) / products.length : 0;
  const hints = [
    roles.gross === null ? 0.3 : 0,
    roles.discount === null ? 0 : -0.02,
    ...orderPoints(sheet, roles),
    ...(first ? headingPoints(sheet, roles, first.row) : []),
  ];
  return products.length + (share - 1) + sum(hints);
}

/** How usual the figures of a line are. */
function pointsOf({ printed, factors, discount }: Product): number[] {
  const [quantity, price] = printed;
  const claims: readonly (readonly [boolean, number])[] = [
    [true, 1],
    [Number.isInteger(quantity.value), 0.1],
    [Math.abs(quantity.value) > 1000, -0.05],
    [quantity.mark === 'unit', 0.1],
    [quantity.decimals !== 2, 0.03],
    [price.mark === '€', 0.1],
    // Figures as printed are preferred to figures reinterpreted.
    [factors.some((one, i) => one !== printed[i]), -0.3],
    [price.value < 0, -0.2],
    [discount !== undefined && discount.value !== 0, 0.02],
  ];
  return claims.flatMap(([holds, points]) => (holds ? [points] : []));
}

/** From left to right: quantity, price, amount. */
function orderPoints({ tracks }: Sheet, roles: Roles): number[] {
  const [quantity, price] = [tracks[roles.quantity], tracks[roles.price]];
  const amount = tracks[roles.net ?? roles.gross ?? 0];
  if (!quantity || !price || !amount) return [];
  return [
    quantity.x < price.x ? 0.03 : 0,
    price.x < amount.x ? 0.04 : 0,
    quantity.x < amount.x ? 0.04 : 0,
  ];
}

/** Whether the headings say what each column was taken for, or something else. */
function headingPoints(sheet: Sheet, roles: Roles, firstRow: number): number[] {
  return HINTS.map(([role, name]) => {
    const track = sheet.tracks[roles[role] ?? -1];
    const heading = track ? headingOf(sheet, track, firstRow) : '';
    const hinted = HINTS.find(([, hint]) => hint.test(heading))?.[0];
    if (name.test(heading)) return hinted === role ? 0.12 : 0.04;
    return hinted ? -0.06 : 0;
  });
}

const sum = (points: readonly number[]) => points.reduce((all, one) => all + one, 0);

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

/** The column of rates, by its heading or its per cent signs, if the roles do not say which it is. */
export function rateTrackOf(
  sheet: Sheet,
  anchors: readonly number[],
  roles: Partial<Roles>,
): number | null {
  if (roles.rate !== undefined && roles.rate !== null) return roles.rate;
  const taken: (number | null)[] = Object.values(roles);
  const isRate = (figure: Figure | undefined) =>
    figure && RATES.includes(figure.value) && figure.decimals <= 2 && figure.mark !== '€';
  const [best] = [...sheet.tracks.entries()]
    .filter(
      ([i, { figures }]) => !taken.includes(i) && anchors.every((row) => isRate(figures.get(row))),
    )
    .map(([i, track]) => {
      const isMarked = anchors.every((row) => track.figures.get(row)?.mark === '%');
      const isNamed = NAMES_OF_TAXES.test(headingOf(sheet, track, anchors[0] ?? 0));
      return { i, sure: (isMarked ? 1 : 0) + (isNamed ? 2 : 0) };
    })
    .filter(({ sure }) => sure > 0)
    .sort((a, b) => b.sure - a.sure);
  return best?.i ?? null;
}
