import { useQuery } from '@tanstack/react-query';
import { fetchJson } from '../../api/http.js';

interface Info {
  langgraph_js_version: string | null;
  metadata: { version: string };
}

/** Versions of the server and of LangGraph. */
export function ServerVersions() {
  const { data } = useQuery({
    queryKey: ['server', 'info'],
    queryFn: ({ signal }) => fetchJson<Info>('info', { signal }),
    staleTime: 60_000,
  });
  if (data === undefined) return <>&nbsp;</>;
  return (
    <>
      Threadmill {data.metadata.version}
      {data.langgraph_js_version === null ? '' : `, LangGraph ${data.langgraph_js_version}`}
    </>
  );
}
