import { Button, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
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
import { forgetSignUp, updateSignUp, useHasAccess, useSignUp } from './sign-up-data.ts';
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
  const navigate = useNavigate();
  const dialog = useErrorDialog();
  const form = useRef<HTMLFormElement>(null);
  const [askPassword] = useState(data.password === '');
  const [errors, setErrors] = useState<Partial<Record<CompanyField, string>>>({});
  const [nifLeft, setNifLeft] = useState(data.cifNif !== '');
  const [demoKey] = useState(newKey);
  // The data with which the demo was requested: the account may already exist, which the server recognises by the
  // key.
  const asked = useRef('');
  const paises = useQuery(paisesQuery);

  useEffect(() => {
    if (paises.isError) {
      dialog.show('Error al cargar los datos. Por favor, inténtalo de nuevo más tarde.');
    }
  }, [paises.isError, dialog]);

  const go = useMutation({
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

  const start = (way: Way) => {
    const found = companyErrors(data, { askPassword });
    setErrors(found);
    setNifLeft(true);
    if (Object.keys(found).length > 0) focusFirstInvalid(form.current);
    else go.mutate(way);
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    start('payment');
  };

  /** An error disappears as soon as its field is changed. */
  const change = (field: CompanyField, value: string) => {
    updateSignUp({ [field]: value });
    setErrors(({ [field]: _, ...rest }) => rest);
  };
  const text = (field: CompanyField) => ({
    ...ACCESS_FIELD,
    name: field,
    value: data[field],
    onChange: (event: { currentTarget: { value: string } }) =>
      change(field, event.currentTarget.value),
    error: errors[field],
  });

  const nif = checkNif(data.cifNif);
  const nifIsWrong = !nif.ok && data.cifNif !== '' && (nifLeft || data.cifNif.length >= NIF_LENGTH);
  const busy = go.isPending ? go.variables : null;

  return (
    <>
      <StepHead
        title="Completa tu registro"
        step={{ number: 2, name: 'Datos de empresa' }}
        backTo={PATHS.signUpAccess}
      />
      <form ref={form} className={access.form} onSubmit={onSubmit} noValidate>
        <PasswordAgain needed={askPassword} error={errors.password} />
        <TextInput
          {...text('fullName')}
          label="Nombre de la empresa"
          description="Si eres autónomo, tu nombre y apellidos."
          autoComplete="organization"
        />
        <TextInput
          {...text('cifNif')}
          label="NIF/CIF"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={errors.cifNif ?? (nifIsWrong && !nif.ok ? nif.mensaje : undefined)}
          description={nif.ok ? nif.aviso : undefined}
          onBlur={() => setNifLeft(true)}
          rightSection={
            nif.ok && <IconCheck size={18} color="var(--hu-accent)" aria-label="NIF correcto" />
          }
        />
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
            data={paises.data ?? [{ value: 'ES', label: 'España' }]}
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
        <div className={classes.buttons}>
          <Button
            variant="default"
            size="lg"
            disabled={busy === 'payment'}
            aria-busy={busy === 'demo'}
            onClick={() => busy === null && start('demo')}
          >
            {busy === 'demo' ? 'Procesando...' : 'Subscripción Demo'}
          </Button>
          <Button type="submit" size="lg" disabled={busy === 'demo'} loading={busy === 'payment'}>
            Ir al pago
          </Button>
        </div>
        <p className={classes.under}>La Subscripción Demo no pide tarjeta.</p>
      </form>
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
