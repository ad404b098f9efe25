import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Unchanged } from '../../contract/common.ts';
import { Novedades, NovedadesHeaders } from '../../contract/novedades.ts';
import type { Deps } from '../../deps.ts';
import { findNovedades } from '../../store/novedades.ts';
import { guardReadings } from '../auth.ts';
import { holding } from '../held-time.ts';
import { etagOf, replyNotModified } from '../versioned-lists.ts';
import { errors, security } from './schemas.ts';

/** Less than proxies and browsers bear without an answer. */
const LONGEST_WAIT_SECONDS = 25;

/**
 * How screens are told of what others do: a call that is answered when there is something new (decision 0209). While
 * it is held it has neither a connection of the database nor a transaction.
 */
export const novedadesRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  guardReadings(app, deps);

  app.get(
    '/api/GetData/GetNovedades',
    {
      schema: {
        tags: ['Facturas'],
        security,
        summary:
          'Si algo de la empresa ha cambiado: con If-None-Match y Prefer: wait=25, responde al cambiar o, pasado ese tiempo, 304',
        headers: NovedadesHeaders,
        response: { 200: Novedades, 304: Unchanged, ...errors(401) },
      },
    },
    async (request, reply) => {
      const { headers, scope } = request;
      const { companyId, sid } = request.session;
      const { admission = null } = scope;
      // Each time as a call of its own: what is told meanwhile is for a session that is still open.
      const read = async () => {
        scope.admission = admission;
        const novedades = await findNovedades(deps.sql, companyId);
        return { novedades, etag: etagOf(`${novedades.facturas}.${novedades.cuenta}`) };
      };
      const known = headers['if-none-match'];
      const seconds = known === undefined ? 0 : waitAsked(headers.prefer);
      const end = performance.now() + seconds * 1000;
      // Before it reads: what happens from here on, it is told.
      const listening = seconds > 0 ? deps.news.listen(companyId, sid) : null;
      if (listening) reply.raw.once('close', listening.leave);
      try {
        let now = await read();
        let isOver = listening === null;
        while (listening && !isOver && now.etag === known) {
          isOver = !(await holding(request, () => listening.told(end - performance.now())));
          now = await read();
        }
        if (now.etag === known) return replyNotModified(reply, known);
        reply.header('etag', now.etag);
        return now.novedades;
      } finally {
        listening?.leave();
      }
    },
  );
};

/** `respond-async, wait=25` → 25 */
function waitAsked(prefer = ''): number {
  const seconds = Number(/(?:^|[\s,;])wait\s*=\s*(\d+)/i.exec(prefer)?.[1] ?? 0);
  return Math.min(seconds, LONGEST_WAIT_SECONDS);
}
