import { ACCESS_FIELD } from '../../ui/access-fields.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { updateSignUp, useSignUp } from './sign-up-data.ts';

export interface PasswordAgainProps {
  /** Whether the page was opened without a password in memory. */
  readonly needed: boolean;
  readonly error?: string | undefined;
  readonly onTyped: () => void;
}

/** Passwords are not stored: after a reload, the step that needs one asks for it. */
export function PasswordAgain({ needed, error, onTyped }: PasswordAgainProps) {
  const { email, password } = useSignUp();
  if (!needed) return null;
  return (
    <PasswordField
      label="Contraseña"
      name="password"
      autoComplete="new-password"
      {...ACCESS_FIELD}
      description={`Has vuelto a abrir la página y no guardamos contraseñas: escribe la de ${email} otra vez.`}
      value={password}
      onChange={(event) => {
        updateSignUp({ password: event.currentTarget.value });
        onTyped();
      }}
      error={error}
    />
  );
}
