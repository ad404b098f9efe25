import { open, seal } from '../certificate/seal.ts';
import type { Config } from '../config.ts';
import type { GatewayForm, InitPaymentBody, InitRenewPaymentBody } from '../contract/payments.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { findPlan, type Plan } from '../domain/plans.ts';
import { TERMS_VERSION } from '../domain/terms.ts';
import { newDsOrder, paymentForm } from '../payments/form.ts';
import type { Gateway } from '../payments/merchant.ts';
import { findPaymentByOrderId, insertPayment, type Payment } from '../store/payments.ts';
import { assertMayTry, RENEWALS } from './attempts.ts';
import type { NewCompany } from './create-company.ts';
import { type Keep, keepNothing } from './keep-answer.ts';
import { hashPassword } from './password-hash.ts';
import { creationProblems, readSignUp } from './sign-up.ts';

const INVALID_PLAN = 'Plan de suscripción inválido';

/** What is kept of a sign-up until it is paid. Never the password. */
export type PendingCompany = Omit<
  NewCompany,
  'subscriptionType' | 'subscriptionEndsAt' | 'termsAcceptedAt' | 'termsVersion'
> & {
  /** Missing in older rows. */
  readonly termsVersion?: string;
};

/**
 * Starts the payment of a first subscription. The account is created only when the gateway confirms the payment.
 *
 * @param gateway null when the configured gateway is not available
 * @throws {DomainError} BAD_REQUEST (plan, amount, order id, sign-up data), CONFLICT (already paid), UNAVAILABLE
 */
export async function initPayment(
  deps: Deps,
  gateway: Gateway | null,
  body: InitPaymentBody,
): Promise<GatewayForm> {
  const { userData } = body;
  const plan = planFor(userData.subscriptionType, body.totalCents);
  await assertPayable(deps, body.orderId);
  const { sentences } = await creationProblems(deps, userData);
  const company = readSignUp(userData);
  if (sentences.length > 0) throw new DomainError('BAD_REQUEST', sentences);

  const pending: PendingCompany = {
    ...company,
    passwordHash: await hashPassword(userData.password),
    termsVersion: TERMS_VERSION,
  };
  return openPayment(deps, gateway, plan, {
    orderId: body.orderId,
    kind: 'alta',
    companyId: null,
    signUp: (dsOrder) => sealPending(deps.config, dsOrder, pending),
    keep: keepNothing,
  });
}

/**
 * Starts the payment of a renewal, for the company of the session.
 *
 * @throws {DomainError} as {@link initPayment}, and TOO_MANY_REQUESTS
 */
export async function initRenewPayment(
  deps: Deps,
  gateway: Gateway | null,
  companyId: number,
  body: InitRenewPaymentBody,
  keep: Keep<GatewayForm>,
): Promise<GatewayForm> {
  const plan = planFor(body.subscriptionType, body.totalCents);
  await assertPayable(deps, body.orderId);
  await assertMayTry(deps, `renovacion:${companyId}`, RENEWALS);
  return openPayment(deps, gateway, plan, {
    orderId: body.orderId,
    kind: 'renovacion',
    companyId,
    signUp: () => null,
    keep,
  });
}

/** @throws {SealBroken} */
export function openPending(
  config: Pick<Config, 'claveMaestra'>,
  { dsOrder, signUp }: { readonly dsOrder: string; readonly signUp: Buffer },
): PendingCompany {
  const content = open(config.claveMaestra, pendingContext(dsOrder), signUp);
  return JSON.parse(content.toString('utf8')) as PendingCompany;
}

async function openPayment(
  { sql, clock, config }: Deps,
  gateway: Gateway | null,
  plan: Plan,
  what: Pick<Payment, 'orderId' | 'kind' | 'companyId'> & {
    readonly signUp: (dsOrder: string) => Buffer | null;
    readonly keep: Keep<GatewayForm>;
  },
): Promise<GatewayForm> {
  if (!gateway) {
    throw new DomainError('UNAVAILABLE', 'El pago con tarjeta no está disponible ahora mismo.');
  }
  const now = clock();
  const dsOrder = newDsOrder(now);
  const page = `${config.publicUrl}/registro/pago?orderId=${what.orderId}`;
  const form = paymentForm(config.redsys, {
    dsOrder,
    orderId: what.orderId,
    plan,
    urls: {
      notification: `${config.publicUrl}/api/Redsys/Notification`,
      ok: page,
      ko: `${page}&ko=1`,
    },
  });
  const answer = {
    modoTest: config.redsys.entorno !== 'produccion',
    urlTPV: gateway.urlTPV,
    ds_SignatureVersion: form.Ds_SignatureVersion,
    ds_MerchantParameters: form.Ds_MerchantParameters,
    ds_Signature: form.Ds_Signature,
  };
  await sql.begin(async (tx) => {
    await insertPayment(tx, {
      dsOrder,
      orderId: what.orderId,
      kind: what.kind,
      companyId: what.companyId,
      plan: plan.code,
      amountCents: plan.priceCents,
      signUp: what.signUp(dsOrder),
      createdAt: now,
    });
    await what.keep(tx, answer);
  });
  return answer;
}

/** The plan sets the price: a request with any other amount is refused, never signed. */
function planFor(code: string, totalCents: number): Plan {
  const plan = findPlan(code);
  if (!plan || Number(plan.priceCents) !== totalCents) {
    throw new DomainError('BAD_REQUEST', INVALID_PLAN);
  }
  return plan;
}

async function assertPayable({ sql }: Pick<Deps, 'sql'>, orderId: string): Promise<void> {
  if (!/^O[0-9A-Z]{11}$/.test(orderId)) {
    throw new DomainError('BAD_REQUEST', 'El número de pedido no es válido.');
  }
  const before = await findPaymentByOrderId(sql, orderId);
  if (before && CHARGED.includes(before.status)) {
    throw new DomainError('CONFLICT', 'Este pedido ya está pagado.');
  }
}

/** With these statuses the card was charged, whatever happened afterwards. */
const CHARGED: readonly Payment['status'][] = ['paid', 'conflict', 'refunded', 'mismatch'];

export function sealPending(
  { claveMaestra }: Pick<Config, 'claveMaestra'>,
  dsOrder: string,
  pending: PendingCompany,
): Buffer {
  return seal(claveMaestra, pendingContext(dsOrder), Buffer.from(JSON.stringify(pending)));
}

/** Binds the encrypted data to its payment attempt. */
export const pendingContext = (dsOrder: string) => `alta-pendiente:${dsOrder}`;
