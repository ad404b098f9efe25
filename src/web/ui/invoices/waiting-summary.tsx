import type { ConexionAEAT } from '../../../contract/invoices.ts';
import { useNow } from './use-now.ts';
import { waitingWords } from './waiting.ts';

export interface WaitingSummaryProps {
  readonly connection: ConexionAEAT;
}

/**
 * How many invoices wait for the AEAT, since when, why, and when the next attempt is (Orden HAC/1177/2024 art. 16.4).
 * Nothing when none waits.
 */
export function WaitingSummary({ connection }: WaitingSummaryProps) {
  const now = useNow(connection.proximoEnvio !== undefined);
  const words = waitingWords(connection, now);
  if (!words) return null;
  return (
    <>
      <strong>{words.lead}</strong> {words.rest}
    </>
  );
}
