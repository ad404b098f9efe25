import { describe, expect, it } from 'vitest';
import { addedBy, type Figures, type Replacing, replacedBy } from './figures.ts';
import { centsToText, sumText, textToCents } from './money.ts';

interface Says {
  readonly base: number;
  /** The invoices that it replaces. */
  readonly S?: readonly string[];
  readonly F3?: readonly string[];
  readonly I?: readonly string[];
}

const euros = (amount: number) => centsToText(BigInt(Math.round(amount * 100)));

/** At 21 %. Numbers that begin with an X are another program's. */
function invoice(numSerie: string, { base, S, F3, I }: Says): Replacing {
  const named = (numbers: readonly string[] = []) =>
    numbers.map((number) => ({
      numSerie: number,
      fecha: '2026-11-20',
      externa: number.startsWith('X'),
    }));
  return {
    numSerie,
    tipoRectificativa: S ? 'S' : I ? 'I' : null,
    rectifies: named(S ?? I),
    sustituye: named(F3),
    base: euros(base),
    cuotaTotal: euros((base * 21) / 100),
    total: euros((base * 121) / 100),
  };
}

/** What each invoice adds, registered one after another. */
function added(story: Readonly<Record<string, Says>>): Figures[] {
  const all = Object.entries(story).map(([numSerie, says]) => invoice(numSerie, says));
  return all.map((one) => {
    const { base, cuotaTotal: vat, total } = one;
    const originals = all.filter((other) => other !== one);
    return addedBy({ base, vat, total, replaced: replacedBy(one, originals) });
  });
}

const bases = (figures: readonly Figures[]) =>
  figures.map(({ base }) => Number(textToCents(base)) / 100);

describe('what an invoice adds', () => {
  it('is its whole amount, or the difference that it states', () => {
    expect(bases(added({ F: { base: 100 }, R: { base: -20, I: ['F'] } }))).toEqual([100, -20]);
  });

  it('is its amount minus the replaced one, if por sustitución', () => {
    const figures = added({ F: { base: 100 }, R: { base: 80, S: ['F'] } });
    // 80 − 100, 16,80 − 21 and 96,80 − 121.
    expect(figures[1]).toEqual({ base: '-20.00', vat: '-4.20', total: '-24.20' });
    expect(sumText(figures.map(({ vat }) => vat))).toBe('16.80');
  });

  it('is nothing for an F3 in exchange for one simplified invoice or several', () => {
    expect(bases(added({ F2: { base: 30 }, F3: { base: 30, F3: ['F2'] } }))).toEqual([30, 0]);
    const several = { A: { base: 30 }, B: { base: 12.5 }, F3: { base: 42.5, F3: ['A', 'B'] } };
    expect(bases(added(several))).toEqual([30, 12.5, 0]);
  });

  it('is its whole amount if it replaces an invoice of another program', () => {
    expect(bases(added({ R: { base: 80, S: ['X1'] } }))).toEqual([80]);
    const both = { F: { base: 100 }, R: { base: 150, S: ['F', 'X1'] } };
    expect(bases(added(both))).toEqual([100, 50]);
    // Whatever is called the same here.
    expect(bases(added({ X1: { base: 40 }, R: { base: 80, S: ['X1'] } }))).toEqual([40, 80]);
  });

  it.each<[string, Record<string, Says>, number]>([
    [
      'a rectificativa is replaced in its turn',
      { F: { base: 100 }, R: { base: 80, S: ['F'] }, RR: { base: 60, S: ['R'] } },
      60,
    ],
    [
      'so is one that replaced what was never here',
      { R: { base: 80, S: ['X1'] }, RR: { base: 60, S: ['R'] } },
      60,
    ],
    [
      'an invoice and the difference that corrected it are replaced together',
      { F: { base: 100 }, R: { base: -10, I: ['F'] }, RR: { base: 80, S: ['F', 'R'] } },
      80,
    ],
    [
      'an invoice and what took its place are replaced together',
      { F: { base: 100 }, R: { base: 80, S: ['F'] }, RR: { base: 60, S: ['F', 'R'] } },
      60,
    ],
    [
      'three of them are',
      {
        F: { base: 100 },
        R: { base: 80, S: ['F'] },
        RR: { base: 60, S: ['F', 'R'] },
        RRR: { base: 50, S: ['F', 'R', 'RR'] },
      },
      50,
    ],
    [
      'a simplified one is exchanged together with what corrected it',
      { F2: { base: 30 }, R5: { base: 20, S: ['F2'] }, F3: { base: 20, F3: ['F2', 'R5'] } },
      20,
    ],
    [
      'the F3 is replaced',
      { F2: { base: 30 }, F3: { base: 30, F3: ['F2'] }, R: { base: 25, S: ['F3'] } },
      25,
    ],
  ])('adds up to what is owed when %s', (_, story, owed) => {
    expect(bases(added(story)).reduce((sum, base) => sum + base, 0)).toBe(owed);
  });

  it('is the difference to the newest of 300, each of which replaced all before it', () => {
    const numbers = Array.from({ length: 300 }, (_, place) => `R${place}`);
    const says = (place: number): Says => ({ base: place + 1, S: numbers.slice(0, place) });
    const chain = Object.fromEntries(numbers.map((number, place) => [number, says(place)]));
    const story = Object.entries(chain).map(([number, one]) => invoice(number, one));
    const again = invoice('again', { base: 500, S: numbers });
    expect(replacedBy(again, story)?.base).toBe('300.00');
  });

  it('takes each once if they replaced each other in too many ways', () => {
    // In three layers of 80, all of the earlier layers: each of the first would count 79 × 79 times.
    const numbers = Array.from({ length: 240 }, (_, place) => `R${place}`);
    const story = numbers.map((number, place) =>
      invoice(number, { base: 10, S: numbers.slice(0, place - (place % 80)) }),
    );
    expect(replacedBy(invoice('again', { base: 500, S: numbers }), story)?.base).toBe('2400.00');
  });

  it('terminates, even for two invoices that claim to replace each other', () => {
    const knot = { A: { base: 10, S: ['B'] }, B: { base: 20, S: ['A'] } };
    expect(bases(added(knot))).toEqual([-10, 10]);
  });
});
