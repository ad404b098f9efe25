import { expect, it } from 'vitest';
import { changedFields } from './changed-fields.ts';

interface Card {
  readonly No: string;
  readonly Name: string;
  readonly Email: string;
  readonly note?: string;
}
const opened: Card = { No: 'C1', Name: 'Uno', Email: 'uno@example.com' };

it('says the code and what is another, also what was emptied or is empty either way', () => {
  expect(changedFields(opened, opened)).toEqual({ No: 'C1' });
  expect(changedFields(opened, { ...opened, Name: 'Dos', note: '' })).toEqual({
    No: 'C1',
    Name: 'Dos',
  });
  expect(changedFields(opened, { ...opened, Email: '', note: 'x' })).toEqual({
    No: 'C1',
    Email: '',
    note: 'x',
  });
});

it('says all of a new one', () => {
  const blank = { No: '', Name: '', Email: '' };
  expect(changedFields(blank, { ...opened, No: '' })).toEqual({ ...opened, No: '' });
});
