import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import type { Run } from '../../api/evaluation.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { Status } from '../../components/badge.js';
import { ButtonLink } from '../../components/button.js';
import { CopyableId } from '../../components/copy.js';
import { formatCount, formatDuration, pluralize } from '../../components/format.js';
import { RUN } from '../../components/needs.js';
import { EmptyState, ErrorNote, Loading, Note } from '../../components/note.js';
import { DescriptionList, Page } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { useQueryString } from '../../components/query-string.js';
import { AddToQueueButton } from '../../shared/add-to-queue.js';
import { ShareButton } from '../../shared/share.js';
import { CompareWithButtons, Replays } from './compare-with.js';
import { startingPointOf } from './run-from-step.js';
import { StepDetail } from './step-detail.js';
import { StepTree } from './step-tree.js';
import { costText, fetchSteps, tokensText } from './trace-data.js';
import { hasFailed, metadataOf, runStatus, stepsOfTrace, type Step } from './trace-tree.js';
import styles from './traces.module.css';

const REFRESH_MS = 1_000;

/** A trace: the tree of its steps beside the step that is open. */
export function TracePage() {
  const { id } = useParams<{ id: string }>();
  const [query, change] = useQueryString();
  const trace = useQuery({
    queryKey: ['traces', 'steps', id],
    queryFn: ({ signal }) => fetchSteps(id, signal),
    // While the run executes.
    refetchInterval: ({ state }) => (state.data?.runs.every(hasEnded) === false ? REFRESH_MS : false),
  });
  const { dataUpdatedAt: nowMs } = trace;
  const steps = useMemo(() => stepsOfTrace(trace.data?.runs ?? [], nowMs), [trace.data, nowMs]);
  const root = steps[0]?.run;
  const openId = query.get('step');
  const open = steps.find(({ run }) => run.id === openId) ?? steps.findLast(({ run }) => hasFailed(run)) ?? steps[0];
  const crumbs = [{ name: 'Traces', to: '/' }];
  if (root === undefined)
    return (
      <Page title="Trace" crumbs={crumbs}>
        {trace.error !== null ? (
          <ErrorNote error={trace.error} onRetry={() => void trace.refetch()} />
        ) : trace.data === undefined ? (
          <Loading />
        ) : (
          <EmptyState title="This trace does not exist">
            It may have been deleted, or its run was not recorded.
          </EmptyState>
        )}
      </Page>
    );
  return (
    <Page
      title={root.name}
      crumbs={crumbs}
      badge={<Status status={runStatus(root)} />}
      actions={
        <>
          {assistantOf(root) === null ? null : (
            <ButtonLink needs={RUN} small to={`~${CONSOLE_PATH}/run?assistant=${assistantOf(root)}&again=${root.id}`}>
              Run again
            </ButtonLink>
          )}
          <CompareWithButtons root={root} />
          <AddToQueueButton small runIds={[root.id]} />
          <ShareButton small kind="run" id={root.id} />
        </>
      }
    >
      <DescriptionList facts={factsOf(root, steps)} />
      {trace.error === null ? null : <ErrorNote error={trace.error} onRetry={() => void trace.refetch()} />}
      {trace.data?.hasMore === true ? (
        <Note variant="warn">This trace is long. Its first {formatCount(steps.length)} steps are shown.</Note>
      ) : null}
      {hasEnded(root) ? <Replays root={root} /> : null}
      <div className={styles['split']}>
        <StepTree steps={steps} openId={open!.run.id} onOpen={(stepId) => change({ step: stepId })} />
        <StepDetail
          key={open!.run.id}
          runId={open!.run.id}
          isRunning={open!.run.end_time === null}
          start={hasEnded(root) ? startingPointOf(steps, open!.run) : null}
        />
      </div>
    </Page>
  );
}

/** The assistant that was run; null for a trace that a client has sent. */
function assistantOf(root: Run): string | null {
  const { assistant_id: id } = metadataOf(root);
  return typeof id === 'string' ? id : null;
}

function hasEnded({ end_time: end }: Run): boolean {
  return end !== null;
}

function factsOf(root: Run, steps: readonly Step[]): (readonly [string, ReactNode])[] {
  const metadata = metadataOf(root);
  const threadId = metadata['thread_id'];
  const attempt = metadata['run_attempt'];
  const version = metadata['code_version'];
  return [
    ['Started', <Time key="started" at={root.start_time} />],
    ['Latency', root.end_time === null ? 'Not ended' : formatDuration(steps[0]!.durationMs)],
    ['Steps', pluralize(steps.length, 'step')],
    ['Tokens', tokensText(root) ?? '–'],
    ['Cost', costText(root) ?? '–'],
    ...(typeof threadId === 'string'
      ? [
          [
            'Thread',
            <Link key="thread" href={`~${CONSOLE_PATH}/threads/${threadId}`}>
              Open the thread
            </Link>,
          ] as const,
        ]
      : []),
    ...(typeof attempt === 'number' && attempt > 1 ? [['Attempts', formatCount(attempt)] as const] : []),
    ...(typeof version === 'string' ? [['Code version', <code key="code">{version}</code>] as const] : []),
    ['Run', <CopyableId key="run" id={root.id} />],
  ];
}
