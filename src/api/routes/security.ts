import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Empty } from '../../contract/common.ts';
import {
  ActivarBody,
  CodigosRecuperacion,
  ConfirmBody,
  EventosQuery,
  EventosSeguridad,
  SegundoFactor,
  SegundoFactorPreparado,
  Sesion,
} from '../../contract/security.ts';
import type { Deps } from '../../deps.ts';
import { deviceWords } from '../../domain/device.ts';
import { securityEventText } from '../../domain/security-events.ts';
import { closeOtherSessions } from '../../operations/other-sessions.ts';
import {
  activateSecondFactor,
  deactivateSecondFactor,
  prepareSecondFactor,
  renewCodes,
  secondFactorState,
} from '../../operations/second-factor.ts';
import { listSecurityEvents } from '../../store/security-events.ts';
import { listOpenSessions } from '../../store/sessions.ts';
import { sessionGuard } from '../auth.ts';
import { errors, privateCall, security } from './schemas.ts';

const tags = ['Seguridad'];

/** What a company sees and does about its own security. The answers contain secrets, so none is kept. */
export const securityRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.addHook('onRequest', sessionGuard(deps));

  app.get(
    '/api/GetData/GetSesiones',
    privateCall(tags, 'Sesiones abiertas de la cuenta', z.array(Sesion)),
    async ({ session }) => {
      const sessions = await listOpenSessions(deps.sql, session.companyId, deps.clock());
      return sessions.map((open) => ({
        dispositivo: deviceWords(open.userAgent),
        direccion: open.address,
        inicio: open.createdAt.toISOString(),
        ultimoUso: open.lastSeenAt.toISOString(),
        actual: open.sid === session.sid,
      }));
    },
  );

  app.get(
    '/api/GetData/GetEventosSeguridad',
    {
      schema: {
        tags,
        summary: 'Lo que ha pasado con la seguridad de la cuenta, lo último primero',
        security,
        querystring: EventosQuery,
        response: { 200: EventosSeguridad, ...errors(400, 401) },
      },
    },
    async ({ session, query: { page, pageSize, parte } }) => {
      const { events, total } = await listSecurityEvents(deps.sql, session.companyId, {
        limit: pageSize,
        offset: (page - 1) * pageSize,
        part: parte,
      });
      const rows = events.map((event) => ({
        fecha: event.at.toISOString(),
        tipo: event.kind,
        texto: securityEventText(event.kind),
        detalle: event.detail,
        dispositivo: event.userAgent === '' ? '' : deviceWords(event.userAgent),
        direccion: event.address,
      }));
      return { rows, total, page, pageSize };
    },
  );

  app.get(
    '/api/GetData/GetSegundoFactor',
    privateCall(tags, 'Si la verificación en dos pasos está activada', SegundoFactor),
    async ({ session }) => {
      const state = await secondFactorState(deps, session.companyId);
      return {
        activo: state.isActive,
        ...(state.since && { desde: state.since.toISOString() }),
        codigosRestantes: state.codesLeft,
      };
    },
  );

  app.post(
    '/api/PostData/CerrarSesiones',
    {
      schema: {
        tags,
        summary: 'Cierra las demás sesiones de la cuenta',
        security,
        body: z.unknown(),
        response: { 200: z.object({ cerradas: z.number() }), ...errors(400, 401) },
      },
    },
    async ({ session }) => ({ cerradas: await closeOtherSessions(deps, session) }),
  );

  const answers = <Answer extends z.ZodType>(answer: Answer) => ({
    200: answer,
    ...errors(400, 401, 409, 429),
  });

  app.post(
    '/api/PostData/PrepararSegundoFactor',
    {
      schema: {
        tags,
        summary: 'Crea la clave que escanea el teléfono; no pide nada hasta que se activa',
        security,
        body: ConfirmBody,
        response: answers(SegundoFactorPreparado),
      },
    },
    async ({ session, body }) => {
      const { uri, secret } = await prepareSecondFactor(deps, session, body?.PasswordActual ?? '');
      return { uri, secreto: secret };
    },
  );

  app.post(
    '/api/PostData/ActivarSegundoFactor',
    {
      schema: {
        tags,
        summary: 'Activa la verificación en dos pasos con un código del teléfono',
        security,
        body: ActivarBody,
        response: answers(CodigosRecuperacion),
      },
    },
    async ({ session, body }) => ({
      codigos: [...(await activateSecondFactor(deps, session, body.Codigo))],
    }),
  );

  app.post(
    '/api/PostData/RenovarCodigos',
    {
      schema: {
        tags,
        summary: 'Cambia los códigos de recuperación por otros diez',
        security,
        body: ConfirmBody,
        response: answers(CodigosRecuperacion),
      },
    },
    async ({ session, body }) => ({
      codigos: [...(await renewCodes(deps, session, body?.PasswordActual ?? ''))],
    }),
  );

  app.post(
    '/api/PostData/DesactivarSegundoFactor',
    {
      schema: {
        tags,
        summary: 'Desactiva la verificación en dos pasos',
        security,
        body: ConfirmBody,
        response: answers(Empty),
      },
    },
    async ({ session, body }) => {
      await deactivateSecondFactor(deps, session, body?.PasswordActual ?? '');
      return {};
    },
  );
};
