import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/http.js';
import { Button } from '../../components/button.js';
import { bytes, count, percent } from '../../components/format.js';
import { ErrorNote, Loading, Note } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import styles from './server.module.css';

interface KindSize {
  kind: string;
  records: number;
  bytes: number;
}

const SAYS: Readonly<Record<string, string>> = {
  threads: 'Threads, and how they are found',
  states: 'States: checkpoints, values of channels, pending writes',
  runs: 'Runs',
  events: 'Events of resumable runs, until they expire',
  memory: 'Items of long-term memory, with vectors',
  assistants: 'Assistants and their versions',
  crons: 'Crons',
  webhooks: 'Webhooks that are owed, and what became of them',
  datasets: 'Datasets and examples',
  experiments: 'Experiments, their runs and statistics',
  feedback: 'Feedback',
  leftovers: 'What is being removed',
  server: "The server's own notes",
  other: 'Other records',
};

/** What fills the data file. Counting goes through all of it, so it is asked for once, and again by hand. */
export function Storage() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['server', 'storage'],
    queryFn: ({ signal }) => ask<{ kinds: KindSize[] }>('server/storage', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="Counting" />;
  const total = data.kinds.reduce((sum, { bytes: one }) => sum + one, 0);
  return (
    <>
      <Panel
        title={`${bytes(total)} in ${count(data.kinds.reduce((sum, { records }) => sum + records, 0))} records`}
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
            { id: 'kind', name: 'Kind', cell: ({ kind }) => SAYS[kind] ?? kind },
            { id: 'records', name: 'Records', numbers: true, cell: ({ records }) => count(records) },
            { id: 'bytes', name: 'Size', numbers: true, cell: (one) => bytes(one.bytes) },
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
                  {percent(total === 0 ? 0 : one.bytes / total)}
                </span>
              ),
            },
          ]}
        />
      </Panel>
      <Note>
        The file itself is larger: its pages keep room for changes, and pages that became free are used again.{' '}
        <code>threadmill compact</code> makes it as small as it can be.
      </Note>
    </>
  );
}
