import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/http.js';

interface Info {
  langgraph_js_version: string | null;
  metadata: { version: string };
}

/** Which version this is, in a line. */
export function ServerAbout() {
  const { data } = useQuery({
    queryKey: ['server', 'info'],
    queryFn: ({ signal }) => ask<Info>('info', { signal }),
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
