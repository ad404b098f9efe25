import { Button } from '@mantine/core';
import { toSection } from '../../ui/focus-after.ts';
import classes from './profile.module.css';

export interface SaveButtonsProps {
  readonly isPending: boolean;
  readonly isSaving: boolean;
  readonly onUndo: () => void;
}

/** Only shown when something changed. */
export function SaveButtons({ isPending, isSaving, onUndo }: SaveButtonsProps) {
  return (
    <div ref={toSection} className={classes.buttons}>
      <Button type="submit" aria-disabled={isPending}>
        {isSaving ? 'Guardando…' : 'Guardar cambios'}
      </Button>
      <Button variant="subtle" color="gray" onClick={onUndo}>
        Deshacer
      </Button>
    </div>
  );
}
