import { QueryClient } from '@tanstack/react-query';
import { statusOf } from './http.js';

/** Cache of API reads. Requests without a response are retried; error responses are not. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (failures, error) => failures < 3 && statusOf(error) === 0,
      refetchOnWindowFocus: true,
    },
  },
});
