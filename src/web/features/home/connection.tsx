import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconCloudOff,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ConexionAEAT } from '../../../contract/invoices.ts';
import { cuenta, entero, fechaHora } from '../../lib/format.ts';
import { http, retryMessage } from '../../lib/http.ts';
import { PATHS } from '../../lib/paths.ts';
import { conexionQuery } from '../../lib/queries.ts';
import { Chip, type ChipProps } from '../../ui/chip.tsx';
import { FailedState } from '../../ui/failed-state.tsx';
import { WaitingSummary } from '../../ui/invoices/waiting-summary.tsx';
import { SkeletonBar } from '../../ui/skeleton-rows.tsx';
import classes from './home.module.css';

const STATE: Record<
  ConexionAEAT['estado'],
  { readonly tone: ChipProps['tone']; readonly icon: ChipProps['icon']; readonly words: string }
> = {
  'al-dia': { tone: 'green', icon: IconCircleCheck, words: 'Conectada' },
  enviando: { tone: 'blue', icon: IconClock, words: 'Enviando' },
  'sin-conexion': { tone: 'amber', icon: IconCloudOff, words: 'Sin conexión' },
  parado: { tone: 'red', icon: IconCircleX, words: 'Te necesita' },
  detenido: { tone: 'red', icon: IconCircleX, words: 'Envío detenido' },
  // It has expired: without any, the panel is closed.
  'sin-certificado': { tone: 'amber', icon: IconAlertTriangle, words: 'Envío detenido' },
};

/** What is known may have changed meanwhile. */
const NOT_CURRENT = { tone: 'grey', icon: IconCloudOff, words: 'Sin actualizar' } as const;

/** The connection with the AEAT, in three counts and a sentence. */
export function Connection() {
  const { data, dataUpdatedAt, error, isError, refetch } = useQuery(conexionQuery);
  const state = data && (isError ? NOT_CURRENT : STATE[data.estado]);
  return (
    <section className={`hu-card ${classes.connection}`} aria-labelledby="conexion">
      <div className={classes.cardHead}>
        <h2 id="conexion">Conexión con la AEAT</h2>
        {state && (
          <Chip tone={state.tone} {...(state.icon && { icon: state.icon })}>
            {state.words}
          </Chip>
        )}
      </div>
      {isError && !data ? (
        <FailedState title="No hemos podido consultarla" error={error} onRetry={refetch} />
      ) : (
        <>
          <dl className={classes.counts}>
            <Count label="aceptadas" value={data?.aceptadas} />
            <Count label="en espera" value={data?.enEspera} />
            <Count label="te necesitan" value={data?.teNecesitan} needsYou />
          </dl>
          <p className={`${classes.sentence} hu-muted`} role="status">
            {!data ? (
              <SkeletonBar width="80%" />
            ) : isError ? (
              `Huella no responde. Así estaba el ${fechaHora(new Date(dataUpdatedAt))}.`
            ) : data.enEspera > 0 ? (
              <WaitingSummary connection={data} />
            ) : (
              sentence(data)
            )}
          </p>
          {data?.estado === 'parado' && (
            <div className={classes.retry}>
              <Button size="sm" color="red" component={Link} to={PATHS.pending}>
                Ver la rechazada
              </Button>
            </div>
          )}
          {data?.estado === 'detenido' && <Stopped message={data.mensaje ?? ''} />}
          <p className={classes.evidence}>
            <Link to={PATHS.evidence}>Registros y evidencias</Link>
            {data?.desfaseSegundos !== undefined && (
              <span className="hu-muted">{clockWords(data.desfaseSegundos)}</span>
            )}
          </p>
        </>
      )}
    </section>
  );
}

/** The AEAT refuses everything: a link to where it is fixed, and a way to retry if it was fixed elsewhere. */
function Stopped({ message }: { readonly message: string }) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => http<ConexionAEAT>('/api/PostData/ReintentarEnvio', { json: {} }),
    onSuccess: (connection) => {
      queryClient.setQueryData(conexionQuery.queryKey, connection);
      return queryClient.invalidateQueries({ queryKey: ['invoices'] });
    },
  });
  return (
    <div className={classes.retry}>
      <p className="hu-muted">
        Puedes seguir registrando: lo que espera saldrá, en su orden, cuando esté arreglado.
      </p>
      {message.includes('Perfil') && (
        <Button
          size="sm"
          component={Link}
          to={message.includes('Certificado') ? `${PATHS.profile}#certificado` : PATHS.profile}
        >
          {message.includes('Certificado') ? 'Cambiar el certificado' : 'Ir a tu perfil'}
        </Button>
      )}
      <Button size="sm" variant="default" onClick={() => mutate()} loading={isPending}>
        Reintentar
      </Button>
      {error && <p role="alert">{retryMessage(error)}</p>}
    </div>
  );
}

function Count({
  label,
  value,
  needsYou = false,
}: {
  readonly label: string;
  readonly value: number | undefined;
  readonly needsYou?: boolean;
}) {
  const alert = needsYou && (value ?? 0) > 0;
  const figure = value === undefined ? <SkeletonBar width={32} /> : entero(value);
  return (
    <div data-alert={alert || undefined}>
      <dt>{alert ? <Link to={PATHS.pending}>{label}</Link> : label}</dt>
      <dd className="hu-figures">{figure}</dd>
    </div>
  );
}

/** How our clock compared with the AEAT's at its last answer. */
function clockWords(segundos: number): string {
  const off = Math.abs(segundos);
  if (off < 2) return 'Reloj en hora';
  return `Reloj ${cuenta(off, 'segundo', 'segundos')} ${segundos > 0 ? 'por detrás' : 'por delante'}`;
}

/** While nothing waits: the server's sentence, or a summary of the counts. */
function sentence({ mensaje, aceptadas, estado, teNecesitan }: ConexionAEAT): string {
  if (mensaje) return mensaje;
  if (estado === 'sin-certificado')
    return 'Tu certificado ha caducado: lo que registres espera a que subas otro.';
  if (teNecesitan > 0) return 'Abre lo que te necesita y verás qué corregir.';
  if (aceptadas === 0) return 'Aquí verás qué ha pasado con cada factura que registres.';
  return 'Todo lo que has registrado consta en la AEAT.';
}
