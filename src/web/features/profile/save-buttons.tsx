import { Button } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import classes from './profile.module.css';

export interface SaveButtonsProps {
  readonly isPending: boolean;
  readonly isSaving: boolean;
  readonly onUndo: () => void;
}

/**
 * There only while something changed. When they go, the focus goes to the title of their section: who works
 * with the keyboard would begin again at the top of the page.
 */
export function SaveButtons({ isPending, isSaving, onUndo }: SaveButtonsProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = box.current;
    return () => {
      if (!shown?.contains(document.activeElement)) return;
      shown.closest('section')?.querySelector('h2')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <div ref={box} className={classes.buttons}>
      <Button type="submit" aria-disabled={isPending}>
        {isSaving ? 'Guardando…' : 'Guardar cambios'}
      </Button>
      <Button variant="subtle" color="gray" onClick={onUndo}>
        Deshacer
      </Button>
    </div>
  );
}
