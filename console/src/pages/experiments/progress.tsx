import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Experiment } from '../../api/evaluation.js';
import { experimentJobs } from '../../api/experiment-jobs.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { formatCount } from '../../components/format.js';
import { ErrorNote } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import styles from './progress.module.css';

const POLL_MS = 1_000;

/** How far the server is with an experiment that it runs. Nothing for other experiments, and after a success. */
export function Progress({ experiment }: { experiment: Experiment }) {
  const client = useQueryClient();
  const { error, isPending, execute } = useAsyncAction();
  const { data: job } = useQuery({
    queryKey: ['experiments', 'job', experiment.id],
    queryFn: ({ signal }) => experimentJobs.get(experiment.id, signal),
    enabled: isRunHere(experiment),
    retry: false,
    refetchInterval: ({ state: { data } }) => (data?.status === 'running' ? POLL_MS : false),
  });
  const done = job?.done ?? 0;
  const status = job?.status ?? null;
  // The page shows what is stored so far.
  useEffect(() => {
    if (status === null) return;
    for (const part of ['one', 'runs'])
      void client.invalidateQueries({ queryKey: ['experiments', part, experiment.id] });
  }, [client, experiment.id, done, status]);
  if (job === undefined || job.status === 'success') return null;
  const cancel = (): Promise<void> =>
    execute(async () => {
      client.setQueryData(['experiments', 'job', experiment.id], await experimentJobs.cancel(experiment.id));
    });
  return (
    <Panel
      title={TITLES[job.status]}
      actions={
        job.status === 'running' ? (
          <Button needs="experiments:update" variant="danger" small onPress={() => void cancel()} isPending={isPending}>
            Cancel experiment
          </Button>
        ) : null
      }
    >
      <div className="stack">
        {job.status === 'running' ? (
          <progress
            className={styles['bar']}
            value={done}
            max={Math.max(1, job.total)}
            aria-label="Runs that are done"
          />
        ) : null}
        <p>
          {formatCount(done)} of {formatCount(job.total)} runs are done
          {job.failed === 0 ? '.' : `, ${formatCount(job.failed)} of them with an error.`}
        </p>
        {job.error === null ? null : <ErrorNote error={new Error(job.error)} />}
        {error === null ? null : <ErrorNote error={error} />}
      </div>
    </Panel>
  );
}

const TITLES = { running: 'Running', error: 'Stopped by an error', cancelled: 'Cancelled', success: '' } as const;

/** The server names its assistant in the metadata of an experiment that it runs. */
function isRunHere({ extra, reference_dataset_id: datasetId }: Experiment): boolean {
  const metadata = extra?.['metadata'] as Record<string, unknown> | null | undefined;
  return datasetId !== null && typeof metadata?.['assistant_id'] === 'string' && 'dataset_version' in metadata;
}
