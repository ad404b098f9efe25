/**
 * How often each of several invoices counts when they are named together, and some of them had replaced others.
 *
 * The amounts of one that replaced others include theirs, so each counts with what it added to those named beside it.
 */

/** How many times invoices of a set are looked at for what they had replaced of it. More are too tangled. */
const MAX_LOOKS = 10_000;

/** How many times invoices may count, all in all: as often as they do if half of 1,000 had replaced the other half. */
const MAX_TIMES = 250_000;

/** Some of the invoices, by their places. */
interface Named {
  readonly mask: bigint;
  /** How often what they amount to together counts. */
  readonly times: number;
}

/**
 * How often each counts: 1 for one that nothing beside it had replaced; 0 for one that another includes and takes the
 * place of; less if several had replaced it.
 *
 * @param replacedBy the numbers that an invoice replaces itself
 * @returns null if they had replaced each other in too many ways to tell in due time
 */
export function timesTogether<Invoice extends { readonly numSerie: string }>(
  invoices: readonly Invoice[],
  replacedBy: (invoice: Invoice) => readonly string[],
): readonly number[] | null {
  const isAlone = invoices.length < 2;
  const beside = invoices.map((invoice) =>
    isAlone ? [] : placesOf(replacedBy(invoice), invoice, invoices),
  );
  const isPlain = beside.every((places) => places.length === 0);
  return isPlain ? invoices.map(() => 1) : countedOf(beside.map(maskOf));
}

/** The places of those with these numbers, other than the invoice that had replaced them. */
function placesOf<Invoice extends { readonly numSerie: string }>(
  numbers: readonly string[],
  by: Invoice,
  invoices: readonly Invoice[],
): number[] {
  if (numbers.length === 0) return [];
  const replaced = new Set(numbers);
  const places: number[] = [];
  for (const [place, other] of invoices.entries()) {
    if (other !== by && replaced.has(other.numSerie)) places.push(place);
  }
  return places;
}

/**
 * A set amounts to each of its invoices, less what those that the invoice had replaced amount to together. Sets that
 * are reached in several ways count once, with the sum of the ways, because what is left of a set is smaller: they are
 * taken by their size.
 *
 * @param replaced by the place of an invoice, those beside it that it had replaced
 */
function countedOf(replaced: readonly bigint[]): number[] | null {
  const counted = replaced.map(() => 0);
  const bySize = Array.from({ length: replaced.length + 1 }, () => new Map<string, Named>());
  const add = (mask: bigint, times: number) => {
    const bits = mask.toString(2);
    const same = bySize[sizeOf(bits)];
    same?.set(bits, { mask, times: times + (same.get(bits)?.times ?? 0) });
  };
  add((1n << BigInt(replaced.length)) - 1n, 1);
  let looks = 0;
  for (const sets of [...bySize].reverse()) {
    for (const [bits, { mask, times }] of sets) {
      if (times === 0) continue;
      if (Math.abs(times) > MAX_TIMES) return null;
      for (const place of placesIn(bits)) {
        counted[place] = (counted[place] ?? 0) + times;
        const inside = mask & (replaced[place] ?? 0n);
        if (inside === 0n) continue;
        looks += 1;
        if (looks > MAX_LOOKS) return null;
        add(inside, -times);
      }
    }
    sets.clear();
  }
  return counted.reduce((sum, times) => sum + Math.abs(times), 0) > MAX_TIMES ? null : counted;
}

function maskOf(places: readonly number[]): bigint {
  if (places.length === 0) return 0n;
  const bits = new Uint8Array((places.at(-1) ?? 0) + 1);
  for (const place of places) bits[bits.length - 1 - place] = 1;
  return BigInt(`0b${bits.join('')}`);
}

/** The places of the ones, of which the first is the last figure. */
function placesIn(bits: string): number[] {
  const places: number[] = [];
  for (let at = bits.indexOf('1'); at !== -1; at = bits.indexOf('1', at + 1)) {
    places.push(bits.length - 1 - at);
  }
  return places;
}

function sizeOf(bits: string): number {
  return bits.replaceAll('0', '').length;
}
