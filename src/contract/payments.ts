import { z } from 'zod';
import { SignUpBody } from './auth.ts';
import { numberOrText, text } from './common.ts';

export const InitPaymentBody = z.object({
  orderId: text(40),
  totalCents: numberOrText(z.number().int()),
  /** The sign-up form, as JSON text or as an object. Card data in it is discarded unread. */
  userData: z
    .preprocess(
      (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value),
      text(10_000),
    )
    .transform((text, context): SignUpBody => {
      const read = SignUpBody.safeParse(signUpIn(text));
      if (read.success) return read.data;
      for (const { path, message } of read.error.issues) {
        context.addIssue({ code: 'custom', path, message });
      }
      return z.NEVER;
    }),
});
export type InitPaymentBody = z.infer<typeof InitPaymentBody>;

/** As in the body of a sign-up, a null counts as a field that was left out. Text that is not JSON stays text. */
function signUpIn(text: string): unknown {
  try {
    return JSON.parse(text, (_, inner) => (inner === null ? undefined : inner));
  } catch {
    return text;
  }
}

export const InitRenewPaymentBody = z.object({
  orderId: text(40),
  totalCents: numberOrText(z.number().int()),
  /** Ignored: the session determines whose subscription it is. */
  datosEmpresa: z.unknown(),
  subscriptionType: text(20),
});
export type InitRenewPaymentBody = z.infer<typeof InitRenewPaymentBody>;

/** The gateway's form: its fields are capitalised, `Ds_…`. */
export const GatewayForm = z.object({
  modoTest: z.boolean(),
  urlTPV: z.string(),
  ds_SignatureVersion: z.string(),
  ds_MerchantParameters: z.string(),
  ds_Signature: z.string(),
});
export type GatewayForm = z.infer<typeof GatewayForm>;

export const NotificationBody = z.object({
  Ds_SignatureVersion: text(40),
  Ds_MerchantParameters: text(16_384),
  Ds_Signature: text(200),
});
export type NotificationBody = z.infer<typeof NotificationBody>;

export const EstadoQuery = z.object({ orderId: text(40) });

export const EstadoPago = z.object({
  estado: z.enum(['pendiente', 'pagado', 'denegado']),
  mensaje: z.string().optional(),
  /** Ours: what is being paid, a first subscription or a renewal. */
  tipo: z.enum(['alta', 'renovacion']),
  /** Ours: `Ds_Response` of a denied payment. */
  codigo: z.string().optional(),
  /** Ours: why nothing could be delivered for a payment, whose amount is given back. */
  devuelto: z.enum(['cuenta-existente', 'alta-olvidada', 'cuenta-cerrada']).optional(),
});
export type EstadoPago = z.infer<typeof EstadoPago>;
