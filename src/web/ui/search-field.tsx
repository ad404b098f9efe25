import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

export interface SearchFieldProps {
  /** Its placeholder and accessible name. */
  readonly label: string;
  /** The search text in the address. */
  readonly value: string;
  /** Called when the typing pauses. */
  readonly onSearch: (value: string) => void;
  readonly className?: string | undefined;
}

const PAUSE_MS = 250;

/** A search field that waits for a pause in the typing. */
export function SearchField({ label, value, onSearch, className }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((next: string) => {
    sent.current = next;
    onSearch(next);
  }, PAUSE_MS);

  // Cleared, or changed by the browser's back button, and not the result of typing here.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);

  return (
    <TextInput
      type="search"
      role="searchbox"
      placeholder={label}
      aria-label={label}
      leftSection={<IconSearch size={16} stroke={1.7} aria-hidden="true" />}
      maxLength={100}
      autoComplete="off"
      className={className}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
    />
  );
}
