import { afterEach, expect, it, vi } from 'vitest';
import { makeOnce } from './make-once.ts';

afterEach(() => vi.unstubAllGlobals());

/** Requests each content in turn; the network answers as set up. Returns the keys sent. */
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

it('repeats an unanswered request with the same key, also after another one', async () => {
  const [first, other, again] = await keysOf([
    ['Ensaimada', 'lost'],
    ['Ensaimada grande', made()],
    ['Ensaimada', made()],
  ]);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

it('keeps the key after a refusal and after a truncated answer', async () => {
  const cutOff = new Response('{"No":', { status: 200 });
  const refused = Response.json({ message: 'Espera.' }, { status: 429 });
  const keys = await keysOf([
    ['Coca', refused],
    ['Coca', cutOff],
    ['Coca', made()],
  ]);
  expect(new Set(keys).size).toBe(1);
});

it('uses another key for the same content once the first request has succeeded', async () => {
  const [first, second] = await keysOf([
    ['Bollo', made()],
    ['Bollo', made()],
  ]);
  expect(second).not.toBe(first);
});

it('keeps the key while a second press is unanswered, although the first has succeeded', async () => {
  const keys: (string | null)[] = [];
  const answers = [made(), 'lost', made(), made()] as const;
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    const answer = answers[keys.length];
    keys.push(new Headers(init.headers).get('Idempotency-Key'));
    if (answer === 'lost') throw new TypeError('Failed to fetch');
    return answer;
  });
  const make = () => makeOnce('SetProductos', { Name: 'Rosca' });
  await Promise.allSettled([make(), make()]);
  await make();
  await make();
  expect(new Set(keys.slice(0, 3)).size).toBe(1);
  expect(keys[3]).not.toBe(keys[0]);
});
