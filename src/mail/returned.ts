import type { Deps } from '../deps.ts';
import { noteReturnedMail } from '../operations/note-returned-mail.ts';
import { readReturnedMail } from './delivery-status.ts';
import { findReturnAddress } from './envelope.ts';
import { returnWords } from './retry.ts';

export type ReturnOutcome = 'noted' | 'repeated' | 'not-final' | 'no-report' | 'not-ours' | 'off';

/**
 * Reads a message sent to a return address, and records that the message it refers to was not delivered.
 *
 * Anybody may write to that address. Only a delivery report (RFC 3464) sent to the signed address of a message
 * counts; an «estoy de vacaciones» or a delay change nothing.
 *
 * @param recipient the address it was sent to, if the mail server gives it separately from the headers
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
