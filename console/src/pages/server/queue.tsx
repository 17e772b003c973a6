import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { client } from '../../api/client.js';
import { fetchQueue, type QueuedRun, type RunningRun, type WaitingRun } from '../../api/queue.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { formatCount } from '../../components/format.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';

const REASONS: Readonly<Record<string, string>> = {
  workers: 'all workers are busy',
  worker_alone: 'needs a dedicated worker',
  delayed: 'delayed start',
  thread: 'another run of the thread is active',
  change: 'the thread is being changed',
  quota: 'run limit of the caller reached',
  node: 'waits for its node',
  starting: 'about to start',
};

/** Active runs, with their worker or the reason why they wait. */
export function Queue() {
  const { data, error, refetch } = useQuery({
    queryKey: ['server', 'queue'],
    queryFn: ({ signal }) => fetchQueue(signal),
    refetchInterval: 2_000,
  });
  const [cancelled, setCancelled] = useState<QueuedRun | null>(null);
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorNote error={error} onRetry={() => void refetch()} />;
  const { running, waiting, shown_max: shownMax } = data;
  const names: Column<QueuedRun>[] = [
    {
      id: 'run',
      name: 'Run',
      cell: (run) =>
        run.thread_id === null ? (
          <code>{run.run_id}</code>
        ) : (
          <Link href={`~${CONSOLE_PATH}/run?thread=${run.thread_id}&run=${run.run_id}`}>
            <code>{run.run_id}</code>
          </Link>
        ),
    },
    { id: 'graph', name: 'Graph', cell: ({ graph_id: graph }) => graph },
  ];
  const cancel: Column<QueuedRun> = {
    id: 'cancel',
    name: '',
    cell: (run) =>
      run.thread_id === null ? null : (
        <Button needs="threads:update" small variant="quiet" onPress={() => setCancelled(run)}>
          Cancel
        </Button>
      ),
  };
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      <Panel
        title={`Queued: ${formatCount(waiting.total)}`}
        flush
        actions={Object.entries(waiting.reasons).map(([reason, runs]) => (
          <Badge key={reason}>
            {formatCount(runs)}: {REASONS[reason] ?? reason}
          </Badge>
        ))}
      >
        <Table
          label="Queued runs"
          items={waiting.runs}
          idOf={({ run_id: id }) => id}
          empty={<EmptyState title="No queued runs">New runs appear here until a worker starts them.</EmptyState>}
          columns={
            [
              ...names,
              { id: 'why', name: 'Reason', cell: ({ message }) => message },
              { id: 'due', name: 'Due', wideOnly: true, cell: ({ created_at: at }) => <Time at={at} mayBeAhead /> },
              cancel,
            ] as Column<WaitingRun>[]
          }
        />
      </Panel>
      <Panel title={`Running: ${formatCount(running.total)}`} flush>
        <Table
          label="Running runs"
          items={running.runs}
          idOf={({ run_id: id }) => id}
          empty={<EmptyState title="No running runs">Start a run on the Run page.</EmptyState>}
          columns={
            [
              ...names,
              { id: 'worker', name: 'Worker', cell: ({ worker }) => worker ?? '' },
              { id: 'attempt', name: 'Attempt', numbers: true, wideOnly: true, cell: ({ attempt }) => attempt },
              { id: 'since', name: 'Since', cell: ({ started_at: at }) => <Time at={at} /> },
              cancel,
            ] as Column<RunningRun>[]
          }
        />
      </Panel>
      {Math.max(waiting.total, running.total) > shownMax ? (
        <p className="soft">Only the oldest {shownMax} of each list are shown.</p>
      ) : null}
      <ConfirmDialog
        title="Cancel this run?"
        isOpen={cancelled !== null}
        confirmLabel="Cancel run"
        dismissLabel="Keep running"
        onClose={() => setCancelled(null)}
        onConfirm={async () => {
          const { thread_id: thread, run_id: run } = cancelled!;
          await client.runs.cancel(thread!, run, true);
          showToast('Run cancelled.');
          await refetch();
        }}
      >
        {cancelled === null ? null : (
          <>
            Run <code>{cancelled.run_id}</code> of graph {cancelled.graph_id} ends with status Interrupted. Its
            checkpoints are kept.
          </>
        )}
      </ConfirmDialog>
    </>
  );
}
