import { expect, it } from 'vitest';
import type { ExtraerFacturaAnswer } from '../../../../contract/reading.ts';
import type { StoredFile } from '../../../lib/file-store.ts';
import { ApiError } from '../../../lib/http.ts';
import { UploadQueue } from './upload-queue.ts';

const file = (name: string, text = 'x') => new File([text], name, { type: 'application/pdf' });
const reading = (...avisos: string[]) =>
  ({ borrador: {}, campos: { lineas: [] }, avisos, archivo: '1' }) as never as ExtraerFacturaAnswer;

/** A queue whose server gives the `answers` in order, and names drafts B-1, B-2… */
function queueWith(
  answers: (ExtraerFacturaAnswer | Error)[],
  failSaves = 0,
  failure = new ApiError(0, []),
) {
  const calls = { reads: [] as string[], saves: [] as string[], waits: 0, drafts: 0 };
  const kept = new Map<string, StoredFile>();
  let keys = 0;
  let failures = failSaves;
  const queue = new UploadQueue({
    async read({ name }) {
      calls.reads.push(name);
      const answer = answers.shift() ?? reading();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    async save(_reading, key) {
      calls.saves.push(key);
      if (failures-- > 0) throw failure;
      calls.drafts += 1;
      return `B-${calls.drafts}`;
    },
    newKey: () => `k${++keys}`,
    async wait() {
      calls.waits += 1;
    },
    onSaved: () => {},
    store: {
      async put(one) {
        if (one.file.name === 'enorme.pdf') throw new Error('No room.');
        kept.set(one.id, one);
      },
      async remove(id) {
        kept.delete(id);
      },
    },
  });
  const settled = async () => {
    while (queue.isBusy) await new Promise((resolve) => setTimeout(resolve));
    return queue.uploads().map(({ name, state }) => [name, state.kind]);
  };
  return { queue, calls, kept, settled };
}

it('reads one file after another, goes on after a failure, and sends none that is refused', async () => {
  const broken = new ApiError(400, ['El PDF está dañado.']);
  const { queue, calls, settled } = queueWith([reading('Revisa esto.'), broken, reading()]);
  queue.add([file('a.pdf'), file('vacia.pdf', ''), file('b.pdf'), file('c.pdf')]);
  expect(await settled()).toEqual([
    ['a.pdf', 'ready'],
    ['vacia.pdf', 'failed'],
    ['b.pdf', 'failed'],
    ['c.pdf', 'ready'],
  ]);
  expect(calls.reads).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
  expect(queue.uploads().map(({ state }) => state)).toMatchObject([
    { docNo: 'B-1', warnings: 1 },
    { canRetry: false },
    { sentence: 'El PDF está dañado.', canRetry: false },
    { docNo: 'B-2', warnings: 0 },
  ]);
});

it('can retry after an interruption: what was read is not read twice, nor saved with another key', async () => {
  const { queue, calls, settled } = queueWith([new ApiError(0, [])], 1);
  queue.add([file('a.pdf')]);
  expect(await settled()).toEqual([['a.pdf', 'failed']]);
  const [first] = queue.uploads();
  expect(first?.state).toMatchObject({
    canRetry: true,
    sentence: expect.stringContaining('cortado la conexión'),
  });
  queue.retry(first?.id ?? '');
  expect(await settled()).toEqual([['a.pdf', 'failed']]); // Read, but not saved.
  queue.retry(first?.id ?? '');
  expect(await settled()).toEqual([['a.pdf', 'ready']]);
  expect(calls.reads).toEqual(['a.pdf', 'a.pdf']);
  expect(new Set(calls.saves).size).toBe(1);
});

it('waits while another file of the company is being read', async () => {
  const busy = () => new ApiError(409, ['Espera.'], { codigo: 'IN_PROGRESS' });
  const { queue, calls, settled } = queueWith([busy(), busy(), reading()]);
  queue.add([file('a.pdf')]);
  expect(await settled()).toEqual([['a.pdf', 'ready']]);
  expect(calls.waits).toBe(2);
});

it('opens the first one that is ready automatically, once, and knows what became of each', async () => {
  const { queue, settled } = queueWith([]);
  queue.add([file('a.pdf'), file('b.pdf')]);
  expect(queue.takeFirstReady()).toBeNull();
  await settled();
  expect(queue.takeFirstReady()).toBe('B-1');
  expect(queue.takeFirstReady()).toBeNull();
  queue.settle('B-1', { kind: 'registered', docNo: '00001/26' });
  queue.remove(queue.uploads()[1]?.id ?? '');
  expect(queue.uploads().map(({ state }) => state)).toEqual([
    { kind: 'registered', docNo: '00001/26' },
  ]);
});

it('keeps stored what is not a draft yet, and continues with what another tab left there', async () => {
  const first = queueWith([reading(), new ApiError(0, []), new ApiError(400, ['Está dañado.'])]);
  first.queue.add([file('a.pdf'), file('b.pdf'), file('c.pdf'), file('d.txt')]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(first.queue.wouldLose).toBe(false);
  await first.settled();
  // Only what may still succeed: neither the draft nor the useless file.
  expect([...first.kept.values()].map((one) => one.file.name)).toEqual(['b.pdf']);

  const next = queueWith([]);
  next.queue.restore([...first.kept.values()]);
  next.queue.restore([...first.kept.values()]);
  expect(await next.settled()).toEqual([['b.pdf', 'ready']]);
  expect(next.calls.saves).toEqual([...first.kept.values()].map(({ key }) => key));
  expect(next.queue.takeFirstReady()).toBeNull();
});

it('warns that leaving would lose what the browser could not store', async () => {
  const { queue, settled } = queueWith([]);
  queue.add([file('a.pdf'), file('enorme.pdf')]);
  await new Promise((resolve) => queueMicrotask(() => resolve(null)));
  expect(queue.wouldLose).toBe(true);
  await settled();
  expect(queue.wouldLose).toBe(false);
});

it('removes from the list what turns out to have been saved just before the reload', async () => {
  const { queue, settled } = queueWith([], 1, new ApiError(409, ['Ya.'], { codigo: 'CONFLICT' }));
  queue.restore([{ id: 'x', key: 'k', file: file('a.pdf') }]);
  expect(await settled()).toEqual([]);
});
