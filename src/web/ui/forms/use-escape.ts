import { type KeyboardEvent, useRef } from 'react';

/**
 * Leaves a form with Escape, but not when that Escape has closed the list of one of its selects:
 * the library closes it before the form hears the key.
 *
 * @returns what the form and each of its selects take
 */
export function useEscape(onEscape: () => void) {
  const hasListClosed = useRef(false);
  return {
    formProps: {
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape' || hasListClosed.current) return;
        event.stopPropagation();
        onEscape();
      },
    },
    selectProps: {
      onDropdownClose: () => {
        hasListClosed.current = true;
        setTimeout(() => {
          hasListClosed.current = false;
        });
      },
    },
  };
}
