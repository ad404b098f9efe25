import { Button, SegmentedControl } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { ImportExcelAnswer, RecuentoImportar } from '../../../contract/imports.ts';
import { cuenta, entero } from '../../lib/format.ts';
import { errorMessages } from '../../lib/http.ts';
import { Banner } from '../../ui/banner.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { useDownloadErrors } from './api.ts';
import classes from './importing.module.css';
import { ReviewErrors } from './review-errors.tsx';
import { ReviewRows } from './review-rows.tsx';

export interface ImportReviewProps {
  readonly preview: ImportExcelAnswer;
  readonly file: File;
  readonly isSaving: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** What importing the file would do, before it does. */
export function ImportReview(props: ImportReviewProps) {
  const { preview, file, isSaving, onConfirm, onCancel } = props;
  const { resumen, errores, filas } = preview;
  const [view, setView] = useState(errores.length > 0 ? 'errores' : 'filas');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const counts = Object.values(resumen);
  const changes = counts.reduce((sum, { nuevo, actualizado }) => sum + nuevo + actualizado, 0);
  const wrong = counts.reduce((sum, { erroneo }) => sum + erroneo, 0);
  return (
    <section className={classes.review} aria-labelledby="importar-resumen">
      <h2 id="importar-resumen" ref={heading} tabIndex={-1} className={classes.heading}>
        Esto es lo que pasará con {file.name}
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
          action={<ErrorsButton file={file} />}
        >
          Corrígelas y vuelve a subir el archivo, o importa ahora el resto.
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
      {errores.length > 0 && (
        <SegmentedControl
          aria-label="Qué quieres ver"
          value={view}
          onChange={setView}
          data={[
            { value: 'errores', label: `Errores (${entero(errores.length)})` },
            { value: 'filas', label: `Filas (${entero(filas.length)})` },
          ]}
          className={classes.views}
        />
      )}
      {view === 'errores' ? <ReviewErrors errores={errores} /> : <ReviewRows filas={filas} />}
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel} disabled={isSaving}>
          Subir otro archivo
        </Button>
        <Button onClick={onConfirm} loading={isSaving} disabled={changes === 0}>
          Importar {cuenta(changes, 'fila', 'filas')}
        </Button>
      </div>
    </section>
  );
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

function ErrorsButton({ file }: { readonly file: File }) {
  const errors = useErrorDialog();
  const download = useDownloadErrors();
  return (
    <Button
      size="sm"
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.8} aria-hidden="true" />}
      loading={download.isPending}
      onClick={() =>
        download.mutate(file, { onError: (error) => errors.show(errorMessages(error)) })
      }
    >
      Descargar con los errores marcados
    </Button>
  );
}
