/** When to try again and what an answer means. Pure, so that each case is a line in a test. */

import { MAX_REGISTROS } from '../domain/verifactu/estructura.ts';

/**
 * A registro older than this when it is sent is late, and its message says so (`Incidencia`). The AEAT warns of a
 * FechaHoraHusoGenRegistro from 240 s on (code 2004), and the call itself may take the last minute.
 */
const LATE_AFTER_SECONDS = 180;
/**
 * A late registro takes along those older than this, which the same incident has delayed. Otherwise, while invoices are
 * made continuously, each message would hold only the few that have become late since the one before it.
 */
const DELAYED_AFTER_SECONDS = 120;

const FIRST_RETRY_SECONDS = 30;
/** After a turn that only failed because the database was away, which is soon back or replaced by its standby. */
const FIRST_RETRY_WITHOUT_DATABASE_SECONDS = 2;
/** «Al menos una vez cada hora» (Orden HAC/1177/2024 art. 16.4), including jitter and a call of two minutes. */
const LAST_RETRY_SECONDS = 2800;

/**
 * After how many failures in a row, half an hour, a refusal of the certificate is no passing trouble of the AEAT, and
 * its owner is told: if the AEAT has answered others meanwhile, or there are no others.
 */
export const REFUSALS_TOLD = 7;
export const REFUSED_SECONDS = 1800;

/**
 * Seconds until the next attempt after `failures` attempts in a row without an answer: 30, 60, 120…
 * up to 47 minutes, and up to a fifth more so that many companies do not come back at once.
 *
 * @param random between 0 and 1
 * @param wasDatabaseAway 2, 4, 8… instead
 */
export function retrySeconds(
  failures: number,
  random: number,
  { wasDatabaseAway = false }: { readonly wasDatabaseAway?: boolean } = {},
): number {
  const first = wasDatabaseAway ? FIRST_RETRY_WITHOUT_DATABASE_SECONDS : FIRST_RETRY_SECONDS;
  const base = Math.min(first * 2 ** (failures - 1), LAST_RETRY_SECONDS);
  return Math.round(base * (1 + random * 0.2));
}

/**
 * Seconds to wait before the next message: what the AEAT asks for in this answer, or else in its last one; never more
 * than the four digits that its schema allows.
 */
export function waitSeconds(TiempoEsperaEnvio: number | null, previous: number): number {
  return Math.min(TiempoEsperaEnvio ?? previous, 9999);
}

/** Three of the AEAT's usual waits of a minute. */
const WAITS_AFTER_A_COPY = 3;
/** Whatever the AEAT asks for: longer than any call of ours can last (`aeat-client.ts`). */
const LEAST_SECONDS_AFTER_A_COPY = 150;

/**
 * Seconds until the message after one that was sent more than once.
 *
 * An old copy may still be on its way. A repeated alta is refused as a duplicate, but a repeated subsanación or
 * anulación is accepted again (AEAT, FAQ for developers 1.3, matrix of altas and anulaciones), and would undo a later
 * registro of the same invoice there. So no later one is sent until the old copy cannot arrive any more.
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
 * How many registros the next message may hold: normally as many as a message admits; while isolating one that makes
 * the AEAT refuse its whole message, the first half of those that may be it. What was sent before is never included
 * again, so one in a thousand is found in twelve messages at most.
 *
 * @param aislarHasta the last position that the message may reach; null when nothing is being isolated
 */
export function batchSize(enviadoHasta: bigint, aislarHasta: bigint | null): number {
  const suspects = aislarHasta === null ? 0n : aislarHasta - enviadoHasta;
  return suspects <= 0n ? MAX_REGISTROS : Math.ceil(Math.min(Number(suspects), MAX_REGISTROS) / 2);
}

/**
 * When the next message may go after an answer: when the wait is over or, if as many wait as fill a message, at
 * once, whichever comes first (Orden HAC/1177/2024 art. 16.2), even if that message will be shorter
 * (docs/decisions/0189).
 *
 * @param answer.sinceSentMs since the message was sent, however the clock was set since
 * @param answer.wait seconds that the AEAT asks for
 * @param answer.pause equal to `wait`, or longer while copies may still be on their way; a longer one is always
 *   respected
 * @param answer.pending registros that wait after this message
 * @param answer.isWhole false when the AEAT asks for a part of it again: that part is retried with growing delays
 * @param random between 0 and 1
 */
export function nextAfterAnswer(
  answer: {
    readonly sinceSentMs: number;
    readonly now: Date;
    readonly wait: number;
    readonly pause: number;
    readonly pending: bigint;
    readonly isWhole: boolean;
    readonly failures: number;
  },
  random: number,
): Date {
  const { sinceSentMs, now, wait, pause, pending, isWhole, failures } = answer;
  if (!isWhole) {
    return new Date(now.getTime() + Math.max(pause, retrySeconds(failures, random)) * 1000);
  }
  if (pending >= MAX_REGISTROS && pause === wait) return now;
  return new Date(now.getTime() + pause * 1000 - sinceSentMs);
}

/** The last position before the next one to send: those behind `enviadoHasta` that are never sent are passed over. */
export function passingWithheld({
  enviadoHasta,
  retenidos,
}: {
  readonly enviadoHasta: bigint;
  readonly retenidos: readonly bigint[];
}): bigint {
  let passed = enviadoHasta;
  while (retenidos.includes(passed + 1n)) passed += 1n;
  return passed;
}

/** What one message holds, in order, and whether it must carry `Incidencia`. */
export interface Slice<T> {
  readonly registros: readonly T[];
  readonly incidencia: boolean;
}

/**
 * Splits what waits into messages: late registros, which come first, in one marked `Incidencia`, and fresh ones in
 * another (Orden HAC/1177/2024 art. 16.4).
 */
export function nextSlice<T extends { readonly generatedAt: Date }>(
  waiting: readonly T[],
  now: Date,
): Slice<T> {
  const isOlder = ({ generatedAt }: T, seconds: number) =>
    now.getTime() - generatedAt.getTime() > seconds * 1000;
  const incidencia = waiting[0] !== undefined && isOlder(waiting[0], LATE_AFTER_SECONDS);
  if (!incidencia) return { registros: waiting, incidencia };
  const firstFresh = waiting.findIndex((registro) => !isOlder(registro, DELAYED_AFTER_SECONDS));
  return { registros: firstFresh === -1 ? waiting : waiting.slice(0, firstFresh), incidencia };
}

/**
 * What to do about a message that the AEAT refused as a whole (SOAP Fault):
 *
 * - `repetir`: a problem of the AEAT's own; the same message is sent again, with growing delays.
 * - `aislar`: something in the message; it is sent in halves until the defective registro is alone.
 * - `detener`: the sender, or its right to send; nothing is sent until a person fixes it.
 */
export type RemedioFault = 'repetir' | 'aislar' | 'detener';

/** The XML, or a value that may belong to one registro (AEAT, table `errores` of 18-08-2026). */
const DE_UN_REGISTRO: readonly number[] = [
  4102, 4103, 4106, 4107, 4109, 4113, 4114, 4119, 4136, 4137, 4138,
];

/** The company's access to the service is suspended: it must not be retried automatically. */
export const SUSPENDIDO = 4141;

/**
 * `Server` faults, and codes that `codigos-tabla.ts` marks as technical, are retried unchanged. Other `Client` faults
 * stop the company until they are fixed; but one defective registro never blocks the others.
 *
 * @param esTecnico whether the AEAT's table marks the code as its own problem
 * @param esDeQuienEnvia whether the value it quotes is the company's own NIF, and so belongs to no single registro
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
