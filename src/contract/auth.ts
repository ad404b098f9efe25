import { z } from 'zod';
import { name, text } from './common.ts';

const email = text(254).default('');
const password = text(1000).default('');

/** The contract writes this `password` in lower case, and every other one with a capital: both are accepted. */
export const LoginBody = z.object({ Email: email, password, Password: password });
export const TokenAnswer = z.object({ tokenJWT: z.string() });

/** The password was right, and the account has a second factor: `Reto` is sent on to `SegundoFactor`. */
const SecondFactorAsked = z.object({
  segundoFactor: z.literal(true),
  Reto: z.string(),
});
export const LoginAnswer = z.union([TokenAnswer, SecondFactorAsked]);
export type LoginAnswer = z.infer<typeof LoginAnswer>;

export const SecondFactorBody = z.object({
  Reto: text(2000),
  /** Six digits from the phone, or a recovery code. */
  Codigo: text(40),
});

export const PasswordCheckBody = z.object({
  Email: email,
  Password: password,
  /** Ours, optional: name and NIF of the company, which the password may not contain. */
  Name: text(300).optional(),
  VATRegistrationNo: text(40).optional(),
});

export const CreationCheckBody = z.object({ email, cifNif: text(40).default('') });

export const SignUpBody = z.object({
  email,
  password,
  fullName: name(120).default(''),
  cifNif: text(40).default(''),
  address: text(300).default(''),
  countryCode: text(2).default(''),
  postCode: text(20).default(''),
  subscriptionType: text(20).default(''),
});
export type SignUpBody = z.infer<typeof SignUpBody>;

/** ForgotPassword, ValidarRecoveryCode and ResetPassword: the same three fields, some empty. */
export const RecoveryBody = z.object({
  Email: email,
  Code: text(40).default(''),
  NewPassword: password,
});
