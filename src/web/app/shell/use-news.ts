import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import type { Novedades } from '../../../contract/novedades.ts';
import { ApiError } from '../../lib/http.ts';
import {
  askNovedades,
  datosSubscripcionQuery,
  novedadesQuery,
  subscriptionExpiredQuery,
} from '../../lib/queries.ts';

/** The server answers before that if something changed. */
const WAIT_SECONDS = 25;
/** Longer than an answer ever takes: the network went away without a word. */
const PATIENCE_MS = 40_000;
/** What changes again and again, as in «Registrar todas», is not asked more often. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * What others do moves the open screen by itself: another device, another program, the AEAT, the mail. One call is held
 * by the server while the tab is seen; when it tells of something new, what it makes stale is asked anew. A hidden tab
 * lets go of it, as browsers open six connections to an address; seen again, it is told what it missed.
 */
export function useNews(): void {
  const queryClient = useQueryClient();
  const isVisible = useSyncExternalStore(onVisibility, () => !document.hidden);
  const known = useRef(queryClient.getQueryData(novedadesQuery.queryKey));

  useEffect(() => {
    if (!isVisible) return;
    const ending = new AbortController();
    void follow(queryClient, known, ending.signal);
    return () => ending.abort();
  }, [isVisible, queryClient]);
}

async function follow(
  queryClient: QueryClient,
  known: RefObject<Novedades | undefined>,
  ending: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!ending.aborted) {
    try {
      // After a failure it asks without waiting: something on the way may bear no call that is held.
      const news = await ask(known.current, failures === 0 ? WAIT_SECONDS : 0, ending);
      if (known.current) tell(queryClient, known.current, news);
      known.current = news;
      failures = 0;
    } catch (error) {
      if (error instanceof ApiError && error.endsSession) return;
      failures++;
    }
    await pause(Math.min(PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS), ending);
  }
}

async function ask(
  known: Novedades | undefined,
  waitSeconds: number,
  ending: AbortSignal,
): Promise<Novedades> {
  const asked = new AbortController();
  const end = () => asked.abort();
  ending.addEventListener('abort', end);
  const timer = setTimeout(end, PATIENCE_MS);
  try {
    return await askNovedades(known, { signal: asked.signal, waitSeconds });
  } finally {
    clearTimeout(timer);
    ending.removeEventListener('abort', end);
  }
}

function tell(queryClient: QueryClient, before: Novedades, now: Novedades): void {
  if (now.facturas !== before.facturas) {
    void queryClient.invalidateQueries({ queryKey: ['invoices'] });
  }
  if (now.cuenta !== before.cuenta) {
    for (const { queryKey } of [datosSubscripcionQuery, subscriptionExpiredQuery]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  }
}

/** Ends sooner when nobody follows any more. */
function pause(milliseconds: number, ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    ending.addEventListener('abort', done);
    function done(): void {
      clearTimeout(timer);
      ending.removeEventListener('abort', done);
      resolve();
    }
  });
}

function onVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}
