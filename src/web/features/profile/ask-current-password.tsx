import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type FormEvent, useState } from 'react';
import { PasswordField } from '../../ui/password-field.tsx';
import classes from './profile.module.css';

/** Asks who is at the keyboard. @returns the password typed, or null when the person gives up */
export function askCurrentPassword(reason: string): Promise<string | null> {
  return new Promise((resolve) => {
    const id = modals.open({
      title: 'Confirma que eres tú',
      withCloseButton: false,
      onClose: () => resolve(null), // After an answer it finds the promise settled.
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
    <form onSubmit={submit} noValidate className={classes.dialogForm}>
      <p className="hu-muted">{reason}</p>
      <PasswordField
        label="Contraseña actual"
        name="password"
        autoComplete="current-password"
        data-autofocus
        autoFocus
        error={missing && 'Escribe tu contraseña.'}
      />
      <div className={classes.dialogButtons}>
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancelar
        </Button>
        <Button type="submit">Confirmar</Button>
      </div>
    </form>
  );
}
