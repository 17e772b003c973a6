import { useQuery } from '@tanstack/react-query';
import { fetchJson } from '../../api/http.js';
import { Button } from '../../components/button.js';
import { formatBytes, formatCount, formatPercent } from '../../components/format.js';
import { ErrorNote, Loading, Note } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import styles from './server.module.css';

interface KindSize {
  kind: string;
  records: number;
  bytes: number;
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  threads: 'Threads and their indexes',
  states: 'States: checkpoints, channel values, pending writes',
  runs: 'Runs',
  events: 'Events of resumable runs (until they expire)',
  memory: 'Long-term memory items with vectors',
  assistants: 'Assistants and their versions',
  crons: 'Crons',
  webhooks: 'Pending webhooks and delivery results',
  code: 'Versions of the code of graphs',
  alerts: 'Alerts and their history',
  datasets: 'Datasets and examples',
  experiments: 'Experiments, their runs and statistics',
  feedback: 'Feedback',
  leftovers: 'Records being deleted',
  server: 'Server metadata',
  other: 'Other records',
};

/** Storage use by kind of record. Counting scans the whole data file, so it runs once and then only on request. */
export function Storage() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['server', 'storage'],
    queryFn: ({ signal }) => fetchJson<{ kinds: KindSize[] }>('server/storage', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="Counting records" />;
  const total = data.kinds.reduce((sum, { bytes: one }) => sum + one, 0);
  return (
    <>
      <Panel
        title={`${formatBytes(total)} in ${formatCount(data.kinds.reduce((sum, { records }) => sum + records, 0))} records`}
        flush
        actions={
          <Button small isPending={isFetching} onPress={() => void refetch()}>
            Count again
          </Button>
        }
      >
        <Table
          label="Storage by kind"
          items={data.kinds}
          idOf={({ kind }) => kind}
          columns={[
            { id: 'kind', name: 'Kind', cell: ({ kind }) => KIND_NAMES[kind] ?? kind },
            { id: 'records', name: 'Records', numbers: true, cell: ({ records }) => formatCount(records) },
            { id: 'bytes', name: 'Size', numbers: true, cell: (one) => formatBytes(one.bytes) },
            {
              id: 'share',
              name: 'Share',
              wideOnly: true,
              cell: (one) => (
                <span className={styles['share']}>
                  <meter
                    aria-label={`Share of ${one.kind}`}
                    min={0}
                    max={1}
                    value={total === 0 ? 0 : one.bytes / total}
                  />
                  {formatPercent(total === 0 ? 0 : one.bytes / total)}
                </span>
              ),
            },
          ]}
        />
      </Panel>
      <Note>
        The data file itself is larger, because it contains free pages that are reused. To shrink it, run{' '}
        <code>threadmill compact</code>.
      </Note>
    </>
  );
}
