import { Button, FileButton } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { errorMessages } from '../../lib/http.ts';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { useDownloadTemplate } from './api.ts';
import classes from './importing.module.css';

const ACCEPT = '.xlsx,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export interface ImportStepsProps {
  readonly onFile: (file: File) => void;
  readonly isReading: boolean;
}

export function ImportSteps({ onFile, isReading }: ImportStepsProps) {
  const errors = useErrorDialog();
  const template = useDownloadTemplate();
  return (
    <ol className={classes.steps}>
      <li className={`hu-card ${classes.step}`}>
        <StepHead number={1} title="Descarga la plantilla" />
        <p className="hu-muted">
          Un libro de Excel con hojas para clientes, productos y facturas. Sus listas son las de tu
          empresa.
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
        <p className="hu-muted">Antes de guardar nada verás qué pasará con cada fila.</p>
        <FileDrop onFile={onFile} isReading={isReading} />
      </li>
    </ol>
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

/** Where the file is dragged in or chosen. The button is the way of the keyboard. */
function FileDrop({ onFile, isReading }: ImportStepsProps) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault(); // Without it the browser would open the file.
    setOver(event.type === 'dragover');
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) onFile(dropped);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging is the mouse's; the button is everybody's.
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={over}
      onDrop={drop}
    >
      <IconUpload size={22} stroke={1.6} aria-hidden="true" />
      <p className={classes.dropText}>Arrastra aquí tu archivo .xlsx</p>
      <FileButton
        accept={ACCEPT}
        onChange={(chosen) => chosen && onFile(chosen)}
        inputProps={{ 'aria-label': 'Plantilla rellena' }}
      >
        {(props) => (
          <Button {...props} loading={isReading}>
            Elegir archivo
          </Button>
        )}
      </FileButton>
    </div>
  );
}
