import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconPencil,
} from '@tabler/icons-react';
import type { InvoiceStatus } from '../../contract/invoices.ts';
import { Chip, type Tone } from './chip.tsx';

const LOOK: Record<InvoiceStatus, { tone: Tone; Icon: typeof IconPencil }> = {
  Borrador: { tone: 'grey', Icon: IconPencil },
  'En espera': { tone: 'blue', Icon: IconClock },
  Rechazado: { tone: 'red', Icon: IconCircleX },
  'Aceptado con errores': { tone: 'amber', Icon: IconAlertTriangle },
  Registrada: { tone: 'green', Icon: IconCircleCheck },
  Anulada: { tone: 'grey', Icon: IconBan },
};

/** The status of an invoice in text, icon and colour. */
export function StatusChip({ status }: { readonly status: InvoiceStatus }) {
  const { tone, Icon } = LOOK[status];
  return (
    <Chip tone={tone} icon={Icon}>
      {status}
    </Chip>
  );
}
