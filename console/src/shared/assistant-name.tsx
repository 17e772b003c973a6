import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { fetchJson } from '../api/http.js';
import { consoleHref } from '../components/console-href.js';
import { shortId } from '../components/format.js';

/** Link to an assistant, with its name looked up by id. */
export function AssistantName({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['assistants', 'one', id],
    queryFn: ({ signal }) => fetchJson<{ name: string }>(`assistants/${encodeURIComponent(id)}`, { signal }),
    staleTime: 60_000,
    retry: false,
  });
  return (
    <Link href={consoleHref(`/assistants/${encodeURIComponent(id)}`)}>{data?.name ?? <code>{shortId(id)}</code>}</Link>
  );
}
