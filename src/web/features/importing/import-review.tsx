import { Button, Checkbox, SegmentedControl } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconHistory } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { ImportExcelAnswer, RecuentoImportar } from '../../../contract/imports.ts';
import { cuenta, entero, fechaHora } from '../../lib/format.ts';
import { Banner } from '../../ui/banner.tsx';
import type { ChosenFile } from './api.ts';
import { ErrorsButton } from './errors-button.tsx';
import classes from './importing.module.css';
import { ReviewErrors } from './review-errors.tsx';
import { ReviewRows } from './review-rows.tsx';
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
  const { resumen, errores, avisos, filas } = preview;
  const [keeps, setKeeps] = useState(false);
  const [view, setView] = useState(errores.length > 0 ? 'errores' : 'filas');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const counts = Object.values(resumen);
  const updated = resumen.clientes.actualizado + resumen.items.actualizado;
  const all = counts.reduce((sum, { nuevo, actualizado }) => sum + nuevo + actualizado, 0);
  const changes = keeps ? all - updated : all;
  const confirm = () => onConfirm(keeps ? withoutUpdates(preview) : preview);
  const wrong = counts.reduce((sum, { erroneo }) => sum + erroneo, 0);
  return (
    <section className={classes.review} aria-labelledby="importar-resumen">
      <h2 id="importar-resumen" ref={heading} tabIndex={-1} className={classes.heading}>
        Esto es lo que pasará con {chosen.file.name}
      </h2>
      <div className={classes.counts}>
        <Count title="Clientes" count={resumen.clientes} />
        <Count title="Productos" count={resumen.items} />
        <Count title="Facturas" count={resumen.facturas} />
      </div>
      {wrong > 0 ? (
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
      ) : (
        <Banner
          tone="green"
          icon={IconCircleCheck}
          title={changes > 0 ? 'Todo está bien.' : 'Todo lo que trae este archivo ya lo tienes.'}
        >
          {changes > 0 ? 'Confirma para guardarlo.' : 'No hay nada que guardar.'}
        </Banner>
      )}
      {preview.importadoEl && all > 0 && (
        <Banner
          tone="blue"
          icon={IconHistory}
          title={`Este archivo ya se importó el ${fechaHora(preview.importadoEl)}.`}
        >
          Lo que sigue igual no se repite.
        </Banner>
      )}
      {resumen.facturas.nuevo + resumen.facturas.actualizado > 0 && (
        <p className="hu-muted">
          Las facturas entran como borradores. Si ya las emitiste con otro programa, no las
          registres aquí: saldrían dos veces.
        </p>
      )}
      {updated > 0 && (
        <Checkbox
          label="Dejar como están los clientes y productos que ya tienes"
          checked={keeps}
          onChange={(event) => setKeeps(event.currentTarget.checked)}
        />
      )}
      {errores.length + avisos.length > 0 && (
        <SegmentedControl
          aria-label="Qué quieres ver"
          value={view}
          onChange={setView}
          data={[
            ...(errores.length > 0
              ? [{ value: 'errores', label: `Errores (${entero(errores.length)})` }]
              : []),
            ...(avisos.length > 0
              ? [{ value: 'avisos', label: `Avisos (${entero(avisos.length)})` }]
              : []),
            { value: 'filas', label: `Filas (${entero(filas.length)})` },
          ]}
          className={classes.views}
        />
      )}
      {view === 'errores' && <ReviewErrors errores={errores} />}
      {view === 'avisos' && <ReviewWarnings avisos={avisos} />}
      {view === 'filas' && <ReviewRows filas={filas} />}
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel} disabled={isSaving}>
          Subir otro archivo
        </Button>
        {onColumns && (
          <Button variant="default" onClick={onColumns} disabled={isSaving}>
            Cambiar las columnas
          </Button>
        )}
        <Button onClick={confirm} loading={isSaving} disabled={changes === 0}>
          Importar {cuenta(changes, 'fila', 'filas')}
        </Button>
      </div>
    </section>
  );
}

/** Leaves out changes to saved data. An invoice still finds its customer. */
function withoutUpdates(preview: ImportExcelAnswer): ImportExcelAnswer {
  const stays = ({ accion }: { readonly accion?: string | undefined }) => accion !== 'actualizado';
  return {
    ...preview,
    clientes: preview.clientes.filter(stays),
    items: preview.items.filter(stays),
  };
}

function Count({ title, count }: { readonly title: string; readonly count: RecuentoImportar }) {
  const parts = [
    [count.nuevo, count.nuevo === 1 ? 'nuevo' : 'nuevos'],
    [count.actualizado, count.actualizado === 1 ? 'se actualiza' : 'se actualizan'],
    [count.igual, count.igual === 1 ? 'ya lo tienes' : 'ya los tienes'],
    [count.erroneo, 'con errores'],
  ] as const;
  const feminine = title === 'Facturas';
  const shown = parts.filter(([value]) => value > 0);
  return (
    <div className={`hu-card ${classes.count}`}>
      <h3 className={classes.countTitle}>{title}</h3>
      <p className={classes.figure}>
        {entero(count.nuevo + count.actualizado + count.igual + count.erroneo)}
      </p>
      <p className="hu-muted">
        {shown.length === 0
          ? 'Ninguno en el archivo'.replace('Ninguno', feminine ? 'Ninguna' : 'Ninguno')
          : shown
              .map(([value, text]) => `${entero(value)} ${feminine ? inFeminine(text) : text}`)
              .join(' · ')}
      </p>
    </div>
  );
}

const inFeminine = (text: string) =>
  text
    .replace(/^nuevo/, 'nueva')
    .replace('ya los', 'ya las')
    .replace('ya lo ', 'ya la ');
