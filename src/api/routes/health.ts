import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { DomainError } from '../../domain/errors.ts';
import { countWaiting, findLatestDesfase } from '../../store/despachos.ts';

const Salud = z.object({
  estado: z.enum(['ok', 'error']),
  version: z.string(),
  baseDatos: z.enum(['ok', 'error']),
  despachador: z.object({ pendientes: z.number(), masAntiguoSegundos: z.number() }),
});

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** Health for a load balancer, metrics for Prometheus. */
export const healthRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const pending = new Gauge({
    name: 'huella_registros_pendientes',
    help: 'Registros that the AEAT has not answered yet',
    registers: [registry],
  });
  const oldest = new Gauge({
    name: 'huella_registro_mas_antiguo_segundos',
    help: 'Seconds that the oldest waiting company has been waiting',
    registers: [registry],
  });

  const clock = new Gauge({
    name: 'huella_desfase_reloj_segundos',
    help: 'Seconds that the AEAT’s clock is ahead of ours, by its newest answer',
    registers: [registry],
  });

  async function readWaiting() {
    const { pendientes, since } = await countWaiting(deps.sql);
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

  app.get('/metricas', { schema: { hide: true } }, async (request, reply) => {
    const token = deps.config.metricasToken;
    const isAllowed = token
      ? request.headers.authorization === `Bearer ${token}`
      : LOOPBACK.test(request.socket.remoteAddress ?? '');
    if (!isAllowed) throw new DomainError('UNAUTHORIZED', 'Las métricas no son públicas.');
    const waiting = await readWaiting();
    pending.set(waiting.pendientes);
    oldest.set(waiting.masAntiguoSegundos);
    const desfase = await findLatestDesfase(deps.sql);
    if (desfase !== null) clock.set(desfase);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
};
