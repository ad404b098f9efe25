import { type KeyboardEvent, useRef } from 'react';

/**
 * Leaves a form with Escape, unless that Escape closed the list of one of its selects: the library closes it before
 * the form receives the key.
 *
 * @returns props for the form and for each of its selects
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
