import type { ConexionAEAT } from '../../../contract/invoices.ts';
import { useNow } from './use-now.ts';
import { waitingNote } from './waiting.ts';

/** Why invoices wait and when they will be sent, with a countdown while something waits. */
export function useWaitingNote(
  connection: ConexionAEAT | undefined,
  rejectedNo: string | undefined,
): string {
  const isCounting = (connection?.enEspera ?? 0) > 0 && connection?.proximoEnvio !== undefined;
  return waitingNote(connection, rejectedNo, useNow(isCounting));
}
