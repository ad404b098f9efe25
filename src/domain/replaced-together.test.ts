import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Original, totalTogether } from './issue.ts';
import { timesTogether } from './replaced-together.ts';

interface Replacing {
  readonly numSerie: string;
  readonly replaced: readonly string[];
}

const timesOf = (all: readonly Replacing[]) => timesTogether(all, ({ replaced }) => replaced);

/** Invoices in their order, of which each replaces those at the places that are given for it. */
function story(replaced: readonly (readonly number[])[]): Replacing[] {
  return replaced.map((places, place) => ({ numSerie: `${place}`, replaced: places.map(String) }));
}

/** As many, each of which replaces those before it for which that holds. */
function storyOf(
  count: number,
  replaces: (place: number, earlier: number) => boolean,
): Replacing[] {
  const places = Array.from({ length: count }, (_, place) => place);
  return story(places.map((place) => places.slice(0, place).filter((j) => replaces(place, j))));
}

/** The definition: each once, less what those that it had replaced beside it amount to together. */
function byDefinition(all: readonly Replacing[]): Map<string, number> {
  const times = new Map(all.map(({ numSerie }) => [numSerie, 1]));
  for (const one of all) {
    const included = all.filter((o) => o !== one && one.replaced.includes(o.numSerie));
    for (const [number, count] of byDefinition(included)) {
      times.set(number, (times.get(number) ?? 0) - count);
    }
  }
  return times;
}

/** Which of as many invoices each one replaces. */
const replacements = (count: number) =>
  fc.array(fc.array(fc.boolean(), { minLength: count, maxLength: count }), {
    minLength: count,
    maxLength: count,
  });

describe('invoices that are named together', () => {
  it('count as often as the definition says, if each replaces earlier ones', () => {
    fc.assert(
      fc.property(replacements(8), (replaces) => {
        const all = storyOf(8, (place, earlier) => replaces[place]?.[earlier] === true);
        expect(timesOf(all)).toEqual([...byDefinition(all).values()]);
      }),
    );
  });

  it('count as often as it says whatever they claim to replace, even themselves', () => {
    fc.assert(
      fc.property(replacements(5), (replaces) => {
        const all = story(replaces.map((row) => row.flatMap((is, place) => (is ? [place] : []))));
        expect(timesOf(all)).toEqual([...byDefinition(all).values()]);
      }),
    );
  });

  it('count once each if none had replaced another', () => {
    expect(timesOf([])).toEqual([]);
    expect(timesOf(story([[7], [8], []]))).toEqual([1, 1, 1]);
  });

  it('count less if several had replaced them', () => {
    expect(timesOf(story([[], [0], [0], [0]]))).toEqual([-2, 1, 1, 1]);
  });

  it.each<[string, (place: number, earlier: number) => boolean]>([
    ['all earlier ones', () => true],
    ['the one before it', (place, earlier) => earlier === place - 1],
  ])('leave only the newest if each of 1,000 replaces %s', (_, replaces) => {
    const newest = Array.from({ length: 1000 }, (__, place) => (place === 999 ? 1 : 0));
    expect(timesOf(storyOf(1000, replaces))).toEqual(newest);
  });

  it('are too tangled to tell if they replace each other in too many ways', () => {
    // About half of those before it, at random.
    const replaces = (i: number, j: number) =>
      ((i * i * 31 + j * j * 17 + i * j * 13) % 101) % 2 === 0;
    expect(timesOf(storyOf(100, replaces))).toBeNull();
    // In three layers of 80, all of the earlier layers: each of the first would count 79 × 79 times.
    const layer = (place: number) => Math.floor(place / 80);
    expect(timesOf(storyOf(160, (place, earlier) => layer(earlier) < layer(place)))).not.toBeNull();
    expect(timesOf(storyOf(240, (place, earlier) => layer(earlier) < layer(place)))).toBeNull();
  });
});

it('what invoices amount to together is what the newest says of 300 that replaced all before it', () => {
  const numbers = Array.from({ length: 300 }, (_, place) => `R-${place}`);
  const originals = numbers.map((numSerie, place): Original => {
    const parts = { base: `${place + 1}.00`, cuota: '0.00', recargo: '0.00' };
    return {
      numSerie,
      fecha: '2026-11-20',
      externa: false,
      ...parts,
      corrige: numbers.slice(0, place),
      sustituido: parts,
    };
  });
  expect(totalTogether(originals)).toBe(30_000n);
});
