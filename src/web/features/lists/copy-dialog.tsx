import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { cuenta, entero } from '../../lib/format.ts';
import { PATHS } from '../../lib/paths.ts';
import { decodeToken, storedToken } from '../../lib/session.ts';
import { CopyKeys } from './copy-keys.ts';
import { Reasons } from './run-parts.tsx';
import classes from './ticked-dialog.module.css';
import { TickedDialog, type TickedWords, type Told } from './ticked-dialog.tsx';
import type { InvoiceAction } from './ticked-run.ts';

/** What is reported about a draft that was made: the name of its client, if that was deleted since. */
interface Copied {
  readonly deletedClient?: string;
}

/** Makes a draft of an invoice. Under the same key, it is the same draft. */
export type CopyInvoice = InvoiceAction<Copied>;

export interface CopyDialogProps {
  readonly rows: readonly InvoiceRow[];
  readonly copyInvoice: CopyInvoice;
  /** Called with those that now have a draft. */
  readonly onClose: (made: readonly InvoiceRow[]) => void;
}

/** «Duplicar (n)», for the selected invoices. */
export function CopyDialog({ rows, copyInvoice, onClose }: CopyDialogProps) {
  return (
    <TickedDialog
      rows={[...rows].sort(byAge)}
      words={wordsOf(rows.length)}
      act={copyInvoice}
      keysOf={keysOf}
      summary={(told) => <Summary told={told} />}
      more={(told) => <DeletedClients told={told} />}
      onward={
        <Button component={Link} to={PATHS.pending}>
          Ver los borradores
        </Button>
      }
      onClose={onClose}
    >
      <Asking rows={rows} />
    </TickedDialog>
  );
}

/** Sorts by the order in which they were issued, which is then nearly the order of their drafts too. */
function byAge(a: InvoiceRow, b: InvoiceRow): number {
  if (a.PostingDate !== b.PostingDate) return a.PostingDate < b.PostingDate ? -1 : 1;
  return a.DocNo.localeCompare(b.DocNo, 'es', { numeric: true });
}

/** Kept until the user has been told how it ended. */
function keysOf(docNos: readonly string[]): CopyKeys {
  const companyId = decodeToken(storedToken() ?? '')?.sub ?? '';
  return new CopyKeys(localStorage, companyId, docNos);
}

const wordsOf = (count: number): TickedWords => ({
  question: `¿Duplicar ${cuenta(count, 'factura', 'facturas')}?`,
  start: count === 1 ? 'Duplicar' : `Duplicar ${entero(count)}`,
  going: 'Duplicando tus facturas',
  progress: 'Facturas copiadas',
  result: (made) =>
    made === 0
      ? 'No se ha hecho ningún borrador'
      : cuenta(made, 'borrador hecho', 'borradores hechos'),
  left: 'por copiar',
  failed: 'No se ha podido copiar:',
  noReason: 'No se ha podido copiar. Vuelve a intentarlo.',
});

function Asking({ rows }: Pick<CopyDialogProps, 'rows'>) {
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
    </>
  );
}

interface ToldProps {
  readonly told: Told<Copied>;
}

function Summary({ told: { done, isAgain } }: ToldProps) {
  return (
    <>
      {done.length > 0 && (
        <p>
          {cuenta(done.length, 'borrador', 'borradores')} con fecha de hoy{' '}
          {done.length === 1 ? 'espera' : 'esperan'} en Facturas pendientes.
        </p>
      )}
      {isAgain && (
        <p>Un intento anterior se quedó a medias: lo que ya estaba hecho no se ha repetido.</p>
      )}
    </>
  );
}

const DELETED = 'Copiadas, aunque su cliente está eliminado. Mira si aún le facturas:';

function DeletedClients({ told: { done } }: ToldProps) {
  const reasons = done.flatMap(({ row, answer: { deletedClient: why } }) =>
    why === undefined ? [] : [{ row, why }],
  );
  if (reasons.length === 0) return null;
  return (
    <>
      <p className={classes.lead}>{DELETED}</p>
      <Reasons label={DELETED} reasons={reasons} />
    </>
  );
}
