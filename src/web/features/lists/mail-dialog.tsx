import { Button, Progress } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { EnviarFacturaAnswer, InvoiceRow } from '../../../contract/invoices.ts';
import { cuenta, entero } from '../../lib/format.ts';
import { errorMessages, http, retryMessage } from '../../lib/http.ts';
import { newKey } from '../../lib/new-key.ts';
import { Dialog } from '../../ui/dialog.tsx';
import classes from './copy-dialog.module.css';
import { type CopyRun, runCopies } from './copy-run.ts';
import { type Reason, Reasons, useFocusOnShow } from './run-parts.tsx';

export interface MailDialogProps {
  readonly rows: readonly InvoiceRow[];
  /** With those that are on their way. */
  readonly onClose: (sent: readonly InvoiceRow[]) => void;
}

interface Told {
  readonly sent: readonly InvoiceRow[];
  readonly failed: readonly Reason[];
  /** Those that nobody got to, or of which nobody knows. */
  readonly left: readonly InvoiceRow[];
  readonly cut: string | undefined;
}

type Phase =
  | { readonly kind: 'asking' }
  | { readonly kind: 'going'; readonly total: number }
  | { readonly kind: 'told'; readonly told: Told };

const NOTHING: Told = { sent: [], failed: [], left: [], cut: undefined };

/** «Enviar por correo (n)»: asks, shows how it goes, can be stopped, and says what it did. */
export function MailDialog({ rows, onClose }: MailDialogProps) {
  const client = useQueryClient();
  const [phase, setPhase] = useState<Phase>({ kind: 'asking' });
  const [done, setDone] = useState(0);
  const isStopped = useRef(false);
  // One for all tries of an invoice: an answer that was lost does not send it twice.
  const keys = useRef(new Map(rows.map(({ DocNo }) => [DocNo, newKey()])));
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);

  const start = async (asked: readonly InvoiceRow[], before: Told) => {
    isStopped.current = false;
    setDone(0);
    setPhase({ kind: 'going', total: asked.length });
    const run = await runCopies(
      asked.map(({ DocNo }) => DocNo),
      {
        copy: sendToClient,
        keyOf: (docNo) => keys.current.get(docNo) ?? newKey(),
        onDone: setDone,
        isStopped: () => isStopped.current,
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      },
    );
    void client.invalidateQueries({ queryKey: ['invoices'] });
    setPhase({ kind: 'told', told: toldOf(asked, run, before) });
  };
  const close = () => {
    if (phase.kind !== 'going') onClose(phase.kind === 'told' ? phase.told.sent : []);
  };

  return (
    <Dialog
      onClose={close}
      title={titleOf(phase, rows.length)}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      {phase.kind === 'asking' && (
        <>
          <p>
            Cada una va con su PDF al correo que su cliente tiene en la ficha, y con tu correo para
            responder. Si alguna ya se envió, se envía otra vez.
          </p>
          <div className={classes.buttons}>
            <Button variant="default" onClick={close}>
              Cancelar
            </Button>
            <Button data-autofocus onClick={() => void start(rows, NOTHING)}>
              Enviar {cuenta(rows.length, 'factura', 'facturas')}
            </Button>
          </div>
        </>
      )}
      {phase.kind === 'going' && (
        <Going
          done={done}
          total={phase.total}
          onStop={() => {
            isStopped.current = true;
          }}
        />
      )}
      {phase.kind === 'told' && (
        <Result
          told={phase.told}
          onClose={close}
          onRetry={() => void start(phase.told.left, phase.told)}
        />
      )}
    </Dialog>
  );
}

/** To the address of its client's card. */
async function sendToClient(No: string, idempotencyKey: string) {
  await http<EnviarFacturaAnswer>('/api/PostData/EnviarFactura', { json: { No }, idempotencyKey });
  return {};
}

function titleOf(phase: Phase, count: number): string {
  if (phase.kind === 'asking') return `¿Enviar ${cuenta(count, 'factura', 'facturas')} por correo?`;
  if (phase.kind === 'going') return 'Enviando tus facturas';
  const { length } = phase.told.sent;
  return length === 0
    ? 'No se ha enviado ninguna factura'
    : cuenta(length, 'factura en camino', 'facturas en camino');
}

function toldOf(rows: readonly InvoiceRow[], { outcomes, ...end }: CopyRun, before: Told): Told {
  const kindOf = ({ DocNo }: InvoiceRow) => outcomes.get(DocNo)?.kind;
  const refused = rows.flatMap((row) => {
    const outcome = outcomes.get(row.DocNo);
    if (outcome?.kind !== 'refused') return [];
    return [{ row, why: errorMessages(outcome.error, 'No se ha podido enviar.').join(' ') }];
  });
  return {
    sent: [...before.sent, ...rows.filter((row) => kindOf(row) === 'made')],
    failed: [...before.failed, ...refused],
    left: rows.filter((row) => kindOf(row) === undefined || kindOf(row) === 'unknown'),
    cut: 'cut' in end ? retryMessage(end.cut) : undefined,
  };
}

interface GoingProps {
  readonly done: number;
  readonly total: number;
  readonly onStop: () => void;
}

function Going({ done, total, onStop }: GoingProps) {
  const [isStopping, setIsStopping] = useState(false);
  const count = useFocusOnShow<HTMLParagraphElement>();
  const stop = () => {
    setIsStopping(true);
    onStop();
  };
  return (
    <>
      <Progress value={Math.floor((done * 100) / total)} aria-label="Facturas enviadas" />
      <p ref={count} tabIndex={-1} className={classes.count} role="status">
        {isStopping ? 'Parando…' : `${entero(done)} de ${entero(total)}`}
      </p>
      <div className={classes.buttons}>
        <Button variant="default" aria-disabled={isStopping || undefined} onClick={stop}>
          Parar
        </Button>
      </div>
    </>
  );
}

const FAILED = 'No se ha podido enviar:';

interface ResultProps {
  readonly told: Told;
  readonly onClose: () => void;
  readonly onRetry: () => void;
}

function Result({ told: { sent, failed, left, cut }, onClose, onRetry }: ResultProps) {
  const words = useFocusOnShow<HTMLDivElement>();
  return (
    <>
      <div ref={words} tabIndex={-1} className={classes.result} role="status">
        {sent.length > 0 && (
          <p>Si alguna no se puede entregar, lo dirá el recorrido de la factura.</p>
        )}
        {left.length > 0 && (
          <p>
            {cut}
            {cut !== undefined && ' '}
            {left.length === 1 ? 'Queda ' : 'Quedan '}
            {cuenta(left.length, 'factura', 'facturas')} por enviar.
          </p>
        )}
        {failed.length > 0 && <p className={classes.lead}>{FAILED}</p>}
      </div>
      <Reasons label={FAILED} reasons={failed} />
      <div className={classes.buttons}>
        <Button variant={left.length > 0 ? 'default' : 'filled'} onClick={onClose}>
          Cerrar
        </Button>
        {left.length > 0 && (
          <Button onClick={onRetry}>Seguir con {cuenta(left.length, 'factura', 'facturas')}</Button>
        )}
      </div>
    </>
  );
}
