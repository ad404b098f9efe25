import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { conexionQuery } from '../../lib/queries.ts';

/**
 * What the AEAT answers moves the open screen by itself: while something waits, its counts are
 * asked every few seconds, and when they change every list and figure of invoices is asked anew.
 */
export function useMovingInvoices(): void {
  const queryClient = useQueryClient();
  const { data } = useQuery(conexionQuery);
  const counts = data && `${data.aceptadas} ${data.enEspera} ${data.teNecesitan}`;
  const before = useRef(counts);

  useEffect(() => {
    if (before.current !== undefined && counts !== undefined && before.current !== counts) {
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [family, call] }) =>
          family === 'invoices' && call !== conexionQuery.queryKey[1],
      });
    }
    before.current = counts;
  }, [counts, queryClient]);
}
