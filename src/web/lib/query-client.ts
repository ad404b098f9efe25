import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './http.ts';

/** No answer and 5xx are worth another attempt; a refusal will be the same the second time. */
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
    // A write without a connection fails at once. By default the library would pause it, showing «Guardando…», and do
    // it when the connection is back: an invoice registered with nobody watching.
    mutations: { retry: false, networkMode: 'always' },
  },
});
