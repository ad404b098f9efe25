import { IconPencil } from '@tabler/icons-react';
import { Chip } from '../../ui/chip.tsx';

/** Of a section with something that is not saved. */
export function ModifiedChip() {
  return (
    <Chip tone="amber" icon={IconPencil}>
      Datos modificados
    </Chip>
  );
}
