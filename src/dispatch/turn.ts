import { SealBroken } from '../certificate/seal.ts';
import { parseRespuesta } from '../domain/verifactu/respuesta.ts';
import { type ClientCertificate, openCertificate } from '../operations/open-certificate.ts';
import { lockCadena } from '../store/cadenas.ts';
import {
  claimLease,
  endTurn,
  failTurn,
  holdLease,
  type Lease,
  LeaseLost,
  renewLease,
} from '../store/despachos.ts';
import { answerWithin } from '../store/sql.ts';
import type { HttpOutcome } from './aeat-client.ts';
import { nameOf } from './envio-names.ts';
import { passingWithheld, retrySeconds, waitSeconds } from './policy.ts';
import { prepareEnvio, unanswered } from './prepare-envio.ts';
import { type Exchange, storeOutcome } from './store-outcome.ts';
import type { TurnDeps } from './turn-deps.ts';
import { addSeconds, unchanged } from './turn-end.ts';

/**
 * Renewed throughout the turn, however long the AEAT takes, so a dispatcher that dies is noticed soon. One that is
 * merely slow loses its turn and nothing else: another sends the same bytes, and its own result is not written.
 */
const LEASE_SECONDS = 4;
const RENEW_EVERY_MS = 1000;
/** More than the AEAT and the database together ever take: what has not ended by then never will. */
const LONGEST_TURN_MS = 300_000;
/** The same limit for reading the registros of a message; few messages are made at a time. */
const LONGEST_READING_MS = 60_000;
const LONGEST_NOTE_MS = 10_000;
/** What the company is told; the log has the cause. */
const FAILED = 'Huella no ha podido terminar el envío. Lo vuelve a intentar sola.';

/** A turn that failed after it was taken: a message may have been sent. */
export class TurnFailed extends Error {
  /** Whether the database says when the next one begins. */
  readonly isNoted: boolean;
  /** What was left when it failed of the wait that the AEAT asks for; 0 when the AEAT had not answered. */
  readonly waitMs: number;

  constructor(cause: unknown, { isNoted, waitMs }: { isNoted: boolean; waitMs: number }) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.isNoted = isNoted;
    this.waitMs = waitMs;
  }
}

/** What came back of a message could not be stored. */
class NotStored extends Error {
  readonly waitMs: number;

  constructor(cause: unknown, waitMs: number) {
    super('not stored', { cause });
    this.waitMs = waitMs;
  }
}

/**
 * One turn of one company: sends the next message of its cadena and stores the AEAT's answer.
 *
 * Three steps, two transactions (STYLE §7): the message is stored with its exact bytes and committed; then the AEAT
 * is called with no transaction open; then the answer is stored. A crash in between leaves a message without an
 * answer, and the next turn sends the same bytes again or, if its registros have become late, the same registros in a
 * message that says so.
 *
 * @param longestMs a turn that has not ended by then is abandoned as too slow: the company has its next one
 * @returns false when another dispatcher had the turn
 * @throws {TurnFailed} when it failed or did not end: what waits is still there for the next one
 * @throws {Error} when it could not be taken
 */
export async function takeTurn(
  deps: TurnDeps,
  companyId: number,
  longestMs = LONGEST_TURN_MS,
): Promise<boolean> {
  const lease = await claimLease(deps.sql, companyId, deps.aheadSeconds(), LEASE_SECONDS);
  if (!lease) return false;
  // A failed renewal shows where it matters: nothing is written without the lease.
  const renewal = setInterval(() => {
    void renewLease(deps.sql, lease, LEASE_SECONDS).catch(() => undefined);
  }, RENEW_EVERY_MS);
  try {
    await answerWithin(longestMs, () => runTurn(deps, lease));
  } catch (error) {
    clearInterval(renewal);
    if (!(error instanceof LeaseLost)) {
      const { cause, waitMs } = error instanceof NotStored ? error : { cause: error, waitMs: 0 };
      throw new TurnFailed(cause, { isNoted: await noteFailure(deps, lease, waitMs), waitMs });
    }
    deps.log.warn({ companyId }, 'another dispatcher has taken this turn');
  } finally {
    clearInterval(renewal);
  }
  return true;
}

/**
 * Otherwise the failure would repeat at once, with the same message to the AEAT, and the companies behind it would
 * never have a turn.
 *
 * @returns false when this cannot be written to the database either: then the lease expires by itself
 */
async function noteFailure(deps: TurnDeps, lease: Lease, waitMs: number): Promise<boolean> {
  const failures = lease.failures + 1;
  const endedAt = deps.clock();
  const pause = Math.max(retrySeconds(failures, Math.random()), waitMs / 1000);
  const nextEnvioAt = addSeconds(endedAt, pause);
  try {
    await answerWithin(LONGEST_NOTE_MS, () =>
      failTurn(deps.sql, lease, { failures, lastError: FAILED, nextEnvioAt, endedAt }),
    );
  } catch (err) {
    deps.log.error({ err, companyId: lease.companyId }, 'a failed turn could not be noted');
    return false;
  }
  deps.news.tell(lease.companyId);
  return true;
}

async function runTurn(deps: TurnDeps, lease: Lease): Promise<void> {
  const certificate = await openOrExplain(deps, lease.companyId);
  if (certificate === 'sealed') {
    return giveUp(
      deps,
      lease,
      'El certificado digital guardado no se puede abrir: súbelo de nuevo en tu perfil.',
    );
  }
  if (!certificate) {
    return giveUp(deps, lease, 'No hay ningún certificado digital con el que enviar.');
  }
  if (certificate.validoHasta <= deps.clock()) {
    return giveUp(deps, lease, 'El certificado digital ha caducado: sube uno nuevo en tu perfil.');
  }
  const exchange = await send(deps, lease, certificate);
  if (!exchange) return endDrained(deps, lease);
  const { outcome } = exchange;
  // Cut short because the process ends: the message has no answer, and is sent again once the lease and the wait of the
  // AEAT, which may have taken it, are over.
  if (outcome.kind === 'no-answer' && deps.signal.aborted) return;
  try {
    await storeOutcome(deps, certificate, exchange, outcome);
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    throw new NotStored(error, leftOfWait(exchange, outcome));
  }
}

/**
 * Milliseconds left of the wait that an answer asks for or, if it does not say or none came, of the one before it.
 */
function leftOfWait({ lease, sentMs }: Exchange, outcome: HttpOutcome): number {
  if (outcome.kind === 'no-answer' && outcome.isUnsent) return 0;
  const parsed = outcome.kind === 'answer' ? parseRespuesta(outcome.body) : null;
  const asked = parsed?.kind === 'respuesta' ? (parsed.TiempoEsperaEnvio ?? null) : null;
  const sinceSentMs = performance.now() - sentMs;
  return Math.max(0, waitSeconds(asked, lease.waitSeconds) * 1000 - sinceSentMs);
}

/** Sends the next message, of which nothing stays in memory afterwards. Null when nothing waits. */
async function send(
  deps: TurnDeps,
  lease: Lease,
  certificate: ClientCertificate,
): Promise<(Exchange & { readonly outcome: HttpOutcome }) | null> {
  const prepared = lease.envioId
    ? await unanswered(deps, lease, lease.envioId)
    : await deps.pace.work(lease.lateMs, () =>
        answerWithin(LONGEST_READING_MS, () => prepareEnvio(deps, lease)),
      );
  if (!prepared) return null;
  const { message, envio } = prepared;
  deps.log.info(
    { ...nameOf(lease, envio), intento: envio.intentos + 1 },
    'sending a message to the AEAT',
  );
  // A process or a machine that stood still on the way here may have lost its turn long ago. Its copy would reach the
  // AEAT after what another dispatcher has sent since (docs/decisions/0064).
  if (!(await renewLease(deps.sql, lease, LEASE_SECONDS))) throw new LeaseLost();
  const sentAt = deps.clock();
  const sentMs = performance.now();
  const who = { certificate, esDemo: envio.esDemo };
  const outcome = await deps.client.post(who, message, deps.signal);
  return { lease, envio, sentAt, sentMs, outcome };
}

/** The certificate; `sealed` when the master key is another one, which no retry fixes. */
async function openOrExplain(deps: TurnDeps, companyId: number) {
  try {
    return await openCertificate(deps, companyId);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    deps.log.error({ err: error, companyId }, 'the certificate does not open');
    return 'sealed' as const;
  }
}

/** Nothing could be sent at all: the company waits, without holding up the others. */
async function giveUp(deps: TurnDeps, lease: Lease, reason: string): Promise<void> {
  const failures = lease.failures + 1;
  await deps.sql.begin(async (tx) => {
    await holdLease(tx, lease);
    await endTurn(tx, lease, {
      ...unchanged(lease, deps.clock()),
      failures,
      lastError: reason,
      nextEnvioAt: addSeconds(deps.clock(), retrySeconds(failures, Math.random())),
      keepsEnvio: true,
    });
  });
  deps.news.tell(lease.companyId);
}

async function endDrained(deps: TurnDeps, lease: Lease): Promise<void> {
  const enviadoHasta = passingWithheld(lease);
  await deps.sql.begin(async (tx) => {
    const [cadena] = await Promise.all([lockCadena(tx, lease.companyId), holdLease(tx, lease)]);
    await endTurn(tx, lease, {
      ...unchanged(lease, deps.clock()),
      nextEnvioAt: deps.clock(),
      enviadoHasta,
      keepsEnvio: false,
      isDrained: cadena.lastSeq === enviadoHasta,
    });
  });
}
