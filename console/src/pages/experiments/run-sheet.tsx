import { useQuery } from '@tanstack/react-query';
import { ListTree } from 'lucide-react';
import { useState } from 'react';
import { evaluation, type Example, type Feedback, type Run } from '../../api/evaluation.js';
import { ServerError } from '../../api/http.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { Badge } from '../../components/badge.js';
import { CopyableId } from '../../components/copy.js';
import { Dialog } from '../../components/dialog.js';
import { Diff } from '../../components/diff.js';
import { formatCount, statusName, formatDateTime } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { ErrorNote, Loading, Note } from '../../components/note.js';
import { DescriptionList } from '../../components/page.js';
import { Tabs } from '../../components/tabs.js';
import { TextViewer } from '../../components/text-viewer.js';
import { Button, ButtonLink } from '../../components/button.js';
import { AddToDatasetButton } from '../../shared/add-to-dataset.js';
import { AddToQueueButton } from '../../shared/add-to-queue.js';
import { Attachments } from '../../shared/attachments.js';
import { FeedbackList } from '../../shared/feedback-list.js';
import { RunValues } from '../../shared/run-values.js';
import { formatSeconds, shortText } from '../../shared/scores.js';
import { SharedBadge, ShareButton } from '../../shared/share.js';
import { QueuesOfRun } from '../../shared/queues-of-run.js';

const TITLE_CHARS_MAX = 80;
const ERROR_CHARS_MAX = 2_000;

/** All details of a run in a side panel. */
export function RunSheet({
  runId,
  datasetId,
  onClose,
}: {
  runId: string;
  datasetId: string | null;
  onClose: () => void;
}) {
  const found = useQuery({
    queryKey: ['experiments', 'run', runId],
    queryFn: async ({ signal }) => {
      const [run, feedback] = await Promise.all([evaluation.run(runId, signal), evaluation.runFeedback(runId, signal)]);
      return {
        run,
        feedback,
        example:
          run.reference_example_id === null ? null : await fetchExample(run.reference_example_id, datasetId, signal),
      };
    },
  });
  return (
    <Dialog
      title={
        found.data === undefined ? 'Run' : shortText(found.data.run.inputs, TITLE_CHARS_MAX) || found.data.run.name
      }
      isOpen
      size="sheet"
      onClose={onClose}
    >
      {found.data === undefined ? (
        found.error === null ? (
          <Loading what="Loading the run" />
        ) : (
          <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
        )
      ) : (
        <RunDetails {...found.data} />
      )}
    </Dialog>
  );
}

/** Returns null if the example was deleted. */
async function fetchExample(id: string, datasetId: string | null, signal: AbortSignal): Promise<Example | null> {
  try {
    return await evaluation.example(id, datasetId, signal);
  } catch (error) {
    if (error instanceof ServerError && error.status === 404) return null;
    throw error;
  }
}

function RunDetails({ run, feedback, example }: { run: Run; feedback: readonly Feedback[]; example: Example | null }) {
  const [tab, setTab] = useState('outputs');
  const [fullError, setFullError] = useState<string | null>(null);
  const metadata = run.extra?.['metadata'];
  const tabs = [
    {
      id: 'outputs',
      name: 'Outputs vs. reference',
      content:
        example === null || example.outputs === null ? (
          <>
            <Note>
              {example === null ? 'The example of this run was deleted.' : 'This example has no reference outputs.'}
            </Note>
            <JsonTree label="Outputs" value={run.outputs} openTo={2} />
          </>
        ) : (
          <Diff
            left={example.outputs}
            right={run.outputs ?? undefined}
            leftName="Reference outputs"
            rightName="Outputs of this run"
          />
        ),
    },
    {
      id: 'values',
      name: 'Values',
      content: (
        <>
          <RunValues title="Inputs" value={run.inputs} openTo={2} />
          <RunValues title="Outputs" value={run.outputs} openTo={2} />
          {example === null ? null : <RunValues title="Reference outputs" value={example.outputs} openTo={2} />}
        </>
      ),
    },
    {
      id: 'feedback',
      name: 'Feedback',
      count: formatCount(feedback.length),
      content: <FeedbackList feedback={feedback} />,
    },
    { id: 'metadata', name: 'Metadata', content: <JsonTree label="Metadata" value={metadata ?? {}} openTo={2} /> },
  ];
  return (
    <>
      <div className="row">
        <ButtonLink small to={`~${CONSOLE_PATH}/traces/${run.trace_id}`}>
          <ListTree size={14} aria-hidden />
          Show trace
        </ButtonLink>
        <AddToDatasetButton small run={run} />
        <AddToQueueButton small runIds={[run.id]} />
        <ShareButton small kind="run" id={run.id} />
        <SharedBadge kind="run" id={run.id} />
      </div>
      <QueuesOfRun runId={run.id} />
      <DescriptionList
        facts={[
          [
            'Status',
            <Badge key="status" variant={run.error === null ? 'good' : 'bad'}>
              {statusName(run.status)}
            </Badge>,
          ],
          [
            'Latency',
            run.end_time === null
              ? 'Not ended'
              : formatSeconds((Date.parse(run.end_time) - Date.parse(run.start_time)) / 1_000),
          ],
          ['Started', formatDateTime(run.start_time)],
          ['Ended', run.end_time === null ? 'Not ended' : formatDateTime(run.end_time)],
          ['Name', run.name],
          ...(run.total_tokens === null || run.total_tokens === 0
            ? []
            : [['Tokens', formatCount(run.total_tokens)] as const]),
          ['Run', <CopyableId key="run" id={run.id} />],
          ...(run.reference_example_id === null
            ? []
            : [['Example', <CopyableId key="example" id={run.reference_example_id} />] as const]),
        ]}
      />
      {run.error === null ? null : (
        <>
          <ErrorNote error={run.error.slice(0, ERROR_CHARS_MAX)} />
          {run.error.length > ERROR_CHARS_MAX ? (
            <div className="row">
              <Button small onPress={() => setFullError(run.error)}>
                Show full error
              </Button>
            </div>
          ) : null}
        </>
      )}
      <Attachments urls={run.s3_urls} />
      <Tabs label="Run details" tabs={tabs} value={tab} onChange={setTab} />
      <TextViewer title="Error" text={fullError} onClose={() => setFullError(null)} />
    </>
  );
}
