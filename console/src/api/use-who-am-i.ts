import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { whoAmI, WHO_AM_I, type WhoAmI } from './sign-in.js';

/** Fetches who uses the console, again after every change of the credential. */
export function useWhoAmI(): UseQueryResult<WhoAmI> {
  return useQuery({
    queryKey: WHO_AM_I,
    queryFn: ({ signal }) => whoAmI(signal),
    staleTime: Infinity,
    retry: false,
  });
}
