import { ActionIcon, Button, Loader, Tooltip } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconFileText,
  IconPencil,
  IconX,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { cuenta } from '../../../lib/format.ts';
import { checkPath, invoicePath } from '../../../lib/paths.ts';
import { Chip } from '../../../ui/chip.tsx';
import classes from './upload.module.css';
import type { Upload, UploadQueue, UploadState } from './upload-queue.ts';

export interface QueueListProps {
  readonly uploads: UploadQueue;
  readonly list: readonly Upload[];
}

/** The chosen files, one row each, with their state and possible actions. */
export function QueueList({ uploads, list }: QueueListProps) {
  return (
    <section className={`hu-card ${classes.queue}`} aria-labelledby="cola">
      <div className={classes.queueHead}>
        <h2 id="cola">Tus archivos</h2>
        <p role="status" className="hu-muted">
          {progressWords(list)}
        </p>
      </div>
      <ul className={classes.rows}>
        {list.map((upload) => (
          <li key={upload.id} className={classes.row}>
            <IconFileText className={classes.rowIcon} size={18} stroke={1.6} aria-hidden="true" />
            <div>
              <p className={classes.name}>{upload.name}</p>
              <Detail state={upload.state} />
            </div>
            <div>
              <StateChip state={upload.state} />
            </div>
            <div className={classes.action}>
              <Action uploads={uploads} upload={upload} />
            </div>
            <div className={classes.away}>
              {upload.state.kind !== 'reading' && (
                <Tooltip label="Quitar de la lista">
                  <ActionIcon
                    aria-label={`Quitar ${upload.name} de la lista`}
                    onClick={() => uploads.remove(upload.id)}
                  >
                    <IconX size={16} stroke={1.8} />
                  </ActionIcon>
                </Tooltip>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `Quedan 2 por leer · 1 por revisar` while it runs, and then the result. */
export function progressWords(list: readonly Upload[]): string {
  const of = (...kinds: UploadState['kind'][]) =>
    list.filter(({ state }) => kinds.includes(state.kind)).length;
  const left = of('waiting', 'reading');
  const ready = of('ready');
  const failed = of('failed');
  const words = [
    left > 0 && (left === 1 ? 'Queda 1 por leer' : `Quedan ${left} por leer`),
    ready > 0 && cuenta(ready, 'por revisar', 'por revisar'),
    failed > 0 && cuenta(failed, 'sin leer', 'sin leer'),
  ].filter(Boolean);
  return words.join(' · ') || 'Todo revisado';
}

function Detail({ state }: { readonly state: UploadState }) {
  switch (state.kind) {
    case 'reading':
      return <p className={classes.detail}>Una foto o un escaneo puede tardar medio minuto.</p>;
    case 'ready':
      return (
        <p className={classes.detail}>
          {`Guardada como borrador ${state.docNo}`}
          {state.warnings > 0 && ` · ${cuenta(state.warnings, 'aviso', 'avisos')}`}
        </p>
      );
    case 'failed':
      return <p className={classes.failure}>{state.sentence}</p>;
    case 'kept':
      return <p className={classes.detail}>{`Borrador ${state.docNo}, en Facturas pendientes`}</p>;
    case 'registered':
      return <p className={classes.detail}>{`Factura ${state.docNo}`}</p>;
    case 'waiting':
      return null;
  }
}

function StateChip({ state }: { readonly state: UploadState }) {
  switch (state.kind) {
    case 'waiting':
      return (
        <Chip tone="grey" icon={IconClock}>
          En cola
        </Chip>
      );
    case 'reading':
      return (
        <Chip tone="blue" icon={Spinner}>
          Leyendo
        </Chip>
      );
    case 'ready':
      return state.warnings > 0 ? (
        <Chip tone="amber" icon={IconAlertTriangle}>
          Por revisar
        </Chip>
      ) : (
        <Chip tone="green" icon={IconCircleCheck}>
          Por revisar
        </Chip>
      );
    case 'failed':
      return (
        <Chip tone="red" icon={IconCircleX}>
          Sin leer
        </Chip>
      );
    case 'kept':
      return (
        <Chip tone="grey" icon={IconPencil}>
          Guardada
        </Chip>
      );
    case 'registered':
      return (
        <Chip tone="green" icon={IconCircleCheck}>
          Registrada
        </Chip>
      );
  }
}

function Spinner() {
  return <Loader size={14} color="currentColor" aria-hidden="true" />;
}

function Action({ uploads, upload }: { uploads: UploadQueue; upload: Upload }) {
  const { id, name, state } = upload;
  switch (state.kind) {
    case 'ready':
      return (
        <Button
          size="sm"
          component={Link}
          to={checkPath(state.docNo)}
          aria-label={`Revisar ${name}`}
        >
          Revisar
        </Button>
      );
    case 'kept':
      return (
        <Button
          size="sm"
          variant="default"
          component={Link}
          to={checkPath(state.docNo)}
          aria-label={`Abrir ${name}`}
        >
          Abrir
        </Button>
      );
    case 'registered':
      return <SeeLink name={name} docNo={state.docNo} />;
    case 'failed':
      if (state.knownAs) return <SeeLink name={name} docNo={state.knownAs} />;
      return state.canRetry ? (
        <Button
          size="sm"
          variant="default"
          aria-label={`Reintentar ${name}`}
          onClick={() => uploads.retry(id)}
        >
          Reintentar
        </Button>
      ) : null;
    default:
      return null;
  }
}

function SeeLink({ name, docNo }: { readonly name: string; readonly docNo: string }) {
  return (
    <Button
      size="sm"
      variant="default"
      component={Link}
      to={invoicePath(docNo)}
      aria-label={`Ver la factura de ${name}`}
    >
      Ver
    </Button>
  );
}
