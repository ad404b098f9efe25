import { Select as LibrarySelect, type SelectProps } from '@mantine/core';
import { useReducer } from 'react';

/**
 * The library's Select, rendered again when its list opens. The list is only then in the page, and `aria-expanded`
 * stays false until the field is rendered with the id of its list. When searching, the first match is highlighted and
 * Enter chooses it.
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
