import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { focusFirstInvalid } from '../../lib/focus-invalid.ts';
import { ApiError, errorMessages, http, UNEXPECTED_IN_RECOVERY } from '../../lib/http.ts';
import { PATHS } from '../../lib/paths.ts';
import access from '../../ui/access.module.css';
import { ACCESS_FIELD, AccessEmail } from '../../ui/access-fields.tsx';
import { AccessSubmit } from '../../ui/access-submit.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { usePageTitle } from '../../ui/page-title.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { CODE_LENGTH, CodeField } from './code-field.tsx';
import classes from './recovery.module.css';

interface Recovery {
  readonly Email: string;
  readonly Code: string;
  readonly NewPassword: string;
}
type Step = 1 | 2 | 3 | 4;

const NOTHING: Recovery = { Email: '', Code: '', NewPassword: '' };
const RESEND_SECONDS = 60;

const call = (name: string, json: Recovery) =>
  http<{ message?: string }>(`/api/Auth/${name}`, { json, anonymous: true });

export function Component() {
  const [step, setStep] = useState<Step>(1);
  const { state } = useLocation() as { readonly state: { readonly email?: string } | null };
  const [data, setData] = useState({ ...NOTHING, Email: state?.email ?? '' });
  const [said, setSaid] = useState<string>();

  const forward = (next: Step, change: Partial<Recovery>, message: string | undefined) => {
    setData({ ...data, ...change });
    setSaid(message);
    setStep(next);
  };

  return (
    <Sheet rings={step * 2}>
      {step === 1 && (
        <AskForCode
          email={data.Email}
          onDone={(Email, message) => forward(2, { Email }, message)}
        />
      )}
      {step === 2 && (
        <GiveCode
          email={data.Email}
          said={said}
          onDone={(Code, message) => forward(3, { Code }, message)}
        />
      )}
      {step === 3 && (
        <NewPassword
          recovery={data}
          said={said}
          onDone={(message) => forward(4, { Code: '', NewPassword: '' }, message)}
          onAnotherCode={() => forward(1, { Code: '' }, undefined)}
        />
      )}
      {step === 4 && (
        <>
          <Head
            subtitle="Inicia sesión con tu nueva contraseña para acceder a tu cuenta."
            said={said ?? 'Contraseña cambiada con éxito.'}
          />
          <div className={access.form}>
            <Button
              component={Link}
              to={PATHS.signIn}
              state={{ email: data.Email }}
              size="lg"
              fullWidth
              className={access.main ?? ''}
            >
              Iniciar sesión
            </Button>
          </div>
        </>
      )}
    </Sheet>
  );
}

interface HeadProps {
  readonly subtitle: string;
  /** The server's message about the previous step. */
  readonly said?: string | undefined;
}

function Head({ subtitle, said }: HeadProps) {
  const heading = usePageTitle('Recuperar contraseña');
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className={access.title}>
        Recuperar contraseña
      </h1>
      <p className={access.subtitle}>{subtitle}</p>
      <p className={classes.said} role="status">
        {said && (
          <>
            <IconCheck size={16} aria-hidden="true" /> {said}
          </>
        )}
      </p>
    </>
  );
}

const SignInLink = (): ReactNode => (
  <p className={access.below}>
    <Link to={PATHS.signIn}>Iniciar sesión</Link>
  </p>
);

/** A refusal in the dialog: the server's words, or «Error inesperado.». */
function useShowError() {
  const dialog = useErrorDialog();
  return (error: unknown) => dialog.show(errorMessages(error, UNEXPECTED_IN_RECOVERY));
}

interface AskForCodeProps {
  readonly email: string;
  readonly onDone: (email: string, message: string | undefined) => void;
}

function AskForCode({ email, onDone }: AskForCodeProps) {
  const [missing, setMissing] = useState<string>();
  const ask = useMutation({
    mutationFn: (Email: string) => call('ForgotPassword', { ...NOTHING, Email }),
    onSuccess: ({ message }, Email) => onDone(Email, message),
    onError: useShowError(),
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const Email = String(new FormData(event.currentTarget).get('email') ?? '').trim();
    setMissing(Email ? undefined : 'Escribe tu correo electrónico.');
    if (Email) ask.mutate(Email);
    else focusFirstInvalid(event.currentTarget);
  };
  return (
    <>
      <Head subtitle="Te enviaremos un código de recuperación" />
      <form className={access.form} onSubmit={onSubmit} noValidate>
        <AccessEmail defaultValue={email} error={missing} onChange={() => setMissing(undefined)} />
        <AccessSubmit loading={ask.isPending}>Solicitar código</AccessSubmit>
        <SignInLink />
      </form>
    </>
  );
}

interface GiveCodeProps {
  readonly email: string;
  readonly said: string | undefined;
  readonly onDone: (code: string, message: string | undefined) => void;
}

function GiveCode({ email, said, onDone }: GiveCodeProps) {
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const showError = useShowError();
  const validate = useMutation({
    mutationFn: () => call('ValidarRecoveryCode', { ...NOTHING, Email: email, Code: code }),
    onSuccess: ({ message }) => onDone(code, message),
    onError: showError,
  });
  const again = useMutation({
    mutationFn: () => call('ForgotPassword', { ...NOTHING, Email: email }),
    onSuccess: () => setCode(''),
    onError: showError,
  });
  const resend = () => {
    // The pressed button disappears, and the focus with it.
    field.current?.focus();
    again.mutate();
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const whole = code.length === CODE_LENGTH;
    setMissing(whole ? undefined : 'Escribe las seis cifras del código.');
    if (whole) validate.mutate();
    else focusFirstInvalid(event.currentTarget);
  };
  return (
    <>
      <Head
        subtitle="Valida tu código de verificación."
        said={again.isSuccess ? 'Te hemos enviado otro código al correo.' : said}
      />
      <form className={access.form} onSubmit={onSubmit} noValidate>
        <CodeField
          ref={field}
          value={code}
          onChange={(typed) => {
            setCode(typed);
            setMissing(undefined);
          }}
          error={missing}
        >
          Lo hemos enviado a <strong>{email}</strong>. Caduca en 10 minutos.
        </CodeField>
        <AccessSubmit loading={validate.isPending}>Validar código</AccessSubmit>
        <Resend key={again.submittedAt} onResend={resend} />
        <SignInLink />
      </form>
    </>
  );
}

/** «Enviar otro código», after a minute. */
function Resend({ onResend }: { readonly onResend: () => void }) {
  const [left, setLeft] = useState(RESEND_SECONDS);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <p className={access.below}>
      {left > 0 ? (
        `Podrás pedir otro código dentro de ${left} s`
      ) : (
        <button type="button" className={classes.resend} onClick={onResend}>
          Enviar otro código
        </button>
      )}
    </p>
  );
}

const isCodeRefused = (error: unknown) =>
  error instanceof ApiError && error.codigo === 'CODE_REFUSED';

interface NewPasswordProps {
  readonly recovery: Recovery;
  readonly said: string | undefined;
  readonly onDone: (message: string | undefined) => void;
  readonly onAnotherCode: () => void;
}

const FITS = (length: number) => length >= 8 && length <= 128;
const WRONG_LENGTH = 'La contraseña debe tener de 8 a 128 caracteres.';

function NewPassword({ recovery, said, onDone, onAnotherCode }: NewPasswordProps) {
  const [password, setPassword] = useState('');
  const [repeat, setRepeat] = useState('');
  const [errors, setErrors] = useState<{ password?: string; repeat?: string }>({});
  // Counted as people count: an emoji is one character, not two.
  const length = [...password].length;
  const dialog = useErrorDialog();
  const change = useMutation({
    mutationFn: async () => {
      const { Email } = recovery;
      await http('/api/Auth/ValidacionPassword', {
        json: { Email, Password: password },
        anonymous: true,
      });
      return call('ResetPassword', { ...recovery, NewPassword: password });
    },
    onSuccess: ({ message }) => onDone(message),
    onError: (error) => {
      // The code was typed in the step before: here it cannot be written again.
      if (isCodeRefused(error)) dialog.show('El código ya no es válido. Pide otro.');
      else dialog.show(errorMessages(error, UNEXPECTED_IN_RECOVERY));
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const isRepeated = password === repeat;
    const found = {
      ...(password ? {} : { password: 'Elige una contraseña.' }),
      // The server judges it once it is typed twice alike: until then, this is said here.
      ...(password && !isRepeated && !FITS(length) && { password: WRONG_LENGTH }),
      ...(isRepeated ? {} : { repeat: 'Las contraseñas no coinciden.' }),
    };
    setErrors(found);
    if (Object.keys(found).length > 0) focusFirstInvalid(event.currentTarget);
    else change.mutate();
  };
  // The ten minutes passed while the password was being thought up.
  const isTooLate = isCodeRefused(change.error);
  return (
    <>
      <Head subtitle="Crea una nueva contraseña segura" said={isTooLate ? undefined : said} />
      <form className={access.form} onSubmit={onSubmit} noValidate>
        <input
          type="hidden"
          name="username"
          autoComplete="username"
          value={recovery.Email}
          readOnly
        />
        <PasswordField
          label="Nueva contraseña"
          autoComplete="new-password"
          {...ACCESS_FIELD}
          value={password}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setErrors({});
          }}
          error={errors.password}
          description={
            FITS(length) ? (
              <span className={classes.fits}>
                <IconCheck size={14} aria-hidden="true" />
                {`${length} caracteres. De 8 a 128, los que quieras.`}
              </span>
            ) : (
              'De 8 a 128 caracteres, los que quieras.'
            )
          }
        />
        <PasswordField
          label="Repite la contraseña"
          autoComplete="new-password"
          {...ACCESS_FIELD}
          value={repeat}
          onChange={(event) => {
            setRepeat(event.currentTarget.value);
            setErrors(({ repeat: _, ...others }) => others);
          }}
          error={errors.repeat}
        />
        <AccessSubmit loading={change.isPending}>Cambiar contraseña</AccessSubmit>
        {isTooLate && (
          <p className={access.below}>
            <button type="button" className={classes.resend} onClick={onAnotherCode}>
              Pedir otro código
            </button>
          </p>
        )}
      </form>
    </>
  );
}
