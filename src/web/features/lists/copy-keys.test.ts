import { expect, it } from 'vitest';
import { CopyKeys } from './copy-keys.ts';

const NOW = Date.UTC(2026, 10, 25);
const HOUR_MS = 3_600_000;

function shelf() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
}

it('a run whose outcome nobody was told continues under its keys', () => {
  const storage = shelf();
  const first = new CopyKeys(storage, '7', ['1', '2'], NOW);
  const again = new CopyKeys(storage, '7', ['2', '3'], NOW + HOUR_MS);
  expect(first.isAgain).toBe(false);
  expect(again.isAgain).toBe(true);
  expect(again.of('2')).toBe(first.of('2'));
  expect(again.of('3')).not.toBe(first.of('1'));
});

it('another company, or a day later, gets new keys', () => {
  const storage = shelf();
  const first = new CopyKeys(storage, '7', ['1'], NOW);
  for (const [company, later] of [
    ['8', 0],
    ['7', 24 * HOUR_MS],
  ] as const) {
    const other = new CopyKeys(storage, company, ['1'], NOW + later);
    expect(other.isAgain).toBe(false);
    expect(other.of('1')).not.toBe(first.of('1'));
  }
});

it('once the outcome was told, only those with an unknown one keep their key', () => {
  const storage = shelf();
  const first = new CopyKeys(storage, '7', ['1', '2'], NOW);
  first.told(['2'], NOW);
  const again = new CopyKeys(storage, '7', ['1', '2'], NOW);
  expect(again.of('1')).not.toBe(first.of('1'));
  expect(again.of('2')).toBe(first.of('2'));
  again.told([], NOW);
  expect(storage.kept.size).toBe(0);
});

it('invalid contents and a full storage do no harm', () => {
  const broken = {
    ...shelf(),
    getItem: () => '{',
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
  };
  const keys = new CopyKeys(broken, '7', ['1'], NOW);
  expect(keys.of('1')).toHaveLength(32);
  keys.told(['1'], NOW);
});
