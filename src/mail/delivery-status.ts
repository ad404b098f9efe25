import { simpleParser } from 'mailparser';

/** What a server tells of a message that it had taken (RFC 3464), as far as it matters here. */
export interface DeliveryStatus {
  /** `failed`, `delayed`, `delivered`… Only the first one is the end. */
  readonly action: string;
  /** RFC 3463: `5.1.1`. */
  readonly status: string;
  /** What the last server said, when it is told: `550 5.1.1 No such user`. */
  readonly diagnostic: string;
}

/** A message as it came, read once. */
export interface ReturnedMail {
  /** The headers of the report, a line each; what it gives back is not among them. */
  readonly headers: string;
  /** Null when it is no report: an automatic answer, or somebody who writes to that address. */
  readonly delivery: DeliveryStatus | null;
}

/** Reads a message that came to the address of those that come back. */
export async function readReturnedMail(source: Buffer): Promise<ReturnedMail> {
  const mail = await simpleParser(source, { keepDeliveryStatus: true, skipHtmlToText: true });
  const report = mail.attachments.find(({ contentType }) =>
    /^message\/(global-)?delivery-status$/.test(contentType),
  );
  return {
    headers: mail.headerLines.map(({ line }) => line).join('\n'),
    delivery: report ? readDeliveryStatus(report.content.toString('utf8')) : null,
  };
}

/**
 * Reads the fields of each recipient, in blocks after that of the message. Ours have one recipient; of
 * several, the one that failed counts.
 */
export function readDeliveryStatus(text: string): DeliveryStatus | null {
  const told = text
    .replaceAll('\r\n', '\n')
    .replace(/\n[ \t]+/g, ' ')
    .split(/\n[ \t]*\n/)
    .map(fieldsOf)
    .filter((fields) => fields.has('action'))
    .map((fields) => ({
      action: firstWord(fields.get('action')).toLowerCase(),
      status: firstWord(fields.get('status')),
      diagnostic: withoutType(fields.get('diagnostic-code')),
    }));
  return told.find(({ action }) => action === 'failed') ?? told[0] ?? null;
}

function fieldsOf(block: string): ReadonlyMap<string, string> {
  return new Map(
    block.split('\n').flatMap((line) => {
      const colon = line.indexOf(':');
      if (colon < 1) return [];
      return [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const];
    }),
  );
}

/** `5.1.1 (bad destination mailbox address)` → `5.1.1`. */
function firstWord(text = ''): string {
  return text.split(/[\s(]/)[0] ?? '';
}

/** `smtp; 550 5.1.1 No such user` → `550 5.1.1 No such user`. */
function withoutType(text = ''): string {
  return text.replace(/^[\w-]+\s*;\s*/, '').trim();
}
