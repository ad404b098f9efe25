import { ACCESS_FIELD } from '../../ui/access-fields.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { updateSignUp, useSignUp } from './sign-up-data.ts';

export interface PasswordAgainProps {
  /** Whether the page was opened without a password in memory: reloaded, or on the way back from the bank. */
  readonly needed: boolean;
  readonly error?: string | undefined;
  readonly onTyped: () => void;
}

/** Passwords are not stored: whoever reloads or comes back from the bank types it again. */
export function PasswordAgain({ needed, error, onTyped }: PasswordAgainProps) {
  const { email, password } = useSignUp();
  if (!needed) return null;
  return (
    <PasswordField
      label="Contraseña"
      name="password"
      autoComplete="new-password"
      {...ACCESS_FIELD}
      description={`No guardamos contraseñas: escribe otra vez la que elegiste para ${email}.`}
      value={password}
      onChange={(event) => {
        updateSignUp({ password: event.currentTarget.value });
        onTyped();
      }}
      error={error}
    />
  );
}
