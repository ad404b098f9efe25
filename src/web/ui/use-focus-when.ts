import { useEffect, useRef } from 'react';

/** A `ref` for the button that started something: once the user has stopped that, «Parar» is gone with the focus. */
export function useFocusWhen(isStopped: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isStopped) button.current?.focus({ preventScroll: true });
  }, [isStopped]);
  return button;
}
