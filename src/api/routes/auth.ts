import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  CreationCheckBody,
  LoginAnswer,
  LoginBody,
  PasswordCheckBody,
  RecoveryBody,
  SecondFactorBody,
  SignUpBody,
  TokenAnswer,
} from '../../contract/auth.ts';
import { Empty, Message } from '../../contract/common.ts';
import type { Deps } from '../../deps.ts';
import { DomainError } from '../../domain/errors.ts';
import { checkPassword } from '../../domain/password.ts';
import {
  assertAddressMayTry,
  assertMayTry,
  NEW_TOKENS,
  rationedByAddress,
  rationingFailures,
  returnAddressTry,
} from '../../operations/attempts.ts';
import {
  checkRecoveryCode,
  requestRecoveryCode,
  resetPassword,
} from '../../operations/recover-password.ts';
import { finishSignIn, signIn } from '../../operations/sign-in.ts';
import { signOut } from '../../operations/sign-out.ts';
import { creationProblems, signUpDemo } from '../../operations/sign-up.ts';
import { sessionGuard } from '../auth.ts';
import { FORM_OR_JSON } from '../forms.ts';
import { keyOfPublicCall } from '../idempotency.ts';
import { readChallenge, signChallenge, signToken } from '../tokens.ts';
import { errors, security } from './schemas.ts';

const tags = ['Acceso'];

/** A token younger than this is returned unchanged: a click does not justify a new one. */
const FRESH_TOKEN_MS = 60_000;

export const authRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  await app.register(signInRoutes, deps);
  await app.register(signUpRoutes, deps);
  await app.register(recoveryRoutes, deps);
  await app.register(sessionRoutes, deps);
};

const signInRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.post(
    '/api/Auth/login',
    {
      schema: {
        tags,
        summary: 'Abre una sesión con correo y contraseña',
        body: LoginBody,
        description:
          'Con la verificación en dos pasos activada responde `Reto` en lugar de `tokenJWT`: se manda a `SegundoFactor` con el código.',
        response: { 200: LoginAnswer, ...errors(400, 401, 429) },
      },
    },
    async (request): Promise<LoginAnswer> => {
      const { Email: email, password: small, Password: capital } = request.body;
      const password = small || capital;
      // Nothing was attempted: no account is looked up, and nothing counts against the limit.
      const missing = [
        ...(email.trim() ? [] : ['Escribe tu correo.']),
        ...(password ? [] : ['Escribe tu contraseña.']),
      ];
      if (missing.length > 0) throw new DomainError('BAD_REQUEST', missing);
      const signedIn = await rationingFailures(deps, 'login', request.ip, () =>
        signIn(deps, {
          email,
          password,
          userAgent: request.headers['user-agent'] ?? '',
        }),
      );
      if (signedIn.kind === 'opened') return { tokenJWT: await signToken(deps, signedIn.session) };
      return { segundoFactor: true, Reto: await signChallenge(deps, signedIn.pending) };
    },
  );

  app.post(
    '/api/Auth/SegundoFactor',
    {
      schema: {
        tags,
        summary: 'Termina de abrir la sesión con el código del segundo factor',
        body: SecondFactorBody,
        response: { 200: TokenAnswer, ...errors(400, 401, 409, 429) },
      },
    },
    async (request) => {
      const session = await rationingFailures(deps, 'login', request.ip, async () => {
        const pending = await readChallenge(deps, request.body.Reto);
        if (!pending) {
          throw new DomainError(
            'UNAUTHORIZED',
            'Ha pasado demasiado tiempo. Vuelve a iniciar sesión.',
          );
        }
        return finishSignIn(deps, pending, {
          code: request.body.Codigo,
          userAgent: request.headers['user-agent'] ?? '',
        });
      });
      return { tokenJWT: await signToken(deps, session) };
    },
  );
};

/** The steps of signing up, and the sign-up of a demo; paid ones are in redsys.ts. */
const signUpRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.post(
    '/api/Auth/ValidacionPassword',
    {
      schema: {
        tags,
        summary: 'Comprueba una contraseña antes de elegirla',
        body: PasswordCheckBody,
        response: { 200: Empty, ...errors(400, 429) },
      },
    },
    async ({ ip, body }) => {
      await assertAddressMayTry(deps, 'passwordCheck', ip);
      const errores = checkPassword(body.Password, {
        email: body.Email,
        companyName: body.Name,
        nif: body.VATRegistrationNo,
      });
      if (errores.length > 0) throw new DomainError('BAD_REQUEST', errores, { errores });
      return {};
    },
  );

  app.post(
    '/api/Auth/ValidacionesCreacion',
    {
      schema: {
        tags,
        summary: 'Comprueba el correo y el NIF de un alta',
        consumes: FORM_OR_JSON,
        body: CreationCheckBody,
        response: { 200: Empty, ...errors(400, 429) },
      },
    },
    async ({ ip, body }) => {
      await assertAddressMayTry(deps, 'accountExists', ip);
      const { sentences, revealed } = await creationProblems(deps, body);
      if (!revealed) await returnAddressTry(deps, 'accountExists', ip);
      if (sentences.length > 0) throw new DomainError('BAD_REQUEST', sentences);
      return {};
    },
  );

  app.post(
    '/api/Auth/NewRegisterDemo',
    {
      schema: {
        tags,
        summary: 'Da de alta una empresa con la suscripción Demo',
        consumes: FORM_OR_JSON,
        body: SignUpBody,
        response: { 200: Message, ...errors(400, 409, 429) },
      },
      config: { keepsAnswers: true },
    },
    async (request) => {
      const call = keyOfPublicCall(deps.config, request);
      const answer = {
        message: 'Tu cuenta está lista. Te hemos enviado un correo con los datos de acceso.',
      };
      await rationedByAddress(deps, { done: 'signUp', refused: 'signUpRefused' }, request.ip, () =>
        signUpDemo(deps, request.body, call && { ...call, answer }),
      );
      return answer;
    },
  );
};

const recoveryRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.post(
    '/api/Auth/ForgotPassword',
    {
      schema: {
        tags,
        summary: 'Envía un código de recuperación al correo, si tiene cuenta',
        body: RecoveryBody,
        response: { 200: Message, ...errors(400, 429) },
      },
    },
    async ({ ip, body }) => {
      await assertAddressMayTry(deps, 'forgotPassword', ip);
      await requestRecoveryCode(deps, body.Email);
      return { message: 'Te hemos enviado un código al correo.' };
    },
  );

  app.post(
    '/api/Auth/ValidarRecoveryCode',
    {
      schema: {
        tags,
        summary: 'Comprueba un código de recuperación sin gastarlo',
        body: RecoveryBody,
        response: { 200: Message, ...errors(400, 429) },
      },
    },
    async ({ ip, body }) => {
      await rationingFailures(deps, 'recoveryCode', ip, () =>
        checkRecoveryCode(deps, { email: body.Email, code: body.Code }),
      );
      return { message: 'El código es válido. Introduce nueva contraseña' };
    },
  );

  app.post(
    '/api/Auth/ResetPassword',
    {
      schema: {
        tags,
        summary: 'Cambia la contraseña con un código de recuperación',
        body: RecoveryBody,
        response: { 200: Message, ...errors(400, 429) },
      },
    },
    async ({ ip, body }) => {
      await rationingFailures(deps, 'recoveryCode', ip, () =>
        resetPassword(deps, {
          email: body.Email,
          code: body.Code,
          newPassword: body.NewPassword,
        }),
      );
      return { message: 'Contraseña cambiada con éxito.' };
    },
  );
};

/** Calls for an open session. */
const sessionRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.addHook('onRequest', sessionGuard(deps));

  app.post(
    '/api/Auth/logout',
    {
      schema: {
        tags,
        summary: 'Cierra la sesión, también en el servidor',
        security,
        body: z.unknown(),
        response: { 200: Empty, ...errors(400, 401) },
      },
    },
    async ({ session }, reply) => {
      await signOut(deps, session);
      // Mainly the logo. Not the storage: it holds the copy of an unsaved invoice for its owner.
      reply.header('clear-site-data', '"cache"');
      return {};
    },
  );

  app.post(
    '/api/Auth/RefreshToken',
    {
      schema: {
        tags,
        summary: 'Renueva el token de una sesión abierta',
        security,
        body: z.unknown(),
        response: { 200: TokenAnswer, ...errors(400, 401, 429) },
      },
    },
    async (request) => {
      const { session } = request;
      const age = deps.clock().getTime() - session.tokenIssuedAt.getTime();
      const token = request.headers.authorization?.replace(/^Bearer /i, '');
      if (token && age < FRESH_TOKEN_MS) return { tokenJWT: token };
      await assertMayTry(deps, `token:${session.sid}`, NEW_TOKENS);
      return { tokenJWT: await signToken(deps, session) };
    },
  );
};
