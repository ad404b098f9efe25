import type { PlanCode } from '../domain/plans.ts';
import { isUnheld } from './leases.ts';
import type { ConflictReason } from './payments.ts';
import type { Statement, Tx } from './sql.ts';

/** What a message is about, with what its template needs beyond the company's own data. */
export type MailContent =
  | { readonly kind: 'bienvenida' }
  /** The code is encrypted: nobody can read it in the database. */
  | { readonly kind: 'codigo'; readonly sealedCode: string; readonly expiresAt: string }
  | { readonly kind: 'contrasena-cambiada'; readonly changedAt: string }
  | {
      readonly kind: 'correo-cambiado';
      readonly oldEmail: string;
      readonly newEmail: string;
      readonly changedAt: string;
    }
  | {
      readonly kind: 'segundo-factor';
      readonly change: SecondFactorChange;
      readonly changedAt: string;
    }
  | { readonly kind: 'certificado-caduca'; readonly validoHasta: string }
  /** `huella` identifies the certificate. */
  | { readonly kind: 'certificado-rechazado'; readonly motivo: string; readonly huella: string }
  | { readonly kind: 'envio-detenido'; readonly motivo: string }
  | { readonly kind: 'cuenta-eliminada'; readonly companyName: string }
  /** For the copy of all its data: the link is generated when the message is sent, and stored nowhere. */
  | { readonly kind: 'copia-lista'; readonly copyId: string; readonly companyName: string }
  | { readonly kind: 'factura'; readonly invoiceId: string }
  /** Receipt for a subscription. */
  | {
      readonly kind: 'pago';
      readonly orderId: string;
      readonly plan: PlanCode;
      readonly amountCents: string;
      readonly isRenewal: boolean;
      readonly paidAt: string;
      readonly endsAt: string;
      /** For a demo whose invoices no longer count: how many, and the number of the first one that does. */
      readonly leftDemo?: { readonly NoSerie: string; readonly facturas: number };
    }
  /** To a payer for whom nothing could be delivered. */
  | {
      readonly kind: 'pago-devuelto';
      /** Missing in older messages: another account had the e-mail or the NIF. */
      readonly motivo?: ConflictReason;
      readonly orderId: string;
      readonly companyName: string;
      readonly amountCents: string;
    }
  /** To somebody who may have paid: the gateway could not be asked for days. */
  | {
      readonly kind: 'pago-sin-confirmar';
      readonly companyName: string;
      readonly plan: PlanCode;
      readonly amountCents: string;
      readonly orderId: string;
    }
  /** To somebody whose card was denied, unless they paid after all. */
  | {
      readonly kind: 'pago-denegado';
      readonly companyName: string;
      readonly plan: PlanCode;
      readonly amountCents: string;
      readonly orderId: string;
      readonly motivo: string;
      readonly codigo: string;
      /** When the subscription ends; null at a sign-up. */
      readonly endsAt: string | null;
    }
  | { readonly kind: 'suscripcion-caduca'; readonly endsAt: string }
  | { readonly kind: 'suscripcion-caducada'; readonly endsAt: string }
  | {
      readonly kind: 'soporte';
      readonly asunto: string;
      readonly body: string;
      readonly version: string;
    }
  /** A copy of a support request, to whoever sent it. */
  | { readonly kind: 'soporte-copia'; readonly asunto: string; readonly body: string };

/** What somebody would do who stole a session and wants to stay in, or has the password and not the phone. */
export type SecondFactorChange =
  | 'activado'
  | 'desactivado'
  | 'codigos-nuevos'
  | 'codigo-usado'
  /** Wrong codes, one after another, by somebody who knows the password. */
  | 'codigos-fallidos'
  /** Removed by the administrator, at the request of somebody who lost phone and codes. */
  | 'quitado'
  /** Removed because the key that opened it was lost. */
  | 'perdido';

/** Stands for somebody without a company, because the payment led to none. */
export const NOBODY = 0;

export type MailKind = MailContent['kind'];

export interface MailToSend {
  readonly content: MailContent;
  readonly recipient: string;
  readonly now: Date;
  /** When to send it, if not at once: at most `LONGEST_FIRST_WAIT_SECONDS` later. */
  readonly notBefore?: Date;
}

/** A message whose turn has come, held by this process until its lease ends. */
export interface MailJob {
  readonly companyId: number;
  readonly id: bigint;
  readonly content: MailContent;
  readonly recipient: string;
  /** How many times it has been tried, including this one. */
  readonly attempts: number;
  readonly createdAt: Date;
}

interface MailJobRow {
  company_id: number;
  id: bigint;
  kind: MailKind;
  payload: Record<string, unknown>;
  recipient: string;
  attempts: number;
  created_at: Date;
}

/**
 * Queues a message in the transaction of what it announces: it is sent if and only if that happened. After the
 * commit, `deps.wakeMail()` sends it at once.
 */
export async function enqueueMail(tx: Tx, companyId: number, mail: MailToSend): Promise<void> {
  await enqueueMails(tx, companyId, [mail]);
}

/** Several messages of one company, in one statement. */
export async function enqueueMails(
  tx: Tx,
  companyId: number,
  mails: readonly MailToSend[],
): Promise<void> {
  await enqueueMailsOf(
    tx,
    mails.map((mail) => ({ companyId, ...mail })),
  );
}

/** The same of several companies. */
export async function enqueueMailsOf(
  tx: Tx,
  mails: readonly (MailToSend & { readonly companyId: number })[],
): Promise<void> {
  if (mails.length === 0) return;
  await tx`
    insert into mail_jobs (company_id, kind, recipient, payload, invoice_id, run_at, created_at)
    select t.company_id, t.kind, t.recipient, t.payload::jsonb, t.invoice_id, t.run_at, t.now
      from unnest(${mails.map(({ companyId }) => companyId)}::int[],
                  ${mails.map(({ content }) => content.kind)}::text[],
                  ${mails.map(({ recipient }) => recipient)}::text[],
                  ${mails.map(({ content: { kind: _, ...payload } }) => JSON.stringify(payload))}::text[],
                  ${mails.map(({ content }) => (content.kind === 'factura' ? content.invoiceId : null))}::bigint[],
                  ${mails.map(({ now }) => now.toISOString())}::timestamptz[],
                  ${mails.map(({ now, notBefore }) => (notBefore ?? now).toISOString())}::timestamptz[]
           ) as t (company_id, kind, recipient, payload, invoice_id, now, run_at)`;
}

/** How long a message may wait to be sent for the first time. */
export const LONGEST_FIRST_WAIT_SECONDS = 600;

/**
 * Messages that are due, oldest first: found without locks, claimed one by one. Those scheduled later than any
 * message ever waits are due too: the clock that scheduled them was ahead.
 *
 * @param waits seconds from each attempt to the next
 */
export async function findDueMails(
  tx: Tx,
  {
    now,
    waits,
    limit,
  }: { readonly now: Date; readonly waits: readonly number[]; readonly limit: number },
): Promise<{ companyId: number; id: bigint }[]> {
  const rows = await tx<{ company_id: number; id: bigint }[]>`
    select company_id, id from mail_jobs
     where sent_at is null and failed_at is null
       and (run_at <= ${now}
            or run_at > ${now}::timestamptz
                        + make_interval(secs => (${[LONGEST_FIRST_WAIT_SECONDS, ...waits]}::int[])[attempts + 1]))
       and ${isUnheld(tx)}
     order by run_at
     limit ${limit}`;
  return rows.map((row) => ({ companyId: row.company_id, id: row.id }));
}

/**
 * Takes a message for this process; null when another one has it or has sent it.
 *
 * The attempt is counted before sending, so a message whose sending kills the process is not tried for ever. Leases
 * run on the database's clock, which all processes share.
 */
export async function claimMail(
  tx: Tx,
  companyId: number,
  id: bigint,
  leaseSeconds: number,
): Promise<MailJob | null> {
  const [row] = await tx<MailJobRow[]>`
    update mail_jobs
       set lease_until = now() + make_interval(secs => ${leaseSeconds}), attempts = attempts + 1
     where company_id = ${companyId} and id = ${String(id)}
       and sent_at is null and failed_at is null
       and ${isUnheld(tx)}
 returning company_id, id, kind, payload, recipient, attempts, created_at`;
  return row ? fromRow(row) : null;
}

/** Records that a message was sent, and deletes its private content: an encrypted code, a text to support. */
export async function markMailSent(tx: Tx, job: MailJob, now: Date): Promise<void> {
  await tx`
    update mail_jobs
       set sent_at = ${now}, lease_until = null, not_taken_since = null,
           last_error = case when failed_at is null then null else last_error end, -- It may be back already.
           payload = case when kind = any(${[...PRIVATE]}::text[]) then '{}'::jsonb else payload end
     where company_id = ${job.companyId} and id = ${String(job.id)}`;
}

/**
 * Whether this attempt at a message is the last one. A process that stood still for longer than its lease says nothing
 * of what another one has sent, or is sending.
 */
function isLastAttempt(tx: Tx, job: MailJob): Statement {
  return tx`attempts = ${job.attempts} and sent_at is null`;
}

/** Why a message did not go out. */
export interface MailFailure {
  readonly now: Date;
  /** In words, for a reader. */
  readonly error: string;
  /** Our own mail server did not take it, whatever the recipient. */
  readonly isOurs: boolean;
}

export async function postponeMail(
  tx: Tx,
  job: MailJob,
  { runAt, error, ...failure }: MailFailure & { readonly runAt: Date },
): Promise<void> {
  await tx`
    update mail_jobs
       set run_at = ${runAt}, lease_until = null, last_error = ${error}, ${notTaken(tx, failure)}
     where company_id = ${job.companyId} and id = ${String(job.id)} and ${isLastAttempt(tx, job)}`;
}

/** Gives a message up for good, recording why. */
export async function markMailFailed(
  tx: Tx,
  job: MailJob,
  { now, error, isOurs }: MailFailure,
): Promise<void> {
  await tx`
    update mail_jobs
       set failed_at = ${now}, lease_until = null, last_error = ${error}, ${notTaken(tx, { now, isOurs })}
     where company_id = ${job.companyId} and id = ${String(job.id)} and ${isLastAttempt(tx, job)}`;
}

function notTaken(tx: Tx, { now, isOurs }: Pick<MailFailure, 'now' | 'isOurs'>): Statement {
  return isOurs
    ? tx`not_taken_since = coalesce(not_taken_since, ${now})`
    : tx`not_taken_since = null`;
}

/**
 * Records that a message came back after a server had taken it. Only once: a second report, or one about a message
 * that was given up, changes nothing.
 *
 * @returns its kind, or null when there is nothing to record
 */
export async function markMailReturned(
  tx: Tx,
  { companyId, mailId }: { readonly companyId: number; readonly mailId: bigint },
  { now, error }: { readonly now: Date; readonly error: string },
): Promise<MailKind | null> {
  const [row] = await tx<{ kind: MailKind }[]>`
    update mail_jobs
       set failed_at = ${now}, last_error = ${error}
     where company_id = ${companyId} and id = ${String(mailId)} and failed_at is null
 returning kind`;
  return row?.kind ?? null;
}

/**
 * Over all companies, for the metrics: messages not sent yet, and since when the oldest one is stuck because our own
 * mail server does not take it, or nobody has tried to send it.
 */
export async function countUnsentMails(
  tx: Tx,
): Promise<{ readonly waiting: number; readonly stuckSince: Date | null }> {
  const [row] = await tx<{ waiting: number; stuckSince: Date | null }[]>`
    select count(*)::int as waiting,
           min(coalesce(not_taken_since, run_at))
             filter (where not_taken_since is not null or attempts = 0) as "stuckSince"
      from mail_jobs
     where sent_at is null and failed_at is null`;
  return row ?? { waiting: 0, stuckSince: null };
}

/** Over all companies: messages given up since then because our own mail server accepted none of their attempts. */
export async function countNotTakenMails(tx: Tx, since: Date): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from mail_jobs
     where failed_at > ${since} and sent_at is null and not_taken_since is not null`;
  return row?.count ?? 0;
}

/** Status of the message with an invoice to its client. */
export interface InvoiceMail {
  readonly recipient: string;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  /** Later than `sentAt` when it came back. */
  readonly failedAt: Date | null;
  readonly attempts: number;
  readonly lastError: string | null;
}

/** The messages that carried an invoice, oldest first. */
export async function listInvoiceMails(
  tx: Tx,
  companyId: number,
  invoiceId: bigint,
): Promise<InvoiceMail[]> {
  const rows = await tx<
    {
      recipient: string;
      created_at: Date;
      sent_at: Date | null;
      failed_at: Date | null;
      attempts: number;
      last_error: string | null;
    }[]
  >`
    select recipient, created_at, sent_at, failed_at, attempts, last_error
      from mail_jobs
     where company_id = ${companyId} and invoice_id = ${String(invoiceId)}
     order by id`;
  return rows.map((row) => ({
    recipient: row.recipient,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    failedAt: row.failed_at,
    attempts: row.attempts,
    lastError: row.last_error,
  }));
}

/** The last address to which a closed account was written, or null. */
export async function findLastAddress(tx: Tx, companyId: number): Promise<string | null> {
  const [row] = await tx<{ recipient: string }[]>`
    select recipient from mail_jobs
     where company_id = ${companyId} and kind = 'cuenta-eliminada'
     order by id desc
     limit 1`;
  return row?.recipient ?? null;
}

/** Cancels messages that have not been tried yet: a later one of the same kind replaces them. */
export async function cancelMailsOf(
  tx: Tx,
  companyId: number,
  { kind, recipient }: { readonly kind: MailKind; readonly recipient: string },
): Promise<void> {
  await tx`
    delete from mail_jobs
     where company_id = ${companyId} and kind = ${kind} and recipient = ${recipient}
       and sent_at is null and attempts = 0`;
}

/** Cancels what an account that is being closed has not sent yet, except the notice of its data copy. */
export async function cancelMails(tx: Tx, companyId: number): Promise<void> {
  await tx`
    delete from mail_jobs
     where company_id = ${companyId} and sent_at is null and kind <> 'copia-lista'`;
}

/** Kinds of messages with content that serves only for sending: an encrypted code, a text to support. */
export const PRIVATE: readonly MailKind[] = [
  'codigo',
  'soporte',
  'soporte-copia',
  'pago-denegado',
  'pago-sin-confirmar',
];

function fromRow(row: MailJobRow): MailJob {
  return {
    companyId: row.company_id,
    id: row.id,
    content: { ...row.payload, kind: row.kind } as MailContent,
    recipient: row.recipient,
    attempts: row.attempts,
    createdAt: row.created_at,
  };
}
