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

/**
 * A long call that continues when its screen is closed: a user who comes back sees its progress, or its answer.
 *
 * @param call gets a function to report its progress
 */
export function useLongCall<Asked, Answer>(
  name: string,
  call: (asked: Asked, onCount: (count: Count) => void) => Promise<Answer>,
) {
  const client = useQueryClient();
  const key = ['long-call', name];
  const { mutate } = useMutation({
    mutationKey: key,
    mutationFn: (asked: Asked) => call(asked, (count) => client.setQueryData(key, count)),
    onMutate: () => {
      client.setQueryData(key, null);
    },
  });
  const { data: count = null } = useQuery<Count | null>({ queryKey: key, queryFn: skipToken });
  const calls = useMutationState({
    filters: { mutationKey: key },
    select: ({ state }) => state as MutationState<Answer, Error, Asked>,
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
    data: shown?.data,
    error: shown?.error ?? null,
  };
}
