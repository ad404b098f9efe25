import type { Transporter } from 'nodemailer';
import { htmlOf, LOGO_CID } from './html.ts';
import { huellaMark } from './logos.ts';
import { type MailMessage, textOf } from './message.ts';

/** A way out for messages. */
export interface MailTransport {
  /** @throws what nodemailer throws: see `retry.ts` */
  readonly send: (message: MailMessage, envelope: Envelope) => Promise<void>;
  readonly close: () => void;
}

export interface Envelope {
  readonly to: string;
  /** Where it comes back if it cannot be delivered after all; null, to the sender. */
  readonly returnTo: string | null;
  /** The same each time a message is tried, so that a server that took it twice shows it once. */
  readonly messageId: string;
}

/** How long a server may take for each step before it counts as down. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Opens the way to an SMTP server.
 *
 * @param smtpUrl `smtp://` or `smtps://`, with user and password when it asks for them
 * @param from `Huella <no-responder@huella.test>`: the address that signs every message
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
          ...(await logoOf(message)),
        ],
        // No «out of office» in answer to a machine (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => void opened?.then((transporter) => transporter.close()),
  };
}

/** With its program, which is read when the first message goes out: too heavy for every start. */
async function open(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 4,
    // Neither a path nor an address inside a message is ever read from here.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...TIMEOUTS,
  });
}

/** Domain of the sender's address, for the identifiers of messages. */
export function mailDomainOf(from: string): string {
  return addressOf(from).split('@')[1] ?? 'huella.test';
}

async function logoOf({ brand }: MailMessage) {
  const png = brand.kind === 'huella' ? await huellaMark() : brand.logo?.png;
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

/** A header is a line: whatever a name or a subject carries, it cannot start another one. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
