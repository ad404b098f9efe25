import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { ErrorBody, Message } from '../../contract/common.ts';
import { SupportMailBody } from '../../contract/company.ts';
import type { Deps } from '../../deps.ts';
import { sendSupportMail } from '../../operations/send-support-mail.ts';
import { sessionGuard } from '../auth.ts';
import { acceptIdempotencyKeys } from '../idempotency.ts';

export const supportRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.addHook('onRequest', sessionGuard(deps));
  acceptIdempotencyKeys(app, deps);

  app.post(
    '/api/PostData/sendMailSupport',
    {
      schema: {
        tags: ['Soporte'],
        summary: 'Envía una consulta a soporte',
        security: [{ sesion: [] }],
        body: SupportMailBody,
        response: { 200: Message, 400: ErrorBody, 401: ErrorBody, 429: ErrorBody },
      },
    },
    async ({ session, body }) => {
      await sendSupportMail(deps, session.companyId, { asunto: body.Asunto, body: body.Body });
      return { message: 'Hemos recibido tu consulta. Te responderemos por correo.' };
    },
  );
};
