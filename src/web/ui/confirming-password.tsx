import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../lib/http.ts';
import { asking } from './asking.ts';
import classes from './confirming-password.module.css';
import { PasswordField } from './password-field.tsx';

/**
 * Makes a call for which the server may require the password again, ten minutes after signing in.
 *
 * @param call makes it with the current password, empty the first time
 * @returns its answer, or null when the user cancelled
 */
export async function confirmingPassword<T>(
  call: (password: string) => Promise<T>,
): Promise<T | null> {
  try {
    return await call('');
  } catch (error) {
    if (!(error instanceof ApiError) || error.codigo !== 'REAUTHENTICATE') throw error;
    const password = await askCurrentPassword(error.messages[0] ?? '');
    return password === null ? null : call(password);
  }
}

/**
 * Asks for the password.
 *
 * @returns the password typed, or null when the user cancels
 */
function askCurrentPassword(reason: string): Promise<string | null> {
  const question = new Promise<string | null>((resolve) => {
    const id = modals.open({
      title: 'Confirma que eres tú',
      withCloseButton: false,
      onClose: () => resolve(null), // After an answer the promise is already settled.
      children: (
        <CurrentPassword
          reason={reason}
          onAnswer={(password) => {
            resolve(password);
            modals.close(id);
          }}
        />
      ),
    });
  });
  return asking(question);
}

interface CurrentPasswordProps {
  readonly reason: string;
  readonly onAnswer: (password: string | null) => void;
}

function CurrentPassword({ reason, onAnswer }: CurrentPasswordProps) {
  const [missing, setMissing] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get('password') ?? '');
    if (password === '') setMissing(true);
    else onAnswer(password);
  };
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <p className="hu-muted">{reason}</p>
      <PasswordField
        label="Contraseña actual"
        name="password"
        autoComplete="current-password"
        data-autofocus
        autoFocus
        error={missing && 'Escribe tu contraseña.'}
      />
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancelar
        </Button>
        <Button type="submit">Confirmar</Button>
      </div>
    </form>
  );
}
