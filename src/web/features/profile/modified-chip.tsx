import { IconPencil } from '@tabler/icons-react';
import { Chip } from '../../ui/chip.tsx';

/** For a section with unsaved changes. */
export function ModifiedChip() {
  return (
    <Chip tone="amber" icon={IconPencil}>
      Datos modificados
    </Chip>
  );
}
