import type { FastifyRequest } from 'fastify';

interface Held {
  ms: number;
  since: number | null;
}

const times = new WeakMap<FastifyRequest, Held>();

/** Waits on purpose: this time does not count as slowness of the call. */
export async function holding<T>(request: FastifyRequest, wait: () => Promise<T>): Promise<T> {
  const held = times.get(request) ?? { ms: 0, since: null };
  times.set(request, held);
  held.since = performance.now();
  try {
    return await wait();
  } finally {
    held.ms = heldMs(request);
    held.since = null;
  }
}

/** How long a call has been held so far, even if its client went away meanwhile. */
export function heldMs(request: FastifyRequest): number {
  const held = times.get(request);
  if (!held) return 0;
  return held.ms + (held.since === null ? 0 : performance.now() - held.since);
}
