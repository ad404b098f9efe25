import { describe, expect, it } from 'vitest';
import { MAX_REGISTROS } from '../domain/verifactu/estructura.ts';
import type { Lease } from '../store/despachos.ts';
import type { InvoiceVerdict } from '../store/envios.ts';
import { endAfterAnswer } from './turn-end.ts';

const sentAt = new Date('2026-11-20T10:00:00Z');
const now = new Date('2026-11-20T10:00:03Z');
const lease: Pick<Lease, 'waitSeconds' | 'failures' | 'envioId' | 'aislarHasta'> = {
  waitSeconds: 60,
  failures: 0,
  envioId: null,
  aislarHasta: null,
};
const secondsAfter = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1000;

interface Case {
  readonly lease?: Partial<typeof lease>;
  /** Registros of the message, which begins at 11. */
  readonly sent?: number;
  /** How many of them the AEAT answered; by default all. */
  readonly answered?: number;
  /** Registros that wait behind the message. */
  readonly behind?: number;
  readonly wait?: number | null;
  readonly Subsanacion?: string | null;
  readonly statuses?: readonly InvoiceVerdict['status'][];
}

function endOf({ sent = 3, answered = sent, behind = 0, wait = null, ...rest }: Case) {
  const registros = Array.from({ length: sent }, () => ({
    TipoRegistro: 'Alta' as const,
    Subsanacion: rest.Subsanacion ?? null,
  }));
  return endAfterAnswer(
    { ...lease, ...rest.lease },
    {
      sinceSentMs: now.getTime() - sentAt.getTime(),
      now,
      envio: { fromSeq: 11n, toSeq: 10n + BigInt(sent) },
      registros,
      TiempoEsperaEnvio: wait,
      respuestas: registros.slice(0, answered).map((_, i) => ({ seq: 11n + BigInt(i) })),
      verdicts: (rest.statuses ?? []).map((status) => ({ status })),
      lastSeq: 10n + BigInt(sent + behind),
    },
    0,
  );
}

describe('how far the cadena has been answered', () => {
  it.each([
    ['all of it', { sent: 3 }, 13n, 0, null],
    ['all of it, after failures', { sent: 3, lease: { failures: 4 } }, 13n, 0, null],
    ['two of three', { sent: 3, answered: 2 }, 12n, 1, 'repetir'],
    ['none of it', { sent: 3, answered: 0, lease: { failures: 4 } }, 10n, 5, 'repetir'],
  ] as const)('%s', (_, given, enviadoHasta, failures, words) => {
    const end = endOf(given);
    expect(end).toMatchObject({ enviadoHasta, failures, endedAt: now, keepsEnvio: false });
    expect(end.isWaitAsked).toBe(true); // By an answer, whatever became of the message: nobody cuts it short.
    if (words) expect(end.lastError).toContain(words);
    else expect(end.lastError).toBeNull();
  });
});

describe('when the next message may go', () => {
  it.each([
    ['after the wait that the AEAT asks for', { wait: 90 }, 90],
    ['after the one it asked for last, if it asks for none', {}, 60],
    ['as late as copies may come, after a subsanación sent before', again('S'), 180],
    ['after the wait, when altas were sent before', again(null), 60],
    ['after the wait, when a subsanación is sent for the first time', { Subsanacion: 'S' }, 60],
    ['at once, with a whole message behind', { behind: MAX_REGISTROS }, 3],
    ['after the wait, with one less', { behind: MAX_REGISTROS - 1 }, 60],
    ['not at once where copies may come', { ...again('S'), behind: MAX_REGISTROS }, 180],
    // The wait of 60 s from now on, which is longer than the first retry of 30 s; then the fourth retry.
    ['after the wait, where a part has to be repeated', { answered: 1 }, 63],
    ['later and later then', { answered: 1, lease: { failures: 3 } }, 243],
  ] as readonly (readonly [string, Case, number])[])('%s', (_, given, seconds) => {
    expect(secondsAfter(sentAt, endOf(given).nextEnvioAt)).toBe(seconds);
  });

  it('keeps the wait for the next turn, without the extra time for copies', () => {
    expect(endOf({ wait: 90 }).waitSeconds).toBe(90);
    expect(endOf({}).waitSeconds).toBe(60);
    expect(endOf(again('S')).waitSeconds).toBe(60);
  });
});

it.each([
  ['nothing is behind', { sent: 3 }, true],
  ['something is behind', { sent: 3, behind: 1 }, false],
  ['a part has to be repeated', { sent: 3, answered: 2 }, false],
  ['the message was full, whose cadena is not locked', { sent: MAX_REGISTROS }, false],
] as const)('whether the cadena is drained when %s', (_, given, isDrained) => {
  expect(endOf(given).isDrained).toBe(isDrained);
});

it('counts the rejected registros, and goes on isolating', () => {
  const statuses = [
    'Rechazado',
    'Registrada',
    'Aceptado con errores',
    'Anulada',
    'Rechazado',
  ] as const;
  const end = endOf({ statuses, lease: { aislarHasta: 40n } });
  expect(end).toMatchObject({ newRechazados: 2, aislarHasta: 40n });
});

/** Sent before this turn: altas or subsanaciones. */
function again(Subsanacion: string | null): Case {
  return { lease: { envioId: 7n }, Subsanacion };
}
