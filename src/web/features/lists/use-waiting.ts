import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ConexionAEAT } from '../../../contract/invoices.ts';
import { conexionQuery } from '../../lib/queries.ts';

const WAITING_MS = 2_000;
/** Stopped by a rejection, only a person moves it: nothing is missed by asking seldom. */
const STOPPED_MS = 15_000;

/**
 * How things stand with the AEAT. While something waits it is asked often, and when an invoice
 * moves, the lists are asked again: it goes from pending to history by itself.
 */
export function useWaiting(): ConexionAEAT | undefined {
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...conexionQuery, refetchInterval: ({ state }) => pace(state.data) });
  const counts = data && `${data.enEspera}/${data.aceptadas}/${data.teNecesitan}`;
  const before = useRef(counts);

  useEffect(() => {
    const moved = before.current !== undefined && counts !== before.current;
    before.current = counts;
    if (!moved) return;
    void queryClient.invalidateQueries({
      queryKey: ['invoices'],
      predicate: ({ queryKey }) => queryKey[1] !== conexionQuery.queryKey[1],
    });
  }, [counts, queryClient]);
  return data;
}

function pace(connection: ConexionAEAT | undefined): number | false {
  if (!connection || connection.enEspera === 0) return false;
  return connection.estado === 'parado' ? STOPPED_MS : WAITING_MS;
}
