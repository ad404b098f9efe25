import { IconLock } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import {
  DEFAULT_PLAN,
  findPlan,
  isDemoApart,
  PLANS,
  type Plan,
  savingsCents,
} from '../../../domain/plans.ts';
import { focusFirstInvalid } from '../../lib/focus-invalid.ts';
import { eurosOfCents, fecha } from '../../lib/format.ts';
import { errorMessages } from '../../lib/http.ts';
import { PATHS } from '../../lib/paths.ts';
import { useProvider } from '../../lib/provider.ts';
import {
  datosEmpresaQuery,
  datosSubscripcionQuery,
  subscriptionExpiredQuery,
} from '../../lib/queries.ts';
import { rememberPlace } from '../../lib/return-place.ts';
import { readToken } from '../../lib/session.ts';
import access from '../../ui/access.module.css';
import { AccessSubmit } from '../../ui/access-submit.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { checkPassword, goToGateway, INVALID_PLAN, initPayment, initRenewal } from './api.ts';
import { PasswordAgain } from './password-again.tsx';
import { updateSignUp, useHasAccess, useSignUp } from './sign-up-data.ts';
import classes from './signup.module.css';
import { rememberPayment } from './started-payment.ts';
import { StepHead } from './step-head.tsx';

const TEST_GATEWAY =
  'La pasarela de pago con tarjeta está en un entorno de pruebas. ¿Quieres continuar?';

const LEAVING_DEMO =
  'Al pagar empieza la facturación real: las facturas de la demo quedan como anuladas, y las nuevas empiezan por 00001.';

/** `/registro/paso3?renovacion`: the same screen for a company that is already signed in. */
export function Component() {
  const [params] = useSearchParams();
  const hasAccess = useHasAccess();
  const renewing = params.has('renovacion');
  if (renewing && readToken() === null) return <SignInFirst />;
  if (!renewing && !hasAccess) return <Navigate to={PATHS.signUpAccess} replace />;
  return renewing ? <Renewal /> : <FirstPayment />;
}

/** The e-mails about renewing lead here, and the session may have ended. */
function SignInFirst() {
  const { search } = useLocation();
  useEffect(() => rememberPlace(`${PATHS.signUpPayment}${search}`), [search]);
  return <Navigate to={PATHS.signIn} replace />;
}

function FirstPayment() {
  const data = useSignUp();
  const [askPassword] = useState(data.password === '');
  const [missing, setMissing] = useState<string>();
  return (
    <PaymentForm
      head={
        <StepHead
          title="Realiza el pago"
          subtitle="Los tres planes incluyen lo mismo."
          step={{ number: 3, name: 'Datos de pago' }}
          backTo={PATHS.signUpCompany}
        />
      }
      plan={data.subscriptionType}
      onPlan={(subscriptionType) => updateSignUp({ subscriptionType })}
      ready={() => {
        const ok = !askPassword || data.password !== '';
        setMissing(ok ? undefined : 'Escribe tu contraseña.');
        return ok;
      }}
      pay={async () => {
        if (askPassword) await checkPassword(data.email, data.password);
        return initPayment(data);
      }}
    >
      <PasswordAgain needed={askPassword} error={missing} onTyped={() => setMissing(undefined)} />
    </PaymentForm>
  );
}

function Renewal() {
  const client = useQueryClient();
  const subscription = useQuery(datosSubscripcionQuery);
  const expired = useQuery(subscriptionExpiredQuery);
  const [plan, setPlan] = usePlanInAddress(subscription.data?.type);
  const { entornoAEAT } = useProvider();
  const ends = expired.data === undefined ? undefined : subscription.data?.expirationdate;
  const isApart =
    subscription.data !== undefined &&
    isDemoApart({ entorno: entornoAEAT }, { subscriptionType: subscription.data.type });
  const sentences = [
    ...(ends ? [`Tu plan actual ${expired.data ? 'acabó' : 'acaba'} el ${fecha(ends)}.`] : []),
    ...(isApart ? [LEAVING_DEMO] : []),
  ];
  const head = (
    <StepHead
      title="Renovación de suscripción"
      {...(sentences.length > 0 ? { subtitle: sentences.join(' ') } : {})}
    />
  );
  // No other plan is selected until it is known which one the company has.
  if (subscription.isPending) return <div data-wide>{head}</div>;
  return (
    <PaymentForm
      head={head}
      plan={plan}
      onPlan={setPlan}
      pay={async () => initRenewal(await client.ensureQueryData(datosEmpresaQuery), plan)}
    />
  );
}

/**
 * The chosen plan, also kept in the address, so that it is still chosen when coming back from the bank without
 * paying. The address is updated asynchronously, which a radio button cannot wait for.
 */
function usePlanInAddress(current: string | undefined): [string, (code: string) => void] {
  const [params, setParams] = useSearchParams();
  const [chosen, setChosen] = useState(params.get('plan'));
  const plan = [chosen, current].find((code) => code && findPlan(code)) ?? DEFAULT_PLAN;
  const setPlan = (code: string) => {
    setChosen(code);
    setParams({ renovacion: '', plan: code }, { replace: true, preventScrollReset: true });
  };
  return [plan, setPlan];
}

interface PaymentFormProps {
  readonly head: React.ReactNode;
  readonly plan: string;
  readonly onPlan: (code: string) => void;
  /** Whether it may be paid already; it reports itself what is missing. */
  readonly ready?: () => boolean;
  readonly pay: () => ReturnType<typeof initPayment>;
  readonly children?: React.ReactNode;
}

function PaymentForm({ head, plan, onPlan, ready, pay, children }: PaymentFormProps) {
  const dialog = useErrorDialog();
  const { empresa, enlaces } = useProvider();
  const payment = useMutation({
    mutationFn: pay,
    onSuccess: ({ form, started }) => {
      if (form.modoTest && !window.confirm(TEST_GATEWAY)) return;
      rememberPayment(started);
      goToGateway(form);
    },
    onError: (error) => dialog.show(errorMessages(error)),
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (payment.isPending) return;
    if (ready?.() === false) {
      focusFirstInvalid(event.currentTarget);
      return;
    }
    if (findPlan(plan)) payment.mutate();
    else dialog.show(INVALID_PLAN);
  };

  return (
    <div data-wide>
      {head}
      <form className={access.form} onSubmit={onSubmit} noValidate>
        {children}
        <fieldset className={classes.plans}>
          <legend className="hu-hidden">Plan</legend>
          {PLANS.map((option) => (
            <PlanCard
              key={option.code}
              plan={option}
              checked={plan === option.code}
              onChoose={() => onPlan(option.code)}
            />
          ))}
        </fieldset>
        <p className={classes.total}>
          <span>
            Total a pagar <span className={classes.taxes}>impuestos incluidos</span>
          </span>
          <strong className="hu-figures" aria-live="polite">
            {eurosOfCents(findPlan(plan)?.priceCents ?? 0n)}
          </strong>
        </p>
        <AccessSubmit
          leftSection={payment.isPending ? null : <IconLock size={16} aria-hidden="true" />}
          aria-busy={payment.isPending}
        >
          {payment.isPending ? 'Procesando...' : 'Pagar'}
        </AccessSubmit>
        <p className={classes.under}>
          Irás a la pasarela de pago del banco. Huella no ve ni guarda los datos de tu tarjeta.
        </p>
        <div className={classes.seller}>
          <p>
            <strong>Vende</strong>
            {empresa.razonSocial} · NIF {empresa.nif}
            <br />
            {empresa.direccion}
          </p>
          <p>
            <strong>¿Algo no cuadra?</strong>
            {empresa.correo} · {empresa.telefono}
            <br />
            <a
              href={enlaces.pagos}
              target="_blank"
              rel="noopener noreferrer"
              className={access.link}
            >
              Pagos y devoluciones
              <span className="hu-hidden">, se abre en otra pestaña</span>
            </a>
          </p>
        </div>
      </form>
    </div>
  );
}

interface PlanCardProps {
  readonly plan: Plan;
  readonly checked: boolean;
  readonly onChoose: () => void;
}

function PlanCard({ plan, checked, onChoose }: PlanCardProps) {
  const saving = savingsCents(plan);
  return (
    <label className={classes.plan}>
      <input type="radio" name="plan" value={plan.code} checked={checked} onChange={onChoose} />
      <span className={classes.planName}>{plan.name}</span>
      <span className={`${classes.planPrice} hu-figures`}>{eurosOfCents(plan.priceCents)}</span>
      <span className={classes.every}>{plan.every}</span>
      {saving > 0n ? (
        <span className={classes.saving}>Ahorras {eurosOfCents(saving)}</span>
      ) : (
        <span className={classes.noSaving}>Lo renuevas cada mes</span>
      )}
    </label>
  );
}
