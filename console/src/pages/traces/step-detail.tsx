import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { evaluation, type Run } from '../../api/evaluation.js';
import { Badge, Status } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CopyableId } from '../../components/copy.js';
import { formatCount, formatDateTime, formatDuration } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { DescriptionList, Panel } from '../../components/page.js';
import { Tabs } from '../../components/tabs.js';
import { TextViewer } from '../../components/text-viewer.js';
import { AddToDatasetButton } from '../../shared/add-to-dataset.js';
import { FeedbackList } from '../../shared/feedback-list.js';
import { RunValues } from '../../shared/run-values.js';
import { RunFromStepButton, type StartingPoint } from './run-from-step.js';
import { costText, tokensText } from './trace-data.js';
import { errorLine, hasFailed, metadataOf, runStatus, typeName } from './trace-tree.js';

const ERROR_CHARS_MAX = 300;
const REFRESH_MS = 1_000;

/** Everything about one step. */
export function StepDetail({
  runId,
  isRunning,
  start,
}: {
  runId: string;
  isRunning: boolean;
  /** Null: no run can begin at this step. */
  start: StartingPoint | null;
}) {
  const found = useQuery({
    queryKey: ['traces', 'step', runId, isRunning],
    queryFn: async ({ signal }) => {
      const [run, feedback] = await Promise.all([evaluation.run(runId, signal), evaluation.runFeedback(runId, signal)]);
      return { run, feedback };
    },
    refetchInterval: isRunning ? REFRESH_MS : false,
  });
  const [tab, setTab] = useState('values');
  const [fullError, setFullError] = useState<string | null>(null);
  if (found.data === undefined)
    return (
      <Panel title="Step">
        {found.error === null ? (
          <Loading what="Loading the step" />
        ) : (
          <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
        )}
      </Panel>
    );
  const { run, feedback } = found.data;
  const tabs = [
    {
      id: 'values',
      name: 'Inputs and outputs',
      content: (
        <>
          <RunValues title="Inputs" value={run.inputs} />
          <RunValues title="Outputs" value={run.outputs} />
        </>
      ),
    },
    {
      id: 'metadata',
      name: 'Metadata',
      content: <JsonTree label="Metadata" value={{ ...run.extra, tags: run.tags ?? [] }} openTo={2} />,
    },
    {
      id: 'feedback',
      name: 'Feedback',
      count: formatCount(feedback.length),
      content: <FeedbackList feedback={feedback} />,
    },
  ];
  return (
    <Panel
      title={run.name}
      actions={
        <>
          <Badge>{typeName(run)}</Badge>
          {start === null ? null : <RunFromStepButton start={start} />}
          <AddToDatasetButton small run={run} />
        </>
      }
    >
      <DescriptionList facts={factsOf(run)} />
      {hasFailed(run) ? (
        <>
          <ErrorNote error={errorLine(run.error!, ERROR_CHARS_MAX)} />
          <div className="row">
            <Button small onPress={() => setFullError(run.error)}>
              Show full error
            </Button>
          </div>
        </>
      ) : null}
      <Tabs label="Step" tabs={tabs} value={tab} onChange={setTab} />
      <TextViewer title="Error" text={fullError} onClose={() => setFullError(null)} />
    </Panel>
  );
}

function factsOf(run: Run): (readonly [string, ReactNode])[] {
  const metadata = metadataOf(run);
  const text = (name: string): string | null =>
    typeof metadata[name] === 'string' || typeof metadata[name] === 'number' ? String(metadata[name]) : null;
  const startMs = Date.parse(run.start_time);
  const facts: [string, ReactNode | null][] = [
    ['Status', <Status key="status" status={runStatus(run)} />],
    ['Latency', run.end_time === null ? 'Not ended' : formatDuration(Date.parse(run.end_time) - startMs)],
    ['First token', run.first_token_time === null ? null : formatDuration(Date.parse(run.first_token_time) - startMs)],
    ['Model', [text('ls_provider'), text('ls_model_name')].filter((part) => part !== null).join(' · ') || null],
    [
      'Tokens',
      tokensText(run) === null
        ? null
        : `${formatCount(run.prompt_tokens ?? 0)} in · ${formatCount(run.completion_tokens ?? 0)} out`,
    ],
    ['Cost', costText(run)],
    ['Node', text('langgraph_node')],
    ['Attempt', text('run_attempt') === '1' ? null : text('run_attempt')],
    ['Started', formatDateTime(run.start_time)],
    ['Step id', <CopyableId key="id" id={run.id} />],
  ];
  return facts.filter(([, value]) => value !== null);
}
