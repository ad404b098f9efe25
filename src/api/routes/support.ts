import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Message } from '../../contract/common.ts';
import { SupportMailBody } from '../../contract/company.ts';
import type { Deps } from '../../deps.ts';
import { sendSupportMail } from '../../operations/send-support-mail.ts';
import { sessionGuard } from '../auth.ts';
import { FORM_OR_JSON } from '../forms.ts';
import { acceptIdempotencyKeys, keeperOf } from '../idempotency.ts';
import { errors, security } from './schemas.ts';

const RECEIVED = { message: 'Hemos recibido tu consulta. Te responderemos por correo.' };

export const supportRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.addHook('onRequest', sessionGuard(deps));
  acceptIdempotencyKeys(app, deps);

  app.post(
    '/api/PostData/sendMailSupport',
    {
      schema: {
        tags: ['Soporte'],
        summary: 'Envía una consulta a soporte',
        security,
        consumes: FORM_OR_JSON,
        body: SupportMailBody,
        response: { 200: Message, ...errors(400, 401, 429) },
      },
    },
    async (request) => {
      const { session, body } = request;
      const message = { asunto: body.Asunto, body: body.Body };
      await sendSupportMail(
        deps,
        session.companyId,
        message,
        keeperOf(request, () => RECEIVED),
      );
      return RECEIVED;
    },
  );
};
