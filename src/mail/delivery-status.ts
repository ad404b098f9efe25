import { simpleParser } from 'mailparser';

/** What a server reports about a message that it had accepted (RFC 3464), as far as it matters here. */
export interface DeliveryStatus {
  /** `failed`, `delayed`, `delivered`… Only `failed` is final. */
  readonly action: string;
  /** RFC 3463: `5.1.1`. */
  readonly status: string;
  /** The last server's reply, if included: `550 5.1.1 No such user`. */
  readonly diagnostic: string;
}

/** A message as it was received. */
export interface ReturnedMail {
  /** The headers of the report, a line each; those of the returned message are not included. */
  readonly headers: string;
  /** Null when it is not a report: an automatic reply, or somebody who writes to that address. */
  readonly delivery: DeliveryStatus | null;
}

/** Reads a message sent to a return address. */
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
 * Reads the fields of each recipient, in blocks after that of the message. Our messages have one recipient; among
 * several, the failed one counts.
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
