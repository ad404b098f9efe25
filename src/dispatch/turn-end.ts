/** How a turn ends and when the next one may begin. Pure, so that each case is a line in a test. */

import { MAX_REGISTROS } from '../domain/verifactu/estructura.ts';
import type { Lease, TurnEnd } from '../store/despachos.ts';
import type { Envio, InvoiceVerdict, Respuesta } from '../store/envios.ts';
import type { RegistroSent } from '../store/registros.ts';
import { nextAfterAnswer, waitAfterCopies, waitSeconds } from './policy.ts';

/** The AEAT's answer to a message, and when it came. */
interface Answered {
  readonly sinceSentMs: number;
  readonly now: Date;
  readonly envio: Pick<Envio, 'fromSeq' | 'toSeq'>;
  readonly registros: readonly Pick<RegistroSent, 'TipoRegistro' | 'Subsanacion'>[];
  readonly TiempoEsperaEnvio: number | null;
  /** In the order of the cadena. Shorter than the message when the AEAT asks for the rest to be sent again. */
  readonly respuestas: readonly Pick<Respuesta, 'seq'>[];
  readonly verdicts: readonly Pick<InvoiceVerdict, 'status'>[];
  /** The last registro of the cadena. */
  readonly lastSeq: bigint;
}

/** Only a message that was not full can have reached the end of the cadena. */
export function mayBeLast(registros: readonly unknown[]): boolean {
  return registros.length < MAX_REGISTROS;
}

/**
 * The end of a turn whose message was answered.
 *
 * @param random between 0 and 1
 */
export function endAfterAnswer(
  lease: Pick<Lease, 'waitSeconds' | 'failures' | 'envioId' | 'aislarHasta'>,
  answered: Answered,
  random: number,
): TurnEnd {
  const { sinceSentMs, now, envio, registros, respuestas, verdicts, lastSeq } = answered;
  const wait = waitSeconds(answered.TiempoEsperaEnvio, lease.waitSeconds);
  // A message that was stored before this turn has been sent once already, by whichever process.
  const pause = lease.envioId === null ? wait : waitAfterCopies(wait, registros);
  const answeredTo = respuestas.at(-1)?.seq ?? envio.fromSeq - 1n;
  const isWhole = answeredTo === envio.toSeq;
  const failures = isWhole ? 0 : lease.failures + 1;
  return {
    enviadoHasta: answeredTo,
    newRechazados: verdicts.filter(({ status }) => status === 'Rechazado').length,
    nextEnvioAt: nextAfterAnswer(
      { sinceSentMs, now, wait, pause, pending: lastSeq - answeredTo, isWhole, failures },
      random,
    ),
    isWaitAsked: true,
    endedAt: now,
    waitSeconds: wait,
    failures,
    lastError: isWhole ? null : 'La AEAT ha pedido repetir parte del envío.',
    // The defective registro was not in the half that was accepted, so it is in the other one.
    aislarHasta: lease.aislarHasta,
    keepsEnvio: false,
    isDrained: mayBeLast(registros) && lastSeq === answeredTo,
  };
}

/** An end that leaves everything as the turn found it, except for when the next one may begin. */
export function unchanged(
  lease: Lease,
  endedAt: Date,
): Omit<TurnEnd, 'nextEnvioAt' | 'keepsEnvio'> {
  return {
    endedAt,
    enviadoHasta: lease.enviadoHasta,
    newRechazados: 0,
    isWaitAsked: false,
    waitSeconds: lease.waitSeconds,
    failures: lease.failures,
    lastError: lease.lastError,
    aislarHasta: lease.aislarHasta,
    isDrained: false,
  };
}

export function addSeconds(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000);
}
