import type {
  Finding,
  InvoiceDraft,
  InvoiceStatus,
  SetFacturasAnswer,
} from '../contract/invoices.ts';
import { fechaHoraHuso, isoDateIn } from '../domain/dates.ts';
import { DomainError } from '../domain/errors.ts';
import { addedBy, type Figures, replacedBy } from '../domain/figures.ts';
import {
  type IssuedInvoice,
  numbersToLookUp,
  type ReferencedInvoice,
  tipoFacturaOf,
} from '../domain/invoice.ts';
import { formatNoSerie, type SeriesKind, seriesKindOf } from '../domain/series.ts';
import {
  conLoPerdido,
  type Desenlace,
  isLatestAltaAccepted,
  marcasDeAlta,
} from '../domain/verifactu/correcciones.ts';
import { checkEstructura } from '../domain/verifactu/estructura.ts';
import {
  type Anterior,
  type RegistroAlta,
  registroAltaFromInvoice,
} from '../domain/verifactu/registro.ts';
import { registroXml } from '../domain/verifactu/xml.ts';
import type { Cadena } from '../store/cadenas.ts';
import type { CompanyKey, KeptAnswer } from '../store/idempotency.ts';
import type { Correction, InvoiceReferences, Standing } from '../store/invoice-references.ts';
import type { InvoiceToSave, StoredInvoice } from '../store/invoices.ts';
import type { MailToSend } from '../store/mail-jobs.ts';
import { enteringMonth, leavingMonth, type MonthDelta } from '../store/months.ts';
import type { RegistroToAppend } from '../store/registros.ts';
import type { OpenSeries, TakenSeries } from '../store/series.ts';
import type { UploadOwner } from '../store/uploads.ts';
import { changedElsewhere } from './changed-elsewhere.ts';
import {
  assertCustomer,
  type IssueContext,
  issueFromDraft,
  type Referred,
} from './issue-context.ts';
import type { AskedBy } from './log-registro.ts';
import { noSuchInvoice } from './no-such-invoice.ts';

/** A request to register one invoice, from a form or from a saved draft. */
export interface RegisterRequest {
  readonly draft: InvoiceDraft;
  /** The draft to register, or the invoice to correct (rejected, or accepted with errors). */
  readonly draftNo?: string | undefined;
  /** The version of that draft that the form was opened with. */
  readonly version?: number | undefined;
  readonly sendsToCustomer: boolean;
  /** The uploaded original from which it was read. */
  readonly archivo?: string | undefined;
  /** The session of the request. */
  readonly sid?: string | null | undefined;
  readonly askedBy?: AskedBy | undefined;
  readonly idempotency?: { readonly key: string; readonly requestHash: string } | undefined;
}

export type RegisterOutcome =
  | {
      readonly kind: 'registered';
      readonly answer: SetFacturasAnswer;
      /** Position of its registro; null when a repeat gets the answer of an earlier registration. */
      readonly seq: bigint | null;
    }
  | { readonly kind: 'refused'; readonly error: DomainError };

/** Limit of registered invoices for a Demo, at the AEAT's test service and the simulator. */
export const DEMO_LIMIT = 200;

/** What the transaction read of a company after taking its locks. Invoices are looked up by number. */
export interface Locked {
  readonly cadena: Cadena;
  readonly series: ReadonlyMap<SeriesKind, OpenSeries>;
  readonly savedOf: (docNo: string) => StoredInvoice | null;
  readonly originalOf: (docNo: string) => StoredInvoice | null;
  /** Of the saved invoices and of those that they rectify. */
  readonly desenlacesOf: (docNo: string) => readonly Desenlace[];
  /** The F3 for which a simplified invoice was exchanged. */
  readonly exchangeOf: (docNo: string) => string | undefined;
  /** The valid rectificativas of an invoice. */
  readonly correctionsOf: (docNo: string) => readonly Correction[];
  /** The rectificativas and the F3 that rest on the amounts of an invoice that is being corrected. */
  readonly standingOn: (docNo: string) => readonly Standing[];
  /** Earlier answers under the keys of these requests. */
  readonly keptOf: (key: string) => KeptAnswer | undefined;
  /** How many invoices it has registered, or an upper bound: exact where the limit of a Demo could be passed. */
  readonly registered: number;
}

/** An invoice that may be registered, with its registro. */
interface Made {
  readonly kind: SeriesKind;
  /** Before its number is taken. */
  readonly series: OpenSeries;
  readonly issued: IssuedInvoice;
  readonly registro: RegistroAlta;
  /** The amounts of the invoices that this one replaces. */
  readonly replaced: Figures | null;
}

/** A rectificativa or an F3 of this same transaction, as what it names has to know it. */
type Naming = Correction & Standing;

/** One company's part of a transaction, built in memory: each invoice takes the next number and the next link. */
export class IssuingBatch {
  readonly invoices: InvoiceToSave[] = [];
  readonly registros: RegistroToAppend[] = [];
  readonly answers: (KeptAnswer & { readonly status: number })[] = [];
  readonly mails: (MailToSend & { readonly companyId: number })[] = [];
  readonly refusedKeys: CompanyKey[] = [];
  readonly references: InvoiceReferences[] = [];
  readonly months: MonthDelta[] = [];
  readonly uploads: UploadOwner[] = [];
  /** Corrected invoices of which the AEAT holds the earlier version. */
  readonly held: { readonly companyId: number; readonly id: bigint }[] = [];
  readonly now: Date;
  readonly companyId: number;
  cadena: Cadena;
  corrected = 0;

  readonly #context: IssueContext;
  readonly #locked: Locked;
  /** Saved invoices and keys already used in this same transaction, as by a double click. */
  readonly #used = new Set<string>();
  readonly #answered = new Map<string, KeptAnswer>();
  readonly #series: Map<SeriesKind, OpenSeries>;
  readonly #taken = new Set<SeriesKind>();
  /** Issued or corrected in this same transaction, by number. */
  readonly #issued = new Map<string, Referred>();
  /** The rectificativas and F3 of this same transaction, by the number of each invoice that they name. */
  readonly #naming = new Map<string, Naming[]>();
  #registered: number;

  constructor(clock: Date, context: IssueContext, locked: Locked) {
    this.#context = context;
    this.#locked = locked;
    this.companyId = context.company.id;
    this.#registered = locked.registered;
    this.#series = new Map(locked.series);
    this.cadena = locked.cadena;
    this.now = generatedAt(clock, locked.cadena.lastGeneratedAt);
  }

  /** The series of which numbers were taken, in their new state. */
  takenSeries(): TakenSeries[] {
    return [...this.#taken].flatMap((kind) => {
      const series = this.#series.get(kind);
      return series ? [{ ...series, companyId: this.companyId }] : [];
    });
  }

  /** @param newId identifier for an invoice that was not saved before */
  take(request: RegisterRequest, newId: bigint): RegisterOutcome {
    try {
      const key = request.idempotency?.key;
      const first = key ? (this.#locked.keptOf(key) ?? this.#answered.get(key)) : undefined;
      if (first) return { kind: 'registered', answer: answerAgain(first, request), seq: null };
      const answer = this.#register(request, newId);
      return { kind: 'registered', answer, seq: this.cadena.lastSeq };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const key = request.idempotency?.key;
      if (key && !this.#locked.keptOf(key)) {
        this.refusedKeys.push({ companyId: this.companyId, key });
      }
      return { kind: 'refused', error };
    }
  }

  #register(request: RegisterRequest, newId: bigint): SetFacturasAnswer {
    const saved = this.#savedOf(request);
    assertCustomer(this.#context, request.draft);
    if (saved?.registeredAt == null) this.#assertBelowLimit();
    const made = this.#make(request, saved);
    const id = saved?.id ?? newId;
    const mail = request.sendsToCustomer ? this.#mailOf(request.draft, id) : null;
    // Nothing fails from here on: the number and the link are taken.
    this.#keep(request, { id, saved, mail, ...made });
    return this.#answer(request, made.issued, made.registro.Huella);
  }

  #assertBelowLimit(): void {
    if (!this.#context.isDemo || this.#registered < DEMO_LIMIT) return;
    throw new DomainError(
      'FORBIDDEN',
      `La suscripción Demo admite ${DEMO_LIMIT} facturas registradas. Elige un plan en Perfil → Datos de suscripción para seguir.`,
    );
  }

  /** The invoice and its registro with the next number and link, without taking them yet. */
  #make(request: RegisterRequest, saved: StoredInvoice | null): Made {
    const isCorrection = saved?.registeredAt != null;
    const tipoFactura = tipoFacturaOf(request.draft);
    const kind = seriesKindOf(tipoFactura, request.draft.invoiceItems, request.draft.claveRegimen);
    const series = this.#series.get(kind);
    if (!series) throw new Error(`The company has no series ${kind}.`);
    const numSerie = isCorrection ? saved.docNo : formatNoSerie(series);

    const originals = numbersToLookUp(request.draft.invoiceToRectify).map(
      (number) => [number, this.#originalOf(number)] as const,
    );
    const { issued, findings } = issueFromDraft(this.#context, {
      draft: request.draft,
      numSerie,
      today: isoDateIn(this.now, this.#context.zona),
      lastDateOfSeries: isCorrection ? null : series.lastDate,
      sendsToCustomer: request.sendsToCustomer,
      originals,
      corrected: isCorrection ? this.#locked.originalOf(saved.docNo) : null,
      exchangeOf: (number) => this.#exchangeOf(number),
      correctionsOf: (number) => this.#correctionsOf(number),
      standingOn: (number) => this.#standingOn(number),
      desenlacesOf: this.#locked.desenlacesOf,
    });
    assertNothingBlocks(findings);

    const registro = registroAltaFromInvoice(issued, {
      anterior: this.#anterior(),
      SistemaInformatico: this.#context.SistemaInformatico,
      FechaHoraHusoGenRegistro: fechaHoraHuso(this.now, this.#context.zona),
      ...(isCorrection
        ? marcasDeAlta(
            conLoPerdido(this.#locked.desenlacesOf(saved.docNo), {
              constaAceptada: saved.status === 'Aceptado con errores',
            }),
          )
        : {}),
    });
    const problems = checkEstructura(registro);
    if (problems.length > 0) {
      // The rules should already have said it in plain words. A defective registro never enters the cadena.
      throw new DomainError(
        'RULES_BROKEN',
        problems.map((problem) => problem.mensaje),
      );
    }
    const replaced = replacedBy(
      issued,
      originals.flatMap(([, original]) => original?.issued ?? []),
    );
    return { kind, series, issued, registro, replaced };
  }

  /** Adds it to what the transaction writes, and takes its number and its link. */
  #keep(
    { draft, sid, archivo }: RegisterRequest,
    made: Made & {
      readonly id: bigint;
      readonly saved: StoredInvoice | null;
      readonly mail: MailToSend | null;
    },
  ): void {
    const { kind, series, issued, registro, replaced, id, saved, mail } = made;
    const { companyId } = this;
    const isCorrection = saved?.registeredAt != null;
    this.#append(id, issued, registro, sid ?? null);
    this.#note(issued, replaced);
    if (isCorrection || issued.rectifies.length + issued.sustituye.length > 0) {
      this.references.push({ companyId, id, issued });
    }
    if (archivo) this.uploads.push({ companyId, uploadId: archivo, invoiceId: id });
    if (mail) this.mails.push({ ...mail, companyId });
    if (saved) this.#used.add(saved.docNo);
    if (!isCorrection) {
      this.#taken.add(kind);
      this.#series.set(kind, {
        ...series,
        nextNumber: series.nextNumber + 1n,
        lastDate: issued.fechaExpedicion,
      });
      this.#registered += 1;
    } else if (saved.status === 'Rechazado') {
      this.corrected += 1;
    }
    if (isCorrection && isLatestAltaAccepted(this.#locked.desenlacesOf(saved.docNo))) {
      this.held.push({ companyId, id });
    }
    const toSave = this.#toSave(draft, issued, id, { saved, replaced });
    this.invoices.push(toSave);
    this.#count(toSave, saved);
  }

  /** What the next ones of this transaction have to know of it, because the database does not have it yet. */
  #note(issued: IssuedInvoice, replaced: Figures | null): void {
    const { numSerie: docNo, base, cuotaTotal: vat, total, rectifies, sustituye } = issued;
    const { fechaExpedicion: postingDate, tipoFactura } = issued;
    this.#issued.set(docNo, { issued, postingDate, tipoFactura, status: 'En espera' });
    const change = addedBy({ base, vat, total, replaced }).total;
    const note = (kind: Naming['kind'], named: readonly ReferencedInvoice[]) => {
      for (const { numSerie } of named.filter(({ externa }) => !externa)) {
        this.#naming.set(numSerie, [
          ...(this.#naming.get(numSerie) ?? []),
          { docNo, kind, change, status: 'En espera', noConsta: false },
        ]);
      }
    };
    note('rectifica', rectifies);
    note('sustituye', sustituye);
  }

  #originalOf(docNo: string): Referred | null {
    return this.#issued.get(docNo) ?? this.#locked.originalOf(docNo);
  }

  #exchangeOf(docNo: string): string | undefined {
    const here = this.#naming.get(docNo)?.find(({ kind }) => kind === 'sustituye');
    return here?.docNo ?? this.#locked.exchangeOf(docNo);
  }

  #correctionsOf(docNo: string): readonly Correction[] {
    const here = this.#naming.get(docNo)?.filter(({ kind }) => kind === 'rectifica') ?? [];
    const others = this.#locked
      .correctionsOf(docNo)
      .filter((correction) => !here.some((one) => one.docNo === correction.docNo));
    return [...others, ...here];
  }

  #standingOn(docNo: string): readonly Standing[] {
    return [...(this.#naming.get(docNo) ?? []), ...this.#locked.standingOn(docNo)];
  }

  /** The figures of Inicio: a correction counts instead of the version that it corrects. */
  #count(invoice: Required<InvoiceToSave>, saved: StoredInvoice | null): void {
    const { companyId } = this;
    this.months.push(enteringMonth({ day: invoice.postingDate, ...invoice }));
    if (saved?.registeredAt != null) {
      this.months.push(leavingMonth({ ...saved, companyId, day: saved.postingDate }));
    }
  }

  /** The draft or invoice that the request names, once checked that it may be registered or corrected. */
  #savedOf({ draftNo, version }: RegisterRequest): StoredInvoice | null {
    if (!draftNo) return null;
    const saved = this.#locked.savedOf(draftNo);
    if (!saved) throw noSuchInvoice(draftNo);
    assertNotRegistered(saved, { isUsed: this.#used.has(draftNo) });
    if (version !== undefined && version !== saved.version) throw changedElsewhere(draftNo);
    return saved;
  }

  #anterior(): Anterior | null {
    const { anterior } = this.cadena;
    return anterior && { IDEmisorFactura: this.#context.company.nif, ...anterior };
  }

  #append(
    invoiceId: bigint,
    issued: IssuedInvoice,
    registro: RegistroAlta,
    sid: string | null,
  ): void {
    const seq = this.cadena.lastSeq + 1n;
    const { NumSerieFactura, FechaExpedicionFactura } = registro.IDFactura;
    this.registros.push({
      companyId: this.companyId,
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
      sid,
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
    { saved, replaced }: { saved: StoredInvoice | null; replaced: Figures | null },
  ): Required<InvoiceToSave> {
    const customer = this.#context.customerOf(draft);
    return {
      companyId: this.companyId,
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
      replaced,
    };
  }

  /** The rules saw to it that there is an address. */
  #mailOf(draft: InvoiceDraft, id: bigint): MailToSend {
    const recipient = this.#context.customerOf(draft)?.Email ?? '';
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
      const kept = {
        ...request.idempotency,
        companyId: this.companyId,
        status: 200,
        body: answer,
      };
      this.answers.push(kept);
      this.#answered.set(kept.key, kept);
    }
    return answer;
  }
}

const CAN_REGISTER: readonly InvoiceStatus[] = ['Borrador', 'Rechazado', 'Aceptado con errores'];

/** @throws {DomainError} CONFLICT for what is neither a draft nor to be corrected, or was used already */
export function assertNotRegistered(
  { docNo, status }: StoredInvoice,
  { isUsed = false } = {},
): void {
  if (CAN_REGISTER.includes(status) && !isUsed) return;
  throw new DomainError(
    'CONFLICT',
    status === 'Anulada'
      ? `La factura ${docNo} está anulada.`
      : `La factura ${docNo} ya está registrada y no se puede cambiar: si hay un error, emite una rectificativa.`,
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

/** A repeat with the same content gets the first answer; a key reused with other content is an error. */
function answerAgain(first: KeptAnswer, { idempotency }: RegisterRequest): SetFacturasAnswer {
  if (first.requestHash !== idempotency?.requestHash) {
    throw new DomainError(
      'CONFLICT',
      'Esa clave de idempotencia (Idempotency-Key) ya se usó con otros datos.',
    );
  }
  if (first.status === null) {
    throw new DomainError('IN_PROGRESS', 'Esa misma petición se está atendiendo ya.');
  }
  return first.body as SetFacturasAnswer;
}

/** Clock differences up to this are tolerated. */
const SAME_MOMENT_MS = 60_000;

/**
 * When a registro is generated: never before the last one of its cadena, because the clock of another process may be
 * slightly ahead. If the last one is further ahead than the tolerance, a wrong clock dated it: it stays as it is, and
 * the next ones carry their true time (Orden HAC/1177/2024 art. 7.e and 7.i: a minute).
 */
export function generatedAt(now: Date, last: Date | null): Date {
  return last && last > now && last.getTime() - now.getTime() <= SAME_MOMENT_MS ? last : now;
}
