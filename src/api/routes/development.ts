import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Deps, Runtime } from '../../deps.ts';
import { DomainError } from '../../domain/errors.ts';
import { contentPolicy } from '../content-policy.ts';

/** Headers of the simulators' answers that are passed on. */
const PASSED_ON = ['content-type', 'content-disposition'];

const TOO_FAR = 'El reloj no puede adelantarse más de cincuenta años en total.';

/**
 * Tools to try the product with its simulators. Only registered where simulators run, never in production (CONTRACT:
 * «nothing of /desarrollo exists»).
 */
export const developmentRoutes: FastifyPluginAsyncZod<Deps & { runtime: Runtime }> = async (
  app,
  { runtime },
) => {
  const { controlUrl, moveClock } = runtime;
  if (!controlUrl || !moveClock) return;

  app.post(
    '/desarrollo/reloj',
    { schema: { hide: true, body: z.object({ avanzarSegundos: z.number().int().min(0) }) } },
    async (request) => {
      const isMoved = await moveClock(request.body.avanzarSegundos);
      if (!isMoved) throw new DomainError('BAD_REQUEST', TOO_FAR);
      return {};
    },
  );

  app.all('/desarrollo/*', { schema: { hide: true } }, async (request, reply) => {
    const hasBody = request.method !== 'GET' && request.body !== undefined;
    const answer = await fetch(new URL(request.url, controlUrl), {
      method: request.method,
      ...(hasBody
        ? { body: JSON.stringify(request.body), headers: { 'content-type': 'application/json' } }
        : {}),
    }).catch((cause: unknown) => {
      throw new DomainError('UNAVAILABLE', 'Los simuladores no responden.', { cause });
    });
    // Captured mail contains inline styles, as e-mail has to.
    reply.header('content-security-policy', contentPolicy([], { elements: ["'unsafe-inline'"] }));
    for (const name of PASSED_ON) {
      const value = answer.headers.get(name);
      if (value) reply.header(name, value);
    }
    return reply.status(answer.status).send(Buffer.from(await answer.arrayBuffer()));
  });
};
