import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { BusinessCentral } from '../../../contract/business-central.ts';
import { cuenta } from '../../lib/format.ts';
import { PanelCard } from '../../ui/panel-card.tsx';
import { useSwitchOn } from './api.ts';
import classes from './integrations.module.css';
import { Refusal } from './refusal.tsx';

/** The last step: the statement that only Huella declares, said once, and the switch. */
export function SwitchOnCard({ state }: { readonly state: BusinessCentral }) {
  const [isOff, setOff] = useState(false);
  const [isTried, setTried] = useState(false);
  const switchOn = useSwitchOn();
  const needsStatement = !state.verifactuApagado;
  const isPaused = state.estado === 'pausada';

  const start = () => {
    setTried(true);
    if (needsStatement && !isOff) return;
    switchOn.mutate({ verifactuApagado: isOff });
  };
  return (
    <PanelCard title={isPaused ? 'En pausa' : 'Actívala'}>
      <p>
        {isPaused
          ? 'No se trae nada hasta que la reanudes. Seguirá por donde se quedó.'
          : 'Cada venta la declara un solo programa. Si Business Central también enviara a la AEAT, quedaría declarada dos veces.'}
      </p>
      {needsStatement && (
        <Checkbox
          label="VERI*FACTU está desactivado en Business Central para estas ventas"
          description="Guardamos quién lo confirma y cuándo."
          checked={isOff}
          error={isTried && !isOff && 'Confírmalo para activar la conexión.'}
          onChange={(event) => setOff(event.currentTarget.checked)}
        />
      )}
      {state.ivaPendiente > 0 && (
        <p className="hu-muted">
          {`${cuenta(state.ivaPendiente, 'código de IVA no tiene', 'códigos de IVA no tienen')} todavía su equivalente: las facturas que ${state.ivaPendiente === 1 ? 'lo' : 'los'} lleven esperarán.`}
        </p>
      )}
      <Refusal error={switchOn.error} />
      <div className={classes.buttons}>
        <Button loading={switchOn.isPending} onClick={start}>
          {isPaused ? 'Reanudar' : 'Activar y sincronizar'}
        </Button>
      </div>
    </PanelCard>
  );
}
