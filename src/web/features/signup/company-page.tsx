import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import type { Option } from '../../../contract/common.ts';
import { checkNif } from '../../../domain/nif.ts';
import { provinceOf, territoryOf } from '../../../domain/postal-code.ts';
import { focusFirstInvalid } from '../../lib/focus-invalid.ts';
import { errorMessages } from '../../lib/http.ts';
import { newKey } from '../../lib/new-key.ts';
import { PATHS } from '../../lib/paths.ts';
import { paisesQuery } from '../../lib/queries.ts';
import access from '../../ui/access.module.css';
import { ACCESS_FIELD } from '../../ui/access-fields.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { checkCreation, checkPassword, registerDemo } from './api.ts';
import { type CompanyField, companyErrors, NIF_LENGTH } from './company-errors.ts';
import { PasswordAgain } from './password-again.tsx';
import {
  forgetSignUp,
  type SignUpData,
  updateSignUp,
  useHasAccess,
  useSignUp,
} from './sign-up-data.ts';
import classes from './signup.module.css';
import { StepHead } from './step-head.tsx';

type Way = 'demo' | 'payment';

export function Component() {
  // Read once: finishing deletes the data, and by then the user is leaving.
  const [hasAccess] = useState(useHasAccess());
  return hasAccess ? <CompanyStep /> : <Navigate to={PATHS.signUpAccess} replace />;
}

function CompanyStep() {
  const data = useSignUp();
  const form = useRef<HTMLFormElement>(null);
  const [askPassword] = useState(data.password === '');
  const [errors, setErrors] = useState<Partial<Record<CompanyField, string>>>({});
  const [nifLeft, setNifLeft] = useState(data.cifNif !== '');
  const paises = usePaises();
  const finish = useFinish(data, { askPassword });
  const busy = finish.isPending ? finish.variables : null;

  const start = (way: Way) => {
    const found = companyErrors(data, { askPassword });
    setErrors(found);
    setNifLeft(true);
    if (Object.keys(found).length > 0) focusFirstInvalid(form.current);
    else finish.mutate(way);
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    start('payment');
  };

  /** An error disappears as soon as its field is changed. */
  const changed = (field: CompanyField) => setErrors(({ [field]: _, ...rest }) => rest);
  const change = (field: CompanyField, value: string) => {
    updateSignUp({ [field]: value });
    changed(field);
  };
  const text = (field: CompanyField) => ({
    ...ACCESS_FIELD,
    name: field,
    value: data[field],
    onChange: (event: { currentTarget: { value: string } }) =>
      change(field, event.currentTarget.value),
    error: errors[field],
  });

  return (
    <>
      <StepHead
        title="Completa tu registro"
        step={{ number: 2, name: 'Datos de empresa' }}
        backTo={PATHS.signUpAccess}
      />
      <form ref={form} className={access.form} onSubmit={onSubmit} noValidate>
        <PasswordAgain
          needed={askPassword}
          error={errors.password}
          onTyped={() => changed('password')}
        />
        <TextInput
          {...text('fullName')}
          label="Nombre de la empresa"
          description="Si eres autónomo, tu nombre y apellidos."
          autoComplete="organization"
        />
        <NifField {...text('cifNif')} isLeft={nifLeft} onBlur={() => setNifLeft(true)} />
        <TextInput {...text('address')} label="Dirección" autoComplete="street-address" />
        <div className={classes.place}>
          <TextInput
            {...text('postCode')}
            label="Código postal"
            autoComplete="postal-code"
            inputMode={data.countryCode === 'ES' ? 'numeric' : 'text'}
          />
          <Select
            label="País"
            name="countryCode"
            {...ACCESS_FIELD}
            searchable
            allowDeselect={false}
            autoComplete="country-name"
            nothingFoundMessage="Ningún país con ese nombre"
            data={paises}
            value={data.countryCode}
            onChange={(value) => change('countryCode', value ?? 'ES')}
            error={errors.countryCode}
          />
        </div>
        <Territory postCode={data.postCode} countryCode={data.countryCode} />
        <p className={classes.note}>
          <IconInfoCircle size={18} stroke={1.8} aria-hidden="true" />
          Deberás subir tu Certificado Digital desde el perfil
        </p>
        <Ways busy={busy} onDemo={() => start('demo')} />
      </form>
    </>
  );
}

/** Spain alone until the others have arrived. */
function usePaises(): readonly Option[] {
  const { data, isError } = useQuery(paisesQuery);
  const dialog = useErrorDialog();
  useEffect(() => {
    if (isError) {
      dialog.show('Error al cargar los datos. Por favor, inténtalo de nuevo más tarde.');
    }
  }, [isError, dialog]);
  return data ?? [{ value: 'ES', label: 'España' }];
}

/** Asks for the demo and leaves, or goes on to the payment, once the server agrees with the data. */
function useFinish(data: SignUpData, { askPassword }: { readonly askPassword: boolean }) {
  const navigate = useNavigate();
  const dialog = useErrorDialog();
  const [demoKey] = useState(newKey);
  // The data with which the demo was requested: the account may already exist, which the server recognises by the
  // key.
  const asked = useRef('');

  return useMutation({
    mutationFn: async (way: Way) => {
      if (askPassword) await checkPassword(data.email, data.password);
      const content = JSON.stringify(data);
      if (way === 'payment' || content !== asked.current) await checkCreation(data);
      if (way === 'payment') return;
      asked.current = content;
      await registerDemo(data, demoKey);
    },
    onSuccess: (_, way) => {
      if (way === 'payment') {
        navigate(PATHS.signUpPayment);
        return;
      }
      navigate(PATHS.signUpDone, { replace: true, state: { email: data.email } });
      forgetSignUp();
    },
    onError: (error) => dialog.show(errorMessages(error)),
  });
}

interface NifFieldProps extends TextInputProps {
  readonly value: string;
  /** Half-typed, it is not wrong until it is left. */
  readonly isLeft: boolean;
}

function NifField({ isLeft, error, ...field }: NifFieldProps) {
  const nif = checkNif(field.value);
  const isComplete = isLeft || field.value.length >= NIF_LENGTH;
  const ownError = !nif.ok && field.value !== '' && isComplete ? nif.mensaje : undefined;
  return (
    <TextInput
      {...field}
      label="NIF/CIF"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      error={error ?? ownError}
      description={nif.ok ? nif.aviso : undefined}
      rightSection={
        nif.ok && <IconCheck size={18} color="var(--hu-accent)" aria-label="NIF correcto" />
      }
    />
  );
}

interface WaysProps {
  /** The one that is under way. */
  readonly busy: Way | null;
  readonly onDemo: () => void;
}

function Ways({ busy, onDemo }: WaysProps) {
  return (
    <>
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="lg"
          disabled={busy === 'payment'}
          aria-busy={busy === 'demo'}
          onClick={() => busy === null && onDemo()}
        >
          {busy === 'demo' ? 'Procesando...' : 'Subscripción Demo'}
        </Button>
        <Button type="submit" size="lg" disabled={busy === 'demo'} loading={busy === 'payment'}>
          Ir al pago
        </Button>
      </div>
      <p className={classes.under}>La Subscripción Demo no pide tarjeta.</p>
    </>
  );
}

interface TerritoryProps {
  readonly postCode: string;
  readonly countryCode: string;
}

/** Those who declare to a foral tax agency are told before paying, not after. */
function Territory({ postCode, countryCode }: TerritoryProps) {
  if (countryCode !== 'ES' || territoryOf(postCode) !== 'foral') return null;
  return (
    <p className={classes.note} data-tone="amber" role="status">
      <IconAlertTriangle size={18} stroke={1.8} aria-hidden="true" />
      <span>
        {provinceOf(postCode)} tiene su propia hacienda, que usa otro sistema (TicketBAI en el País
        Vasco). Huella registra en la AEAT: confirma antes con tu asesoría que es lo que te toca.
      </span>
    </p>
  );
}
