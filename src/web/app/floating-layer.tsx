import { useNotifications } from '@mantine/notifications';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { loadAhead } from '../lib/load-module.ts';
import { useKeptFocus } from '../ui/kept-focus.ts';
import { useCharacters } from '../ui/use-characters.ts';

const Dialogs = lazy(loadAhead(() => import('./dialogs.tsx')));
const Toasts = lazy(loadAhead(() => import('./toasts.tsx')));

/** The events that the library sends on the window when a dialog is opened from code. */
const OPENINGS = ['openModal', 'openConfirmModal', 'openContextModal'].map(
  (name) => `mantine-modals:${name}`,
);

/** Dialogs opened from code, and toasts. Their code is loaded with the first one of each. */
export function FloatingLayer() {
  const toasts = useNotifications().notifications.length;
  const [hasToasts, setHasToasts] = useState(false);
  if (toasts > 0 && !hasToasts) setHasToasts(true);
  useCharacters();
  useKeptFocus();
  const dialogs = useDialogs();
  return (
    // Each suspends by itself: a new toast must not interrupt a dialog that is closing.
    <>
      <Suspense>{hasToasts && <Toasts />}</Suspense>
      <Suspense>{dialogs.wanted && <Dialogs onReady={dialogs.replay} />}</Suspense>
    </>
  );
}

/** Holds back requests to open a dialog until the code that opens it is loaded, and then repeats them. */
function useDialogs() {
  const [wanted, setWanted] = useState(false);
  const kept = useRef<CustomEvent[] | null>([]);

  useEffect(() => {
    const keep = (event: Event) => {
      kept.current?.push(event as CustomEvent);
      setWanted(true);
    };
    for (const name of OPENINGS) window.addEventListener(name, keep);
    return () => {
      for (const name of OPENINGS) window.removeEventListener(name, keep);
    };
  }, []);

  const replay = useCallback(() => {
    const events = kept.current ?? [];
    kept.current = null;
    for (const { type, detail } of events) window.dispatchEvent(new CustomEvent(type, { detail }));
  }, []);
  return { wanted, replay };
}
