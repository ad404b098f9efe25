import { expect, it } from 'vitest';
import { MAX_REGISTROS } from '../domain/verifactu/estructura.ts';
import { batchSize, nextAfterAnswer, remedioDeFault, waitAfterCopies } from './policy.ts';

it.each([
  // faultcode, code, technical, registros → remedy
  ['Server', 102, true, 10, 'repetir'],
  ['Server', undefined, false, 1, 'repetir'],
  ['Client', 4102, false, 10, 'aislar'],
  ['Client', 4102, false, 1, 'aislar'],
  ['Client', 4109, false, 2, 'aislar'],
  ['Client', 4103, true, 8, 'aislar'],
  ['Client', 4103, true, 1, 'repetir'],
  ['Client', 4134, true, 3, 'repetir'],
  ['Client', 4104, false, 5, 'detener'],
  ['Client', 4112, false, 1, 'detener'],
  ['Client', 4141, false, 1, 'detener'],
  ['Client', undefined, false, 3, 'detener'],
  ['Server', 4141, false, 1, 'detener'],
] as const)('a Fault %s %s (technical: %s) of %i is to %s', (...row) => {
  const [faultcode, code, esTecnico, registros, remedio] = row;
  const fault = code === undefined ? { faultcode } : { faultcode, code };
  expect(remedioDeFault(fault, { esTecnico, esDeQuienEnvia: false, registros })).toBe(remedio);
});

it('stops at the company’s own NIF, even with a code for single registros', () => {
  const fault = { faultcode: 'Client', code: 4109 } as const;
  const rest = { esTecnico: false, registros: 10 };
  expect(remedioDeFault(fault, { ...rest, esDeQuienEnvia: true })).toBe('detener');
  expect(remedioDeFault(fault, { ...rest, esDeQuienEnvia: false })).toBe('aislar');
});

it.each([
  [60, 'Anulacion', null, 180],
  [60, 'Alta', 'S', 180],
  [0, 'Alta', 'S', 150],
  [0, 'Alta', null, 0],
] as const)(
  'after a copy and a wait of %i s, %s (Subsanacion %s) holds the next for %i s',
  (wait, TipoRegistro, Subsanacion, seconds) => {
    expect(waitAfterCopies(wait, [{ TipoRegistro, Subsanacion }])).toBe(seconds);
  },
);

/** How many messages it takes until the registro in a given place is sent alone, with that many waiting. */
function messagesUntilAlone(waiting: number, spoilt: number): number {
  let [enviadoHasta, aislarHasta]: [bigint, bigint | null] = [0n, null];
  for (let messages = 1; ; messages++) {
    const size = Math.min(batchSize(enviadoHasta, aislarHasta), waiting - Number(enviadoHasta));
    const to = enviadoHasta + BigInt(size);
    if (spoilt > to) enviadoHasta = to;
    else if (size === 1) return messages;
    else aislarHasta = to;
  }
}

it('finds a registro that makes its message fail by halving it, wherever it is', () => {
  for (const waiting of [1, 2, 3, 7, 8, 1000]) {
    // The whole, a half at a time, and the registro alone.
    const most = 2 + Math.ceil(Math.log2(waiting));
    for (let spoilt = 1; spoilt <= waiting; spoilt++) {
      expect(messagesUntilAlone(waiting, spoilt)).toBeLessThanOrEqual(most);
    }
  }
  // In the second thousand: one full message more.
  expect(messagesUntilAlone(2000, 1900)).toBeLessThanOrEqual(13);
});

it('sends full messages while nothing is being isolated, and again after that place', () => {
  expect(batchSize(41n, null)).toBe(MAX_REGISTROS);
  expect(batchSize(41n, 41n)).toBe(MAX_REGISTROS);
  expect(batchSize(41n, 42n)).toBe(1);
  expect(batchSize(41n, 44n)).toBe(2);
});

it('also waits for copies that may be on their way when a part has to be repeated', () => {
  const sentAt = new Date('2026-11-20T10:00:00Z');
  const now = new Date('2026-11-20T10:00:02Z');
  const after = (answer: {
    pause: number;
    isWhole: boolean;
    failures: number;
    wait?: number;
    pending?: bigint;
  }) => {
    const next = nextAfterAnswer({ sentAt, now, wait: 60, pending: 999n, ...answer }, 0);
    return (next.getTime() - sentAt.getTime()) / 1000;
  };
  expect(after({ pause: 60, isWhole: true, failures: 0 })).toBe(60);
  expect(after({ pause: 180, isWhole: true, failures: 0 })).toBe(180);
  expect(after({ pause: 180, isWhole: false, failures: 1 })).toBe(182);
  expect(after({ wait: 0, pause: 0, isWhole: false, failures: 1 })).toBe(32); // 30 after the first failure.
  // With a full message ready, only the answer's two seconds pass. Copies on their way are waited for all the same.
  expect(after({ pause: 60, isWhole: true, failures: 0, pending: 1000n })).toBe(2);
  expect(after({ pause: 180, isWhole: true, failures: 0, pending: 1000n })).toBe(180);
  expect(after({ pause: 60, isWhole: false, failures: 1, pending: 1000n })).toBe(62);
});
