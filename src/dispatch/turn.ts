import { SealBroken } from '../certificate/seal.ts';
import type { Deps } from '../deps.ts';
import { esReintentable, mensajeDeCodigo } from '../domain/verifactu/codigos.ts';
import { MAX_REGISTROS } from '../domain/verifactu/estructura.ts';
import { DESFASE_AVISO_SEGUNDOS, desfaseSegundos } from '../domain/verifactu/reloj.ts';
import type { Fault, Respuesta } from '../domain/verifactu/respuesta.ts';
import { parseRespuesta } from '../domain/verifactu/respuesta.ts';
import { regFactuMessage } from '../domain/verifactu/xml.ts';
import { type ClientCertificate, openCertificate } from '../operations/open-certificate.ts';
import { countMoves, cutBlocks, type Move } from '../store/blocks.ts';
import { findLastSeq, lockCadena, requireReconcile } from '../store/cadenas.ts';
import { type Company, findCompany } from '../store/companies.ts';
import {
  claimLease,
  endTurn,
  holdLease,
  type Lease,
  LeaseLost,
  lockDespacho,
  releaseLease,
  renewLease,
  saveDesfase,
  startEnvio,
  stopSending,
  type TurnEnd,
} from '../store/despachos.ts';
import {
  applyVerdicts,
  type Envio,
  findEnvio,
  type Intento,
  insertEnvio,
  insertIntento,
  insertRespuestas,
  type Respuesta as RespuestaRegistro,
  saveAnswer,
} from '../store/envios.ts';
import { lockInvoicesById } from '../store/invoices.ts';
import { enqueueMail } from '../store/mail-jobs.ts';
import { takeAnnulledFromMonths } from '../store/months.ts';
import { packMessage, unpackMessage } from '../store/packed-message.ts';
import { type RegistroSent, type RegistroToSend, registrosAfter } from '../store/registros.ts';
import { answerWithin, type Commit, pipelined, type Tx } from '../store/sql.ts';
import type { AeatClient, HttpOutcome, Identity } from './aeat-client.ts';
import { readAnswer } from './answer.ts';
import { wordsOfPage } from './outcome-words.ts';
import type { Pace } from './pace.ts';
import {
  batchSize,
  nextAfterAnswer,
  nextSlice,
  remedioDeFault,
  retrySeconds,
  waitAfterCopies,
  waitSeconds,
} from './policy.ts';

/**
 * Renewed while the turn goes on, however long the AEAT takes: a dispatcher that dies is missed soon.
 * One that is only slow loses its turn and nothing else: the same bytes go again, and what it brings
 * is not written.
 */
const LEASE_SECONDS = 4;
const RENEW_EVERY_MS = 1000;
/** More than the AEAT and the database together ever take: what has not ended by then never will. */
const LONGEST_TURN_MS = 300_000;
/** The same for reading what a message is made of, of which few are made at a time. */
const LONGEST_READING_MS = 60_000;
/** Numbers of invoices in a line of the log: all of them, but for what is sent after an outage. */
const LOGGED_NUMBERS = 50;
/** Letters of what the AEAT said that a line of the log takes; all of it is kept with the attempt. */
const LOGGED_LETTERS = 500;

export interface TurnDeps extends Deps {
  readonly client: AeatClient;
  readonly pace: Pace;
  /** Cuts an exchange short when the process must end. */
  readonly signal: AbortSignal;
}

/** For whom a message is sent, and as whom. */
export interface Sender extends Identity {
  readonly companyId: number;
}

/**
 * One turn of one company: send the next message of its cadena and store what the AEAT answers.
 *
 * Three steps, two transactions (STYLE §7): the message with its exact bytes is stored and committed;
 * then the AEAT is spoken to with no transaction open; then the answer is stored. A crash in between
 * leaves a message without an answer, and the next turn sends those same bytes again; or, when they have
 * become late meanwhile, the same registros in a message that says so.
 *
 * @param longestMs a turn that has not ended by then is given up as one that is only slow: the company has its next one
 * @returns false when another dispatcher had the turn
 * @throws {Error} when it failed or did not end: what waits is still there for the next one
 */
export async function takeTurn(
  deps: TurnDeps,
  companyId: number,
  longestMs = LONGEST_TURN_MS,
): Promise<boolean> {
  const lease = await claimLease(deps.sql, companyId, deps.clock(), LEASE_SECONDS);
  if (!lease) return false;
  // A renewal that fails is found out where it matters: nothing is written without the lease.
  const renewal = setInterval(() => {
    void renewLease(deps.sql, lease, LEASE_SECONDS).catch(() => undefined);
  }, RENEW_EVERY_MS);
  try {
    await answerWithin(longestMs, () => runTurn(deps, lease));
  } catch (error) {
    clearInterval(renewal);
    if (!(error instanceof LeaseLost)) {
      await releaseLease(deps.sql, lease).catch(() => undefined); // It runs out by itself.
      throw error;
    }
    deps.log.warn({ companyId }, 'the lease ended before the answer could be stored');
  } finally {
    clearInterval(renewal);
  }
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
  // Cut short by the end of the process: the message has no answer, and goes out again.
  if (outcome.kind === 'no-answer' && deps.signal.aborted) return releaseLease(deps.sql, lease);
  await storeOutcome(deps, certificate, exchange, outcome);
}

/** Posts the next message, which is not kept behind it. Null when nothing waits. */
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
  const sentAt = deps.clock();
  deps.log.info(
    { ...nameOf(lease, envio), intento: envio.intentos + 1 },
    'sending a message to the AEAT',
  );
  const who = { certificate, esDemo: envio.esDemo };
  const outcome = await deps.client.post(who, message, deps.signal);
  return { lease, envio, sentAt, outcome };
}

/** The certificate; `sealed` when the master key is another one, which no retry mends. */
async function openOrExplain(deps: TurnDeps, companyId: number) {
  try {
    return await openCertificate(deps, companyId);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    deps.log.error({ err: error, companyId }, 'the certificate does not open');
    return 'sealed' as const;
  }
}

/** A message and, if it was made in this very turn, what it was made of: nothing is read twice. */
interface EnvioToSend extends Envio {
  readonly registros?: readonly RegistroSent[];
}

interface Prepared {
  readonly envio: EnvioToSend;
  readonly message: Buffer;
}

/**
 * A message that was stored and has no answer: its exact bytes, unless its registros were fresh then and
 * are late by now. Then they go as they are in a message marked `Incidencia` (Orden HAC/1177/2024 art.
 * 16.4, code 2004); the one before stays beside it, with its attempts.
 */
async function unanswered(deps: TurnDeps, lease: Lease, envioId: bigint): Promise<Prepared | null> {
  const envio = await findEnvio(deps.sql, lease.companyId, envioId);
  if (!envio) return null;
  if (!envio.incidencia) {
    const read = await registrosOf(deps, lease.companyId, envio);
    const { incidencia } = nextSlice(read.map(sentOf), deps.clock());
    const company = incidencia ? await findCompany(deps.sql, lease.companyId) : null;
    if (company) return storeEnvio(deps, lease, company, read, incidencia);
  }
  return { envio, message: await unpackMessage(envio.peticion) };
}

/** Builds the next message and stores its bytes. Null when nothing waits. */
async function prepareEnvio(deps: TurnDeps, lease: Lease): Promise<Prepared | null> {
  const limit = batchSize(lease.enviadoHasta, lease.aislarHasta);
  const [company, waiting] = await Promise.all([
    findCompany(deps.sql, lease.companyId),
    registrosAfter(deps.sql, lease.companyId, lease.enviadoHasta, limit),
  ]);
  const { registros, incidencia } = nextSlice(waiting.map(sentOf), deps.clock());
  return storeEnvio(deps, lease, company, waiting.slice(0, registros.length), incidencia);
}

const sentOf = ({ registro }: RegistroToSend): RegistroSent => registro;

/** Stores the bytes of a message before it is sent for the first time. Null when it would be empty. */
async function storeEnvio(
  deps: TurnDeps,
  lease: Lease,
  company: Company | null,
  toSend: readonly RegistroToSend[],
  incidencia: boolean,
): Promise<Prepared | null> {
  const registros = toSend.map(sentOf);
  const [first, last] = [registros[0], registros.at(-1)];
  if (!company || !first || !last) return null;
  const { start, end } = regFactuMessage({
    ObligadoEmision: { NombreRazon: company.name, NIF: company.nif },
    ...(incidencia ? { Incidencia: 'S' as const } : {}),
  });
  const message = Buffer.concat([
    Buffer.from(start),
    ...toSend.map(({ xml }) => xml),
    Buffer.from(end),
  ]);
  const envio = {
    fromSeq: first.seq,
    toSeq: last.seq,
    incidencia,
    esDemo: company.subscriptionType === 'Demo',
    peticion: await packMessage(message),
  };
  const id = await pipelined(deps.sql, async (tx, commit) => {
    const [, envioId] = await Promise.all([
      holdLease(tx, lease),
      insertEnvio(tx, lease.companyId, envio, deps.clock()),
    ]);
    await commit([startEnvio(tx, lease, envioId)]);
    return envioId;
  });
  // Before anything is sent: from here on its id is enough to find the invoice, whatever becomes of it.
  deps.log.info(
    { ...nameOf(lease, { ...envio, id }), facturas: numbersOf(registros) },
    'a message to the AEAT is ready',
  );
  return { envio: { ...envio, id, intentos: 0, registros }, message };
}

function registrosOf(deps: TurnDeps, companyId: number, { fromSeq, toSeq }: Envio) {
  return registrosAfter(deps.sql, companyId, fromSeq - 1n, Number(toSeq - fromSeq) + 1);
}

/** What a message holds, read again if it was not made in this turn. */
async function registrosIn(
  deps: TurnDeps,
  companyId: number,
  envio: EnvioToSend,
): Promise<readonly RegistroSent[]> {
  return envio.registros ?? (await registrosOf(deps, companyId, envio)).map(sentOf);
}

const invoiceIdsOf = (registros: readonly RegistroSent[]): bigint[] =>
  registros.map(({ invoiceId }) => invoiceId);

async function storeOutcome(
  deps: TurnDeps,
  certificate: ClientCertificate,
  exchange: Exchange,
  outcome: HttpOutcome,
): Promise<void> {
  const { lease, envio, sentAt } = exchange;
  if (outcome.kind === 'no-answer') {
    return storeSilence(deps, exchange, outcome.cause, null, 'no-answer');
  }
  // In another thread, while the answer is read in this one. Awaited beside the locks, which says if it fails.
  const packing = packMessage(outcome.body);
  packing.catch(() => undefined);
  const parsed = parseRespuesta(outcome.body);
  const desfase = measureClock(deps, lease.companyId, sentAt, outcome, parsed);
  const saveClock = async (tx: Tx) => {
    if (desfase !== null) await saveDesfase(tx, lease.companyId, desfase);
  };
  if (parsed.kind !== 'respuesta') {
    await saveClock(deps.sql);
    if (parsed.kind === 'fault') return storeFault(deps, exchange, parsed, outcome.status);
    const words = wordsOfPage(outcome.status, outcome.contentType);
    return storeSilence(deps, exchange, words, outcome.status, 'no-answer');
  }

  const registros = await registrosIn(deps, lease.companyId, envio);
  const reading = await readAnswer(
    deps,
    { companyId: lease.companyId, certificate, esDemo: envio.esDemo },
    registros,
    parsed,
  );
  if (reading.kind === 'unclear') {
    await saveClock(deps.sql);
    return storeSilence(deps, exchange, reading.cause, outcome.status, 'no-answer');
  }
  const now = deps.clock();
  const wait = waitSeconds(parsed.TiempoEsperaEnvio ?? null, lease.waitSeconds);
  // A message that was stored before this turn has been on the way once, whoever sent it.
  const pause = lease.envioId === null ? wait : waitAfterCopies(wait, registros);
  const answeredTo = reading.respuestas.at(-1)?.seq ?? envio.fromSeq - 1n;
  const isWhole = answeredTo === envio.toSeq;
  const failures = isWhole ? 0 : lease.failures + 1;
  const isStale = reading.lostPeriodos.length > 0;
  // Only a message that was not full can have been the last of the cadena.
  const mayBeLast = registros.length < MAX_REGISTROS;

  const store = async (tx: Tx, commit: Commit) => {
    // Invoices, cadena, despacho, as registering does: in another order they could block each other.
    const [respuesta, , lastSeq] = await Promise.all([
      packing,
      lockInvoicesById(tx, lease.companyId, invoiceIdsOf(registros)),
      mayBeLast || isStale
        ? lockCadena(tx, lease.companyId).then((cadena) => cadena.lastSeq)
        : findLastSeq(tx, lease.companyId),
      holdLease(tx, lease),
    ]);
    const moved = moveInvoices(tx, lease.companyId, reading.verdicts);
    await commit([
      moved,
      ...(isStale ? [requireReconcile(tx, lease.companyId, reading.lostPeriodos, now)] : []),
      insertIntento(tx, lease.companyId, envio, {
        sentAt,
        endedAt: now,
        outcome: 'answered',
        detail: null,
        httpStatus: outcome.status,
      }),
      saveAnswer(tx, lease.companyId, envio.id, {
        answeredAt: now,
        EstadoEnvio: parsed.EstadoEnvio,
        CSV: parsed.CSV ?? null,
        TiempoEsperaEnvio: parsed.TiempoEsperaEnvio ?? null,
        respuesta,
      }),
      insertRespuestas(tx, lease.companyId, envio.id, reading.respuestas, now),
      applyVerdicts(tx, lease.companyId, reading.verdicts),
      saveClock(tx),
      endTurn(tx, lease, {
        enviadoHasta: answeredTo,
        newRechazados: reading.verdicts.filter(({ status }) => status === 'Rechazado').length,
        nextEnvioAt: nextAfterAnswer(
          { sentAt, now, wait, pause, pending: lastSeq - answeredTo, isWhole, failures },
          Math.random(),
        ),
        endedAt: now,
        waitSeconds: wait,
        failures,
        lastError: isWhole ? null : 'La AEAT ha pedido repetir parte del envío.',
        // It was not in the half that was accepted, so it is in the other one.
        aislarHasta: lease.aislarHasta,
        keepsEnvio: false,
        isDrained: mayBeLast && lastSeq === answeredTo,
      }),
    ]);
    return moved;
  };
  const isCutDue = await deps.pace.work(lease.lateMs, () => pipelined(deps.sql, store));
  deps.log.info(
    {
      ...nameOf(lease, envio),
      EstadoEnvio: parsed.EstadoEnvio,
      CSV: parsed.CSV ?? null,
      facturas: numbersOf(registros),
    },
    'the AEAT answered',
  );
  deps.news.tell(lease.companyId);
  if (isCutDue) await cutBlocksOf(deps, lease.companyId);
}

/**
 * Counts the invoices in the list and in the figures to which the answers take them, before they go.
 *
 * @returns whether blocks of the list should be cut
 */
async function moveInvoices(tx: Tx, companyId: number, moves: readonly Move[]): Promise<boolean> {
  const isAnnulling = moves.some(({ status }) => status === 'Anulada');
  const [isCutDue] = await Promise.all([
    countMoves(tx, companyId, moves),
    isAnnulling ? takeAnnulledFromMonths(tx, companyId, moves) : undefined,
  ]);
  return isCutDue;
}

/** On its own, so that no answer waits for it. Left undone it is done after the next answer. */
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
 * How far our clock is from the AEAT's, by the time of presentation or, where nothing was accepted, by
 * the `Date` of its answer.
 */
function measureClock(
  deps: TurnDeps,
  companyId: number,
  sentAt: Date,
  { date }: Extract<HttpOutcome, { kind: 'answer' }>,
  parsed: Respuesta,
): number | null {
  const sello = (parsed.kind === 'respuesta' && parsed.TimestampPresentacion) || date;
  const segundos = desfaseSegundos(sello, { sentAt, receivedAt: deps.clock() });
  if (segundos === null) return null;
  if (Math.abs(segundos) >= DESFASE_AVISO_SEGUNDOS) {
    deps.log.warn({ companyId, segundos }, 'our clock and the AEAT’s differ');
  }
  return segundos;
}

interface Exchange {
  readonly lease: Lease;
  readonly envio: EnvioToSend;
  readonly sentAt: Date;
}

/** Nobody knows whether the AEAT stored it: it goes out again as it is (`unanswered`), later and later. */
async function storeSilence(
  deps: TurnDeps,
  exchange: Exchange,
  cause: string,
  httpStatus: number | null,
  outcome: Intento['outcome'],
): Promise<void> {
  const failures = exchange.lease.failures + 1;
  await storeFailure(
    deps,
    exchange,
    { detail: cause, httpStatus, outcome },
    {
      failures,
      lastError: cause,
      nextEnvioAt: addSeconds(deps.clock(), retrySeconds(failures, Math.random())),
      keepsEnvio: true,
    },
  );
}

/**
 * The AEAT refused the whole message: nothing of it was stored there (table `errores`: «el rechazo del envío
 * completo»).
 */
async function storeFault(
  deps: TurnDeps,
  exchange: Exchange,
  fault: Fault,
  httpStatus: number,
): Promise<void> {
  const { envio, lease, sentAt } = exchange;
  const count = Number(envio.toSeq - envio.fromSeq) + 1;
  const company = await findCompany(deps.sql, lease.companyId);
  const remedio = remedioDeFault(fault, {
    esTecnico: esReintentable(fault.code ?? 0),
    esDeQuienEnvia:
      company !== null && new RegExp(`NIF:\\s*${company.nif}\\b`).test(fault.faultstring),
    registros: count,
  });
  if (remedio === 'repetir') {
    return storeSilence(deps, exchange, wordsOfFault(fault), httpStatus, 'fault');
  }
  if (remedio === 'detener') return stopAt(deps, exchange, fault, httpStatus);
  if (count === 1) return rejectDefective(deps, exchange, fault, httpStatus);
  // One defective registro makes the AEAT refuse its neighbours: by halves until it is alone (`batchSize`).
  await storeFailure(
    deps,
    exchange,
    { detail: wordsOfFault(fault), httpStatus, outcome: 'fault' },
    {
      failures: lease.failures,
      lastError: null,
      nextEnvioAt: addSeconds(sentAt, lease.waitSeconds),
      keepsEnvio: false,
      aislarHasta: envio.toSeq,
    },
  );
}

/**
 * The certificate, the company's data or its right to send: the same would be refused for ever, so it
 * waits for a person. Registering goes on. The message is made anew then, with the company as it is.
 */
async function stopAt(
  deps: TurnDeps,
  exchange: Exchange,
  fault: Fault,
  httpStatus: number,
): Promise<void> {
  const { companyId, failures, waitSeconds: wait } = exchange.lease;
  const nextEnvioAt = addSeconds(exchange.sentAt, wait);
  const [words, now] = [wordsOfFault(fault), deps.clock()];
  const company = await findCompany(deps.sql, companyId);
  let isTold = false;
  await storeFailure(
    deps,
    exchange,
    { detail: words, httpStatus, outcome: 'fault' },
    { failures, lastError: words, nextEnvioAt, keepsEnvio: false },
    async (tx) => {
      isTold = await stopSending(tx, companyId, { code: fault.code ?? null, now });
      if (!isTold || !company) return;
      await enqueueMail(tx, companyId, {
        content: { kind: 'envio-detenido', motivo: words },
        recipient: company.email,
        now,
      });
    },
  );
  if (isTold) deps.wakeMail();
}

/** The registro that spoils every message it is in: its invoice asks for a person, the rest goes on. */
async function rejectDefective(
  deps: TurnDeps,
  { envio, lease, sentAt }: Exchange,
  fault: Fault,
  httpStatus: number,
): Promise<void> {
  const now = deps.clock();
  const registros = await registrosIn(deps, lease.companyId, envio);
  const respuesta: RespuestaRegistro = {
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
      errorMessage: wordsOfFault(fault),
      errorCode: fault.code ?? null,
      CSV: null,
    }));
    await moveInvoices(tx, lease.companyId, verdicts);
    await applyVerdicts(tx, lease.companyId, verdicts);
    await endTurn(tx, lease, {
      enviadoHasta: envio.toSeq,
      newRechazados: 1,
      nextEnvioAt: addSeconds(sentAt, lease.waitSeconds),
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

async function storeFailure(
  deps: TurnDeps,
  { lease, envio, sentAt }: Exchange,
  intento: Omit<Intento, 'sentAt' | 'endedAt'>,
  end: Pick<TurnEnd, 'failures' | 'lastError' | 'nextEnvioAt' | 'keepsEnvio'> & {
    readonly aislarHasta?: bigint;
  },
  also: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<void> {
  logNotTaken(deps, lease, envio, intento);
  await deps.sql.begin(async (tx) => {
    await holdLease(tx, lease);
    await insertIntento(tx, lease.companyId, envio, {
      sentAt,
      endedAt: deps.clock(),
      ...intento,
    });
    await endTurn(tx, lease, { ...unchanged(deps, lease), ...end });
    await also(tx);
  });
  deps.news.tell(lease.companyId);
}

function logNotTaken(
  { log }: TurnDeps,
  lease: Lease,
  envio: Envio,
  { outcome, detail, httpStatus }: Omit<Intento, 'sentAt' | 'endedAt'>,
): void {
  const words = detail?.slice(0, LOGGED_LETTERS);
  log.warn(
    { ...nameOf(lease, envio), outcome, detail: words, httpStatus },
    'the AEAT did not take a message',
  );
}

/** Nothing could be sent at all: the company waits without slowing the others. */
async function giveUp(deps: TurnDeps, lease: Lease, reason: string): Promise<void> {
  const failures = lease.failures + 1;
  await deps.sql.begin(async (tx) => {
    await holdLease(tx, lease);
    await endTurn(tx, lease, {
      ...unchanged(deps, lease),
      failures,
      lastError: reason,
      nextEnvioAt: addSeconds(deps.clock(), retrySeconds(failures, Math.random())),
      keepsEnvio: true,
    });
  });
  deps.news.tell(lease.companyId);
}

async function endDrained(deps: TurnDeps, lease: Lease): Promise<void> {
  await deps.sql.begin(async (tx) => {
    const [cadena] = await Promise.all([lockCadena(tx, lease.companyId), holdLease(tx, lease)]);
    await endTurn(tx, lease, {
      ...unchanged(deps, lease),
      nextEnvioAt: deps.clock(),
      keepsEnvio: false,
      isDrained: cadena.lastSeq === lease.enviadoHasta,
    });
  });
}

function unchanged(
  { clock }: Pick<TurnDeps, 'clock'>,
  lease: Lease,
): Omit<TurnEnd, 'nextEnvioAt' | 'keepsEnvio'> {
  return {
    endedAt: clock(),
    enviadoHasta: lease.enviadoHasta,
    newRechazados: 0,
    waitSeconds: lease.waitSeconds,
    failures: lease.failures,
    lastError: lease.lastError,
    aislarHasta: lease.aislarHasta,
    isDrained: false,
  };
}

function wordsOfFault({ code, faultstring }: Fault): string {
  return code === undefined ? faultstring : mensajeDeCodigo(code, { descripcion: faultstring });
}

/** The first invoices of a message, for the log. */
function numbersOf(registros: readonly { readonly NumSerieFactura: string }[]): string[] {
  return registros.slice(0, LOGGED_NUMBERS).map(({ NumSerieFactura }) => NumSerieFactura);
}

/** How a message is found in the log, from the number of an invoice and back. */
function nameOf(
  { companyId }: Lease,
  { id, fromSeq, toSeq }: Pick<Envio, 'id' | 'fromSeq' | 'toSeq'>,
) {
  return {
    companyId,
    envioId: String(id),
    fromSeq: String(fromSeq),
    toSeq: String(toSeq),
  };
}

function addSeconds(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000);
}
