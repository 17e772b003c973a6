import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { fetchJson } from '../../api/http.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { Badge } from '../../components/badge.js';
import { formatBytes, pluralize } from '../../components/format.js';
import { ErrorNote, Loading, Note } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import { Time } from '../../components/time.js';

interface CodeVersion {
  version: string;
  hash: string;
  current: boolean;
  kept: boolean;
  first_used_at?: string;
  last_used_at?: string;
  bytes?: number;
  library_version?: string | null;
}

interface CodeVersions {
  keep: number;
  parked_threads: 'newest' | 'same';
  bytes: number;
  bytes_max: number;
  graphs: { graph_id: string; versions: CodeVersion[] }[];
}

/** The versions of the code of each graph. */
export function Code() {
  const { data, error, refetch } = useQuery({
    queryKey: ['server', 'code'],
    queryFn: ({ signal }) => fetchJson<CodeVersions>('server/code', { signal }),
    refetchInterval: 10_000,
  });
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorNote error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data.graphs.map(({ graph_id: graphId, versions }) => (
        <Panel key={graphId} title={graphId} flush>
          <Table
            label={`Versions of ${graphId}`}
            items={versions}
            idOf={({ hash }) => hash}
            columns={[
              { id: 'version', name: 'Version', cell: ({ version }) => <code>{version}</code> },
              { id: 'state', name: 'State', cell: stateBadge },
              {
                id: 'last',
                name: 'Last used',
                cell: ({ last_used_at: at }) => (at === undefined ? '–' : <Time at={at} />),
              },
              {
                id: 'first',
                name: 'First used',
                wideOnly: true,
                cell: ({ first_used_at: at }) => (at === undefined ? '–' : <Time at={at} />),
              },
              {
                id: 'library',
                name: 'LangGraph',
                wideOnly: true,
                cell: ({ library_version: library }) => library ?? '–',
              },
              {
                id: 'bytes',
                name: 'Size',
                numbers: true,
                wideOnly: true,
                cell: ({ bytes }) => (bytes === undefined ? '–' : formatBytes(bytes)),
              },
              {
                id: 'runs',
                name: <span className="visually-hidden">Runs</span>,
                cell: ({ version }) => (
                  <Link
                    href={`~${CONSOLE_PATH}/traces?${new URLSearchParams({ filter: filterOf(version) }).toString()}`}
                    aria-label={`Traces of ${version}`}
                  >
                    Traces
                  </Link>
                ),
              },
            ]}
          />
        </Panel>
      ))}
      <Note>
        The server keeps {pluralize(data.keep, 'version')} of each graph, the last used ones, and{' '}
        {formatBytes(data.bytes_max)} of all; it has {formatBytes(data.bytes)}. Threads that wait for input continue
        with {data.parked_threads === 'same' ? 'the version with which they stopped' : 'the newest version'}.
      </Note>
    </>
  );
}

function stateBadge({ current, kept }: CodeVersion) {
  if (!current) return <Badge>Kept</Badge>;
  return kept ? <Badge variant="good">Current</Badge> : <Badge variant="warn">Current, too large to keep</Badge>;
}

function filterOf(version: string): string {
  return `and(eq(metadata_key, "code_version"), eq(metadata_value, "${version}"))`;
}
