import { Button, Checkbox, SegmentedControl } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconHistory } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { FilaImportar, ImportExcelAnswer } from '../../../contract/imports.ts';
import { cuenta, entero, fechaHora } from '../../lib/format.ts';
import { Banner } from '../../ui/banner.tsx';
import type { ChosenFile } from './api.ts';
import { ErrorsButton } from './errors-button.tsx';
import classes from './importing.module.css';
import {
  allLeft,
  changes,
  changesIn,
  type Outcomes,
  outcomesOf,
  takenIn,
  updatesIn,
  withoutRows,
} from './left-out.ts';
import { ReviewErrors } from './review-errors.tsx';
import { ReviewRows, type ReviewRowsProps } from './review-rows.tsx';
import { ReviewWarnings } from './review-warnings.tsx';

export interface ImportReviewProps {
  readonly preview: ImportExcelAnswer;
  readonly chosen: ChosenFile;
  readonly isSaving: boolean;
  /** Receives the part of the preview that is to be saved. */
  readonly onConfirm: (what: ImportExcelAnswer) => void;
  readonly onCancel: () => void;
  /** Returns to the mapping of columns; absent for the template, whose columns are known. */
  readonly onColumns?: (() => void) | undefined;
}

/** What importing the file would do, before it does. */
export function ImportReview(props: ImportReviewProps) {
  const { preview, chosen, isSaving, onConfirm, onCancel, onColumns } = props;
  const { resumen, filas } = preview;
  const [chosenOut, setChosenOut] = useState<ReadonlySet<FilaImportar>>(new Set());
  const leave = (rows: readonly FilaImportar[], isLeft: boolean) =>
    setChosenOut(isLeft ? new Set([...chosenOut, ...rows]) : takenIn(filas, chosenOut, rows));
  const left = useMemo(() => allLeft(filas, chosenOut), [filas, chosenOut]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const wanted = withoutRows(preview, left);
  const clientes = outcomesOf(resumen.clientes, wanted.clientes);
  const items = outcomesOf(resumen.items, wanted.items);
  const facturas = outcomesOf(resumen.facturas, wanted.facturas);
  const wrong = clientes.erroneo + items.erroneo + facturas.erroneo;
  const offered = changesIn(preview);
  const saved = changesIn(wanted);
  return (
    <section className={classes.review} aria-labelledby="importar-resumen">
      <h2 id="importar-resumen" ref={heading} tabIndex={-1} className={classes.heading}>
        Esto es lo que pasará con {chosen.file.name}
      </h2>
      <div className={classes.counts}>
        <Count title="Clientes" count={clientes} words={MASCULINE} />
        <Count title="Productos" count={items} words={MASCULINE} />
        <Count title="Facturas" count={facturas} words={FEMININE} />
      </div>
      {wrong > 0 ? (
        <WrongRows wrong={wrong} chosen={chosen} />
      ) : (
        <NothingWrong offered={offered} saved={saved} warnings={preview.avisos.length} />
      )}
      {preview.importadoEl && offered > 0 && (
        <Banner
          tone="blue"
          icon={IconHistory}
          title={`Este archivo ya se importó el ${fechaHora(preview.importadoEl)}.`}
        >
          Lo que sigue igual no se repite.
        </Banner>
      )}
      {facturas.nuevo + facturas.actualizado > 0 && (
        <p className="hu-muted">
          Las facturas entran como borradores. Si ya las emitiste con otro programa, no las
          registres aquí: saldrían dos veces.
        </p>
      )}
      <LeaveAll
        label={() => 'Dejar como están los clientes y productos que ya tienes'}
        rows={updatesIn(preview)}
        left={left}
        onLeave={leave}
      />
      {DOUBTS.map(({ parece, words, hint }) => (
        <LeaveAll
          key={parece}
          label={(count) => `Dejar fuera ${cuenta(count, words[0], words[1])}${hint}`}
          rows={filas.filter((row) => row.parece === parece && changes(row))}
          left={left}
          onLeave={leave}
        />
      ))}
      <Findings preview={preview} left={left} onLeave={leave} />
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel} disabled={isSaving}>
          Subir otro archivo
        </Button>
        {onColumns && (
          <Button variant="default" onClick={onColumns} disabled={isSaving}>
            Cambiar las columnas
          </Button>
        )}
        <Button onClick={() => onConfirm(wanted)} loading={isSaving} disabled={saved === 0}>
          Importar {cuenta(saved, 'fila', 'filas')}
        </Button>
      </div>
    </section>
  );
}

interface LeaveAllProps extends Omit<ReviewRowsProps, 'filas'> {
  readonly label: (count: number) => string;
  readonly rows: readonly FilaImportar[];
}

/** Leaves out all rows of a kind; nothing if there are none. */
function LeaveAll({ label, rows, left, onLeave }: LeaveAllProps) {
  const out = rows.filter((row) => left.has(row)).length;
  return (
    rows.length > 0 && (
      <Checkbox
        label={label(rows.length)}
        checked={out === rows.length}
        indeterminate={out > 0 && out < rows.length}
        onChange={(event) => onLeave(rows, event.currentTarget.checked)}
      />
    )
  );
}

interface WrongRowsProps {
  readonly wrong: number;
  readonly chosen: ChosenFile;
}

function WrongRows({ wrong, chosen }: WrongRowsProps) {
  return (
    <Banner
      tone="amber"
      icon={IconAlertTriangle}
      title={`${cuenta(wrong, 'fila tiene errores', 'filas tienen errores')} y no se importará${wrong === 1 ? '' : 'n'}.`}
      action={
        <ErrorsButton chosen={chosen} onlyWrong={false}>
          Descargar con los errores marcados
        </ErrorsButton>
      }
    >
      {wrong === 1 ? 'Corrígela' : 'Corrígelas'} y vuelve a subir el archivo, o importa ahora el
      resto.
    </Banner>
  );
}

interface NothingWrongProps {
  /** How many rows would be saved if none were left out. */
  readonly offered: number;
  readonly saved: number;
  readonly warnings: number;
}

function NothingWrong({ offered, saved, warnings }: NothingWrongProps) {
  const look = warnings === 1 ? 'Mira el aviso y confirma' : 'Mira los avisos y confirma';
  return (
    <Banner
      tone="green"
      icon={IconCircleCheck}
      title={offered > 0 ? 'Todo está bien.' : 'Todo lo que trae este archivo ya lo tienes.'}
    >
      {saved > 0
        ? `${warnings > 0 ? look : 'Confirma'} para guardarlo.`
        : 'No hay nada que guardar.'}
    </Banner>
  );
}

/** Clients that may be none, and how they are called. */
const DOUBTS = [
  { parece: 'proveedor', words: ['proveedor', 'proveedores'], hint: '' },
  {
    parece: 'contacto',
    words: ['persona de contacto', 'personas de contacto'],
    hint: ' («Empresa, Persona»)',
  },
] as const;

interface FindingsProps extends Omit<ReviewRowsProps, 'filas'> {
  readonly preview: ImportExcelAnswer;
}

/** Errors first, if there are any, then warnings; with neither, the rows alone. */
function Findings({ preview: { errores, avisos, filas }, left, onLeave }: FindingsProps) {
  const views = [
    { value: 'errores', name: 'Errores', count: errores.length },
    { value: 'avisos', name: 'Avisos', count: avisos.length },
    { value: 'filas', name: 'Filas', count: filas.length },
  ].filter(({ value, count }) => value === 'filas' || count > 0);
  const [view, setView] = useState(views[0]?.value ?? 'filas');
  return (
    <>
      {views.length > 1 && (
        <SegmentedControl
          aria-label="Qué quieres ver"
          value={view}
          onChange={setView}
          data={views.map(({ value, name, count }) => ({
            value,
            label: `${name} (${entero(count)})`,
          }))}
          className={classes.views}
        />
      )}
      {view === 'errores' && <ReviewErrors errores={errores} />}
      {view === 'avisos' && <ReviewWarnings avisos={avisos} />}
      {view === 'filas' && <ReviewRows filas={filas} left={left} onLeave={onLeave} />}
    </>
  );
}

/** What would become of the rows, for one and for several. */
const MASCULINE = {
  nuevo: ['nuevo', 'nuevos'],
  actualizado: ['se actualiza', 'se actualizan'],
  igual: ['ya lo tienes', 'ya los tienes'],
  erroneo: ['con errores', 'con errores'],
  fuera: ['se queda fuera', 'se quedan fuera'],
  none: 'Ninguno en el archivo',
} as const;
const FEMININE = {
  ...MASCULINE,
  nuevo: ['nueva', 'nuevas'],
  igual: ['ya la tienes', 'ya las tienes'],
  none: 'Ninguna en el archivo',
} as const;

const OUTCOMES = ['nuevo', 'actualizado', 'igual', 'erroneo', 'fuera'] as const;

interface CountProps {
  readonly title: string;
  readonly count: Outcomes;
  readonly words: typeof MASCULINE | typeof FEMININE;
}

function Count({ title, count, words }: CountProps) {
  const shown = OUTCOMES.filter((outcome) => count[outcome] > 0);
  const texts = shown.map((outcome) => {
    const [one, many] = words[outcome];
    return cuenta(count[outcome], one, many);
  });
  return (
    <div className={`hu-card ${classes.count}`}>
      <h3 className={classes.countTitle}>{title}</h3>
      <p className={classes.figure}>
        {entero(shown.reduce((sum, outcome) => sum + count[outcome], 0))}
      </p>
      <p className="hu-muted">{texts.length === 0 ? words.none : texts.join(' · ')}</p>
    </div>
  );
}
