import { Button, Progress } from '@mantine/core';
import { IconDownload, IconRefresh } from '@tabler/icons-react';
import type { BusinessCentral, Sincronizacion } from '../../../contract/business-central.ts';
import { fechaHora, hora } from '../../lib/format.ts';
import { PanelCard } from '../../ui/panel-card.tsx';
import { useDownloadCsv, useSync } from './api.ts';
import classes from './integrations.module.css';
import { Refusal } from './refusal.tsx';
import { phasePercent, phaseWords, runWords } from './words.ts';

/** What it is doing or last did, and a button to start it now. */
export function SyncCard({ state }: { readonly state: BusinessCentral }) {
  const sync = useSync();
  const csv = useDownloadCsv();
  const { enMarcha, historial, proxima } = state;
  const last = historial.find(({ acabada }) => acabada !== undefined);
  return (
    <PanelCard title="Sincronización">
      {enMarcha ? (
        <Going run={enMarcha} />
      ) : last ? (
        <Last run={last} next={proxima} />
      ) : (
        <Waiting />
      )}
      <Refusal error={sync.error ?? csv.error} />
      <div className={classes.buttons}>
        <Button
          leftSection={<IconRefresh size={16} stroke={1.8} aria-hidden="true" />}
          disabled={enMarcha !== undefined}
          loading={sync.isPending}
          onClick={() => sync.mutate({ reintentar: false })}
        >
          Sincronizar ahora
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.8} aria-hidden="true" />}
          loading={csv.isPending}
          onClick={() => csv.mutate()}
        >
          Descargar CSV
        </Button>
      </div>
    </PanelCard>
  );
}

function Going({ run }: { readonly run: Sincronizacion }) {
  const done = runWords(run);
  return (
    <div className={classes.going}>
      <p role="status">{phaseWords(run.fase)}</p>
      <Progress value={phasePercent(run.fase)} aria-label="Sincronización" />
      <p className={classes.small}>
        {done && `${done}. `}
        Puedes seguir con otra cosa: va en el servidor.
      </p>
    </div>
  );
}

interface LastProps {
  readonly run: Sincronizacion;
  readonly next: string | undefined;
}

function Last({ run, next }: LastProps) {
  const isWrong = run.estado === 'fallida' || run.estado === 'aplazada';
  return (
    <div className={classes.last} role="status">
      <p className={classes.counts}>{runWords(run)}</p>
      <p className={classes.small}>
        {`Última, el ${fechaHora(run.acabada ?? run.empezada)}.`}
        {next && ` La próxima, hacia las ${hora(next)}.`}
      </p>
      {run.mensaje && <p className={isWrong ? classes.warning : classes.small}>{run.mensaje}</p>}
    </div>
  );
}

function Waiting() {
  return <p className="hu-muted">Empezará en unos segundos.</p>;
}
