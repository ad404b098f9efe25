import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Sesion } from '../../../../contract/security.ts';
import { cuenta, fechaHora } from '../../../lib/format.ts';
import { Chip } from '../../../ui/chip.tsx';
import { confirmAction } from '../../../ui/confirm.tsx';
import { FailedState } from '../../../ui/failed-state.tsx';
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
        <ul className={classes.rows}>
          {sessions.map((session) => (
            <SessionRow key={`${session.inicio}${session.ultimoUso}`} session={session} />
          ))}
        </ul>
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
