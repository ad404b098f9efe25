import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { DatosEmpresa } from '../../../contract/company.ts';
import { checkEmail } from '../../../domain/email.ts';
import { focusFirstInvalid } from '../../lib/focus-invalid.ts';
import { PATHS } from '../../lib/paths.ts';
import { datosEmpresaQuery } from '../../lib/queries.ts';
import { clearToken } from '../../lib/session.ts';
import { forgetTyped, useTyped } from '../../lib/typed.ts';
import { useIsAsking } from '../../ui/asking.ts';
import { confirmAction } from '../../ui/confirm.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { checkPassword, saveAccount, useShowError } from './api.ts';
import { ModifiedChip } from './modified-chip.tsx';
import { PictureField } from './picture-field.tsx';
import classes from './profile.module.css';
import { SaveButtons } from './save-buttons.tsx';
import { Section } from './section.tsx';

interface Draft {
  readonly email: string;
  readonly password: string;
  readonly repeated: string;
}

const NO_PASSWORD = { password: '', repeated: '' };

type Errors = Partial<Record<keyof Draft, string>>;

/** The e-mail, which is also the login user, the password and the logo. */
export function AccountSection({ company }: { readonly company: DatosEmpresa }) {
  const saved: Draft = { email: company.Email, ...NO_PASSWORD };
  // Restored after signing in again; a half-typed password is never stored.
  const [email, setEmail] = useTyped('cuenta', saved.email);
  const [passwords, setPasswords] = useState(NO_PASSWORD);
  const draft: Draft = { email, ...passwords };
  const [errors, setErrors] = useState<Errors>({});
  const save = useSaveAccount(saved.email, () => {
    setPasswords(NO_PASSWORD);
    forgetTyped('cuenta');
  });
  const isAsking = useIsAsking();
  const isSaving = save.isPending && !isAsking;
  const isModified = draft.email !== saved.email || draft.password !== '' || draft.repeated !== '';

  const change = (changed: Partial<Draft>) => {
    const { email: newEmail, ...newPasswords } = { ...draft, ...changed };
    setEmail(newEmail);
    setPasswords(newPasswords);
    setErrors({});
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isModified || save.isPending) return;
    const found = draftErrors(draft);
    setErrors(found);
    if (Object.keys(found).length > 0) focusFirstInvalid(event.currentTarget);
    else save.mutate({ email: draft.email.trim(), password: draft.password });
  };

  return (
    <Section
      id="cuenta"
      title="Datos de cuenta"
      help="El correo es también tu usuario para entrar."
      badge={isModified && <ModifiedChip />}
    >
      <form onSubmit={submit} noValidate>
        <div className={classes.grid}>
          <TextInput
            label="Correo de contacto"
            type="email"
            autoComplete="username"
            className={classes.partStart}
            value={draft.email}
            error={errors.email}
            onChange={(event) => change({ email: event.currentTarget.value })}
          />
          <PasswordField
            label="Contraseña nueva"
            autoComplete="new-password"
            {...(classes.partStart && { className: classes.partStart })}
            value={draft.password}
            error={errors.password}
            onChange={(event) => change({ password: event.currentTarget.value })}
          />
          <PasswordField
            label="Repite la contraseña"
            autoComplete="new-password"
            {...(classes.part && { className: classes.part })}
            value={draft.repeated}
            error={errors.repeated}
            onChange={(event) => change({ repeated: event.currentTarget.value })}
          />
          <div className={classes.whole}>
            <PictureField name={company.Name} />
          </div>
        </div>
        {isModified && (
          <SaveButtons
            isPending={save.isPending}
            isSaving={isSaving}
            onUndo={() => change(saved)}
          />
        )}
      </form>
    </Section>
  );
}

function draftErrors({ email, password, repeated }: Draft): Errors {
  const checked = checkEmail(email);
  return {
    ...(!checked.ok && { email: checked.mensaje }),
    ...(password !== repeated && { repeated: 'Las contraseñas no coinciden.' }),
  };
}

/**
 * Saves the account: checks the password, warns that the login user changes, and continues the session with the new
 * token. A change of password alone ends every session, so the user signs in again.
 */
function useSaveAccount(savedEmail: string, onSaved: () => void) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const showError = useShowError();

  const signInAgain = () => {
    clearToken();
    notifications.show({ message: 'Contraseña cambiada. Inicia sesión con la nueva.' });
    navigate(PATHS.signIn, { replace: true, state: { email: savedEmail } });
  };
  return useMutation({
    mutationFn: async ({ email, password }: { email: string; password: string }) => {
      if (password !== '') await checkPassword(email, password);
      if (email !== savedEmail && !(await confirmNewEmail(email))) return null;
      return saveAccount({ email, password });
    },
    onSuccess: async (answer, { password }) => {
      if (answer === null) return;
      if (!answer.tokenJWT && password !== '') return signInAgain();
      await queryClient.invalidateQueries({ queryKey: datosEmpresaQuery.queryKey });
      onSaved();
      notifications.show({ message: 'Tus datos de cuenta están guardados.' });
    },
    onError: showError,
  });
}

function confirmNewEmail(email: string): Promise<boolean> {
  return confirmAction({
    title: 'Cambio de correo de contacto',
    message: `Al cambiarlo cambia también tu usuario: desde ahora entrarás con ${email}. ¿Quieres continuar?`,
    confirm: 'Cambiar el correo',
  });
}
