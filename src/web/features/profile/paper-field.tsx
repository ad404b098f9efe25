import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { errorMessages } from '../../lib/http.ts';
import { forgetTyped, keepTyped, typedIn } from '../../lib/typed.ts';
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

/** What was typed and is not saved yet. */
interface Kept {
  readonly text: string;
  /** The field was left, so it was to be saved. */
  readonly isLeft: boolean;
}

/**
 * A text that appears on invoices: saved when the field is left, if it has changed. If the session ends meanwhile, it
 * is there again afterwards, and saved if it was to be.
 */
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
  const place = `perfil.${label}`;
  const [kept] = useState(() => typedIn<Kept>(place));
  const [typed, setTyped] = useState(kept?.text ?? saved);
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
    if (typed.trim() === saved && !isSaving) return forgetTyped(place);
    keepTyped(place, { text: typed, isLeft: true } satisfies Kept);
    onSave(typed.trim()).then(
      () => forgetTyped(place),
      (error) => setProblem(errorMessages(error).join(' ')),
    );
  };
  const leaveAgain = useRef(kept?.isLeft ? leave : null);
  useEffect(() => {
    leaveAgain.current?.();
    leaveAgain.current = null;
  }, []);
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
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        keepTyped(place, { text, isLeft: false } satisfies Kept);
      }}
      onBlur={leave}
    />
  );
}
