import { Checkbox } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { checkEmail } from '../../../domain/email.ts';
import { findPlan } from '../../../domain/plans.ts';
import { focusFirstInvalid } from '../../lib/focus-invalid.ts';
import { ApiError, errorMessages } from '../../lib/http.ts';
import { PATHS } from '../../lib/paths.ts';
import { useProvider } from '../../lib/provider.ts';
import access from '../../ui/access.module.css';
import { ACCESS_FIELD, AccessEmail } from '../../ui/access-fields.tsx';
import { AccessSubmit } from '../../ui/access-submit.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { checkPassword } from './api.ts';
import { updateGiven, updateSignUp, useGiven, useSignUp } from './sign-up-data.ts';
import { StepHead } from './step-head.tsx';

const MISMATCH = 'Las contraseñas no coinciden. Por favor, inténtalo de nuevo.';

type Field = 'email' | 'password' | 'repeat' | 'terms';

export function Component() {
  const data = useSignUp();
  const navigate = useNavigate();
  const errors = useErrorDialog();
  const { enlaces } = useProvider();
  const { repeat, terms } = useGiven();
  const [missing, setMissing] = useState<Partial<Record<Field, string>>>({});

  // The prices on the landing page lead here with a plan chosen.
  const plan = useSearchParams()[0].get('plan');
  useEffect(() => {
    if (plan && findPlan(plan)) updateSignUp({ subscriptionType: plan });
  }, [plan]);

  const judgement = useJudgement(data.email, data.password);
  const check = useMutation({
    mutationFn: () => checkPassword(data.email.trim(), data.password),
    onSuccess: () => navigate(PATHS.signUpCompany),
    onError: (error) => errors.show(errorMessages(error)),
  });

  /** An error disappears as soon as its field is changed. */
  const changed = (field: Field) => setMissing(({ [field]: _, ...others }) => others);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const lacks: Partial<Record<Field, string>> = {
      ...emailLack(data.email),
      ...(data.password ? {} : { password: 'Elige una contraseña.' }),
      ...(repeat ? {} : { repeat: 'Escríbela otra vez.' }),
      ...(terms ? {} : { terms: 'Para seguir tienes que aceptarlos.' }),
    };
    setMissing(lacks);
    if (Object.keys(lacks).length > 0) focusFirstInvalid(event.currentTarget);
    else if (data.password !== repeat) errors.show(MISMATCH);
    else check.mutate();
  };

  return (
    <>
      <StepHead title="Crea tu cuenta" step={{ number: 1, name: 'Datos de acceso' }} />
      <form className={access.form} onSubmit={onSubmit} noValidate>
        <AccessEmail
          value={data.email}
          onChange={(event) => {
            updateSignUp({ email: event.currentTarget.value });
            changed('email');
          }}
          error={missing.email}
        />
        <PasswordField
          label="Contraseña"
          name="password"
          autoComplete="new-password"
          {...ACCESS_FIELD}
          description="De 8 a 128 caracteres, mejor 12 o más. Una frase larga es fácil de recordar y difícil de adivinar."
          value={data.password}
          onChange={(event) => {
            updateSignUp({ password: event.currentTarget.value });
            changed('password');
          }}
          onBlur={judgement.judge}
          error={missing.password ?? judgement.sentence}
        />
        <PasswordField
          label="Repite la contraseña"
          name="repeat"
          autoComplete="new-password"
          {...ACCESS_FIELD}
          value={repeat}
          onChange={(event) => {
            updateGiven({ repeat: event.currentTarget.value });
            changed('repeat');
          }}
          error={missing.repeat}
        />
        <Checkbox
          size="md"
          checked={terms}
          onChange={(event) => {
            updateGiven({ terms: event.currentTarget.checked });
            changed('terms');
          }}
          error={missing.terms}
          required
          label={
            <>
              Acepto los{' '}
              <a
                href={enlaces.terminos}
                target="_blank"
                rel="noopener noreferrer"
                className={access.link}
              >
                términos y condiciones
                <span className="hu-hidden">, se abre en otra pestaña</span>
              </a>
            </>
          }
        />
        <AccessSubmit loading={check.isPending}>Siguiente</AccessSubmit>
        <p className={access.below}>
          ¿Ya tienes cuenta? <Link to={PATHS.signIn}>Iniciar sesión</Link>
        </p>
      </form>
    </>
  );
}

/** As the server will judge it: the next step, which asks the server, has no field to correct it in. */
function emailLack(email: string): { email?: string } {
  if (email.trim() === '') return { email: 'Escribe tu correo electrónico.' };
  const checked = checkEmail(email);
  return checked.ok ? {} : { email: checked.mensaje };
}

/**
 * The server's judgement of a password when its field is left, once for each one typed. «Siguiente» asks again, so
 * nobody is blocked if the server does not answer here, or has been asked too often.
 */
function useJudgement(email: string, password: string) {
  const { data, mutate } = useMutation({
    mutationFn: async (judged: string) => ({ judged, sentence: await refusalOf(email, password) }),
  });
  // A password may be wrong for one e-mail only.
  const typed = `${email.trim()}\n${password}`;
  return {
    judge: () => {
      if (password !== '' && data?.judged !== typed) mutate(typed);
    },
    /** Not for a password other than the one typed now. */
    sentence: data?.judged === typed ? data.sentence : undefined,
  };
}

/** What is wrong with a password, or nothing. */
async function refusalOf(email: string, password: string): Promise<string | undefined> {
  try {
    await checkPassword(email.trim(), password);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return errorMessages(error).join(' ');
    throw error;
  }
}
