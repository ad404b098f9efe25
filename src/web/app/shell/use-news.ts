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

/** The server answers sooner if something changes. */
const WAIT_SECONDS = 25;
/** Longer than any answer takes: the network was silently lost. */
const PATIENCE_MS = 40_000;
/** Data that changes continuously, as in «Registrar todas», is not requested more often than this. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Updates the open screen when others change something: another device, another program, the AEAT, the mail. While
 * the tab is visible, the server holds one call; when that reports a change, stale data is requested again. A hidden
 * tab drops the call, because browsers open only six connections to an address; when visible again, it learns what it
 * missed. Once the server is back, what failed meanwhile is requested too.
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
      // After a failure the call does not wait: something in between may not allow held calls.
      const news = await ask(known.current, failures === 0 ? WAIT_SECONDS : 0, ending);
      if (known.current) tell(queryClient, known.current, news);
      known.current = news;
      if (failures > 0) askAgain(queryClient);
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

/** Requests what failed, as it probably did because the server was away: no news would bring it back. */
function askAgain(queryClient: QueryClient): void {
  void queryClient.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.status === 'error',
  });
}

/** Ends sooner when nobody is listening any more. */
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
