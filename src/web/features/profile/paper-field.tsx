import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { errorMessages } from '../../lib/http.ts';
import classes from './profile.module.css';

export interface PaperFieldProps {
  readonly label: string;
  readonly help: string;
  readonly saved: string;
  readonly isSaving: boolean;
  readonly autoComplete: string;
  readonly maxLength?: number;
  readonly isWide?: boolean;
  readonly onSave: (text: string) => Promise<unknown>;
}

/** A text that appears on invoices: saved when the field is left, if it has changed. */
export function PaperField({
  label,
  help,
  saved,
  isSaving,
  autoComplete,
  maxLength = 50,
  isWide = false,
  onSave,
}: PaperFieldProps) {
  const [typed, setTyped] = useState(saved);
  const [shown, setShown] = useState(saved);
  // What the server made of it replaces what was typed.
  if (shown !== saved) {
    setShown(saved);
    setTyped(saved);
  }
  const [problem, setProblem] = useState<string | null>(null);
  const leave = () => {
    setProblem(null);
    // While a call is running, the saved value may be another by the time this runs.
    if (typed.trim() === saved && !isSaving) return;
    onSave(typed.trim()).catch((error) => setProblem(errorMessages(error).join(' ')));
  };
  return (
    <TextInput
      label={label}
      description={help}
      errorProps={{ role: 'alert' }}
      error={problem}
      className={(isWide ? classes.whole : classes.part) ?? ''}
      autoComplete={autoComplete}
      maxLength={maxLength}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={leave}
    />
  );
}
