import { useQuery } from '@tanstack/react-query';
import { serverApi, type StorageReport } from '../../api/server.js';
import { Button } from '../../components/button.js';
import { formatBytes, formatCount } from '../../components/format.js';
import { ErrorNote, Loading, Note } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import { shareColumn, StateProfilePanels } from './state-profile.js';

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

/**
 * What takes the space: states by thread, user, graph and channel, and all records by kind. Counting scans the whole
 * data file, so it runs once and then only on request.
 */
export function Storage() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['server', 'storage'],
    queryFn: ({ signal }) => serverApi.storage(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="Counting records" />;
  const total = data.kinds.reduce((sum, { bytes: one }) => sum + one, 0);
  const records = data.kinds.reduce((sum, { records: one }) => sum + one, 0);
  return (
    <>
      <StateProfilePanels
        state={data.state}
        actions={
          <Button small isPending={isFetching} onPress={() => void refetch()}>
            Count again
          </Button>
        }
      />
      <Panel title={`All data: ${formatBytes(total)} in ${formatCount(records)} records`} flush>
        <Table
          label="Storage by kind"
          items={data.kinds}
          idOf={({ kind }) => kind}
          columns={[
            { id: 'kind', name: 'Kind', cell: ({ kind }) => KIND_NAMES[kind] ?? kind },
            { id: 'records', name: 'Records', numbers: true, cell: (one) => formatCount(one.records) },
            { id: 'bytes', name: 'Size', numbers: true, cell: (one) => formatBytes(one.bytes) },
            shareColumn<StorageReport['kinds'][number]>(total, ({ kind }) => kind),
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
