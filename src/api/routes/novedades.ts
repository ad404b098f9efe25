import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Unchanged } from '../../contract/common.ts';
import { Novedades, NovedadesHeaders } from '../../contract/novedades.ts';
import type { Deps } from '../../deps.ts';
import { findNovedades } from '../../store/novedades.ts';
import { guardReadings } from '../auth.ts';
import { isKnown } from '../etags.ts';
import { holding } from '../held-time.ts';
import { etagOf, replyNotModified } from '../versioned-lists.ts';
import { errors, security } from './schemas.ts';

/** Shorter than the time limits of proxies and browsers. */
const LONGEST_WAIT_SECONDS = 25;

/**
 * How screens learn of other people's changes: a call that is answered when there is something new (decision 0209).
 * While it is held, it uses neither a database connection nor a transaction.
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
      // Each reading is a call of its own, so that nothing is told to a session that has ended meanwhile.
      const read = async () => {
        scope.admission = admission;
        const novedades = await findNovedades(deps.sql, companyId);
        return { novedades, etag: etagOf(`${novedades.facturas}.${novedades.cuenta}`) };
      };
      const known = headers['if-none-match'];
      const seconds = known === undefined ? 0 : waitAsked(headers.prefer);
      const end = performance.now() + seconds * 1000;
      // Before reading, so that whatever happens from here on is noticed.
      const listening = seconds > 0 ? deps.news.listen(companyId, sid) : null;
      if (listening) reply.raw.once('close', listening.leave);
      try {
        let now = await read();
        let isOver = listening === null;
        while (listening && !isOver && isKnown(known, now.etag)) {
          isOver = !(await holding(request, () => listening.told(end - performance.now())));
          now = await read();
        }
        if (isKnown(known, now.etag)) return replyNotModified(reply, now.etag);
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
