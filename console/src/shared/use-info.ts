import { useQuery } from '@tanstack/react-query';
import { fetchJson } from '../api/http.js';

export interface Info {
  langgraph_js_version: string | null;
  /** `cluster` is missing without a cluster. */
  metadata: { version: string; body_bytes_max: number; cluster?: boolean };
}

/** What the server says of itself; undefined until it has answered. */
export function useInfo(): Info | undefined {
  const { data } = useQuery({
    queryKey: ['server', 'info'],
    queryFn: ({ signal }) => fetchJson<Info>('info', { signal }),
    staleTime: 60_000,
  });
  return data;
}
