import { afterEach, expect, it, vi } from 'vitest';
import { makeOnce } from './make-once.ts';

afterEach(() => vi.unstubAllGlobals());

/** Asks for each content in turn; the network answers as it is told. Gives the keys that left. */
async function keysOf(asked: readonly [name: string, answer: Response | 'lost'][]) {
  const keys: (string | null)[] = [];
  for (const [Name, answer] of asked) {
    vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
      keys.push(new Headers(init.headers).get('Idempotency-Key'));
      if (answer === 'lost') throw new TypeError('Failed to fetch');
      return answer;
    });
    await makeOnce('SetProductos', { Name }).catch(() => undefined);
  }
  return keys;
}

const made = () => Response.json({ No: '1' });

it('asks again for what was not answered under the same key, also after something else', async () => {
  const [first, other, again] = await keysOf([
    ['Ensaimada', 'lost'],
    ['Ensaimada grande', made()],
    ['Ensaimada', made()],
  ]);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

it('keeps the key past a refusal and past an answer that was cut off', async () => {
  const cutOff = new Response('{"No":', { status: 200 });
  const refused = Response.json({ message: 'Espera.' }, { status: 429 });
  const keys = await keysOf([
    ['Coca', refused],
    ['Coca', cutOff],
    ['Coca', made()],
  ]);
  expect(new Set(keys).size).toBe(1);
});

it('makes another one of the same content once the first is made', async () => {
  const [first, second] = await keysOf([
    ['Bollo', made()],
    ['Bollo', made()],
  ]);
  expect(second).not.toBe(first);
});
