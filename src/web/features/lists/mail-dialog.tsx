import { useRef } from 'react';
import type { EnviarFacturaAnswer, InvoiceRow } from '../../../contract/invoices.ts';
import { MAILS_AN_HOUR } from '../../../domain/email.ts';
import { cuenta, entero } from '../../lib/format.ts';
import { http } from '../../lib/http.ts';
import { newKey } from '../../lib/new-key.ts';
import classes from './ticked-dialog.module.css';
import { TickedDialog, type TickedWords } from './ticked-dialog.tsx';
import type { InvoiceAction } from './ticked-run.ts';

/** Annulled invoices are not sent. */
export const isSendable = ({ Status }: InvoiceRow): boolean => Status !== 'Anulada';

export interface MailDialogProps {
  /** Those selected, also the annulled ones. */
  readonly rows: readonly InvoiceRow[];
  /** Called with those that are being sent. */
  readonly onClose: (sent: readonly InvoiceRow[]) => void;
}

/** «Enviar por correo (n)», for the selected invoices. */
export function MailDialog({ rows: selected, onClose }: MailDialogProps) {
  const rows = selected.filter(isSendable);
  const left = selected.length - rows.length;
  // One for all tries of an invoice: if an answer is lost, the invoice is not sent twice.
  const keys = useRef(new Map(rows.map(({ DocNo }) => [DocNo, newKey()])));
  return (
    <TickedDialog
      rows={rows}
      words={wordsOf(rows.length)}
      act={sendToClient}
      keysOf={() => ({
        of: (docNo) => keys.current.get(docNo) ?? newKey(),
        isAgain: false,
        told: () => {},
      })}
      summary={({ done }) =>
        done.length > 0 && (
          <p>Si alguna no se puede entregar, lo dirá el recorrido de la factura.</p>
        )
      }
      onClose={onClose}
    >
      <p>
        {rows.length === 1
          ? 'Va con su PDF al correo que su cliente tiene en la ficha, y las respuestas llegan al tuyo. Si ya se envió, se envía otra vez.'
          : 'Cada una va con su PDF al correo que su cliente tiene en la ficha, y las respuestas llegan al tuyo. Si alguna ya se envió, se envía otra vez.'}
      </p>
      {left > 0 && (
        <p className={classes.note}>
          {cuenta(left, 'está anulada y no se envía', 'están anuladas y no se envían')}.
        </p>
      )}
      {rows.length > MAILS_AN_HOUR && (
        <p className={classes.note}>
          En una hora salen {entero(MAILS_AN_HOUR)} correos como mucho. Al llegar ahí te dirá cuánto
          falta para seguir con las demás, que se quedan marcadas.
        </p>
      )}
    </TickedDialog>
  );
}

/** To the address in its client's card. */
const sendToClient: InvoiceAction<EnviarFacturaAnswer> = (No, idempotencyKey) =>
  http('/api/PostData/EnviarFactura', { json: { No }, idempotencyKey });

const wordsOf = (count: number): TickedWords => ({
  question: `¿Enviar ${cuenta(count, 'factura', 'facturas')} por correo?`,
  start: `Enviar ${cuenta(count, 'factura', 'facturas')}`,
  going: 'Enviando tus facturas',
  progress: 'Facturas enviadas',
  result: (sent) =>
    sent === 0
      ? 'No se ha enviado ninguna factura'
      : cuenta(sent, 'factura en camino', 'facturas en camino'),
  left: 'por enviar',
  failed: 'No se ha podido enviar:',
  noReason: 'No se ha podido enviar.',
});
