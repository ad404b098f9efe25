import {
  type MutationState,
  skipToken,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Count } from '../../ui/progress-line.tsx';

/** How to stop each call that is under way, from any visit to its screen. */
const underWay = new Map<string, AbortController>();

export interface Going {
  readonly onCount: (count: Count) => void;
  /** The user has stopped it. */
  readonly signal: AbortSignal;
}

/**
 * A long call that continues when its screen is closed: a user who comes back sees its progress, or its answer, and
 * can stop it.
 */
export function useLongCall<Asked, Answer>(
  name: string,
  call: (asked: Asked, going: Going) => Promise<Answer>,
) {
  const client = useQueryClient();
  const key = ['long-call', name];
  const { mutate } = useMutation({
    mutationKey: key,
    mutationFn: async (asked: Asked): Promise<Answer | null> => {
      const controller = new AbortController();
      const { signal } = controller;
      underWay.set(name, controller);
      try {
        return await call(asked, { onCount: (count) => client.setQueryData(key, count), signal });
      } catch (error) {
        if (signal.aborted) return null;
        throw error;
      }
    },
    onMutate: () => {
      client.setQueryData(key, null);
    },
  });
  const { data: count = null } = useQuery<Count | null>({ queryKey: key, queryFn: skipToken });
  const calls = useMutationState({
    filters: { mutationKey: key },
    select: ({ state }) => state as MutationState<Answer | null, Error, Asked>,
  });
  // A result that was seen is not shown at the next visit, when it may no longer hold.
  useEffect(
    () => () => {
      const cache = client.getMutationCache();
      for (const seen of cache.findAll({ mutationKey: ['long-call', name] })) {
        if (seen.state.status !== 'pending') cache.remove(seen);
      }
    },
    [client, name],
  );
  const [putAwayAt, setPutAwayAt] = useState(0);
  const last = calls.at(-1);
  const isPending = last?.status === 'pending';
  const shown = last && (isPending || last.submittedAt > putAwayAt) ? last : undefined;
  return {
    start: mutate,
    /** Its answer belongs to an earlier question now. */
    putAway: () => setPutAwayAt(Date.now()),
    isPending,
    /** What is, or was, asked. */
    asked: shown?.variables,
    count,
    /** The server notices that nobody waits, and ends the work. */
    stop: () => underWay.get(name)?.abort(),
    isStopped: shown?.status === 'success' && shown.data === null,
    data: shown?.data ?? undefined,
    error: shown?.error ?? null,
  };
}
