import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { evaluation, type Example, type Feedback, type Run } from '../../api/evaluation.js';
import { ServerError } from '../../api/http.js';
import { Badge } from '../../components/badge.js';
import { Id } from '../../components/copy.js';
import { Dialog } from '../../components/dialog.js';
import { Diff } from '../../components/diff.js';
import { count, wholeTime } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { ErrorNote, Loading, Note } from '../../components/note.js';
import { Facts } from '../../components/page.js';
import { Tabs } from '../../components/tabs.js';
import { TextViewer } from '../../components/text-viewer.js';
import { Button } from '../../components/button.js';
import { FeedbackList } from '../../shared/feedback-list.js';
import { seconds, short } from '../../shared/scores.js';

const TITLE_CHARS = 80;
const ERROR_CHARS = 2_000;

/** A run with everything that is known of it. */
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
      const [run, feedback] = await Promise.all([evaluation.run(runId, signal), evaluation.feedbackOf(runId, signal)]);
      return {
        run,
        feedback,
        example:
          run.reference_example_id === null ? null : await exampleOf(run.reference_example_id, datasetId, signal),
      };
    },
  });
  return (
    <Dialog
      title={found.data === undefined ? 'Run' : short(found.data.run.inputs, TITLE_CHARS) || found.data.run.name}
      isOpen
      size="sheet"
      onClose={onClose}
    >
      {found.data === undefined ? (
        found.error === null ? (
          <Loading what="Reading the run" />
        ) : (
          <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
        )
      ) : (
        <Whole {...found.data} />
      )}
    </Dialog>
  );
}

/** Null: it was deleted since. */
async function exampleOf(id: string, datasetId: string | null, signal: AbortSignal): Promise<Example | null> {
  try {
    return await evaluation.example(id, datasetId, signal);
  } catch (error) {
    if (error instanceof ServerError && error.status === 404) return null;
    throw error;
  }
}

function Whole({ run, feedback, example }: { run: Run; feedback: readonly Feedback[]; example: Example | null }) {
  const [tab, setTab] = useState('outputs');
  const [allOfError, setAllOfError] = useState<string | null>(null);
  const metadata = run.extra?.['metadata'];
  const tabs = [
    {
      id: 'outputs',
      name: 'Outputs and reference',
      content:
        example === null || example.outputs === null ? (
          <>
            <Note>
              {example === null
                ? 'The example of this run is not there any more.'
                : 'This example has no reference outputs.'}
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
          <h3>Inputs</h3>
          <JsonTree label="Inputs" value={run.inputs} openTo={2} />
          <h3>Outputs</h3>
          <JsonTree label="Outputs" value={run.outputs} openTo={2} />
          {example === null ? null : (
            <>
              <h3>Reference outputs</h3>
              <JsonTree label="Reference outputs" value={example.outputs} openTo={2} />
            </>
          )}
        </>
      ),
    },
    { id: 'feedback', name: 'Feedback', count: count(feedback.length), content: <FeedbackList feedback={feedback} /> },
    { id: 'metadata', name: 'Metadata', content: <JsonTree label="Metadata" value={metadata ?? {}} openTo={2} /> },
  ];
  return (
    <>
      <Facts
        facts={[
          [
            'Status',
            <Badge key="status" look={run.error === null ? 'good' : 'bad'}>
              {run.status}
            </Badge>,
          ],
          [
            'Latency',
            run.end_time === null
              ? 'not ended'
              : seconds((Date.parse(run.end_time) - Date.parse(run.start_time)) / 1_000),
          ],
          ['Started', wholeTime(run.start_time)],
          ['Ended', run.end_time === null ? 'not ended' : wholeTime(run.end_time)],
          ['Name', run.name],
          ...(run.total_tokens === null || run.total_tokens === 0
            ? []
            : [['Tokens', count(run.total_tokens)] as const]),
          ['Run', <Id key="run" id={run.id} />],
          ...(run.reference_example_id === null
            ? []
            : [['Example', <Id key="example" id={run.reference_example_id} />] as const]),
        ]}
      />
      {run.error === null ? null : (
        <>
          <ErrorNote error={run.error.slice(0, ERROR_CHARS)} />
          {run.error.length > ERROR_CHARS ? (
            <div className="row">
              <Button small onPress={() => setAllOfError(run.error)}>
                All of the error
              </Button>
            </div>
          ) : null}
        </>
      )}
      <Tabs label="Of this run" tabs={tabs} value={tab} onChange={setTab} />
      <TextViewer title="Error" text={allOfError} onClose={() => setAllOfError(null)} />
    </>
  );
}
