import { useRef, useState } from 'react';
import { forgetTyped, keepTyped, typedIn } from '../../lib/typed.ts';
import { confirmAction } from '../confirm.tsx';
import { NEW_ROW } from './data-table.tsx';

/** Which row is being edited. Leaving one with unsaved input for another asks first. */
export function useEditing<Row, Draft>(place: string) {
  const [kept] = useState(() => typedIn<{ at: string; draft: Draft; opened?: Row }>(place));
  const [at, setAt] = useState<string | undefined>(kept?.at);
  // Other people's changes meanwhile are not changes of this form.
  const [opened, setOpened] = useState<Row | undefined>(kept?.opened);
  // The form is recreated when the table becomes a list: it continues with the latest input.
  const typed = useRef(kept);
  const open = (key: string | undefined, row?: Row) => {
    typed.current = null;
    forgetTyped(place);
    setAt(key);
    setOpened(row);
  };
  return {
    at,
    opened,
    start: async (key: string, row?: Row) => {
      if (key === at) return;
      if (typed.current !== null && !(await confirmDiscard())) return;
      open(key, row);
    },
    handlers: {
      onDone: () => {
        open(undefined);
        if (at !== undefined) focusEditButton(at);
      },
      onDirtyChange: (dirty: boolean, draft: Draft) => {
        typed.current = dirty && at !== undefined ? { at, draft } : null;
        if (dirty) keepTyped(place, { at, draft, opened });
        else forgetTyped(place);
      },
      typed: typed.current?.at === at ? typed.current?.draft : undefined,
    },
  };
}

function confirmDiscard(): Promise<boolean> {
  return confirmAction({
    title: 'Descartar los cambios',
    message: 'Lo que has escrito en la otra fila no está guardado.',
    confirm: 'Descartar los cambios',
    cancel: 'Seguir editando',
    danger: true,
  });
}

/** The button to which the focus returns when the edit ends. */
export function editButtonId(key: string): string {
  return `editar-${key}`;
}

/** Returns to where the edit began, once the row is drawn again. */
function focusEditButton(key: string) {
  requestAnimationFrame(() => {
    const button = document.getElementById(editButtonId(key));
    (button ?? document.getElementById(editButtonId(NEW_ROW)))?.focus();
  });
}

export type Editing<Row, Draft> = ReturnType<typeof useEditing<Row, Draft>>;
