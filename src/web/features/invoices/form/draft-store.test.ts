import { describe, expect, it, vi } from 'vitest';
import { type DraftAction, draftReducer, freshDraft } from './draft-state.ts';
import { DraftStore } from './draft-store.ts';
import { isSameRow, type LineRowProps } from './line-row.tsx';
import { emptyLine } from './lines.ts';

const reduce = draftReducer([]);

function typing(id: string, description: string): DraftAction {
  return { kind: 'line', id, change: { description } };
}

/** A form of a hundred lines, with the rows that each of its changes notified. */
function longForm() {
  const lines = Array.from({ length: 100 }, (_, i) => ({
    ...emptyLine(`l${i + 1}`),
    description: `Línea ${i + 1}`,
  }));
  const store = new DraftStore({ ...freshDraft('2026-11-22'), lines, nextLine: 101 });
  const told: string[] = [];
  const ends = lines.map(({ id }) => store.subscribe(id, () => told.push(id)));
  return { store, told, ends };
}

describe('what is typed in a form', () => {
  it('renders one row of a hundred for a key press, and knows of it at once', () => {
    const { store, told } = longForm();
    expect(store.apply(reduce, typing('l50', 'Línea 50 con'))).toBe(true);
    expect(told).toEqual(['l50']);
    expect(store.line('l50')?.description).toBe('Línea 50 con');
    expect(store.lines).toHaveLength(101); // Including the empty one at the end.
  });

  it('renders no row for a change of the invoice, or for an action without effect', () => {
    const { store, told } = longForm();
    store.apply(reduce, { kind: 'set', change: { notas: 'Gracias' } });
    expect(store.apply(reduce, { kind: 'replace', state: store.state })).toBe(false);
    expect(told).toEqual([]);
  });

  it('renders every row when another version takes its place', () => {
    const { store, told } = longForm();
    store.apply(reduce, { kind: 'replace', state: freshDraft('2026-11-22') });
    expect(told).toHaveLength(100);
    expect(store.line('l50')).toBeUndefined();
  });

  it('does not notify those who unsubscribed', () => {
    const { store, told, ends } = longForm();
    ends[49]?.();
    const again = vi.fn();
    const end = store.subscribe('l50', again);
    ends[49]?.(); // Unsubscribing a row twice affects no other.
    store.apply(reduce, typing('l50', 'a'));
    end();
    store.apply(reduce, typing('l50', 'b'));
    expect(told).toEqual([]);
    expect(again).toHaveBeenCalledTimes(1);
  });
});

describe('a row of the table', () => {
  const row = { line: emptyLine('l1'), position: 1, total: '0,00' } as LineRowProps;

  it('is not rendered again by the form for what it has already rendered of its line', () => {
    expect(isSameRow(row, { ...row, line: { ...row.line, description: 'Pan' } })).toBe(true);
  });

  it('is rendered again for its amount, its place and another line', () => {
    expect(isSameRow(row, { ...row, total: '12,10' })).toBe(false);
    expect(isSameRow(row, { ...row, position: 2 })).toBe(false);
    expect(isSameRow(row, { ...row, line: emptyLine('l2') })).toBe(false);
  });
});
