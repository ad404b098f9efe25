import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import type { EstadoPago } from '../../../contract/payments.ts';
import { findPlan } from '../../../domain/plans.ts';
import { eurosOfCents } from '../../lib/format.ts';
import { ApiError } from '../../lib/http.ts';
import { PATHS, renewalPath } from '../../lib/paths.ts';
import { readToken } from '../../lib/session.ts';
import access from '../../ui/access.module.css';
import { AccessLink } from '../../ui/access-link.tsx';
import { usePageTitle } from '../../ui/page-title.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { paymentState, signedAnswer, tellAnswer } from './api.ts';
import classes from './payment-result.module.css';
import { forgetSignUp } from './sign-up-data.ts';
import { recallPayment, type StartedPayment } from './started-payment.ts';

/** The customer left the gateway's page: nothing was refused. */
const CANCELLED = ['9915', '9929'];
/** The bank gives no reason: the sentence is the same as the title. */
const NO_REASON = '0190';
const SLOW_MS = 60_000;
/** The gateway returned the browser as not paid: waits a little longer, in case its notification is on the way. */
const NOT_PAID_MS = 8_000;

/**
 * The page to which the gateway returns the browser. That it does proves nothing: the page shows what the server
 * knows, which asks the gateway and only trusts what that signs.
 */
export function Component() {
  const [params] = useSearchParams();
  const orderId = params.get('orderId') ?? '';
  const [started] = useState(() => recallPayment(orderId));
  const [answer] = useState(() => signedAnswer(params));
  const elapsedMs = useElapsed();
  const { data, error } = useQuery({
    queryKey: ['pago', orderId],
    queryFn: async ({ signal }) => {
      // A rejected answer changes nothing: the gateway has other ways of reporting.
      if (answer) await tellAnswer(answer).catch(() => undefined);
      return paymentState(orderId, signal);
    },
    enabled: orderId !== '',
    staleTime: 0,
    retry: false,
    refetchInterval: (query) => {
      if (query.state.data && query.state.data.estado !== 'pendiente') return false;
      if (isUnknown(query.state.error)) return false;
      return elapsedMs < SLOW_MS ? 2_000 : 10_000;
    },
  });

  if (orderId === '') return <Navigate to={PATHS.signUpAccess} replace />;
  const details = { orderId, started, isRenewal: isRenewalOf(started, data) };
  if (isUnknown(error)) return <Unknown />;
  if (data?.estado === 'pagado')
    return <Paid {...details} {...(data.mensaje ? { mensaje: data.mensaje } : {})} />;
  if (data?.estado === 'denegado') return <Denied {...details} estado={data} />;
  if (data && params.has('ko') && elapsedMs > NOT_PAID_MS && !data.mensaje) {
    return <NotPaid {...details} />;
  }
  return (
    <Confirming
      {...details}
      isSlow={elapsedMs >= SLOW_MS}
      {...(data?.mensaje ? { mensaje: data.mensaje } : {})}
    />
  );
}

interface DetailsProps {
  readonly orderId: string;
  readonly started: StartedPayment | null;
  readonly isRenewal: boolean;
}

function Confirming({
  isSlow,
  mensaje,
  ...details
}: DetailsProps & { readonly isSlow: boolean; readonly mensaje?: string }) {
  return (
    <Result title="Confirmando tu pago" rings={5}>
      <p className={classes.text} role="status">
        {mensaje ??
          (isSlow
            ? 'Está tardando más de lo normal. No pagues otra vez: te escribiremos en cuanto lo sepamos.'
            : 'El banco nos lo comunica en unos segundos. Puedes cerrar esta página: te avisaremos por correo.')}
      </p>
      <Details {...details} />
    </Result>
  );
}

function Paid({ isRenewal, mensaje, ...details }: DetailsProps & { readonly mensaje?: string }) {
  const { started } = details;
  useEffect(() => {
    if (!isRenewal) forgetSignUp();
  }, [isRenewal]);
  if (!isRenewal) {
    const state = started ? { email: started.email } : null;
    return <Navigate to={PATHS.signUpDone} replace state={state} />;
  }
  return (
    <Result title="Suscripción renovada">
      <p className={classes.text} role="status">
        {mensaje ?? 'Hemos recibido tu pago. Te hemos enviado el recibo por correo.'}
      </p>
      <Details {...details} />
      <AccessLink to={PATHS.profile}>Ir al perfil</AccessLink>
    </Result>
  );
}

function Denied({ estado, ...details }: DetailsProps & { readonly estado: EstadoPago }) {
  const { codigo, mensaje } = estado;
  if (codigo && CANCELLED.includes(codigo)) return <Cancelled {...details} />;
  if (estado.devuelto) return <Refunded {...details} estado={estado} />;
  // Without a code it was not denied: it expired, or somebody closed it by hand.
  if (!codigo) {
    return (
      <Result title="El pago no se ha completado" isDenied>
        <p className={classes.text} role="status">
          {mensaje}
        </p>
        <Details {...details} />
        <Retry {...details} />
      </Result>
    );
  }
  return (
    <Result title="El banco ha denegado el pago" isDenied>
      {codigo !== NO_REASON && <p className={classes.reason}>{mensaje}</p>}
      <p className={classes.text} role="status">
        No se te ha cobrado nada y tus datos siguen aquí. Prueba otra vez o con otra tarjeta; si se
        repite, llama a tu banco.
      </p>
      <Details {...details} codigo={codigo} />
      <Retry {...details} />
      <p className={classes.other}>
        <Link to={retryPath(details)} className={access.link}>
          Cambiar de plan
        </Link>
      </p>
    </Result>
  );
}

/** It was charged, and nothing could be delivered for it. Paying again would not help who has an account already. */
function Refunded({ estado, ...details }: DetailsProps & { readonly estado: EstadoPago }) {
  const hasAccount = estado.devuelto === 'cuenta-existente';
  return (
    <Result title="Te devolvemos el importe" isDenied>
      <p className={classes.text} role="status">
        {estado.mensaje}
      </p>
      <Details {...details} />
      <AccessLink to={hasAccount ? PATHS.signIn : PATHS.signUp}>
        {hasAccount ? 'Iniciar sesión' : 'Ir al registro'}
      </AccessLink>
    </Result>
  );
}

function Cancelled(details: DetailsProps) {
  return (
    <Result title="Has cancelado el pago" isDenied>
      <p className={classes.text} role="status">
        No se te ha cobrado nada.
      </p>
      <Details {...details} />
      <Retry {...details} />
    </Result>
  );
}

/** The gateway says that it was not paid, without the reason: cancelled, or denied. */
function NotPaid(details: DetailsProps) {
  return (
    <Result title="El pago no se ha completado" isDenied>
      <p className={classes.text} role="status">
        No se te ha cobrado nada y tus datos siguen aquí. Prueba otra vez cuando quieras.
      </p>
      <Details {...details} />
      <Retry {...details} />
    </Result>
  );
}

function Unknown() {
  return (
    <Result title="No conocemos ese pedido" isDenied>
      <p className={classes.text}>
        Puede que la dirección esté incompleta. Si has pagado, te llegará un correo con el recibo.
      </p>
      <AccessLink to={PATHS.signUp}>Ir al registro</AccessLink>
    </Result>
  );
}

interface ResultProps {
  readonly title: string;
  readonly rings?: number;
  readonly isDenied?: boolean;
  readonly children: ReactNode;
}

/** One of the states of the page: each moves the focus to its title when it appears. */
function Result({ title, children, ...sheet }: ResultProps) {
  return (
    <Sheet {...sheet}>
      <Title key={title} title={title} />
      {children}
    </Sheet>
  );
}

function Title({ title }: { readonly title: string }) {
  const heading = usePageTitle(title);
  return (
    <h1 ref={heading} tabIndex={-1} className={`${access.title} ${classes.title}`}>
      {title}
    </h1>
  );
}

function Details({
  orderId,
  started,
  codigo,
}: Omit<DetailsProps, 'isRenewal'> & { readonly codigo?: string }) {
  const plan = started ? findPlan(started.plan) : undefined;
  return (
    <dl className={access.details}>
      {plan && (
        <>
          <dt>Plan</dt>
          <dd>{plan.name}</dd>
          <dt>Importe</dt>
          <dd className="hu-figures">{eurosOfCents(plan.priceCents)}</dd>
        </>
      )}
      <dt>Pedido</dt>
      <dd>{orderId}</dd>
      {codigo && (
        <>
          <dt>Código</dt>
          <dd>{codigo}</dd>
        </>
      )}
    </dl>
  );
}

function Retry(details: Pick<DetailsProps, 'started' | 'isRenewal'>) {
  return <AccessLink to={retryPath(details)}>Volver a intentarlo</AccessLink>;
}

/** Back to the plans, with what was typed or chosen; a renewal remains one. */
function retryPath({ started, isRenewal }: Pick<DetailsProps, 'started' | 'isRenewal'>): string {
  if (!isRenewal) return PATHS.signUpPayment;
  return started ? renewalPath(started.plan) : PATHS.renewal;
}

/** The server's answer or, until it comes, what this tab started, or whether somebody is signed in here. */
function isRenewalOf(started: StartedPayment | null, data: EstadoPago | undefined): boolean {
  if (data) return data.tipo === 'renovacion';
  return started ? started.isRenewal : readToken() !== null;
}

/** Milliseconds since the page opened, updated every second. */
function useElapsed(): number {
  const [elapsedMs, setElapsed] = useState(0);
  useEffect(() => {
    const start = Date.now();
    const timer = setInterval(() => setElapsed(Date.now() - start), 1_000);
    return () => clearInterval(timer);
  }, []);
  return elapsedMs;
}

const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
