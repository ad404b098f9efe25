import { Button, FileButton } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconDownload, IconUpload } from '@tabler/icons-react';
import type { Importacion } from '../../../contract/imports.ts';
import { hora } from '../../lib/format.ts';
import { errorMessages } from '../../lib/http.ts';
import { Banner } from '../../ui/banner.tsx';
import { DropZone, useTouch } from '../../ui/drop-zone.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { FailedCard } from '../../ui/failed-state.tsx';
import { useDownloadTemplate } from './api.ts';
import classes from './importing.module.css';
import { savedParts } from './saved-parts.ts';

const ACCEPT =
  '.xlsx,.csv,.txt,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export interface ImportStepsProps {
  readonly onFile: (file: File) => void;
  readonly isReading: boolean;
  /** Result of the last import, which a user who left may not have seen. */
  readonly last: {
    readonly data: Importacion | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
}

export function ImportSteps({ onFile, isReading, last }: ImportStepsProps) {
  const errors = useErrorDialog();
  const template = useDownloadTemplate();
  return (
    <>
      <div className={classes.before}>
        {!last.data && last.error ? (
          <FailedCard
            title="No hemos podido consultar tu última importación"
            error={last.error}
            onRetry={last.refetch}
          />
        ) : (
          <Before run={last.data} />
        )}
      </div>
      <ol className={classes.steps}>
        <li className={`hu-card ${classes.step}`}>
          <StepHead number={1} title="Descarga la plantilla" />
          <p className="hu-muted">
            Un libro de Excel con hojas para clientes, productos y facturas. Sus desplegables ya
            llevan tus impuestos, formas de pago y unidades.
          </p>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.8} aria-hidden="true" />}
            loading={template.isPending}
            onClick={() =>
              template.mutate(undefined, { onError: (error) => errors.show(errorMessages(error)) })
            }
          >
            Descargar plantilla
          </Button>
        </li>
        <li className={`hu-card ${classes.step}`}>
          <StepHead number={2} title="Rellénala" />
          <p className="hu-muted">
            Desde la fila 4, en Excel o en LibreOffice. Lo amarillo es obligatorio y la fila de
            ejemplo no se importa. No cambies los títulos.
          </p>
          <p className="hu-muted">
            Las facturas entran como borradores. Si ya las emitiste con otro programa, no las
            registres aquí.
          </p>
        </li>
        <li className={`hu-card ${classes.step}`}>
          <StepHead number={3} title="Súbela" />
          <p className="hu-muted">
            Antes de guardar nada verás qué pasará con cada fila. También vale un .xlsx o .csv de
            otro programa: te preguntaremos qué es cada columna.
          </p>
          <FileDrop onFile={onFile} isReading={isReading} />
        </li>
      </ol>
    </>
  );
}

const RECENT_MS = 60 * 60_000;

const LIST = new Intl.ListFormat('es');

function Before({ run }: { readonly run: Importacion | undefined }) {
  if (!run?.empezada || Date.now() - Date.parse(run.empezada) > RECENT_MS) return null;
  if (run.estado === 'fallida') {
    return (
      <Banner
        tone="amber"
        icon={IconAlertTriangle}
        title={`Lo que importabas a las ${hora(run.empezada)} no se guardó.`}
      >
        {run.mensaje}
      </Banner>
    );
  }
  if (run.estado !== 'terminada' || !run.resultado) return null;
  const parts = savedParts(run.resultado);
  if (parts.length === 0) return null;
  return (
    <Banner
      tone="green"
      icon={IconCircleCheck}
      title={`Lo que importaste a las ${hora(run.empezada)} está guardado:`}
    >
      {LIST.format(parts.map(({ text }) => text))}.
    </Banner>
  );
}

function StepHead({ number, title }: { readonly number: number; readonly title: string }) {
  return (
    <h2 className={classes.stepHead}>
      <span className={classes.number} aria-hidden="true">
        {number}
      </span>
      {title}
    </h2>
  );
}

/** A file is dragged here or chosen. The button is for keyboard users. */
function FileDrop({ onFile, isReading }: Omit<ImportStepsProps, 'last'>) {
  const isTouch = useTouch();
  return (
    <DropZone className={classes.drop} onFiles={([dropped]) => dropped && onFile(dropped)}>
      <IconUpload size={22} stroke={1.6} aria-hidden="true" />
      <p className={classes.dropText}>
        {isTouch ? 'Un archivo .xlsx o .csv' : 'Arrastra aquí tu archivo'}
      </p>
      <FileButton
        accept={ACCEPT}
        onChange={(chosen) => chosen && onFile(chosen)}
        inputProps={{ 'aria-label': 'Archivo que importar' }}
      >
        {(props) => (
          <Button {...props} loading={isReading}>
            Elegir archivo
          </Button>
        )}
      </FileButton>
    </DropZone>
  );
}
