import { esReintentable, mensajeDeFault } from '../domain/verifactu/codigos.ts';
import { DESFASE_AVISO_SEGUNDOS, desfaseSegundos } from '../domain/verifactu/reloj.ts';
import {
  type Fault,
  parseRespuesta,
  type RespuestaLeida,
  type RespuestaSuministro,
} from '../domain/verifactu/respuesta.ts';
import type { ClientCertificate } from '../operations/open-certificate.ts';
import { settleInvoices } from '../operations/settle-invoices.ts';
import { cutBlocks } from '../store/blocks.ts';
import { findLastSeq, lockCadena, requireReconcile } from '../store/cadenas.ts';
import { findCertificateDetails, keepWarning, REFUSED } from '../store/certificates.ts';
import { mayJoinCompanies } from '../store/coalesced.ts';
import { type Company, findCompany } from '../store/companies.ts';
import {
  endTurn,
  failsAlone,
  holdLease,
  type Lease,
  lockDespacho,
  saveDesfase,
  stopSending,
  type TurnEnd,
} from '../store/despachos.ts';
import {
  type Envio,
  hasEarlierCopy,
  type Intento,
  insertIntento,
  insertRespuestas,
  type Respuesta,
  saveAnswer,
} from '../store/envios.ts';
import { lockInvoicesById } from '../store/invoices.ts';
import { enqueueMail } from '../store/mail-jobs.ts';
import { packMessage } from '../store/packed-message.ts';
import type { RegistroSent } from '../store/registros.ts';
import { type Commit, pipelined, type Tx } from '../store/sql.ts';
import type { HttpOutcome } from './aeat-client.ts';
import { type AnswerReading, readAnswer } from './answer.ts';
import { nameOf, numbersOf } from './envio-names.ts';
import { isRefusal, wordsOfPage } from './outcome-words.ts';
import {
  REFUSALS_TOLD,
  REFUSED_SECONDS,
  remedioDeFault,
  retrySeconds,
  SUSPENDIDO,
  waitSeconds,
} from './policy.ts';
import { type EnvioToSend, isOfToday, registrosIn } from './prepare-envio.ts';
import type { TurnDeps } from './turn-deps.ts';
import { addSeconds, endAfterAnswer, mayBeLast, unchanged } from './turn-end.ts';

/** Characters of the AEAT's text in a line of the log; all of it is stored with the attempt. */
const LOGGED_LETTERS = 500;

/** A message that was sent in a turn. */
export interface Exchange {
  readonly lease: Lease;
  readonly envio: EnvioToSend;
  readonly sentAt: Date;
  /** The same on the monotonic clock: a wait that began then does not change with the clock of the machine. */
  readonly sentMs: number;
}

/** Whole milliseconds, like the clock's: a fraction more would end the wait that much too early. */
const sinceSentMs = ({ sentMs }: Exchange): number => Math.floor(performance.now() - sentMs);

/** When the wait after a message is over. */
function afterMessage(exchange: Exchange, wait: number, now: Date): Date {
  return new Date(now.getTime() + wait * 1000 - sinceSentMs(exchange));
}

/** Stores what came back, or that nothing did, and when the company has its next turn. */
export async function storeOutcome(
  deps: TurnDeps,
  certificate: ClientCertificate,
  exchange: Exchange,
  outcome: HttpOutcome,
): Promise<void> {
  const { lease, envio, sentAt } = exchange;
  const storeNoAnswer = (detail: string, httpStatus: number | null, more: Silence = {}) => {
    const intento = { outcome: 'no-answer', detail, httpStatus } as const;
    return storeSilence(deps, certificate, exchange, intento, more);
  };
  if (outcome.kind === 'no-answer') {
    const { cause, refusesCertificate, isUnsent } = outcome;
    return storeNoAnswer(cause, null, { refusesCertificate, isUnsent });
  }
  // In another thread, while the answer is parsed in this one. Awaited with the locks, which also reports its
  // failure.
  const packing = packMessage(outcome.body);
  packing.catch(() => undefined);
  const parsed = parseRespuesta(outcome.body);
  const desfase = measureClock(deps, lease.companyId, sentAt, outcome, parsed);
  if (parsed.kind !== 'respuesta') {
    await saveClock(deps.sql, lease.companyId, desfase);
    if (parsed.kind === 'fault') {
      return storeFault(deps, certificate, exchange, parsed, outcome.status);
    }
    const { status, contentType } = outcome;
    const refusesCertificate = isRefusal(status);
    return storeNoAnswer(wordsOfPage(status, contentType), status, { refusesCertificate });
  }

  const registros = await registrosIn(deps, lease.companyId, envio);
  const reading = await readAnswer(
    deps,
    { companyId: lease.companyId, certificate, esDemo: envio.esDemo },
    registros,
    parsed,
    {
      failures: lease.failures,
      isCopy: async () =>
        lease.envioId !== null || (await hasEarlierCopy(deps.sql, lease.companyId, envio)),
    },
  );
  if (reading.kind === 'unclear') {
    await saveClock(deps.sql, lease.companyId, desfase);
    const wait = waitSeconds(parsed.TiempoEsperaEnvio ?? null, lease.waitSeconds);
    return storeNoAnswer(reading.cause, outcome.status, { wait });
  }
  await storeAnswer(deps, exchange, {
    answer: parsed,
    reading,
    registros,
    packing,
    desfase,
    httpStatus: outcome.status,
  });
}

/** An answer that belongs to its message. */
interface FittingAnswer {
  readonly answer: RespuestaSuministro;
  readonly reading: Extract<AnswerReading, { kind: 'read' }>;
  readonly registros: readonly RegistroSent[];
  /** The bytes of the answer, being compressed. */
  readonly packing: Promise<Uint8Array>;
  readonly desfase: number | null;
  readonly httpStatus: number;
}

/** Writes an answer, the new status of its invoices and the time of the next message, in one transaction. */
async function storeAnswer(
  deps: TurnDeps,
  exchange: Exchange,
  { answer, reading, registros, packing, desfase, httpStatus }: FittingAnswer,
): Promise<void> {
  const { lease, envio, sentAt } = exchange;
  const now = deps.clock();
  const answered = {
    sinceSentMs: sinceSentMs(exchange),
    now,
    envio,
    registros,
    TiempoEsperaEnvio: answer.TiempoEsperaEnvio ?? null,
    respuestas: reading.respuestas,
    verdicts: reading.verdicts,
  };
  const isStale = reading.lostPeriodos.length > 0;

  const store = async (tx: Tx, commit: Commit) => {
    // Invoices, cadena, despacho: the locking order of registering, because in another order the two could deadlock.
    const [respuesta, , lastSeq] = await Promise.all([
      packing,
      lockInvoicesById(tx, lease.companyId, invoiceIdsOf(registros)),
      mayBeLast(registros) || isStale
        ? lockCadena(tx, lease.companyId).then((cadena) => cadena.lastSeq)
        : findLastSeq(tx, lease.companyId),
      holdLease(tx, lease),
    ]);
    const settled = settleInvoices(tx, lease.companyId, reading.verdicts, {
      inOne: mayJoinCompanies(deps.sql),
    });
    await commit([
      settled,
      ...(isStale ? [requireReconcile(tx, lease.companyId, reading.lostPeriodos, now)] : []),
      insertIntento(tx, lease.companyId, envio, {
        sentAt,
        endedAt: now,
        outcome: 'answered',
        detail: null,
        httpStatus,
      }),
      saveAnswer(tx, lease.companyId, envio.id, {
        answeredAt: now,
        EstadoEnvio: answer.EstadoEnvio,
        CSV: answer.CSV ?? null,
        TiempoEsperaEnvio: answer.TiempoEsperaEnvio ?? null,
        respuesta,
      }),
      insertRespuestas(tx, lease.companyId, envio.id, reading.respuestas, now),
      saveClock(tx, lease.companyId, desfase),
      endTurn(tx, lease, endAfterAnswer(lease, { ...answered, lastSeq }, Math.random())),
    ]);
    return settled;
  };
  const isCutDue = await deps.pace.work(lease.lateMs, () => pipelined(deps.sql, store));
  deps.log.info(
    {
      ...nameOf(lease, envio),
      EstadoEnvio: answer.EstadoEnvio,
      CSV: answer.CSV ?? null,
      facturas: numbersOf(registros),
    },
    'the AEAT answered',
  );
  deps.news.tell(lease.companyId);
  if (isCutDue) await cutBlocksOf(deps, lease.companyId);
}

/** In a transaction of its own, so that no answer waits for it. If it is left undone, the next answer does it. */
async function cutBlocksOf(deps: TurnDeps, companyId: number): Promise<void> {
  try {
    await deps.sql.begin((tx) =>
      Promise.all([lockDespacho(tx, companyId), cutBlocks(tx, companyId)]),
    );
  } catch (err) {
    deps.log.warn({ err, companyId }, 'the blocks of a list stay big for now');
  }
}

/**
 * The difference between our clock and the AEAT's, from the time of presentation or, when nothing was accepted, from
 * the `Date` of its answer.
 */
function measureClock(
  deps: TurnDeps,
  companyId: number,
  sentAt: Date,
  { date }: Extract<HttpOutcome, { kind: 'answer' }>,
  parsed: RespuestaLeida,
): number | null {
  const sello = (parsed.kind === 'respuesta' && parsed.TimestampPresentacion) || date;
  const segundos = desfaseSegundos(sello, { sentAt, receivedAt: deps.clock() });
  if (segundos === null) return null;
  if (Math.abs(segundos) >= DESFASE_AVISO_SEGUNDOS) {
    deps.log.warn({ companyId, segundos }, 'our clock and the AEAT’s differ');
  }
  return segundos;
}

async function saveClock(tx: Tx, companyId: number, desfase: number | null): Promise<void> {
  if (desfase !== null) await saveDesfase(tx, companyId, desfase);
}

/** An attempt at a message that the AEAT did not take, as far as is known. */
interface NotTaken {
  readonly outcome: Exclude<Intento['outcome'], 'answered'>;
  readonly detail: string;
  readonly httpStatus: number | null;
}

/** What is known of a message nevertheless, although nothing came back that belongs to it. */
interface Silence {
  /** Whoever does not look at the panel is told, once per certificate, unless the AEAT refuses everybody. */
  readonly refusesCertificate?: boolean;
  /** It did not reach the AEAT, which asks for no wait after it. */
  readonly isUnsent?: boolean;
  /** Seconds that the AEAT asked to wait, in an answer that does not say what became of the message. */
  readonly wait?: number;
}

/**
 * Nobody knows whether the AEAT stored it: the same message is sent again (`unanswered`), with growing delays, and
 * like any other not before the wait after it is over. The delays begin anew with a certificate that was uploaded
 * meanwhile, which may be what it takes.
 */
async function storeSilence(
  deps: TurnDeps,
  certificate: ClientCertificate,
  exchange: Exchange,
  intento: NotTaken,
  { refusesCertificate = false, isUnsent = false, wait }: Silence = {},
): Promise<void> {
  const { companyId, failures: before, waitSeconds: waitBefore } = exchange.lease;
  let failures = before + 1;
  let isTold = false;
  const mayTell =
    refusesCertificate &&
    failures >= REFUSALS_TOLD &&
    (await failsAlone(deps.sql, companyId, addSeconds(deps.clock(), -REFUSED_SECONDS)));
  await storeFailure(
    deps,
    exchange,
    intento,
    async (tx) => {
      if (await isReplaced(tx, companyId, certificate)) failures = 1;
      const now = deps.clock();
      const retryAt = addSeconds(now, retrySeconds(failures, Math.random()));
      const waitsUntil = isUnsent ? now : afterMessage(exchange, wait ?? waitBefore, now);
      return {
        failures,
        lastError: intento.detail,
        nextEnvioAt: retryAt > waitsUntil ? retryAt : waitsUntil,
        isWaitAsked: wait !== undefined,
        waitSeconds: wait ?? waitBefore,
        keepsEnvio: true,
      };
    },
    async (tx) => {
      if (!mayTell || failures < REFUSALS_TOLD) return;
      isTold = await tellRefused(tx, companyId, certificate, intento.detail, deps.clock());
    },
  );
  if (isTold) deps.wakeMail();
}

/** @returns false when it was told before */
async function tellRefused(
  tx: Tx,
  companyId: number,
  { huella }: ClientCertificate,
  motivo: string,
  now: Date,
): Promise<boolean> {
  const company = await findCompany(tx, companyId);
  if (!company || !(await keepWarning(tx, companyId, { huella, dias: REFUSED, now }))) return false;
  await enqueueMail(tx, companyId, {
    content: { kind: 'certificado-rechazado', motivo, huella },
    recipient: company.email,
    now,
  });
  return true;
}

/** Whether the company has another certificate by now, or none. */
async function isReplaced(
  tx: Tx,
  companyId: number,
  { huella }: ClientCertificate,
): Promise<boolean> {
  return (await findCertificateDetails(tx, companyId))?.huella !== huella;
}

/** The AEAT refused the whole message: it stored nothing of it (table `errores`: «el rechazo del envío completo»). */
async function storeFault(
  deps: TurnDeps,
  certificate: ClientCertificate,
  exchange: Exchange,
  fault: Fault,
  httpStatus: number,
): Promise<void> {
  const { envio, lease } = exchange;
  const count = Number(envio.toSeq - envio.fromSeq) + 1;
  const company = await findCompany(deps.sql, lease.companyId);
  const remedio = remedioDeFault(fault, {
    esTecnico: esReintentable(fault.code ?? 0),
    esDeQuienEnvia:
      company !== null && new RegExp(`NIF:\\s*${company.nif}\\b`).test(fault.faultstring),
    registros: count,
  });
  const intento = { outcome: 'fault', detail: mensajeDeFault(fault), httpStatus } as const;
  if (remedio === 'repetir') return storeSilence(deps, certificate, exchange, intento);
  if (remedio === 'detener') {
    return stopAt(deps, certificate, exchange, { ...intento, code: fault.code ?? null });
  }
  if (count === 1) return rejectDefective(deps, exchange, fault, httpStatus);
  // One defective registro makes the AEAT refuse its neighbours too: halve until it is alone (`batchSize`).
  await storeFailure(deps, exchange, intento, {
    failures: lease.failures,
    lastError: null,
    nextEnvioAt: afterMessage(exchange, lease.waitSeconds, deps.clock()),
    isWaitAsked: true,
    keepsEnvio: false,
    aislarHasta: envio.toSeq,
  });
}

/**
 * The problem is the certificate, the company's data or its right to send. The same message would always be refused,
 * so sending waits for a person; registering goes on. The message is then made anew, with the company's data of that
 * moment. If that person has changed them since, it is made anew at once: what was refused is no longer said.
 */
async function stopAt(
  deps: TurnDeps,
  certificate: ClientCertificate,
  exchange: Exchange,
  { code, ...intento }: NotTaken & { readonly code: number | null },
): Promise<void> {
  const { companyId } = exchange.lease;
  const motivo = intento.detail;
  const now = deps.clock();
  const nextEnvioAt = afterMessage(exchange, exchange.lease.waitSeconds, now);
  let isTold = false;
  await storeFailure(
    deps,
    exchange,
    intento,
    { failures: 0, lastError: null, nextEnvioAt, isWaitAsked: true, keepsEnvio: false },
    async (tx) => {
      const company = await findCompany(tx, companyId);
      if (!company || (code !== SUSPENDIDO && (await isMended(tx, certificate, exchange, company))))
        return;
      isTold = await stopSending(tx, companyId, { code, motivo, now });
      if (!isTold) return;
      await enqueueMail(tx, companyId, {
        content: { kind: 'envio-detenido', motivo },
        recipient: company.email,
        now,
      });
    },
  );
  if (isTold) deps.wakeMail();
}

/**
 * Whether the certificate or the company's data that a message went with have been replaced since. Whoever replaces
 * them waits for the lock of this transaction, or this one for theirs.
 */
async function isMended(
  tx: Tx,
  certificate: ClientCertificate,
  { envio, lease }: Exchange,
  company: Company,
): Promise<boolean> {
  return (await isReplaced(tx, lease.companyId, certificate)) || !(await isOfToday(envio, company));
}

/**
 * The registro that makes the AEAT refuse every message with it: its invoice needs a person, and the rest goes on.
 */
async function rejectDefective(
  deps: TurnDeps,
  exchange: Exchange,
  fault: Fault,
  httpStatus: number,
): Promise<void> {
  const { envio, lease, sentAt } = exchange;
  const now = deps.clock();
  const nextEnvioAt = afterMessage(exchange, lease.waitSeconds, now);
  const registros = await registrosIn(deps, lease.companyId, envio);
  const respuesta: Respuesta = {
    seq: envio.fromSeq,
    EstadoRegistro: 'Incorrecto',
    CodigoErrorRegistro: fault.code ?? null,
    DescripcionErrorRegistro: fault.faultstring,
    esDuplicado: false,
  };
  const intento = { outcome: 'fault', detail: fault.faultstring, httpStatus } as const;
  logNotTaken(deps, lease, envio, intento);
  await deps.sql.begin(async (tx) => {
    await lockInvoicesById(tx, lease.companyId, invoiceIdsOf(registros));
    await holdLease(tx, lease);
    await insertIntento(tx, lease.companyId, envio, { sentAt, endedAt: now, ...intento });
    await insertRespuestas(tx, lease.companyId, envio.id, [respuesta], now);
    const verdicts = registros.map(({ invoiceId, seq }) => ({
      invoiceId,
      seq,
      status: 'Rechazado' as const,
      errorMessage: mensajeDeFault(fault),
      errorCode: fault.code ?? null,
      CSV: null,
    }));
    await settleInvoices(tx, lease.companyId, verdicts);
    await endTurn(tx, lease, {
      enviadoHasta: envio.toSeq,
      newRechazados: 1,
      nextEnvioAt,
      isWaitAsked: true,
      endedAt: now,
      waitSeconds: lease.waitSeconds,
      failures: 0,
      lastError: null,
      aislarHasta: null,
      keepsEnvio: false,
      isDrained: false,
    });
  });
  deps.news.tell(lease.companyId);
}

type FailedEnd = Pick<TurnEnd, 'failures' | 'lastError' | 'nextEnvioAt' | 'keepsEnvio'> & {
  readonly isWaitAsked?: boolean;
  readonly waitSeconds?: number;
  readonly aislarHasta?: bigint;
};

/** @param end how the turn ends; asked for while the lease is held, if it depends on what may change meanwhile */
async function storeFailure(
  deps: TurnDeps,
  { lease, envio, sentAt }: Exchange,
  intento: NotTaken,
  end: FailedEnd | ((tx: Tx) => Promise<FailedEnd>),
  also: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<void> {
  logNotTaken(deps, lease, envio, intento);
  const endedAt = deps.clock();
  await deps.sql.begin(async (tx) => {
    await holdLease(tx, lease);
    await insertIntento(tx, lease.companyId, envio, { sentAt, endedAt, ...intento });
    const ended = typeof end === 'function' ? await end(tx) : end;
    await endTurn(tx, lease, { ...unchanged(lease, endedAt), ...ended });
    await also(tx);
  });
  deps.news.tell(lease.companyId);
}

function logNotTaken(
  { log }: TurnDeps,
  lease: Lease,
  envio: Envio,
  { outcome, detail, httpStatus }: NotTaken,
): void {
  const words = detail.slice(0, LOGGED_LETTERS);
  log.warn(
    { ...nameOf(lease, envio), outcome, detail: words, httpStatus },
    'the AEAT did not take a message',
  );
}

const invoiceIdsOf = (registros: readonly RegistroSent[]): bigint[] =>
  registros.map(({ invoiceId }) => invoiceId);
