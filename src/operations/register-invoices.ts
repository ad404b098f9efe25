import type {
  Finding,
  InvoiceDraft,
  InvoiceStatus,
  SetFacturasAnswer,
} from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { fechaAeat, fechaHoraHuso, isoDateIn } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import { type IssuedInvoice, isRectificativa, tipoFacturaOf } from '../domain/invoice.ts';
import { formatNoSerie, type SeriesKind, seriesKindOf } from '../domain/series.ts';
import { type Desenlace, marcasDeAlta } from '../domain/verifactu/correcciones.ts';
import { checkEstructura } from '../domain/verifactu/estructura.ts';
import {
  type Anterior,
  type RegistroAlta,
  registroAltaFromInvoice,
} from '../domain/verifactu/registro.ts';
import { registroXml } from '../domain/verifactu/xml.ts';
import { type Cadena, lockCadena, saveCadena } from '../store/cadenas.ts';
import { markWaiting, releaseRechazados } from '../store/despachos.ts';
import { type KeptAnswer, keepAnswers, releaseKeys, takeKeys } from '../store/idempotency.ts';
import {
  findExchanges,
  type InvoiceReferences,
  saveReferences,
} from '../store/invoice-references.ts';
import {
  countRegistered,
  findInvoices,
  type InvoiceToSave,
  lockInvoices,
  type StoredInvoice,
  saveInvoices,
  takeInvoiceIds,
} from '../store/invoices.ts';
import { enqueueMails, type MailToSend } from '../store/mail-jobs.ts';
import { appendRegistros, findDesenlaces, type RegistroToAppend } from '../store/registros.ts';
import { findSeries, type OpenSeries, saveCounters } from '../store/series.ts';
import { pipelined } from '../store/sql.ts';
import { assertReconciled } from './assert-can-invoice.ts';
import { type IssueContext, issueFromDraft, readIssueContext } from './issue-context.ts';

/** What asks for one invoice to be registered: a form, or a draft that was saved. */
export interface RegisterRequest {
  readonly draft: InvoiceDraft;
  /** Number of the draft to register, or of the rejected or accepted-with-errors one to correct. */
  readonly draftNo?: string | undefined;
  /** Version of that draft which the form was opened with. */
  readonly version?: number | undefined;
  readonly sendsToCustomer: boolean;
  readonly idempotency?: { readonly key: string; readonly requestHash: string } | undefined;
}

export type RegisterOutcome =
  | { readonly kind: 'registered'; readonly answer: SetFacturasAnswer }
  | { readonly kind: 'refused'; readonly error: DomainError };

/** Drafts that one transaction registers at most: keeps the lock of the cadena short. */
export const MAX_BATCH = 100;

/** The AEAT's test service and the simulator take at most this many invoices of a Demo (CONTRACT §4). */
const DEMO_LIMIT = 200;

/**
 * Registers invoices of one company: number, RegistroAlta, huella, link in the cadena, waiting mark
 * and e-mail, all of it in one transaction; an invoice that may not be registered is left out and
 * says why, without sinking its neighbours.
 *
 * The registro is born in the transaction that issues the invoice («de forma simultánea o
 * inmediatamente anterior a la expedición», RD 1007/2023 art. 9). Sending it is a later step of its
 * own: an AEAT that is down never stops an invoice.
 * Locks, always in this order: idempotency keys, invoices, cadena (which guards the series too). They
 * are held for one round trip of writing: everything is read in the first flush of statements, and the
 * commit travels behind the last insert.
 *
 * @param requests at most MAX_BATCH
 * @returns an outcome per request, in order
 */
export async function registerInvoices(
  deps: Deps,
  companyId: number,
  requests: readonly RegisterRequest[],
): Promise<RegisterOutcome[]> {
  const outcomes = await pipelined(deps.sql, async (tx, commit) => {
    const keys = requests.flatMap((r) => (r.idempotency ? [r.idempotency] : []));
    const draftNos = requests.flatMap((r) => (r.draftNo ? [r.draftNo] : []));
    // The locks first: what is read behind them is how things stand when it is our turn, whatever the
    // company changed (its data, its certificate, the account itself) while this waited.
    const named = requests.flatMap((r) => originalsOf(r.draft));
    const [
      kept,
      drafts,
      cadena,
      context,
      desenlaces,
      originals,
      exchanges,
      series,
      registered,
      ids,
    ] = await Promise.all([
      takeKeys(tx, companyId, keys, deps.clock()),
      lockInvoices(tx, companyId, draftNos),
      lockCadena(tx, companyId),
      readIssueContext(
        tx,
        deps,
        companyId,
        requests.map((r) => r.draft),
      ),
      findDesenlaces(tx, companyId, draftNos),
      findInvoices(tx, companyId, named),
      findExchanges(tx, companyId, named),
      findSeries(tx, companyId),
      countRegistered(tx, companyId, DEMO_LIMIT + 1),
      takeInvoiceIds(tx, requests.length),
    ]);
    context.assertCanInvoice();
    assertReconciled(cadena);

    const run = new Run(deps.clock(), context, {
      cadena,
      series,
      drafts,
      desenlaces,
      originals,
      exchanges,
      registered,
    });
    const results = requests.map((request, index) => run.take(request, kept, ids[index] as bigint));
    if (run.registros.length > 0) {
      await commit([
        saveInvoices(tx, companyId, run.invoices),
        appendRegistros(tx, companyId, run.registros),
        saveCounters(tx, companyId, [...run.series.values()]),
        saveCadena(tx, companyId, run.cadena),
        markWaiting(tx, companyId, run.now),
        ...(run.references.length > 0 ? [saveReferences(tx, companyId, run.references)] : []),
        ...(run.corrected > 0 ? [releaseRechazados(tx, companyId, run.corrected)] : []),
        ...(run.mails.length > 0 ? [enqueueMails(tx, companyId, run.mails)] : []),
        keepAnswers(tx, companyId, run.answers),
        // What was refused may be tried again, mended, under the same key.
        releaseKeys(tx, companyId, run.refusedKeys),
      ]);
    }
    return results;
  });
  if (outcomes.some((outcome) => outcome.kind === 'registered')) {
    deps.wakeDispatcher(companyId);
    deps.wakeMail();
  }
  return outcomes;
}

/** Numbers of the invoices that a draft rectifies or replaces. */
export function originalsOf(draft: InvoiceDraft): string[] {
  return draft.invoiceToRectify
    .split(',')
    .map((number) => number.trim())
    .filter(Boolean);
}

interface Locked {
  readonly cadena: Cadena;
  readonly series: Map<SeriesKind, OpenSeries>;
  readonly drafts: Map<string, StoredInvoice>;
  readonly desenlaces: ReadonlyMap<string, readonly Desenlace[]>;
  readonly originals: Map<string, StoredInvoice>;
  readonly exchanges: ReadonlyMap<string, string>;
  readonly registered: number;
}

/** One transaction's work in memory: each invoice takes the next number and the next link. */
class Run {
  readonly invoices: InvoiceToSave[] = [];
  readonly registros: RegistroToAppend[] = [];
  readonly answers: { key: string; status: number; body: unknown }[] = [];
  readonly mails: MailToSend[] = [];
  readonly refusedKeys: string[] = [];
  readonly references: InvoiceReferences[] = [];
  readonly now: Date;
  readonly series: Map<SeriesKind, OpenSeries>;
  cadena: Cadena;
  corrected = 0;

  readonly #context: IssueContext;
  readonly #locked: Locked;
  /** Saved invoices and keys that this very transaction used already: a double click in one batch. */
  readonly #used = new Set<string>();
  readonly #answered = new Map<string, KeptAnswer>();
  /** Grows with what this very transaction exchanges. */
  readonly #exchanges: Map<string, string>;
  #registered: number;

  constructor(clock: Date, context: IssueContext, locked: Locked) {
    this.#context = context;
    this.#locked = locked;
    this.#registered = locked.registered;
    this.series = new Map(locked.series);
    this.#exchanges = new Map(locked.exchanges);
    this.cadena = locked.cadena;
    this.now = notBefore(clock, locked.cadena.lastGeneratedAt);
  }

  take(
    request: RegisterRequest,
    kept: ReadonlyMap<string, KeptAnswer>,
    newId: bigint,
  ): RegisterOutcome {
    try {
      const key = request.idempotency?.key;
      const first = key ? (kept.get(key) ?? this.#answered.get(key)) : undefined;
      if (first) return { kind: 'registered', answer: answerAgain(first, request) };
      return { kind: 'registered', answer: this.#register(request, newId) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { idempotency } = request;
      if (idempotency && !kept.has(idempotency.key)) this.refusedKeys.push(idempotency.key);
      return { kind: 'refused', error };
    }
  }

  #register(request: RegisterRequest, newId: bigint): SetFacturasAnswer {
    const saved = this.#savedOf(request);
    const isCorrection = saved?.registeredAt != null;
    if (!isCorrection && this.#context.isDemo && this.#registered >= DEMO_LIMIT) {
      throw new DomainError(
        'FORBIDDEN',
        `La suscripción Demo admite ${DEMO_LIMIT} facturas registradas. Elige un plan en Perfil > Suscripción para seguir.`,
      );
    }
    const tipoFactura = tipoFacturaOf(request.draft);
    const kind = seriesKindOf(tipoFactura);
    const series = this.series.get(kind);
    if (!series) throw new Error(`The company has no series ${kind}.`);
    const numSerie = isCorrection ? saved.docNo : formatNoSerie(series);

    const { issued, findings } = issueFromDraft(this.#context, {
      draft: request.draft,
      numSerie,
      today: isoDateIn(this.now, this.#context.zona),
      lastDateOfSeries: isCorrection ? null : series.lastDate,
      originals: originalsOf(request.draft).map((number) => [
        number,
        this.#locked.originals.get(number) ?? null,
      ]),
      exchanges: this.#exchanges,
    });
    if (isCorrection) assertSameIdentity(saved, issued);
    assertNothingBlocks(findings);

    const registro = registroAltaFromInvoice(issued, {
      anterior: this.#anterior(),
      SistemaInformatico: this.#context.SistemaInformatico,
      FechaHoraHusoGenRegistro: fechaHoraHuso(this.now, this.#context.zona),
      ...(isCorrection ? marcasDeAlta(this.#locked.desenlaces.get(saved.docNo) ?? []) : {}),
    });
    const problems = checkEstructura(registro);
    if (problems.length > 0) {
      // The rules should have said it in plain words; a defective registro never enters the cadena.
      throw new DomainError(
        'RULES_BROKEN',
        problems.map((problem) => problem.mensaje),
      );
    }

    const id = saved?.id ?? newId;
    const mail = request.sendsToCustomer ? this.#mailOf(request.draft, issued, id) : null;

    // Nothing fails from here on: the number and the link are taken.
    this.#append(id, issued, registro);
    for (const { numSerie } of issued.sustituye) this.#exchanges.set(numSerie, issued.numSerie);
    if (isCorrection || issued.rectifies.length + issued.sustituye.length > 0) {
      this.references.push({ id, issued });
    }
    if (mail) this.mails.push(mail);
    if (saved) this.#used.add(saved.docNo);
    if (!isCorrection) {
      this.series.set(kind, {
        ...series,
        nextNumber: series.nextNumber + 1n,
        lastDate: issued.fechaExpedicion,
      });
      this.#registered += 1;
    } else if (saved.status === 'Rechazado') {
      this.corrected += 1;
    }
    this.invoices.push(this.#toSave(request.draft, issued, id, saved));
    return this.#answer(request, issued, registro.Huella);
  }

  /** The draft or the invoice that the request names, checked for what it may become. */
  #savedOf({ draftNo, version }: RegisterRequest): StoredInvoice | null {
    if (!draftNo) return null;
    const saved = this.#locked.drafts.get(draftNo);
    if (!saved) throw new DomainError('NOT_FOUND', `No existe la factura ${draftNo}.`);
    if (!CAN_REGISTER.includes(saved.status) || this.#used.has(draftNo)) {
      throw new DomainError('CONFLICT', alreadyRegistered(saved));
    }
    if (version !== undefined && version !== saved.version) {
      throw new DomainError(
        'CONFLICT',
        `${draftNo} ha cambiado en otra pestaña o en otro dispositivo. Ábrela de nuevo para ver cómo está.`,
      );
    }
    return saved;
  }

  #anterior(): Anterior | null {
    const { anterior } = this.cadena;
    return anterior && { IDEmisorFactura: this.#context.company.nif, ...anterior };
  }

  #append(invoiceId: bigint, issued: IssuedInvoice, registro: RegistroAlta): void {
    const seq = this.cadena.lastSeq + 1n;
    const { NumSerieFactura, FechaExpedicionFactura } = registro.IDFactura;
    this.registros.push({
      seq,
      invoiceId,
      TipoRegistro: 'Alta',
      NumSerieFactura,
      FechaExpedicionFactura,
      Huella: registro.Huella,
      HuellaAnterior: this.cadena.anterior?.Huella ?? '',
      FechaHoraHusoGenRegistro: registro.FechaHoraHusoGenRegistro,
      generatedAt: this.now,
      Subsanacion: registro.Subsanacion ?? null,
      RechazoPrevio: registro.RechazoPrevio ?? null,
      SinRegistroPrevio: null,
      xml: registroXml(registro),
      issued,
      motivo: null,
    });
    this.cadena = {
      lastSeq: seq,
      anterior: { NumSerieFactura, FechaExpedicionFactura, Huella: registro.Huella },
      lastGeneratedAt: this.now,
    };
  }

  #toSave(
    draft: InvoiceDraft,
    issued: IssuedInvoice,
    id: bigint,
    saved: StoredInvoice | null,
  ): InvoiceToSave {
    const customer = this.#context.customerOf(draft);
    return {
      id,
      docNo: issued.numSerie,
      status: 'En espera',
      tipoFactura: issued.tipoFactura,
      postingDate: issued.fechaExpedicion,
      customerNo: customer?.No ?? '',
      customerNif: customer?.VATRegistrationNo ?? '',
      customerName: customer?.Name ?? '',
      base: issued.base,
      vat: issued.cuotaTotal,
      total: issued.total,
      seq: this.cadena.lastSeq,
      Huella: this.cadena.anterior?.Huella ?? null,
      registeredAt: saved?.registeredAt ?? this.now,
      draft: { ...draft, invoiceNumber: issued.numSerie },
    };
  }

  #mailOf(draft: InvoiceDraft, issued: IssuedInvoice, id: bigint): MailToSend {
    const recipient = this.#context.customerOf(draft)?.Email;
    if (!recipient) {
      throw new DomainError(
        'RULES_BROKEN',
        `El cliente de la factura ${issued.numSerie} no tiene correo. Escríbelo en su ficha, o registra la factura sin enviarla.`,
      );
    }
    return { content: { kind: 'factura', invoiceId: String(id) }, recipient, now: this.now };
  }

  #answer(request: RegisterRequest, issued: IssuedInvoice, Huella: string): SetFacturasAnswer {
    const answer: SetFacturasAnswer = {
      DocNo: issued.numSerie,
      Status: 'En espera',
      message: `Factura ${issued.numSerie} registrada. Se envía a la AEAT en su turno.`,
      Huella,
      qr: issued.qr,
    };
    if (request.idempotency) {
      const kept = { ...request.idempotency, status: 200, body: answer };
      this.answers.push(kept);
      this.#answered.set(kept.key, kept);
    }
    return answer;
  }
}

const CAN_REGISTER: readonly InvoiceStatus[] = ['Borrador', 'Rechazado', 'Aceptado con errores'];

function alreadyRegistered(saved: StoredInvoice): string {
  if (saved.status === 'Anulada') return `La factura ${saved.docNo} está anulada.`;
  return `La factura ${saved.docNo} ya está registrada y no se puede cambiar: si hay un error, emite una rectificativa.`;
}

/** Number, series and date cannot be corrected (CONTRACT §3.8). */
function assertSameIdentity(saved: StoredInvoice, issued: IssuedInvoice): void {
  const isSame =
    saved.postingDate === issued.fechaExpedicion &&
    seriesKindOf(saved.tipoFactura) === seriesKindOf(issued.tipoFactura) &&
    isRectificativa(saved.tipoFactura) === isRectificativa(issued.tipoFactura);
  if (isSame) return;
  throw new DomainError(
    'RULES_BROKEN',
    `La fecha, la serie y el número de la factura ${saved.docNo} no se pueden corregir (${fechaAeat(saved.postingDate)}). Anúlala y emite una nueva.`,
  );
}

function assertNothingBlocks(findings: readonly Finding[]): void {
  const blocking = findings.filter((finding) => finding.gravedad === 'bloquea');
  if (blocking.length > 0) {
    throw new DomainError(
      'RULES_BROKEN',
      blocking.map((finding) => finding.mensaje),
    );
  }
}

/** The same key with the same content gets the first answer; with another content it is a mistake. */
function answerAgain(first: KeptAnswer, { idempotency }: RegisterRequest): SetFacturasAnswer {
  if (first.requestHash !== idempotency?.requestHash) {
    throw new DomainError(
      'CONFLICT',
      'Esa clave de idempotencia (Idempotency-Key) ya se usó con otros datos.',
    );
  }
  if (first.status === null) {
    throw new DomainError('CONFLICT', 'Esa misma petición se está atendiendo ya.');
  }
  return first.body as SetFacturasAnswer;
}

/** Generation times never go back along the cadena, even if the machine's clock does. */
export function notBefore(now: Date, last: Date | null): Date {
  return last && last > now ? last : now;
}
