import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps, Runtime } from '../deps.ts';
import { createAlarm } from '../operations/alarm.ts';
import {
  claimMail,
  findDueMails,
  type MailJob,
  markMailFailed,
  markMailSent,
  postponeMail,
} from '../store/mail-jobs.ts';
import { noteNovedad } from '../store/novedades.ts';
import { composeMail, MailObsolete } from './compose.ts';
import { returnAddress } from './envelope.ts';
import { type MailVerdict, MOST_ATTEMPTS, verdictOf, WAITS } from './retry.ts';
import { createMailTransport, mailDomainOf } from './transport.ts';

export interface MailWorker {
  /** Looks for messages now instead of at the next interval. */
  readonly wake: () => void;
  /**
   * Ends after what is being sent, or after five seconds: a message whose outcome is then unknown is tried again when
   * its lease expires. Unsent messages stay queued.
   */
  readonly stop: () => Promise<void>;
}

/** Interval between looks when nobody wakes it. */
const IDLE_MS = 15_000;
const STOP_PATIENCE_MS = 5_000;
const BATCH = 20;
const AT_ONCE = 4;
/** Longer than all timeouts of the transport together: a process that is still sending still holds its message. */
const LEASE_SECONDS = 300;
const RECORD_AGAIN_MS = 500;
const INTERRUPTED = 'El envío se ha interrumpido las últimas veces que se ha intentado.';

/**
 * Sends what is queued in `mail_jobs`. Many processes may do it at once: each message is claimed before it is sent,
 * and marked once the server has accepted it. Only a crash between the two repeats it, with the same Message-ID; a
 * database that is away just then does not.
 *
 * @param leaseSeconds for how long this process has a message to itself
 */
export function startMailWorker(
  deps: Deps,
  { smtpUrl }: Pick<Runtime, 'smtpUrl'>,
  leaseSeconds = LEASE_SECONDS,
): MailWorker {
  const transport = createMailTransport(smtpUrl, deps.config.mail.from);
  const domain = mailDomainOf(deps.config.mail.from);
  let isStopping = false;
  let alarm = createAlarm();

  async function run(): Promise<void> {
    while (!isStopping) {
      alarm = createAlarm();
      const sentSomething = await sendDue().catch((error: unknown) => {
        deps.log.error({ err: error }, 'the mail queue could not be read');
        return false;
      });
      if (!sentSomething) await alarm.ring(IDLE_MS);
    }
  }

  /** @returns whether there was anything, so there may be more */
  async function sendDue(): Promise<boolean> {
    const due = await findDueMails(deps.sql, { now: deps.clock(), waits: WAITS, limit: BATCH });
    const queue = [...due];
    let claimed = 0;
    const senders = Array.from({ length: AT_ONCE }, async () => {
      for (let next = queue.shift(); next && !isStopping; next = queue.shift()) {
        const job = await claimMail(deps.sql, next.companyId, next.id, leaseSeconds);
        if (!job) continue;
        claimed++;
        await sendOne(job);
      }
    });
    const ended = await Promise.allSettled(senders); // Nobody keeps sending in the background.
    const failed = ended.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return claimed > 0;
  }

  async function sendOne(job: MailJob): Promise<void> {
    const leaseEndsAt = performance.now() + leaseSeconds * 1000;
    const about = { companyId: job.companyId, mailId: String(job.id), kind: job.content.kind };
    try {
      // Nobody lived to record its last attempts: it may be what kills the process.
      if (job.attempts > MOST_ATTEMPTS) throw new MailObsolete(INTERRUPTED);
      const message = await composeMail(deps, job);
      await transport.send(message, {
        to: job.recipient,
        returnTo: returnAddress(deps.config, { companyId: job.companyId, mailId: job.id }),
        messageId: `<${job.companyId}.${job.id}.${job.createdAt.getTime()}@${domain}>`,
      });
    } catch (error) {
      await recordFailure(job, error);
      deps.log.warn({ ...about, err: error }, 'a message was not sent');
      return;
    }
    await recordSent(job, leaseEndsAt);
    deps.log.info(about, 'a message was sent');
    await tellScreens(job);
  }

  /** Tried until the lease ends, after which another process would send the message again. */
  async function recordSent(job: MailJob, leaseEndsAt: number): Promise<void> {
    const sentAt = deps.clock();
    for (;;) {
      try {
        return await markMailSent(deps.sql, job, sentAt);
      } catch (error) {
        if (isStopping || performance.now() > leaseEndsAt) throw error;
        deps.log.warn({ err: error, mailId: String(job.id) }, 'a sent message is not marked yet');
        await sleep(RECORD_AGAIN_MS, null, { ref: false });
      }
    }
  }

  async function recordFailure(job: MailJob, error: unknown): Promise<void> {
    const now = deps.clock();
    const verdict: MailVerdict =
      error instanceof MailObsolete
        ? { kind: 'give-up', reason: error.message, isOurs: false }
        : verdictOf(error, job.attempts);
    const failure = { now, error: verdict.reason, isOurs: verdict.isOurs };
    if (verdict.kind === 'give-up') {
      await markMailFailed(deps.sql, job, failure);
    } else {
      const runAt = new Date(now.getTime() + verdict.inSeconds * 1000);
      await postponeMail(deps.sql, job, { ...failure, runAt });
    }
    await tellScreens(job);
  }

  /** The story of the invoice in the message has one more step. */
  async function tellScreens({ companyId, content }: MailJob): Promise<void> {
    if (content.kind !== 'factura') return;
    await noteNovedad(deps.sql, companyId);
    deps.news.tell(companyId);
  }

  const running = run();
  return {
    wake: () => alarm.now(),
    async stop() {
      isStopping = true;
      alarm.now();
      await Promise.race([running, sleep(STOP_PATIENCE_MS, null, { ref: false })]);
      transport.close();
    },
  };
}
