import type { Transporter } from 'nodemailer';
import { htmlOf, LOGO_CID } from './html.ts';
import { HUELLA_MARK } from './logos.ts';
import { type MailMessage, textOf } from './message.ts';

/** Sends messages. */
export interface MailTransport {
  /** @throws what nodemailer throws: see `retry.ts` */
  readonly send: (message: MailMessage, envelope: Envelope) => Promise<void>;
  readonly close: () => void;
}

export interface Envelope {
  readonly to: string;
  /** Where it is returned if it cannot be delivered; null for the sender. */
  readonly returnTo: string | null;
  /** The same for every attempt, so that a server that received it twice shows it once. */
  readonly messageId: string;
}

/** How long each step of a server may take before it counts as down. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Creates the connection to an SMTP server.
 *
 * @param smtpUrl `smtp://` or `smtps://`, with user and password if required
 * @param from `Huella <no-responder@huella.test>`: the sender of every message
 */
export function createMailTransport(smtpUrl: string, from: string): MailTransport {
  let opened: Promise<Transporter> | null = null;
  const address = addressOf(from);
  return {
    async send(message, { to, returnTo, messageId }) {
      opened ??= open(smtpUrl);
      const transporter = await opened;
      await transporter.sendMail({
        from: { name: oneLine(message.fromName), address },
        to: { name: '', address: to },
        envelope: { from: returnTo ?? address, to },
        ...(message.replyTo ? { replyTo: { name: '', address: message.replyTo } } : {}),
        subject: oneLine(message.subject),
        messageId,
        text: textOf(message),
        html: htmlOf(message),
        attachments: [
          ...message.attachments.map(({ fileName, contentType, content }) => ({
            filename: fileName,
            contentType,
            content: Buffer.from(content),
          })),
          ...logoOf(message),
        ],
        // Prevents automatic replies such as «out of office» (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => void opened?.then((transporter) => transporter.close()),
  };
}

/** Loads nodemailer when the first message is sent: it is too heavy for every start. */
async function open(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 4,
    // Paths and addresses in a message are never read from here.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...TIMEOUTS,
  });
}

/** Domain of the sender's address, for message identifiers. */
export function mailDomainOf(from: string): string {
  return addressOf(from).split('@')[1] ?? 'huella.test';
}

function logoOf({ brand }: MailMessage) {
  const png = brand.kind === 'huella' ? HUELLA_MARK : brand.logo?.png;
  if (!png) return [];
  return [
    {
      cid: LOGO_CID,
      filename: 'logotipo.png',
      contentType: 'image/png',
      contentDisposition: 'inline' as const,
      content: png,
    },
  ];
}

/** `Huella <a@b.es>` or `a@b.es` → `a@b.es`. */
function addressOf(from: string): string {
  return /<([^>]+)>/.exec(from)?.[1] ?? from.trim();
}

/** A header is a single line: whatever a name or a subject contains, it cannot start another one. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
