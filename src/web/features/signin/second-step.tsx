import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { http } from '../../lib/http.ts';
import { useProvider } from '../../lib/provider.ts';
import access from '../../ui/access.module.css';
import { AccessSubmit } from '../../ui/access-submit.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { usePageTitle } from '../../ui/page-title.tsx';
import { Mail } from '../../ui/provider-data.tsx';
import { signInError } from './sign-in-error.ts';

export interface SecondStepProps {
  /** From the first step, in which the password was right. */
  readonly challenge: string;
  readonly onSignedIn: (tokenJWT: string) => void;
  readonly onBack: () => void;
}

/** The code from the phone, or a recovery code. */
export function SecondStep({ challenge, onSignedIn, onBack }: SecondStepProps) {
  const heading = usePageTitle('Verificación en dos pasos');
  const errors = useErrorDialog();
  const { correo } = useProvider().empresa;
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const [isLost, setLost] = useState(false);
  const finish = useMutation({
    mutationFn: (Codigo: string) =>
      http<{ tokenJWT: string }>('/api/Auth/SegundoFactor', {
        json: { Reto: challenge, Codigo },
        anonymous: true,
      }),
    onSuccess: ({ tokenJWT }) => onSignedIn(tokenJWT),
    onError: (error) => errors.show(signInError(error)),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (code.trim() === '') setMissing(true);
    else finish.mutate(code);
  };

  return (
    <>
      <h1 ref={heading} tabIndex={-1} className={access.title}>
        Verificación en dos pasos
      </h1>
      <p className={access.subtitle}>
        {isLost
          ? 'Escribe uno de los códigos de recuperación que guardaste. Cada uno sirve una vez.'
          : 'Escribe las seis cifras que muestra ahora la aplicación de tu teléfono.'}
      </p>
      <form className={access.form} onSubmit={submit} noValidate>
        <TextInput
          key={isLost ? 'recuperacion' : 'telefono'}
          label={isLost ? 'Código de recuperación' : 'Código de seis cifras'}
          inputMode={isLost ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          size="lg"
          maxLength={20}
          autoFocus
          value={code}
          error={missing && 'Escribe el código.'}
          onChange={(event) => {
            setCode(event.currentTarget.value);
            setMissing(false);
          }}
        />
        <AccessSubmit loading={finish.isPending}>Entrar</AccessSubmit>
        {isLost && (
          <p className={access.subtitle}>
            ¿Tampoco tienes los códigos? Escribe a <Mail text={correo} />.
          </p>
        )}
        <div className={access.below}>
          <Button
            variant="subtle"
            onClick={() => {
              setLost(!isLost);
              setCode('');
              setMissing(false);
            }}
          >
            {isLost ? 'Usar el código del teléfono' : 'No tengo el teléfono'}
          </Button>
          <Button variant="subtle" color="gray" onClick={onBack}>
            Volver
          </Button>
        </div>
      </form>
    </>
  );
}
