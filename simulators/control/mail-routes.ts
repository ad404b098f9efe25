import { z } from 'zod';
import { HttpError, sendHtml, sendJson } from '../http.ts';
import { readJson } from './aeat-routes.ts';
import { mailboxPage } from './mailbox-page.ts';
import type { Routes } from './server.ts';

const MailChange = z.strictObject({ rechazar: z.number().int().min(0) });

export const mailRoutes: Routes = {
  'GET /desarrollo/correo': async ({ response, query }, { mailbox }) => {
    const messages = await mailbox.list(query.get('para') ?? undefined);
    sendJson(
      response,
      200,
      messages.map(({ id: _, ...message }) => message),
    );
  },

  'GET /desarrollo/correo/adjunto': async ({ response, query }, { mailbox }) => {
    const message = await mailbox.find(query.get('id') ?? '');
    const attachment = message?.adjuntos[Number(query.get('n') ?? 0)];
    if (!attachment) throw new HttpError(404, 'Ese adjunto no existe.');
    response.writeHead(200, {
      // Never displayed in the browser: the content of a message is not trusted.
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(attachment.nombre)}`,
    });
    response.end(Buffer.from(attachment.base64, 'base64'));
  },

  'POST /desarrollo/correo/comportamiento': async ({ request, response }, deps) => {
    deps.mailBehaviour.rechazar = MailChange.parse(await readJson(request)).rechazar;
    sendJson(response, 200, deps.mailBehaviour);
  },

  'POST /desarrollo/correo/vaciar': async ({ response }, { mailbox }) => {
    await mailbox.clear();
    sendJson(response, 200, {});
  },

  'GET /desarrollo/buzon': async ({ response, query }, { mailbox }) => {
    const para = query.get('para') ?? '';
    sendHtml(response, 200, mailboxPage(await mailbox.list(para), para));
  },
};
