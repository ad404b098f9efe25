import { afterEach, expect, it, vi } from 'vitest';
import { uploadQueue } from './uploads.ts';

afterEach(() => vi.unstubAllGlobals());

const file = (name: string) => new File(['%PDF-'], name, { type: 'application/pdf' });
const tokenOf = (sub: string) =>
  ['{}', JSON.stringify({ sub, exp: 4_000_000_000 })].map(btoa).concat('x').join('.');

it('sends nothing that somebody else chose before another company signed in, in the same tab', async () => {
  const storage = new Map([['authToken', tokenOf('1')]]);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
  vi.stubGlobal('window', new EventTarget());
  let answer = (_: Response) => {};
  const fetched = vi.fn(
    () =>
      new Promise<Response>((resolve) => {
        answer = resolve;
      }),
  );
  vi.stubGlobal('fetch', fetched);

  const first = uploadQueue();
  first.add([file('a.pdf'), file('b.pdf')]);
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1), 10_000);
  storage.set('authToken', tokenOf('2'));
  answer(Response.json({ borrador: {}, campos: { lineas: [] }, avisos: [], archivo: '1' }));
  await vi.waitFor(() => expect(first.isBusy).toBe(false), 10_000);

  // What was read is not saved with the other's session, and the next file is not sent.
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(first.uploads().map(({ state }) => state)).toEqual(
    ['a.pdf', 'b.pdf'].map(() => ({
      kind: 'failed',
      canRetry: true,
      sentence: 'Tu sesión ha terminado. Vuelve a entrar y reinténtalo.',
    })),
  );
  expect(uploadQueue()).not.toBe(first);
  expect(uploadQueue().uploads()).toEqual([]);
});
