import type { EstadoPago, GatewayForm } from '../../../contract/payments.ts';
import { DEMO_SUBSCRIPTION_TYPE, findPlan } from '../../../domain/plans.ts';
import { http } from '../../lib/http.ts';
import type { SignUpData } from './sign-up-data.ts';
import type { StartedPayment } from './started-payment.ts';

/** @throws {ApiError} with one sentence per broken rule. */
export const checkPassword = (Email: string, Password: string) =>
  http('/api/Auth/ValidacionPassword', { json: { Email, Password }, anonymous: true });

/** @throws {ApiError} when the e-mail or the NIF is not accepted. */
export const checkCreation = ({ email, cifNif }: SignUpData) =>
  http('/api/Auth/ValidacionesCreacion', { form: { email, cifNif }, anonymous: true });

/** Creates a demo account. Thanks to `idempotencyKey`, a second click gives the same account. */
export const registerDemo = (data: SignUpData, idempotencyKey: string) =>
  http('/api/Auth/NewRegisterDemo', {
    form: { ...data, subscriptionType: DEMO_SUBSCRIPTION_TYPE },
    anonymous: true,
    idempotencyKey,
  });

/** A payment ready for the gateway, with the form that the server signed. */
export interface ReadyPayment {
  readonly started: StartedPayment;
  readonly form: GatewayForm;
}

export const INVALID_PLAN = 'Plan de suscripción inválido';

/** @throws {Error} when the plan is not for sale; {ApiError} when the server refuses. */
export function initPayment(data: SignUpData): Promise<ReadyPayment> {
  const { plan, ...order } = newOrder(data.subscriptionType);
  return http<GatewayForm>('/api/Redsys/InitPayment', {
    json: { ...order, userData: JSON.stringify(data) },
    anonymous: true,
  }).then((form) => ({
    form,
    started: { orderId: order.orderId, plan, isRenewal: false, email: data.email.trim() },
  }));
}

export function initRenewal(
  datosEmpresa: unknown,
  subscriptionType: string,
): Promise<ReadyPayment> {
  const { plan, ...order } = newOrder(subscriptionType);
  return http<GatewayForm>('/api/Redsys/InitRenewPayment', {
    json: { ...order, datosEmpresa: JSON.stringify(datosEmpresa), subscriptionType },
  }).then((form) => ({
    form,
    started: { orderId: order.orderId, plan, isRenewal: true, email: '' },
  }));
}

/** The gateway's signed answer, if the terminal includes it in the return address. */
export interface SignedAnswer {
  readonly Ds_SignatureVersion: string;
  readonly Ds_MerchantParameters: string;
  readonly Ds_Signature: string;
}

/** @returns null when the address does not contain all of it */
export function signedAnswer(params: URLSearchParams): SignedAnswer | null {
  const read = (name: string) => params.get(name) ?? '';
  const answer = {
    Ds_SignatureVersion: read('Ds_SignatureVersion'),
    Ds_MerchantParameters: read('Ds_MerchantParameters'),
    Ds_Signature: read('Ds_Signature'),
  };
  return Object.values(answer).every(Boolean) ? answer : null;
}

/** Passes it to the server, which accepts it if its signature is right, however often it comes. */
export const tellAnswer = (answer: SignedAnswer) =>
  http('/api/Redsys/Notification', { json: answer, anonymous: true });

/** The state of that payment on the server. */
export const paymentState = (orderId: string, signal: AbortSignal) =>
  http<EstadoPago>(`/api/Redsys/Estado?orderId=${encodeURIComponent(orderId)}`, {
    anonymous: true,
    signal,
  });

function newOrder(code: string) {
  const plan = findPlan(code);
  if (!plan) throw new Error(INVALID_PLAN);
  return { plan: plan.code, orderId: newOrderId(), totalCents: Number(plan.priceCents) };
}

const BASE_36 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** `O` and eleven random characters of base 36. */
export function newOrderId(): string {
  // Bytes from 252 on are drawn again: 252 is a multiple of 36, so every character is equally likely.
  let id = 'O';
  while (id.length < 12) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < 252) id += BASE_36[byte % 36];
  }
  return id;
}

/** Goes to the gateway's page by posting its form as a browser navigation. */
export function goToGateway(form: GatewayForm): void {
  const element = document.createElement('form');
  element.method = 'POST';
  element.action = form.urlTPV;
  element.hidden = true;
  const fields = {
    Ds_SignatureVersion: form.ds_SignatureVersion,
    Ds_MerchantParameters: form.ds_MerchantParameters,
    Ds_Signature: form.ds_Signature,
  };
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    element.append(input);
  }
  document.body.append(element);
  element.submit();
}
