import { useEffect, useState } from 'react';
import type { ConexionAEAT } from '../../../contract/invoices.ts';
import { waitingNote } from './waiting.ts';

/** Why invoices wait and when they leave, counting down while something waits. */
export function useWaitingNote(
  connection: ConexionAEAT | undefined,
  rejectedNo: string | undefined,
): string {
  const [now, setNow] = useState(Date.now);
  const isCounting = (connection?.enEspera ?? 0) > 0 && connection?.proximoEnvio !== undefined;
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isCounting]);
  return waitingNote(connection, rejectedNo, now);
}
