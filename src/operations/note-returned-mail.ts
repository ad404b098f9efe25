import type { Deps } from '../deps.ts';
import { markMailReturned } from '../store/mail-jobs.ts';
import { noteNovedad } from '../store/novedades.ts';

/**
 * Records that a message was not delivered: its invoice shows why, and offers to send it again.
 *
 * @returns false when it was recorded before, or the message is not kept any more
 */
export async function noteReturnedMail(
  { sql }: Pick<Deps, 'sql'>,
  message: { readonly companyId: number; readonly mailId: bigint },
  { now, error }: { readonly now: Date; readonly error: string },
): Promise<boolean> {
  return sql.begin(async (tx) => {
    const kind = await markMailReturned(tx, message, { now, error });
    if (kind === 'factura') await noteNovedad(tx, message.companyId);
    return kind !== null;
  });
}
