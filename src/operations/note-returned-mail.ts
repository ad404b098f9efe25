import type { Deps } from '../deps.ts';
import { readReturnedMail } from '../mail/delivery-status.ts';
import { findReturnAddress } from '../mail/envelope.ts';
import { returnWords } from '../mail/retry.ts';
import { markMailReturned } from '../store/mail-jobs.ts';
import { noteNovedad } from '../store/novedades.ts';

export type ReturnOutcome = 'noted' | 'repeated' | 'not-final' | 'no-report' | 'not-ours' | 'off';

/**
 * Reads a message that came to the address of those that come back, and notes that the one it names
 * was not delivered: its invoice says why, with a way to send it again.
 *
 * Anybody may write there. What counts is a report of delivery (RFC 3464) that came to the signed
 * address of one message; an «estoy de vacaciones» or a delay change nothing.
 *
 * @param recipient the address it came to, when the mail server says it apart from the headers
 */
export async function noteReturnedMail(
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
  const kind = await sql.begin(async (tx) => {
    const noted = await markMailReturned(tx, name, { now, error: returnWords(delivery) });
    if (noted === 'factura') await noteNovedad(tx, name.companyId);
    return noted;
  });
  return kind ? 'noted' : 'repeated';
}
