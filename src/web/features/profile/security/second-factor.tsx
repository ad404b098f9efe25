import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SegundoFactor, SegundoFactorPreparado } from '../../../../contract/security.ts';
import { cuenta, fecha } from '../../../lib/format.ts';
import { Chip } from '../../../ui/chip.tsx';
import { confirmAction } from '../../../ui/confirm.tsx';
import { FailedState } from '../../../ui/failed-state.tsx';
import { useShowError } from '../api.ts';
import { ActivateDialog } from './activate-dialog.tsx';
import { prepareSecondFactor, segundoFactorQuery, useDeactivate, useRenewCodes } from './api.ts';
import { CodesDialog } from './codes-dialog.tsx';
import { Part, WaitingRows } from './part.tsx';
import classes from './security.module.css';

/** A code from the phone to sign in: on, off, and recovery codes. */
export function SecondFactor() {
  const { data: state, error, refetch } = useQuery(segundoFactorQuery);
  return (
    <Part
      title="Verificación en dos pasos"
      badge={
        state?.activo && (
          <Chip tone="green" icon={IconShieldCheck}>
            Activada
          </Chip>
        )
      }
    >
      {state ? (
        <Controls state={state} />
      ) : error ? (
        <FailedState
          title="No hemos podido consultar la verificación en dos pasos"
          error={error}
          onRetry={refetch}
        />
      ) : (
        <WaitingRows rows={2} />
      )}
    </Part>
  );
}

function Controls({ state }: { readonly state: SegundoFactor }) {
  const showError = useShowError();
  const [prepared, setPrepared] = useState<SegundoFactorPreparado | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const renew = useRenewCodes();
  const deactivate = useDeactivate();

  const prepare = () => prepareSecondFactor().then(setPrepared, showError);
  const turnOff = async () => {
    const goesOn = await confirmAction({
      title: '¿Desactivar la verificación en dos pasos?',
      message: 'Para entrar en tu cuenta volverá a bastar con la contraseña.',
      confirm: 'Desactivar',
      danger: true,
    });
    if (!goesOn) return;
    deactivate.mutate(undefined, {
      onSuccess: (answer) => {
        if (answer) notifications.show({ message: 'Verificación en dos pasos desactivada.' });
      },
      onError: showError,
    });
  };
  const makeCodes = () =>
    renew.mutate(undefined, {
      onSuccess: (answer) => answer && setCodes(answer.codigos),
      onError: showError,
    });

  return (
    <>
      <p className={classes.text}>
        {state.activo
          ? `Desde el ${fecha(state.desde?.slice(0, 10) ?? '')}. Te ${
              state.codigosRestantes === 1 ? 'queda' : 'quedan'
            } ${cuenta(state.codigosRestantes, 'código', 'códigos')} de recuperación.`
          : 'Además de tu contraseña, se pide un código de tu teléfono. Quien averigüe la contraseña no podrá entrar.'}
      </p>
      <div className={classes.buttons}>
        {state.activo ? (
          <>
            <Button variant="default" aria-disabled={renew.isPending} onClick={makeCodes}>
              Códigos nuevos
            </Button>
            <Button variant="subtle" color="gray" onClick={turnOff}>
              Desactivar
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={prepare}>
            Activar
          </Button>
        )}
      </div>
      {prepared && (
        <ActivateDialog
          prepared={prepared}
          onClose={() => setPrepared(null)}
          onActive={(made) => {
            setPrepared(null);
            setCodes(made);
          }}
        />
      )}
      {codes && <CodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </>
  );
}
