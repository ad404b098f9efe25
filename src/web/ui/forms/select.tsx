import { Select as LibrarySelect, type SelectProps } from '@mantine/core';
import { useReducer } from 'react';

/**
 * The library's, which says that it is open. Its list is out of the page until then, and the field, drawn
 * before the list had a name, would go on saying that it is folded. Of what is found by typing the first is marked: Enter
 * chooses it.
 */
export function Select({ onDropdownOpen, ...props }: SelectProps) {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  return (
    <LibrarySelect
      selectFirstOptionOnChange={props.searchable ?? false}
      {...props}
      onDropdownOpen={() => {
        onDropdownOpen?.();
        requestAnimationFrame(drawAgain);
      }}
    />
  );
}
