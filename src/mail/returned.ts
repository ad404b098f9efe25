import type { Deps } from '../deps.ts';
import { noteReturnedMail } from '../operations/note-returned-mail.ts';
import { readReturnedMail } from './delivery-status.ts';
import { findReturnAddress } from './envelope.ts';
import { returnWords } from './retry.ts';

export type ReturnOutcome = 'noted' | 'repeated' | 'not-final' | 'no-report' | 'not-ours' | 'off';

/**
 * Reads a message that came to the address of those that come back, and has noted that the one it names
 * was not delivered.
 *
 * Anybody may write there. What counts is a report of delivery (RFC 3464) that came to the signed
 * address of one message; an «estoy de vacaciones» or a delay change nothing.
 *
 * @param recipient the address it came to, when the mail server says it apart from the headers
 */
export async function takeReturnedMail(
  { sql, config }: Pick<Deps, 'sql' | 'config'>,
  {
    source,
    recipient,
    now,
  }: { readonly source: Buffer; readonly recipient: string; readonly now: Date },
): Promise<ReturnOutcome> {
  if (!config.mail.bounces) return 'off';
  const { headers, delivery } = await readReturnedMail(source);
  const name = findReturnAddress(config, `${recipient}\n${headers}`);
  if (!name) return 'not-ours';
  if (!delivery) return 'no-report';
  if (delivery.action !== 'failed') return 'not-final';
  const isNoted = await noteReturnedMail({ sql }, name, { now, error: returnWords(delivery) });
  return isNoted ? 'noted' : 'repeated';
}
