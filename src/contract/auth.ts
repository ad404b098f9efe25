import { z } from 'zod';

const email = z.string().max(254).default('');
const password = z.string().max(1000).default('');

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
  Reto: z.string().max(2000),
  /** Six digits from the phone, or a recovery code. */
  Codigo: z.string().max(40),
});

export const PasswordCheckBody = z.object({
  Email: email,
  Password: password,
  /** Ours, optional: name and NIF of the company, which the password may not contain. */
  Name: z.string().max(300).optional(),
  VATRegistrationNo: z.string().max(40).optional(),
});

export const CreationCheckBody = z.object({ email, cifNif: z.string().max(40).default('') });

export const SignUpBody = z.object({
  email,
  password,
  fullName: z.string().max(300).default(''),
  cifNif: z.string().max(40).default(''),
  address: z.string().max(300).default(''),
  countryCode: z.string().max(2).default(''),
  postCode: z.string().max(20).default(''),
  subscriptionType: z.string().max(20).default(''),
});
export type SignUpBody = z.infer<typeof SignUpBody>;

/** ForgotPassword, ValidarRecoveryCode and ResetPassword: the same three fields, some empty. */
export const RecoveryBody = z.object({
  Email: email,
  Code: z.string().max(40).default(''),
  NewPassword: password,
});
