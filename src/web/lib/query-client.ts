import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './http.ts';

/** No answer and 5xx are worth another try; a refusal says the same the second time. */
function worthRetrying(failures: number, error: unknown): boolean {
  const status = error instanceof ApiError ? error.status : 500;
  return failures < 2 && (status === 0 || status >= 500);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: worthRetrying,
      retryDelay: (failures) => 300 * 2 ** failures,
      refetchOnWindowFocus: true,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // What is asked without a connection fails then and there. The library would keep it, saying
    // «Guardando…», and do it when the connection is back: an invoice registered with nobody looking.
    mutations: { retry: false, networkMode: 'always' },
  },
});
