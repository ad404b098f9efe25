import { describe, expect, it } from 'vitest';
import { MAX_REGISTROS } from '../domain/verifactu/estructura.ts';
import {
  batchSize,
  nextAfterAnswer,
  nextSlice,
  passingWithheld,
  remedioDeFault,
  retrySeconds,
  waitAfterCopies,
  waitSeconds,
} from './policy.ts';

it.each([
  // faultcode, code, technical, registros → remedy
  ['Server', 102, true, 10, 'repetir'],
  ['Client', 4102, false, 10, 'aislar'],
  ['Client', 4102, false, 1, 'aislar'],
  ['Client', 4109, false, 2, 'aislar'],
  ['Client', 4103, true, 8, 'aislar'],
  ['Client', 4103, true, 2, 'aislar'],
  ['Client', 4103, true, 1, 'repetir'],
  ['Client', 4134, true, 3, 'repetir'],
  ['Client', 4104, false, 5, 'detener'],
  ['Client', 4112, false, 1, 'detener'],
  ['Client', 4141, false, 1, 'detener'],
  ['Server', 4141, false, 1, 'detener'],
] as const)('a Fault %s %s (technical: %s) of %i is to %s', (...row) => {
  const [faultcode, code, esTecnico, registros, remedio] = row;
  const rest = { esTecnico, esDeQuienEnvia: false, registros };
  expect(remedioDeFault({ faultcode, code }, rest)).toBe(remedio);
});

it.each([
  ['Server', 1, 'repetir'],
  ['Client', 3, 'detener'],
] as const)('a Fault %s without a code, of %i, is to %s', (faultcode, registros, remedio) => {
  const rest = { esTecnico: false, esDeQuienEnvia: false, registros };
  expect(remedioDeFault({ faultcode }, rest)).toBe(remedio);
});

it('stops at the company’s own NIF, even with a code for single registros', () => {
  const fault = { faultcode: 'Client', code: 4109 } as const;
  const rest = { esTecnico: false, registros: 10 };
  expect(remedioDeFault(fault, { ...rest, esDeQuienEnvia: true })).toBe('detener');
  expect(remedioDeFault(fault, { ...rest, esDeQuienEnvia: false })).toBe('aislar');
  // A problem of the AEAT's own that quotes it.
  const technical = { esTecnico: true, registros: 10, esDeQuienEnvia: true };
  expect(remedioDeFault({ faultcode: 'Client', code: 4134 }, technical)).toBe('repetir');
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
    // One of them is enough, wherever it is.
    const first = { TipoRegistro: 'Alta', Subsanacion: null } as const;
    expect(waitAfterCopies(wait, [first, { TipoRegistro, Subsanacion }])).toBe(seconds);
  },
);

/** How many messages it takes until the registro in a given place is sent alone, with that many waiting. */
function messagesUntilAlone(waiting: number, spoilt: number): number {
  let [enviadoHasta, aislarHasta]: [bigint, bigint | null] = [0n, null];
  for (let messages = 1; messages <= waiting + 2; messages++) {
    const size = Math.min(batchSize(enviadoHasta, aislarHasta), waiting - Number(enviadoHasta));
    const to = enviadoHasta + BigInt(size);
    if (spoilt > to) enviadoHasta = to;
    else if (size === 1) return messages;
    else aislarHasta = to;
  }
  return Number.POSITIVE_INFINITY;
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
    now?: Date;
  }) => {
    const given = { sinceSentMs: 2_000, now, wait: 60, pending: 999n, ...answer };
    return (nextAfterAnswer(given, 0).getTime() - sentAt.getTime()) / 1000;
  };
  expect(after({ pause: 60, isWhole: true, failures: 0 })).toBe(60);
  expect(after({ pause: 180, isWhole: true, failures: 0 })).toBe(180);
  expect(after({ pause: 180, isWhole: false, failures: 1 })).toBe(182);
  expect(after({ wait: 0, pause: 0, isWhole: false, failures: 1 })).toBe(32); // 30 after the first failure.
  // With a full message ready, only the answer's two seconds pass. Copies on their way are waited for all the same.
  expect(after({ pause: 60, isWhole: true, failures: 0, pending: 1000n })).toBe(2);
  expect(after({ pause: 180, isWhole: true, failures: 0, pending: 1000n })).toBe(180);
  expect(after({ pause: 60, isWhole: false, failures: 1, pending: 1000n })).toBe(62);
  // An hour by which the clock was set back or forward meanwhile changes nothing.
  for (const seconds of [-3600, 3600]) {
    const set = new Date(now.getTime() + seconds * 1000);
    expect(after({ pause: 60, isWhole: true, failures: 0, now: set })).toBe(60 + seconds);
  }
});

it('tries again after 30 s, then twice as long each time, and at least hourly (Orden art. 16.4)', () => {
  expect([1, 2, 3, 4].map((failures) => retrySeconds(failures, 0))).toEqual([30, 60, 120, 240]);
  expect(retrySeconds(3, 0.5)).toBe(132);
  for (let failures = 1; failures <= 100; failures++) {
    // The call itself may take two minutes.
    expect(retrySeconds(failures, 1) + 120).toBeLessThanOrEqual(3600);
  }
});

it('tries again soon after the database was away, and ever later if that goes on', () => {
  const after = (failures: number) => retrySeconds(failures, 0, { wasDatabaseAway: true });
  expect([1, 2, 3, 4].map(after)).toEqual([2, 4, 8, 16]);
  expect(after(100)).toBe(retrySeconds(100, 0));
});

it('waits what the AEAT asks for, or what it asked for last, in the four digits of its schema', () => {
  expect(waitSeconds(90, 60)).toBe(90);
  expect(waitSeconds(0, 60)).toBe(0);
  expect(waitSeconds(null, 60)).toBe(60);
  expect(waitSeconds(123_456, 60)).toBe(9999);
});

describe('what one message holds', () => {
  const now = new Date('2026-11-20T10:00:00Z');
  /** Registros in order, by how many seconds ago they were generated. */
  const slice = (...ages: number[]) => {
    const waiting = ages.map((age) => ({ age, generatedAt: new Date(now.getTime() - age * 1000) }));
    const { registros, incidencia } = nextSlice(waiting, now);
    return { ages: registros.map(({ age }) => age), incidencia };
  };

  it('is what is fresh, without Incidencia, three minutes included', () => {
    expect(slice(180, 20, 1)).toEqual({ ages: [180, 20, 1], incidencia: false });
  });

  it('is what is late, with Incidencia, from a second later on', () => {
    expect(slice(181)).toEqual({ ages: [181], incidencia: true });
    expect(slice(900, 400, 181)).toEqual({ ages: [900, 400, 181], incidencia: true });
  });

  it('is only the late ones, which come first, if there are fresh ones behind them', () => {
    expect(slice(900, 400, 20, 1)).toEqual({ ages: [900, 400], incidencia: true });
  });

  it('is also those that will soon be late, so that few messages are made of a continuous stream', () => {
    expect(slice(181, 180, 121, 120)).toEqual({ ages: [181, 180, 121], incidencia: true });
  });

  it('keeps the order of the cadena when a clock was set back: the late one waits its turn', () => {
    expect(slice(20, 900)).toEqual({ ages: [20, 900], incidencia: false });
  });

  it('is nothing when nothing waits', () => {
    expect(slice()).toEqual({ ages: [], incidencia: false });
  });
});

it.each<[number, readonly number[], number]>([
  [4, [], 4],
  [4, [5], 5],
  [4, [5, 6, 8], 6],
  [4, [6, 5], 6],
  // Passed already, or further on.
  [4, [3, 4], 4],
  [4, [6], 4],
])('behind %i, with %j never sent, the next one follows %i', (enviadoHasta, retenidos, last) => {
  expect(
    passingWithheld({ enviadoHasta: BigInt(enviadoHasta), retenidos: retenidos.map(BigInt) }),
  ).toBe(BigInt(last));
});
