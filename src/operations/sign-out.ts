import type { Deps } from '../deps.ts';
import { endSession } from '../store/sessions.ts';
import { recordEvent } from './record-event.ts';

/** Ends the session of the caller on the server: its token opens nothing any more. */
export async function signOut(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  { companyId, sid }: { readonly companyId: number; readonly sid: string },
): Promise<void> {
  const now = clock();
  await sql.begin(async (tx) => {
    await endSession(tx, companyId, sid, now);
    await recordEvent(tx, companyId, { kind: 'sesion-cerrada', now });
  });
}
