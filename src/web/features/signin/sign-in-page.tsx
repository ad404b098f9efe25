import { IconClockHour3, IconUserX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { LoginAnswer } from '../../../contract/auth.ts';
import { focusFirstInvalid } from '../../lib/focus-invalid.ts';
import { http } from '../../lib/http.ts';
import { PATHS } from '../../lib/paths.ts';
import { takePlace } from '../../lib/return-place.ts';
import { onSignedInElsewhere, type SessionEnd, storeToken } from '../../lib/session.ts';
import access from '../../ui/access.module.css';
import { ACCESS_FIELD, AccessEmail } from '../../ui/access-fields.tsx';
import { AccessSubmit } from '../../ui/access-submit.tsx';
import { Banner } from '../../ui/banner.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { usePageTitle } from '../../ui/page-title.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { SecondStep } from './second-step.tsx';
import classes from './sign-in.module.css';
import { signInError } from './sign-in-error.ts';

interface Credentials {
  readonly Email: string;
  readonly password: string;
}

const ENDS: Record<SessionEnd, string> = {
  caducada: 'Tu sesión ha caducado.',
  cerrada: 'La sesión se ha cerrado en otra pestaña.',
};

export function Component() {
  const heading = usePageTitle('Inicia sesión');
  const navigate = useNavigate();
  const location = useLocation();
  const errors = useErrorDialog();
  const [missing, setMissing] = useState<Partial<Record<keyof Credentials, string>>>({});
  const [typedEmail, setEmail] = useState<string>();

  // The user has left the panel: no data of the previous company stays in memory.
  const queryClient = useQueryClient();
  useEffect(() => queryClient.clear(), [queryClient]);

  const [challenge, setChallenge] = useState<string | null>(null);
  const enter = (tokenJWT: string) => {
    storeToken(tokenJWT);
    navigate(takePlace() ?? PATHS.panel, { replace: true });
  };
  useEffect(
    () => onSignedInElsewhere(() => navigate(takePlace() ?? PATHS.panel, { replace: true })),
    [navigate],
  );
  const signIn = useMutation({
    mutationFn: (json: Credentials) =>
      http<LoginAnswer>('/api/Auth/login', { json, anonymous: true }),
    onSuccess: (answer) => {
      if ('tokenJWT' in answer) enter(answer.tokenJWT);
      else setChallenge(answer.Reto);
    },
    onError: (error) => errors.show(signInError(error)),
  });

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const Email = String(data.get('email') ?? '').trim();
    const password = String(data.get('password') ?? '');
    const lacks = {
      ...(Email ? {} : { Email: 'Escribe tu correo electrónico.' }),
      ...(password ? {} : { password: 'Escribe tu contraseña.' }),
    };
    setMissing(lacks);
    if (Object.keys(lacks).length > 0) focusFirstInvalid(form);
    else signIn.mutate({ Email, password });
  };

  if (challenge !== null) {
    return (
      <Sheet>
        <SecondStep challenge={challenge} onSignedIn={enter} onBack={() => setChallenge(null)} />
      </Sheet>
    );
  }
  const { sessionOver, accountDeleted, email } = (location.state ?? {}) as {
    readonly sessionOver?: SessionEnd;
    readonly accountDeleted?: true;
    /** Already typed by somebody who has just signed up or recovered the password. */
    readonly email?: string;
  };
  return (
    <Sheet>
      <h1 ref={heading} tabIndex={-1} className={access.title}>
        Inicia sesión
      </h1>
      {sessionOver && (
        <div className={access.notice}>
          <Banner tone="blue" icon={IconClockHour3} title={ENDS[sessionOver]} role="status">
            Entra de nuevo y seguirás donde estabas.
          </Banner>
        </div>
      )}
      {accountDeleted && (
        <div className={access.notice}>
          <Banner tone="blue" icon={IconUserX} title="Tu cuenta se ha eliminado." role="status">
            Te enviamos un correo con lo que se ha borrado y lo que se conserva.
          </Banner>
        </div>
      )}
      <form className={access.form} onSubmit={onSubmit} noValidate>
        <AccessEmail
          defaultValue={email}
          error={missing.Email}
          onChange={({ currentTarget }) => {
            setEmail(currentTarget.value);
            setMissing(({ Email: _, ...others }) => others);
          }}
        />
        <div className={classes.password}>
          <PasswordField
            label="Contraseña"
            name="password"
            autoComplete="current-password"
            {...ACCESS_FIELD}
            error={missing.password}
            onChange={() => setMissing(({ password: _, ...others }) => others)}
          />
          <Link
            to={PATHS.recovery}
            state={{ email: typedEmail ?? email }}
            className={`${access.plain} ${classes.forgot}`}
          >
            ¿Has olvidado tu contraseña?
          </Link>
        </div>
        <AccessSubmit loading={signIn.isPending}>Iniciar sesión</AccessSubmit>
        <p className={access.below}>
          ¿Aún no tienes cuenta? <Link to={PATHS.signUp}>Crear cuenta</Link>
        </p>
      </form>
    </Sheet>
  );
}
