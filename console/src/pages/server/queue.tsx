import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../../api/http.js';
import { client } from '../../api/client.js';
import { BASE } from '../../api/session.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Confirm } from '../../components/dialog.js';
import { count } from '../../components/format.js';
import { Empty, ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { say } from '../../components/toast.js';

interface QueuedRun {
  run_id: string;
  thread_id: string | null;
  graph_id: string;
  attempt: number;
  created_at: string;
}
interface RunningRun extends QueuedRun {
  started_at: string;
  worker: string | null;
}
interface WaitingRun extends QueuedRun {
  reason: string;
  message: string;
  ahead: number | null;
}
interface QueueState {
  running: { total: number; runs: RunningRun[] };
  waiting: { total: number; reasons: Record<string, number>; runs: WaitingRun[] };
  shown_max: number;
}

const REASONS: Readonly<Record<string, string>> = {
  workers: 'all workers are full',
  worker_alone: 'needs a worker of its own',
  delayed: 'its time has not come',
  thread: 'another run of its thread',
  change: 'its thread is being changed',
  quota: 'as many runs of its caller as may run',
  starting: 'about to start',
};

/** Runs that have not ended: who has them, or what they wait for. */
export function Queue() {
  const { data, error, refetch } = useQuery({
    queryKey: ['server', 'queue'],
    queryFn: ({ signal }) => ask<QueueState>('server/queue', { signal }),
    refetchInterval: 2_000,
  });
  const [cancelled, setCancelled] = useState<QueuedRun | null>(null);
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorNote error={error} onRetry={() => void refetch()} />;
  const { running, waiting, shown_max: most } = data;
  const names: Column<QueuedRun>[] = [
    {
      id: 'run',
      name: 'Run',
      cell: (run) =>
        run.thread_id === null ? (
          <code>{run.run_id}</code>
        ) : (
          <Link href={`~${BASE}/run?thread=${run.thread_id}&run=${run.run_id}`}>
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
        <Button small look="quiet" onPress={() => setCancelled(run)}>
          Cancel
        </Button>
      ),
  };
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      <Panel
        title={`Waiting: ${count(waiting.total)}`}
        flush
        actions={Object.entries(waiting.reasons).map(([reason, runs]) => (
          <Badge key={reason}>
            {count(runs)}: {REASONS[reason] ?? reason}
          </Badge>
        ))}
      >
        <Table
          label="Runs that wait"
          items={waiting.runs}
          idOf={({ run_id: id }) => id}
          empty={<Empty title="Nothing waits." />}
          columns={
            [
              ...names,
              { id: 'why', name: 'Why', cell: ({ message }) => message },
              { id: 'due', name: 'Due', wideOnly: true, cell: ({ created_at: at }) => <Time at={at} /> },
              cancel,
            ] as Column<WaitingRun>[]
          }
        />
      </Panel>
      <Panel title={`Running: ${count(running.total)}`} flush>
        <Table
          label="Runs that run"
          items={running.runs}
          idOf={({ run_id: id }) => id}
          empty={<Empty title="Nothing runs." />}
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
      {Math.max(waiting.total, running.total) > most ? (
        <p className="soft">The oldest {most} of each are shown.</p>
      ) : null}
      <Confirm
        title="Cancel the run"
        isOpen={cancelled !== null}
        verb="Cancel the run"
        onClose={() => setCancelled(null)}
        onConfirm={async () => {
          const { thread_id: thread, run_id: run } = cancelled!;
          await client.runs.cancel(thread!, run, true);
          say('The run is cancelled.');
          await refetch();
        }}
      >
        {cancelled === null ? null : (
          <>
            It ends as interrupted; what it has stored stays. <code>{cancelled.run_id}</code>, graph{' '}
            {cancelled.graph_id}.
          </>
        )}
      </Confirm>
    </>
  );
}
