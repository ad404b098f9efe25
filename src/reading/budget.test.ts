import { expect, it } from 'vitest';
import { Budget } from './budget.ts';

it('is exceeded when a single look takes long, as with an endless page', () => {
  const budget = new Budget();
  expect(budget.isOver(8_000)).toBe(false);
  expect(budget.isOver(8_001)).toBe(true);
});

it('counts each page separately: ten scanned pages are read', () => {
  const budget = new Budget();
  let used = 2_000;
  for (let page = 0; page < 10; page += 1) {
    budget.begins('look', used);
    budget.begins('letters', used + 500);
    used += 5_000;
    expect(budget.isOver(used)).toBe(false);
  }
  budget.begins('letters', used);
  expect(budget.isOver(used + 7_999)).toBe(false);
  expect(budget.isOver(60_001), 'and all of them together have one').toBe(true);
});
