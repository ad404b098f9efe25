import { Select as LibrarySelect, type SelectProps } from '@mantine/core';
import { useReducer, useState } from 'react';

/**
 * The library's Select, rendered again when its list opens. The list is only then in the page, and `aria-expanded`
 * stays false until the field is rendered with the id of its list. When searching, the first match is highlighted and
 * Enter chooses it.
 */
export function Select({ onDropdownOpen, ...props }: SelectProps) {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  // A list that opens highlights the chosen option, a moment later than the first match was highlighted: if typing
  // opens it, Enter would then choose another option than the one that is highlighted, or none.
  const [isTyping, setIsTyping] = useState(false);
  // To highlight an option is to scroll to it, and a list that has only just been drawn is at the top of the page.
  const [isBeingPlaced, setIsBeingPlaced] = useState(false);
  const isSearchable = props.searchable ?? false;
  return (
    <LibrarySelect
      selectFirstOptionOnChange={isSearchable && !isBeingPlaced}
      selectFirstOptionOnDropdownOpen={isSearchable && isTyping}
      onKeyDownCapture={({ key }) => setIsTyping(!key.startsWith('Arrow'))}
      onPasteCapture={() => setIsTyping(true)}
      onPointerDownCapture={() => setIsTyping(false)}
      {...props}
      onDropdownOpen={() => {
        onDropdownOpen?.();
        setIsBeingPlaced(isTyping);
        setTimeout(() => {
          setIsBeingPlaced(false);
          drawAgain();
        });
      }}
    />
  );
}
