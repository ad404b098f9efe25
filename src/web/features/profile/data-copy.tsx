import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CopiaDatos } from '../../../contract/company.ts';
import { fileSize } from '../../../domain/file-size.ts';
import { downloadCopy } from '../../lib/download.ts';
import { fecha } from '../../lib/format.ts';
import { errorMessages, http, UNEXPECTED_IN_PROFILE } from '../../lib/http.ts';
import { confirmingPassword } from '../../ui/confirming-password.tsx';
import { FailedState } from '../../ui/failed-state.tsx';
import { ProgressLine } from '../../ui/progress-line.tsx';
import classes from './profile.module.css';
import { Section } from './section.tsx';

const POLL_MS = 1_500;

const copiaDatosQuery = queryOptions({
  queryKey: ['GetCopiaDatos'],
  queryFn: ({ signal }) => http<CopiaDatos>('/api/GetData/GetCopiaDatos', { signal }),
  refetchInterval: ({ state }) => (state.data?.estado === 'preparando' ? POLL_MS : false),
});

const post = <T,>(call: string) =>
  confirmingPassword((PasswordActual) =>
    http<T>(`/api/PostData/${call}`, { json: PasswordActual ? { PasswordActual } : {} }),
  );

/** «Descargar mis datos», as a section of the profile. */
export function DataCopySection() {
  return (
    <Section
      id="mis-datos"
      title="Tus datos"
      help="Una copia de todo lo que hay en tu cuenta, para guardarla o llevártela."
    >
      <p className={classes.copyText}>
        Un ZIP con tus facturas en PDF, los registros enviados a la AEAT y sus respuestas, tus
        clientes, tus productos y los archivos que subiste. También en tablas que abre cualquier
        hoja de cálculo.
      </p>
      <DataCopy />
    </Section>
  );
}

/** Requests the copy, shows its progress and downloads it. */
export function DataCopy() {
  const queryClient = useQueryClient();
  const { data: copy, error: unknown, refetch } = useQuery(copiaDatosQuery);
  const ask = useMutation({
    mutationFn: () => post<CopiaDatos>('PrepararCopiaDatos'),
    onSuccess: (answer) => {
      if (answer) queryClient.setQueryData(copiaDatosQuery.queryKey, answer);
      return queryClient.invalidateQueries({ queryKey: ['GetEventosSeguridad'] });
    },
  });
  const download = useMutation({
    mutationFn: () => post<{ enlace: string }>('EnlaceCopiaDatos'),
    onSuccess: (answer) => {
      if (answer) downloadCopy(answer.enlace);
    },
    onError: () => queryClient.invalidateQueries({ queryKey: copiaDatosQuery.queryKey }),
  });
  if (!copy && unknown) {
    return (
      <FailedState title="No hemos podido consultar tu copia" error={unknown} onRetry={refetch} />
    );
  }
  const isReady = copy?.estado === 'lista';
  const isWaiting = copy?.estado === 'preparando';
  const error = ask.error ?? download.error;
  return (
    <div>
      <div className={classes.copyButtons}>
        <Button
          variant="default"
          loading={ask.isPending || download.isPending}
          aria-disabled={isWaiting || !copy}
          leftSection={<IconDownload size={16} stroke={1.7} aria-hidden="true" />}
          onClick={() => {
            if (isReady) download.mutate();
            else if (copy && !isWaiting) ask.mutate();
          }}
        >
          Descargar mis datos
        </Button>
        {isReady && (
          <Button variant="subtle" color="gray" onClick={() => ask.mutate()}>
            Preparar otra copia
          </Button>
        )}
      </div>
      <p className={classes.copyState} role="status">
        {copy && <span>{stateWords(copy)}</span>}
      </p>
      {isWaiting && (
        <div className={classes.copyProgress}>
          <ProgressLine
            label="Facturas en la copia"
            count={countOf(copy)}
            waiting="A punto de empezar…"
          />
        </div>
      )}
      {error && (
        <p className={classes.missing} role="alert">
          {errorMessages(error, UNEXPECTED_IN_PROFILE).join(' ')}
        </p>
      )}
    </div>
  );
}

const countOf = ({ facturas = 0, total = 0 }: CopiaDatos) =>
  total > 0 ? { done: facturas, total } : null;

function stateWords({ estado, bytes = 0, hasta = '' }: CopiaDatos) {
  switch (estado) {
    case 'ninguna':
      return 'La preparamos y te enviamos un enlace por correo, que sirve siete días.';
    case 'preparando':
      return 'Preparando tu copia. Te escribiremos cuando esté lista; puedes seguir trabajando o cerrar Huella.';
    case 'lista':
      return `Tu copia está lista: un ZIP de ${fileSize(bytes)}. Puedes descargarla hasta el ${fecha(hasta)}; el enlace también está en tu correo.`;
    case 'fallida':
      return 'No hemos podido preparar la copia. Vuelve a intentarlo; si se repite, escríbenos.';
  }
}
