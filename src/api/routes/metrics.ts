import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import { isLoopback } from '../../domain/device.ts';
import { DomainError } from '../../domain/errors.ts';
import { readClockAhead, readServiceState, type ServiceState } from '../../store/service-state.ts';
import { heldMs } from '../held-time.ts';

/** Metrics of the whole installation by their Prometheus name. Each process gives the same values. */
const GAUGES: Readonly<
  Record<
    string,
    {
      readonly help: string;
      readonly read: (state: ServiceState, now: Date, startedAt: Date) => number | null;
    }
  >
> = {
  huella_registros_pendientes: {
    help: 'Registros that the AEAT has not answered yet',
    read: (state) => state.pendientes,
  },
  huella_registro_mas_antiguo_segundos: {
    help: 'Seconds since the oldest registro was made that nothing holds but the AEAT and this installation',
    read: (state, now) => secondsSince(state.waitingSince, now),
  },
  huella_empresas_sin_conexion: {
    help: 'Companies with a valid certificate, not refused, whose last attempts to reach the AEAT failed',
    read: (state) => state.failing,
  },
  huella_registros_rechazados: {
    help: 'Rejected registros that nobody has corrected; each holds its company',
    read: (state) => state.rechazados,
  },
  huella_empresas_con_rechazo_antiguo: {
    help: 'Companies held for over a day by a rejected registro that nobody has corrected',
    read: (state) => state.conRechazoAntiguo,
  },
  huella_envios_detenidos: {
    help: 'Companies of which the AEAT refuses every message until a person mends why',
    read: (state) => state.enviosDetenidos,
  },
  huella_empresas_detenidas: {
    help: 'Companies with a valid certificate that may not register until they are held against the AEAT',
    read: (state) => state.detenidas,
  },
  huella_empresas_detenidas_sin_certificado: {
    help: 'The same, without a valid certificate: nothing can be asked for them until their owners upload one',
    read: (state) => state.detenidasSinCertificado,
  },
  huella_certificados_caducados: {
    help: 'Certificates that have expired',
    read: (state) => state.certificates.expired,
  },
  huella_certificados_caducan_7_dias: {
    help: 'Certificates that expire within 7 days',
    read: (state) => state.certificates.days7,
  },
  huella_certificados_caducan_30_dias: {
    help: 'Certificates that expire within 30 days',
    read: (state) => state.certificates.days30,
  },
  huella_certificados_rechazados: {
    help: 'Certificates, valid by their dates, that the AEAT refuses; their owners were told',
    read: (state) => state.certificadosRechazados,
  },
  huella_correos_pendientes: {
    help: 'Messages that have not gone out yet',
    read: (state) => state.mails.waiting,
  },
  huella_correo_detenido_segundos: {
    help: 'Seconds since when our mail server has not taken the oldest message, or nobody has tried to send it',
    read: (state, now) => secondsSince(state.mails.stuckSince, now),
  },
  huella_correos_fallidos: {
    help: 'Messages that were given up in the last day because our mail server never took them',
    read: (state) => state.mails.failed,
  },
  huella_pagos_por_revisar: {
    help: 'Payments that gave nothing, do not add up, or were given up because the gateway could not be asked',
    read: (state) => state.payments,
  },
  huella_pagos_sin_factura: {
    help: 'Paid subscriptions that somebody has to invoice by hand',
    read: (state) => state.paymentsToInvoice,
  },
  huella_despachador_visto_hace_segundos: {
    help: 'Seconds since some dispatcher said that it is at work; if none ever did, since this process started',
    read: (state, now, startedAt) => state.dispatcherSeenSeconds ?? secondsSince(startedAt, now),
  },
  huella_desfase_reloj_segundos: {
    help: 'Seconds that the AEAT’s clock is ahead of ours, by its newest answer',
    read: (state) => state.desfaseSegundos,
  },
};

/** Metrics for Prometheus: those of the installation, read from the database, and those of this process. */
export const metricRoutes: FastifyPluginAsyncZod<Deps & { readonly registry: Registry }> = async (
  app,
  { registry, ...deps },
) => {
  collectDefaultMetrics({ register: registry });
  const gauges = Object.entries(GAUGES).map(([name, { help, read }]) => ({
    read,
    gauge: new Gauge({ name, help, registers: [registry] }),
  }));
  // Of this process, whose clock dates what is registered through it.
  const clockAhead = new Gauge({
    name: 'huella_reloj_adelanto_segundos',
    help: 'Seconds that the clock of this process is ahead of that of the database',
    registers: [registry],
  });
  const startedAt = deps.clock();

  app.get('/metricas', { schema: { hide: true } }, async (request, reply) => {
    const token = deps.config.metricasToken;
    const isAllowed = token
      ? isSame(request.headers.authorization ?? '', `Bearer ${token}`)
      : comesFromHere(request);
    if (!isAllowed) throw new DomainError('UNAUTHORIZED', 'Las métricas no son públicas.');
    clockAhead.set(await readClockAhead(deps.sql, deps.clock));
    const now = deps.clock();
    const state = await readServiceState(deps.sql, now, {
      areDemosApart: deps.config.aeat.entorno === 'produccion',
    });
    for (const { read, gauge } of gauges) {
      const value = read(state, now, startedAt);
      if (value === null) gauge.remove();
      else gauge.set(value);
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
};

/**
 * Series whose increase an alert watches. They exist from the start, at zero, because Prometheus sees no increase in
 * a series that first appears with a value.
 */
const WATCHED_REFUSALS = [
  { route: '/api/Redsys/Notification', status: '400' },
  { route: '/api/Auth/login', status: '401' },
  { route: '/api/Auth/login', status: '429' },
] as const;

/** The part of an application needed here, whatever its logger. */
interface Hookable {
  addHook(
    name: 'onResponse',
    hook: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void,
  ): unknown;
}

/**
 * Measures how long the calls of an application take, minus the time for which they were held on purpose. By route
 * pattern, never by actual address, which could identify somebody.
 */
export function timeRequests(app: Hookable): Registry {
  const registry = new Registry();
  const seconds = new Histogram({
    name: 'huella_http_segundos',
    help: 'Seconds that calls took',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  for (const refused of WATCHED_REFUSALS) seconds.zero({ method: 'POST', ...refused });
  app.addHook('onResponse', (request, reply, done) => {
    seconds.observe(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'ninguna',
        status: String(reply.statusCode),
      },
      Math.max(0, reply.elapsedTime - heldMs(request)) / 1000,
    );
    done();
  });
  return registry;
}

/** Whether the request comes from this machine and not through a proxy on it, which adds a header. */
function comesFromHere({ socket, headers }: FastifyRequest): boolean {
  const isPassedOn = headers['x-forwarded-for'] ?? headers.forwarded;
  return isPassedOn === undefined && isLoopback(socket.remoteAddress ?? '');
}

/** Compares in constant time. */
function isSame(given: string, right: string): boolean {
  const [a, b] = [given, right].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer);
}

function secondsSince(since: Date | null, now: Date): number {
  return since ? Math.max(0, Math.round((now.getTime() - since.getTime()) / 1000)) : 0;
}
