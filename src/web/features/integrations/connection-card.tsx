import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
} from '@tabler/icons-react';
import type { BusinessCentral, ProbarBusinessCentral } from '../../../contract/business-central.ts';
import { fecha, fechaHora } from '../../lib/format.ts';
import { confirmAction } from '../../ui/confirm.tsx';
import { PanelCard } from '../../ui/panel-card.tsx';
import { useDisconnect, usePause, useTryConnection } from './api.ts';
import classes from './integrations.module.css';
import { Refusal } from './refusal.tsx';

export interface ConnectionCardProps {
  readonly state: BusinessCentral;
  readonly onChange: () => void;
}

/** The connection, the test that it works, and the ways to change or remove it. */
export function ConnectionCard({ state, onChange }: ConnectionCardProps) {
  const probe = useTryConnection();
  const pause = usePause();
  const disconnect = useDisconnect();
  const { conexion, verifactuApagado } = state;
  if (!conexion) return null;

  const askToDisconnect = async () => {
    const goesOn = await confirmAction({
      title: '¿Desconectar Business Central?',
      message: (
        <p>
          Se olvida la conexión y se destruye su secreto. Lo que ya vino se queda, y si vuelves a
          conectar la misma empresa no se duplica nada.
        </p>
      ),
      confirm: 'Desconectar',
      danger: true,
    });
    if (goesOn) disconnect.mutate();
  };
  return (
    <PanelCard title="Conexión">
      <dl className={classes.facts}>
        <Fact term="Empresa">{conexion.empresa}</Fact>
        <Fact term="Inquilino y entorno">{`${conexion.tenant} · ${conexion.entorno}`}</Fact>
        <Fact term="Id. de aplicación">{conexion.clientId}</Fact>
        <Fact term="Facturas">
          {`Desde el ${fecha(conexion.desde)}, ${
            conexion.modo === 'registrar' ? 'registradas al momento' : 'como borradores'
          }`}
        </Fact>
        {verifactuApagado && (
          <Fact term="VERI*FACTU allí">
            {`Desactivado, según ${verifactuApagado.quien} el ${fechaHora(verifactuApagado.cuando)}`}
          </Fact>
        )}
      </dl>
      <div role="status" aria-busy={probe.isPending}>
        {probe.data && !probe.isPending && <Steps answer={probe.data} />}
      </div>
      <Refusal error={probe.error ?? pause.error ?? disconnect.error} />
      <div className={classes.buttons}>
        <Button variant="default" loading={probe.isPending} onClick={() => probe.mutate()}>
          Probar conexión
        </Button>
        <Button variant="default" onClick={onChange}>
          Cambiar
        </Button>
        {state.estado === 'activa' && (
          <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate()}>
            Pausar
          </Button>
        )}
        <Button
          variant="subtle"
          color="red"
          loading={disconnect.isPending}
          onClick={askToDisconnect}
        >
          Desconectar
        </Button>
      </div>
    </PanelCard>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const ICONS = {
  bien: <IconCircleCheck size={18} stroke={1.8} role="img" aria-label="Correcto" />,
  aviso: <IconAlertTriangle size={18} stroke={1.8} role="img" aria-label="Aviso" />,
  mal: <IconCircleX size={18} stroke={1.8} role="img" aria-label="Error" />,
  pendiente: <IconCircleDashed size={18} stroke={1.8} role="img" aria-label="Sin comprobar" />,
} as const;

function Steps({ answer }: { readonly answer: ProbarBusinessCentral }) {
  return (
    <ul className={classes.steps}>
      {answer.pasos.map(({ texto, estado, mensaje }) => (
        <li key={texto} data-tone={estado}>
          {ICONS[estado]}
          <span>
            {texto}
            {mensaje && <strong>{mensaje}</strong>}
          </span>
        </li>
      ))}
    </ul>
  );
}
