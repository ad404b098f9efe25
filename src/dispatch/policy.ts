/**
 * When to try again and what an answer means: pure, so that each case is a line in a test.
 */

import { MAX_REGISTROS } from '../domain/verifactu/estructura.ts';

/**
 * A registro older than this when it is sent is late, and its message says so (`Incidencia`). The AEAT
 * warns of a FechaHoraHusoGenRegistro from 240 s on (code 2004), and the call itself may take the last minute.
 */
const LATE_AFTER_SECONDS = 180;

const FIRST_RETRY_SECONDS = 30;
/** «Al menos una vez cada hora» (Orden HAC/1177/2024 art. 16.4), jitter and a call of two minutes included. */
const LAST_RETRY_SECONDS = 2800;

/**
 * Seconds until the next attempt after `failures` attempts in a row without an answer: 30, 60, 120…
 * up to 47 minutes, and up to a fifth more so that many companies do not come back at once.
 *
 * @param random between 0 and 1
 */
export function retrySeconds(failures: number, random: number): number {
  const base = Math.min(FIRST_RETRY_SECONDS * 2 ** (failures - 1), LAST_RETRY_SECONDS);
  return Math.round(base * (1 + random * 0.2));
}

/**
 * Seconds to wait before the next message. The AEAT's word, or the last one it said; never more than
 * the four digits its schema allows.
 */
export function waitSeconds(TiempoEsperaEnvio: number | null, previous: number): number {
  return Math.min(TiempoEsperaEnvio ?? previous, 9999);
}

/** Three of the AEAT's waits of a minute. */
const WAITS_AFTER_A_COPY = 3;
/** Whatever it asks for: longer than any call of ours lives (`aeat-client.ts`). */
const LEAST_SECONDS_AFTER_A_COPY = 150;

/**
 * Seconds until the message after one that went out more than once.
 *
 * An old copy may still be on its way. Altas that come again are refused as duplicates, but a subsanación or an
 * anulación enters again (AEAT, FAQ for developers 1.3, matrix of altas and anulaciones), and would undo there a later
 * registro of the same invoice: so no later one is sent until the old copy cannot arrive any more.
 */
export function waitAfterCopies(
  wait: number,
  registros: readonly {
    readonly TipoRegistro: 'Alta' | 'Anulacion';
    readonly Subsanacion: string | null;
  }[],
): number {
  const entersAgain = registros.some(
    ({ TipoRegistro, Subsanacion }) => TipoRegistro === 'Anulacion' || Subsanacion === 'S',
  );
  return entersAgain ? Math.max(wait * WAITS_AFTER_A_COPY, LEAST_SECONDS_AFTER_A_COPY) : wait;
}

/**
 * How many registros the next message may hold: as many as one admits or, while one that spoils its message is being
 * isolated, the first half of those among which it is. What was sent before is never among them again, so that
 * one of a thousand is found in twelve messages at most.
 *
 * @param aislarHasta place that it does not pass; null while nothing is isolated
 */
export function batchSize(enviadoHasta: bigint, aislarHasta: bigint | null): number {
  const suspects = aislarHasta === null ? 0n : aislarHasta - enviadoHasta;
  return suspects <= 0n ? MAX_REGISTROS : Math.ceil(Math.min(Number(suspects), MAX_REGISTROS) / 2);
}

/**
 * When the next message may go after an answer: once the wait is over, or at once when a whole message waits already,
 * whichever comes first (Orden HAC/1177/2024 art. 16.2).
 *
 * @param answer.wait seconds that the AEAT asks for
 * @param answer.pause the same with those for which copies may still be on their way: that is always waited for
 * @param answer.pending registros that wait behind the message
 * @param answer.isWhole false when the AEAT asked to repeat a part of it: that part is tried later and later
 * @param random between 0 and 1
 */
export function nextAfterAnswer(
  answer: {
    readonly sentAt: Date;
    readonly now: Date;
    readonly wait: number;
    readonly pause: number;
    readonly pending: bigint;
    readonly isWhole: boolean;
    readonly failures: number;
  },
  random: number,
): Date {
  const { sentAt, now, wait, pause, pending, isWhole, failures } = answer;
  if (!isWhole) {
    return new Date(now.getTime() + Math.max(pause, retrySeconds(failures, random)) * 1000);
  }
  if (pending >= MAX_REGISTROS && pause === wait) return now;
  return new Date(sentAt.getTime() + pause * 1000);
}

/** What is sent in one message, in order, and whether it must carry `Incidencia`. */
export interface Slice<T> {
  readonly registros: readonly T[];
  readonly incidencia: boolean;
}

/**
 * Splits what waits so that late registros, which come first, go in a message of their own marked `Incidencia`, and
 * fresh ones in another (Orden HAC/1177/2024 art. 16.4).
 */
export function nextSlice<T extends { readonly generatedAt: Date }>(
  waiting: readonly T[],
  now: Date,
): Slice<T> {
  const isLate = ({ generatedAt }: T) =>
    now.getTime() - generatedAt.getTime() > LATE_AFTER_SECONDS * 1000;
  const firstFresh = waiting.findIndex((registro) => !isLate(registro));
  if (firstFresh === 0) return { registros: waiting, incidencia: false };
  return {
    registros: firstFresh === -1 ? waiting : waiting.slice(0, firstFresh),
    incidencia: waiting.length > 0,
  };
}

/**
 * What to do about a message that the AEAT refused whole (SOAP Fault):
 *
 * - `repetir`: its own trouble; the same goes again, later and later.
 * - `aislar`: something inside the message; sent in halves until the registro at fault is alone.
 * - `detener`: who sends, or whether it may; nothing goes until a person mends it.
 */
export type RemedioFault = 'repetir' | 'aislar' | 'detener';

/** The XML, or a value that may be of one registro (AEAT, table `errores` of 18-08-2026). */
const DE_UN_REGISTRO: readonly number[] = [
  4102, 4103, 4106, 4107, 4109, 4113, 4114, 4119, 4136, 4137, 4138,
];

/** The company's access to the service is suspended: never to be tried again by itself. */
const SUSPENDIDO = 4141;

/**
 * `Server`, and the codes that `codigos-tabla.ts` marks as technical, go again unchanged; `Client` stops and is mended;
 * one defective registro never blocks the others.
 *
 * @param esTecnico whether the AEAT's table says that the code is its own trouble
 * @param esDeQuienEnvia whether what it quotes is the company's own NIF: of no registro, then
 * @param registros how many the message had
 */
export function remedioDeFault(
  { faultcode, code }: { readonly faultcode: 'Client' | 'Server'; readonly code?: number },
  {
    esTecnico,
    esDeQuienEnvia,
    registros,
  }: {
    readonly esTecnico: boolean;
    readonly esDeQuienEnvia: boolean;
    readonly registros: number;
  },
): RemedioFault {
  if (code === SUSPENDIDO || (esDeQuienEnvia && !esTecnico)) return 'detener';
  if (faultcode === 'Server') return 'repetir';
  const esDeUno = code !== undefined && DE_UN_REGISTRO.includes(code);
  if (esTecnico) return esDeUno && registros > 1 ? 'aislar' : 'repetir';
  return esDeUno ? 'aislar' : 'detener';
}
