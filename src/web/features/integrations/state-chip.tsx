import {
  IconAlertTriangle,
  IconCircleCheck,
  IconPlayerPause,
  IconPlugConnectedX,
  IconRefresh,
} from '@tabler/icons-react';
import type { BusinessCentral } from '../../../contract/business-central.ts';
import { Chip } from '../../ui/chip.tsx';

/** The state of the connection, in a word. */
export function StateChip({ state }: { readonly state: BusinessCentral }) {
  const last = state.historial[0];
  if (state.estado === 'sin-conectar') {
    return (
      <Chip tone="grey" icon={IconPlugConnectedX}>
        Sin conectar
      </Chip>
    );
  }
  if (state.estado === 'preparada') {
    return (
      <Chip tone="amber" icon={IconAlertTriangle}>
        Falta activarla
      </Chip>
    );
  }
  if (state.estado === 'pausada') {
    return (
      <Chip tone="grey" icon={IconPlayerPause}>
        En pausa
      </Chip>
    );
  }
  if (state.enMarcha) {
    return (
      <Chip tone="blue" icon={IconRefresh}>
        Sincronizando
      </Chip>
    );
  }
  if (last?.estado === 'fallida') {
    return (
      <Chip tone="red" icon={IconAlertTriangle}>
        Necesita que la mires
      </Chip>
    );
  }
  return (
    <Chip tone="green" icon={IconCircleCheck}>
      Activa
    </Chip>
  );
}
