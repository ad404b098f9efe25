import { expect, it } from 'vitest';
import { changedFields } from './changed-fields.ts';

interface Card {
  readonly No: string;
  readonly Name: string;
  readonly Email: string;
  readonly note?: string;
}
const opened: Card = { No: 'C1', Name: 'Uno', Email: 'uno@example.com' };

it('contains the code and what differs, also if it was emptied, but not if it is empty in both', () => {
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

it('contains everything of a new one', () => {
  const blank = { No: '', Name: '', Email: '' };
  expect(changedFields(blank, { ...opened, No: '' })).toEqual({ ...opened, No: '' });
});
