import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Sesion } from '../../../../contract/security.ts';
import { cuenta, fechaHora } from '../../../lib/format.ts';
import { Chip } from '../../../ui/chip.tsx';
import { confirmAction } from '../../../ui/confirm.tsx';
import { FailedState } from '../../../ui/failed-state.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { useShowError } from '../api.ts';
import { sesionesQuery, useCloseOthers } from './api.ts';
import { Part, WaitingRows } from './part.tsx';
import classes from './security.module.css';

/** Every browser in which the account is open, and a way to close all but this one. */
export function OpenSessions() {
  const { data: sessions, error, refetch } = useQuery(sesionesQuery);
  const showError = useShowError();
  const close = useCloseOthers();
  const closeOthers = async () => {
    const goesOn = await confirmAction({
      title: '¿Cerrar las demás sesiones?',
      message:
        'Quien esté dentro con tu cuenta tendrá que volver a entrar. Esta sesión sigue abierta.',
      confirm: 'Cerrar las demás',
    });
    if (!goesOn) return;
    close.mutate(undefined, {
      onSuccess: ({ cerradas }) =>
        notifications.show({
          message: `${cuenta(cerradas, 'sesión cerrada', 'sesiones cerradas')}.`,
        }),
      onError: showError,
    });
  };

  return (
    <Part
      title="Sesiones abiertas"
      action={
        sessions &&
        sessions.length > 1 && (
          <Button variant="default" size="xs" aria-disabled={close.isPending} onClick={closeOthers}>
            Cerrar las demás
          </Button>
        )
      }
    >
      {sessions ? (
        <SessionRows sessions={sessions} />
      ) : error ? (
        <FailedState
          title="No hemos podido consultar tus sesiones"
          error={error}
          onRetry={refetch}
        />
      ) : (
        <WaitingRows rows={1} />
      )}
    </Part>
  );
}

/** A program that calls Huella may open one each hour. */
const PAGE_SIZE = 8;

/** This one first, then those used last. */
function SessionRows({ sessions }: { readonly sessions: readonly Sesion[] }) {
  const [chosen, setPage] = useState(1);
  // Closing the others leaves one page.
  const page = Math.min(chosen, Math.ceil(sessions.length / PAGE_SIZE));
  const ordered = [...sessions].sort((a, b) => Number(b.actual) - Number(a.actual));
  const shown = ordered.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  return (
    <>
      <ul className={classes.rows}>
        {shown.map((session) => (
          <SessionRow key={`${session.inicio}${session.ultimoUso}`} session={session} />
        ))}
      </ul>
      {sessions.length > PAGE_SIZE && (
        <div className={classes.pager}>
          <Pager
            page={page}
            pageSize={PAGE_SIZE}
            total={sessions.length}
            noun={['sesión', 'sesiones']}
            onPage={setPage}
          />
        </div>
      )}
    </>
  );
}

const MOBILE = /iPhone|iPad|Android/;

function SessionRow({ session }: { readonly session: Sesion }) {
  const Icon = MOBILE.test(session.dispositivo) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li>
      <Icon size={18} stroke={1.7} aria-hidden="true" />
      <div className={classes.what}>
        <p className={classes.name}>{session.dispositivo}</p>
        <p className={classes.small}>
          {session.actual ? 'En uso ahora' : `Último uso: ${fechaHora(session.ultimoUso)}`}
          {session.direccion && ` · ${session.direccion}`}
        </p>
      </div>
      {session.actual && <Chip tone="green">Esta sesión</Chip>}
    </li>
  );
}
