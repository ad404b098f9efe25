import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { countWaiting } from '../../store/despachos.ts';
import { answerWithin } from '../../store/sql.ts';
import { throttled } from '../../store/throttled.ts';

/** A load balancer needs an answer soon. */
const PATIENCE_MS = 3_000;
/** If counting what waits takes longer, it is started again: its connection may be gone. */
const COUNTED_MS = 30_000;

const Salud = z.object({
  estado: z.enum(['ok', 'cerrando', 'error']),
  version: z.string(),
  baseDatos: z.enum(['ok', 'error']),
  despachador: z.object({ pendientes: z.number(), masAntiguoSegundos: z.number() }),
});

/** The balancer sends no more requests here; those that arrive are still answered. */
const ENDING = { estado: 'cerrando', baseDatos: 'ok' } as const;

/** Health for a load balancer. */
export const healthRoutes: FastifyPluginAsyncZod<Deps & { readonly ending: AbortSignal }> = async (
  app,
  deps,
) => {
  const count = throttled(() =>
    answerWithin(COUNTED_MS, () =>
      countWaiting(deps.sql, deps.clock(), {
        areDemosApart: deps.config.aeat.entorno === 'produccion',
      }),
    ),
  );

  async function readWaiting() {
    const [{ pendientes, since }] = await answerWithin(PATIENCE_MS, () =>
      Promise.all([count(), deps.sql`select 1`]),
    );
    const seconds = since ? Math.max(0, (deps.clock().getTime() - since.getTime()) / 1000) : 0;
    return { pendientes, masAntiguoSegundos: Math.round(seconds) };
  }

  app.get(
    '/salud',
    { schema: { summary: 'Estado del servicio', response: { 200: Salud, 503: Salud } } },
    async (request, reply) => {
      const { version } = deps.config;
      try {
        const despachador = await readWaiting();
        if (deps.ending.aborted) {
          return reply.status(503).send({ ...ENDING, version, despachador });
        }
        return { estado: 'ok' as const, version, baseDatos: 'ok' as const, despachador };
      } catch (error) {
        request.log.warn({ err: error }, 'the database does not answer');
        return reply.status(503).send({
          estado: 'error',
          version,
          baseDatos: 'error',
          despachador: { pendientes: 0, masAntiguoSegundos: 0 },
        });
      }
    },
  );
};
