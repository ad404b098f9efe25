import { Button, Progress } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { cuenta, entero } from '../../lib/format.ts';
import { errorMessages, retryMessage } from '../../lib/http.ts';
import { PATHS } from '../../lib/paths.ts';
import { decodeToken, storedToken } from '../../lib/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import classes from './copy-dialog.module.css';
import { CopyKeys } from './copy-keys.ts';
import { type CopyInvoice, type CopyRun, runCopies } from './copy-run.ts';
import { type Reason, Reasons, useFocusOnShow } from './run-parts.tsx';

export interface CopyDialogProps {
  readonly rows: readonly InvoiceRow[];
  readonly copyInvoice: CopyInvoice;
  /** With those of which there is a draft now. */
  readonly onClose: (made: readonly InvoiceRow[]) => void;
}

/** What is known of those that were to be copied, over all the tries. */
interface Told {
  readonly made: readonly InvoiceRow[];
  readonly deletedClients: readonly Reason[];
  readonly failed: readonly Reason[];
  /** Those that failed in a way that may pass, and those that nobody got to. */
  readonly left: readonly InvoiceRow[];
  readonly cut: string | undefined;
  readonly isAgain: boolean;
}

type Phase =
  | { readonly kind: 'asking' }
  | { readonly kind: 'going'; readonly total: number }
  | { readonly kind: 'told'; readonly told: Told };

/** «Duplicar (n)»: asks, shows how it goes, can be stopped, and says what it did. */
export function CopyDialog({ rows, copyInvoice, onClose }: CopyDialogProps) {
  const [phase, setPhase] = useState<Phase>({ kind: 'asking' });
  const [done, setDone] = useState(0);
  const [isStopping, setIsStopping] = useState(false);
  const run = useCopyRun(copyInvoice, setDone);

  const start = async (before?: Told) => {
    const asked = before?.left ?? [...rows].sort(byAge);
    setDone(0);
    setIsStopping(false);
    setPhase({ kind: 'going', total: asked.length });
    const told = await run.start(asked, before);
    if (told) setPhase({ kind: 'told', told });
  };
  const close = () => {
    if (phase.kind !== 'going') onClose(phase.kind === 'told' ? phase.told.made : []);
  };

  return (
    <Dialog
      onClose={close}
      title={titleOf(phase, rows.length)}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      {phase.kind === 'asking' && (
        <Asking rows={rows} onCancel={close} onStart={() => void start()} />
      )}
      {phase.kind === 'going' && (
        <Going
          done={done}
          total={phase.total}
          isStopping={isStopping}
          onStop={() => {
            setIsStopping(true);
            run.stop();
          }}
        />
      )}
      {phase.kind === 'told' && (
        <Result told={phase.told} onClose={close} onRetry={() => void start(phase.told)} />
      )}
    </Dialog>
  );
}

/** In the order in which they were issued, which is that of their drafts as well, nearly. */
function byAge(a: InvoiceRow, b: InvoiceRow): number {
  if (a.PostingDate !== b.PostingDate) return a.PostingDate < b.PostingDate ? -1 : 1;
  return a.DocNo.localeCompare(b.DocNo, 'es', { numeric: true });
}

function titleOf(phase: Phase, count: number): string {
  if (phase.kind === 'asking') return `¿Duplicar ${cuenta(count, 'factura', 'facturas')}?`;
  if (phase.kind === 'going') return 'Duplicando tus facturas';
  const made = phase.told.made.length;
  return made === 0
    ? 'No se ha hecho ningún borrador'
    : cuenta(made, 'borrador hecho', 'borradores hechos');
}

/** Copies, keeps the keys until it has been told, and stops when the screen goes away. */
function useCopyRun(copy: CopyInvoice, onDone: (done: number) => void) {
  const client = useQueryClient();
  const state = useRef({ isStopped: false, isGone: false });
  useEffect(() => {
    const { current } = state;
    current.isGone = false;
    return () => {
      current.isGone = true;
    };
  }, []);

  const start = async (
    rows: readonly InvoiceRow[],
    before: Told | undefined,
  ): Promise<Told | null> => {
    const { current } = state;
    current.isStopped = false;
    const docNos = rows.map(({ DocNo }) => DocNo);
    const companyId = decodeToken(storedToken() ?? '')?.sub ?? '';
    const keys = new CopyKeys(localStorage, companyId, docNos);
    const result = await runCopies(docNos, {
      copy,
      keyOf: (docNo) => keys.of(docNo),
      onDone,
      isStopped: () => current.isStopped || current.isGone,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    void client.invalidateQueries({ queryKey: ['invoices'] });
    if (current.isGone) return null; // Nobody was told: the keys stay.
    keys.told(docNos.filter((docNo) => result.outcomes.get(docNo)?.kind === 'unknown'));
    return toldOf(rows, result, { before, isAgain: keys.isAgain });
  };
  return {
    start,
    stop: () => {
      state.current.isStopped = true;
    },
  };
}

function toldOf(
  rows: readonly InvoiceRow[],
  { outcomes, ...end }: CopyRun,
  { before, isAgain }: { readonly before: Told | undefined; readonly isAgain: boolean },
): Told {
  const made = [...(before?.made ?? [])];
  const deletedClients = [...(before?.deletedClients ?? [])];
  // What was refused stays so; what may pass was tried again.
  const failed = [...(before?.failed ?? [])].filter(({ row }) => !before?.left.includes(row));
  const left: InvoiceRow[] = [];
  for (const row of rows) {
    const outcome = outcomes.get(row.DocNo);
    if (outcome?.kind === 'made') {
      made.push(row);
      const why = outcome.deletedClient;
      if (why !== undefined) deletedClients.push({ row, why });
      continue;
    }
    if (outcome?.kind !== 'refused') left.push(row);
    // Of what was cut it is said once, for all.
    if (outcome && !(outcome.kind === 'unknown' && 'cut' in end)) {
      failed.push({ row, why: errorMessages(outcome.error, NO_REASON).join(' ') });
    }
  }
  const cut = 'cut' in end ? retryMessage(end.cut) : undefined;
  return { made, deletedClients, failed, left, cut, isAgain: before?.isAgain ?? isAgain };
}

const NO_REASON = 'No se ha podido copiar. Vuelve a intentarlo.';

interface AskingProps {
  readonly rows: readonly InvoiceRow[];
  readonly onCancel: () => void;
  readonly onStart: () => void;
}

function Asking({ rows, onCancel, onStart }: AskingProps) {
  const references = rows.filter(({ Tipo }) => Tipo.startsWith('R') || Tipo === 'F3').length;
  const isOne = rows.length === 1;
  return (
    <>
      <p>
        {isOne ? 'Se hace un borrador igual' : `Se hacen ${entero(rows.length)} borradores iguales`}
        , con fecha de hoy. Todavía no se registra nada: {isOne ? 'espera' : 'esperan'} en Facturas
        pendientes a que {isOne ? 'lo revises y lo registres' : 'los revises y los registres'}.
      </p>
      {references > 0 && (
        <p className={classes.note}>
          {references === 1
            ? 'Una rectifica o sustituye a otra factura: su copia lo hará a la misma.'
            : `${entero(references)} rectifican o sustituyen a otras facturas: sus copias lo harán a las mismas.`}
        </p>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancelar
        </Button>
        <Button data-autofocus onClick={onStart}>
          {isOne ? 'Duplicar' : `Duplicar ${entero(rows.length)}`}
        </Button>
      </div>
    </>
  );
}

interface GoingProps {
  readonly done: number;
  readonly total: number;
  readonly isStopping: boolean;
  readonly onStop: () => void;
}

function Going({ done, total, isStopping, onStop }: GoingProps) {
  const count = useFocusOnShow<HTMLParagraphElement>();
  return (
    <>
      <Progress value={Math.floor((done * 100) / total)} aria-label="Facturas copiadas" />
      <p ref={count} tabIndex={-1} className={classes.count} role="status">
        {isStopping ? 'Parando…' : `${entero(done)} de ${entero(total)}`}
      </p>
      <div className={classes.buttons}>
        <Button variant="default" aria-disabled={isStopping || undefined} onClick={onStop}>
          Parar
        </Button>
      </div>
    </>
  );
}

const FAILED = 'No se ha podido copiar:';
const DELETED = 'Copiadas, aunque su cliente está eliminado. Mira si aún le facturas:';

interface ResultProps {
  readonly told: Told;
  readonly onClose: () => void;
  readonly onRetry: () => void;
}

function Result({ told, onClose, onRetry }: ResultProps) {
  const { made, deletedClients, failed, left, cut, isAgain } = told;
  const words = useFocusOnShow<HTMLDivElement>();
  const hasMade = made.length > 0;
  return (
    <>
      <div ref={words} tabIndex={-1} className={classes.result} role="status">
        {hasMade && (
          <p>
            {cuenta(made.length, 'borrador', 'borradores')} con fecha de hoy{' '}
            {made.length === 1 ? 'espera' : 'esperan'} en Facturas pendientes.
          </p>
        )}
        {isAgain && (
          <p>Un intento anterior se quedó a medias: lo que ya estaba hecho no se ha repetido.</p>
        )}
        {left.length > 0 && (
          <p>
            {cut}
            {cut !== undefined && ' '}
            {left.length === 1 ? 'Queda ' : 'Quedan '}
            {cuenta(left.length, 'factura', 'facturas')} por copiar.
          </p>
        )}
        {failed.length > 0 && <p className={classes.lead}>{FAILED}</p>}
      </div>
      <Reasons label={FAILED} reasons={failed} />
      {deletedClients.length > 0 && <p className={classes.lead}>{DELETED}</p>}
      <Reasons label={DELETED} reasons={deletedClients} />
      <div className={classes.buttons}>
        <Button variant={hasMade || left.length > 0 ? 'default' : 'filled'} onClick={onClose}>
          Cerrar
        </Button>
        {left.length > 0 && (
          <Button variant={hasMade ? 'default' : 'filled'} onClick={onRetry}>
            Seguir con {cuenta(left.length, 'factura', 'facturas')}
          </Button>
        )}
        {hasMade && (
          <Button component={Link} to={PATHS.pending}>
            Ver los borradores
          </Button>
        )}
      </div>
    </>
  );
}
