import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DraftSaver, type SaveAttempt, type SavedDraft, type SaveStatus } from './draft-saver.ts';
import { type DraftState, freshDraft } from './draft-state.ts';

const typed = (notas: string): DraftState => ({ ...freshDraft('2026-11-20'), notas });
const refusal = (status: number, codigo?: string) =>
  Object.assign(new Error('refused'), { status, codigo });

/** A server that is answered by hand, so that a test decides what happens in between. */
function start(saved?: SavedDraft, unanswered?: SaveAttempt) {
  const calls: (SaveAttempt & {
    answer: (saved: SavedDraft) => void;
    fail: (error: Error) => void;
  })[] = [];
  const statuses: SaveStatus['kind'][] = [];
  let keys = 0;
  const saver = new DraftSaver({
    saved,
    unanswered,
    newKey: () => `k${++keys}`,
    onStatus: (status) => statuses.push(status.kind),
    onSaved: () => {},
    send: (attempt) =>
      new Promise((answer, fail) => {
        calls.push({ ...attempt, answer, fail });
      }),
  });
  saver.open(freshDraft('2026-11-20'));
  return { saver, calls, statuses };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('DraftSaver', () => {
  it('waits for something worth saving, and for two seconds without changes', async () => {
    const { saver, calls } = start();
    saver.change({ ...freshDraft('2026-11-20'), invoiceDate: '2026-11-19' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls).toHaveLength(0);

    saver.change(typed('a'));
    await vi.advanceTimersByTimeAsync(1_500);
    saver.change(typed('ab'));
    await vi.advanceTimersByTimeAsync(1_500);
    expect(calls).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(500);
    expect(calls.map((call) => call.state.notas)).toEqual(['ab']);
  });

  it('has one call under way at a time, and then saves later changes over that version', async () => {
    const { saver, calls, statuses } = start();
    saver.change(typed('a'));
    await vi.advanceTimersByTimeAsync(2_000);
    saver.change(typed('ab'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls).toHaveLength(1);

    calls[0]?.answer({ docNo: 'B-1', version: 1 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(calls[1]).toMatchObject({
      state: { notas: 'ab' },
      target: { draftNo: 'B-1', version: 1 },
    });
    calls[1]?.answer({ docNo: 'B-1', version: 2 });
    await vi.advanceTimersByTimeAsync(0);
    expect(saver.isDirty).toBe(false);
    expect(statuses.at(-1)).toBe('saved');
  });

  it('repeats exactly the same call if there was no answer, so that a draft is not made twice', async () => {
    const { saver, calls } = start();
    saver.change(typed('a'));
    await vi.advanceTimersByTimeAsync(2_000);
    calls[0]?.fail(new TypeError('network'));
    await vi.advanceTimersByTimeAsync(0);
    saver.change(typed('ab'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(calls[1]).toMatchObject({ key: 'k1', state: { notas: 'a' } });

    calls[1]?.answer({ docNo: 'B-1', version: 1 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(calls[2]).toMatchObject({
      key: 'k2',
      state: { notas: 'ab' },
      target: { draftNo: 'B-1' },
    });
  });

  it('begins with the call that a reload left without an answer, and then saves what was typed since', async () => {
    const state = typed('a');
    const unanswered: SaveAttempt = {
      key: 'antes',
      state,
      target: { accionFactura: 0, draftNo: undefined },
    };
    const { saver, calls } = start(undefined, unanswered);
    saver.change(typed('ab'));
    saver.resume();
    await vi.advanceTimersByTimeAsync(0);
    expect(calls[0]).toMatchObject(unanswered);

    calls[0]?.answer({ docNo: 'B-1', version: 1 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(calls[1]).toMatchObject({
      key: 'k1',
      state: { notas: 'ab' },
      target: { draftNo: 'B-1', version: 1 },
    });
  });

  it('tries again by itself if there was no answer', async () => {
    const { saver, calls, statuses } = start();
    saver.change(typed('a'));
    await vi.advanceTimersByTimeAsync(2_000);
    calls[0]?.fail(refusal(503));
    await vi.advanceTimersByTimeAsync(0);
    expect(statuses.at(-1)).toBe('failed');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls).toHaveLength(2);
  });

  it('reports why the server refuses it, and tries again only after a change', async () => {
    const { saver, calls, statuses } = start();
    saver.change(typed('a'));
    await vi.advanceTimersByTimeAsync(2_000);
    calls[0]?.fail(refusal(400));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(statuses.at(-1)).toBe('refused');
    expect(calls).toHaveLength(1);
    saver.change(typed('ab'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(calls[1]).toMatchObject({ key: 'k2', state: { notas: 'ab' } });
  });

  it('waits if the server is still processing the same call, and reports no conflict', async () => {
    const { saver, calls, statuses } = start({ docNo: 'B-7', version: 4 });
    saver.change(typed('mine'));
    await vi.advanceTimersByTimeAsync(2_000);
    calls[0]?.fail(Object.assign(refusal(409), { codigo: 'IN_PROGRESS' }));
    await vi.advanceTimersByTimeAsync(0);
    expect(statuses).not.toContain('conflict');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(calls[1]?.key).toBe(calls[0]?.key);
    calls[1]?.answer({ docNo: 'B-7', version: 5 });
    await vi.advanceTimersByTimeAsync(0);
    expect(statuses.at(-1)).toBe('saved');
  });

  it('stops at a version of somebody else, and overwrites it only when told', async () => {
    const { saver, calls, statuses } = start({ docNo: 'B-7', version: 4 });
    saver.change(typed('mine'));
    await vi.advanceTimersByTimeAsync(2_000);
    calls[0]?.fail(refusal(409));
    await vi.advanceTimersByTimeAsync(0);
    expect(statuses.at(-1)).toBe('conflict');
    saver.change(typed('mine too'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(1);

    saver.settleConflict({ docNo: 'B-7', version: 6 });
    const done = saver.saveNow();
    await vi.advanceTimersByTimeAsync(0);
    expect(calls[1]).toMatchObject({ state: { notas: 'mine too' }, target: { version: 6 } });
    calls[1]?.answer({ docNo: 'B-7', version: 7 });
    expect(await done).toEqual({ docNo: 'B-7', version: 7 });
  });

  it('continues with the next chosen client if the client does not exist', async () => {
    const { saver, calls, statuses } = start({ docNo: 'B-7', version: 4 });
    saver.change(typed('mine'));
    await vi.advanceTimersByTimeAsync(2_000);
    calls[0]?.fail(refusal(404, 'NO_SUCH_CUSTOMER'));
    await vi.advanceTimersByTimeAsync(0);
    expect(statuses.at(-1)).toBe('refused');
    saver.change(typed('another'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(calls[1]?.target.draftNo).toBe('B-7');
  });

  it('stops reporting a refusal once nothing is left of what was refused', async () => {
    const { saver, calls, statuses } = start();
    saver.change(typed('mine'));
    await vi.advanceTimersByTimeAsync(2_000);
    calls[0]?.fail(refusal(404, 'NO_SUCH_CUSTOMER'));
    await vi.advanceTimersByTimeAsync(0);
    saver.change(typed(''));
    expect(statuses.at(-1)).toBe('idle');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(1);
  });

  it('stops when the draft no longer exists, and makes a new one only when told', async () => {
    const { saver, calls, statuses } = start({ docNo: 'B-7', version: 4 });
    saver.change(typed('mine'));
    await vi.advanceTimersByTimeAsync(2_000);
    calls[0]?.fail(refusal(404));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(statuses.at(-1)).toBe('gone');
    expect(calls).toHaveLength(1);

    saver.settleConflict(undefined);
    const done = saver.saveNow();
    await vi.advanceTimersByTimeAsync(0);
    expect(calls[1]?.target.draftNo).toBeUndefined();
    calls[1]?.answer({ docNo: 'B-8', version: 1 });
    expect(await done).toEqual({ docNo: 'B-8', version: 1 });
  });

  it('starts no other call either for somebody who asked to save before registering', async () => {
    const { saver, calls } = start({ docNo: 'B-1', version: 1 });
    saver.change(typed('a'));
    const saved = saver.saveNow();
    await vi.advanceTimersByTimeAsync(0);
    saver.change(typed('ab'));
    const paused = saver.pause();
    calls[0]?.answer({ docNo: 'B-1', version: 2 });
    await paused;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(1);
    expect(await saved).toEqual({ docNo: 'B-1', version: 2 });
  });

  it('lets the current call finish before registering, and starts no other', async () => {
    const { saver, calls } = start();
    saver.change(typed('a'));
    await vi.advanceTimersByTimeAsync(2_000);
    saver.change(typed('ab'));
    const paused = saver.pause();
    calls[0]?.answer({ docNo: 'B-1', version: 1 });
    await paused;
    expect(saver.saved).toEqual({ docNo: 'B-1', version: 1 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(1);
    expect(await saver.saveNow()).toEqual({ docNo: 'B-1', version: 1 });
    expect(calls).toHaveLength(1);
  });

  it('saves at once on request, and tells the caller if it could not', async () => {
    const { saver, calls } = start();
    saver.change(typed('a'));
    const done = saver.saveNow();
    const told = expect(done).rejects.toThrow('refused');
    await vi.advanceTimersByTimeAsync(0);
    calls[0]?.fail(refusal(400));
    await told;
    expect(saver.isDirty).toBe(true);
  });
});
