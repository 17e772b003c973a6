import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, GitCompareArrows } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { evaluation, type Dataset, type Experiment } from '../../api/evaluation.js';
import { downloadFile } from '../../api/http.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { CopyableId } from '../../components/copy.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { useAsyncAction } from '../../components/async-action.js';
import { formatCount, pluralize, formatPercent, shortId } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { deleteAction, Menu } from '../../components/menu.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { DescriptionList, Page, Panel } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { formatSeconds } from '../../shared/scores.js';
import { FeedbackTable } from './feedback-table.js';
import { Progress } from './progress.js';
import { Runs } from './runs.js';

const CRUMBS = [{ name: 'Experiments', to: '/' }];
/** Poll interval until statistics exist, which is about half a second after an upload. */
const STATISTICS_POLL_MS = 700;

export function ExperimentPage() {
  const { id } = useParams<{ id: string }>();
  const experiment = useQuery({
    queryKey: ['experiments', 'one', id],
    queryFn: ({ signal }) => evaluation.experiment(id, signal),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.run_count ?? 0) > 0 && data.feedback_stats === null ? STATISTICS_POLL_MS : false,
  });
  const datasetId = experiment.data?.reference_dataset_id ?? null;
  const dataset = useQuery({
    queryKey: ['experiments', 'dataset', datasetId],
    queryFn: ({ signal }) => evaluation.dataset(datasetId!, signal),
    enabled: datasetId !== null,
  });
  if (experiment.data === undefined)
    return (
      <Page title="Experiment" crumbs={CRUMBS}>
        {experiment.error === null ? (
          <Loading />
        ) : (
          <ErrorNote error={experiment.error} onRetry={() => void experiment.refetch()} />
        )}
      </Page>
    );
  const one = experiment.data;
  const metadata = one.extra?.['metadata'];
  return (
    <Page
      title={one.name}
      crumbs={CRUMBS}
      about={one.description === null || one.description === '' ? undefined : <span dir="auto">{one.description}</span>}
      actions={<Actions experiment={one} dataset={dataset.data} />}
    >
      {[experiment, dataset].map((query, at) =>
        query.error === null ? null : <ErrorNote key={at} error={query.error} onRetry={() => void query.refetch()} />,
      )}
      <Progress experiment={one} />
      <Panel title="Statistics">
        <DescriptionList
          facts={[
            ['Runs', formatCount(one.run_count ?? 0)],
            ['Error rate', one.error_rate === null ? '–' : formatPercent(one.error_rate)],
            ['Latency, p50', one.latency_p50 === null ? '–' : formatSeconds(one.latency_p50)],
            ['Latency, p99', one.latency_p99 === null ? '–' : formatSeconds(one.latency_p99)],
            ...(one.total_tokens === null ? [] : [['Tokens', formatCount(one.total_tokens)] as const]),
            ['Started', <Time key="start" at={one.start_time} />],
            ['Ended', one.end_time === null ? 'Not ended' : <Time key="end" at={one.end_time} />],
            [
              'Dataset',
              datasetId === null ? (
                'None'
              ) : (
                <Link key="dataset" href={`~${CONSOLE_PATH}/datasets/${datasetId}`}>
                  {dataset.data?.name ?? shortId(datasetId)}
                </Link>
              ),
            ],
            ['ID', <CopyableId key="id" id={one.id} />],
          ]}
        />
      </Panel>
      <FeedbackTable title="Feedback on runs" stats={one.feedback_stats} />
      {Object.keys(one.session_feedback_stats ?? {}).length === 0 ? null : (
        <FeedbackTable title="Feedback on the experiment as a whole" stats={one.session_feedback_stats} />
      )}
      {metadata === undefined || metadata === null || Object.keys(metadata).length === 0 ? null : (
        <Panel title="Metadata">
          <JsonTree label="Metadata" value={metadata} rows={10} />
        </Panel>
      )}
      <Runs key={one.id} experiment={one} />
    </Page>
  );
}

function Actions({ experiment, dataset }: { experiment: Experiment; dataset: Dataset | undefined }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const { error, execute } = useAsyncAction();
  const exportAs = (format: string): void => {
    void execute(() =>
      downloadFile(
        `api/v1/sessions/${encodeURIComponent(experiment.id)}/export`,
        `${experiment.name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80) || 'experiment'}.${format}`,
        { query: { format } },
      ),
    );
  };
  const baseline = dataset?.baseline_experiment_id ?? null;
  const toCompare =
    dataset === undefined
      ? null
      : baseline !== null && baseline !== experiment.id
        ? {
            name: 'Compare with baseline',
            path: `/datasets/${dataset.id}/compare?experiments=${baseline},${experiment.id}&baseline=${baseline}`,
          }
        : { name: 'Compare with others', path: `/datasets/${dataset.id}` };
  return (
    <>
      {error === null ? null : <ErrorNote error={error} />}
      {toCompare === null ? null : (
        <Button onPress={() => navigate(`~${CONSOLE_PATH}${toCompare.path}`)}>
          <GitCompareArrows size={15} aria-hidden />
          {toCompare.name}
        </Button>
      )}
      <Menu
        label="More"
        actions={[
          {
            id: 'jsonl',
            name: 'Export as JSON lines',
            icon: <Download size={15} aria-hidden />,
            onAction: () => exportAs('jsonl'),
          },
          {
            id: 'csv',
            name: 'Export as CSV',
            icon: <Download size={15} aria-hidden />,
            onAction: () => exportAs('csv'),
          },
          deleteAction('experiments:delete', () => setDeleting(true)),
        ]}
      />
      <ConfirmDialog
        title={`Delete ${experiment.name}?`}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        confirmLabel="Delete"
        onConfirm={async () => {
          await evaluation.deleteExperiment(experiment.id);
          await client.invalidateQueries({ queryKey: ['experiments', 'list'] });
          showToast('Experiment deleted.');
          navigate('/');
        }}
      >
        Its {pluralize(experiment.run_count ?? 0, 'run')} and their feedback are deleted too. The examples of the
        dataset are kept. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
