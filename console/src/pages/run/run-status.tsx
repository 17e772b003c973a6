import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Square, Undo2 } from 'lucide-react';
import { client } from '../../api/client.js';
import { fetchJson } from '../../api/http.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { Badge, Status } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CopyableId } from '../../components/copy.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { useAsyncAction } from '../../components/async-action.js';
import { formatCount, formatDuration, pluralize, statusName } from '../../components/format.js';
import { ErrorNote, Note } from '../../components/note.js';
import type { RunSnapshot } from './follow-run.js';
import { hasEnded } from './run-order.js';
import { RecordedRun } from './recorded-run.js';
import { useNow } from './use-run.js';
import styles from './run-page.module.css';

interface RunExplanation {
  message: string;
  thread_id: string;
}

/** Status of a run, with its actions. */
export function RunStatus({
  snapshot,
  threadId,
  runId,
  onRetry,
}: {
  snapshot: RunSnapshot;
  threadId: string | null;
  runId: string;
  onRetry: () => void;
}) {
  const { view, status, connection, startedMs, endedMs } = snapshot;
  const isActive = !hasEnded(status) && connection.kind !== 'gone' && connection.kind !== 'ended';
  const now = useNow(isActive, 100);
  const [isRollbackOpen, setRollbackOpen] = useState(false);
  const { error, execute } = useAsyncAction();
  const isQueued = status === 'pending' && isActive && connection.kind !== 'lost';
  const why = useQuery({
    queryKey: ['run', 'why', runId],
    queryFn: ({ signal }) =>
      fetchJson<RunExplanation>(threadId === null ? `runs/${runId}/why` : `threads/${threadId}/runs/${runId}/why`, {
        signal,
      }),
    enabled: isQueued,
    refetchInterval: isQueued ? 1_500 : false,
  });
  const cancel = async (action: 'interrupt' | 'rollback'): Promise<void> => {
    const thread = threadId ?? (await fetchJson<RunExplanation>(`runs/${runId}/why`)).thread_id;
    await client.runs.cancel(thread, runId, false, action);
  };
  const stop = (): Promise<void> => execute(() => cancel('interrupt'));
  const statusText =
    connection.kind === 'lost'
      ? 'connection lost, reconnecting'
      : connection.kind === 'gone'
        ? 'not found'
        : snapshot.canContinue && view.interrupts.length > 0
          ? 'waiting for input'
          : statusName(status);
  return (
    <section aria-label="Run status" className={styles['status']}>
      <div className={styles['statusLine']}>
        {snapshot.canContinue && view.error === null ? (
          <Badge variant="warn">{view.interrupts.length > 0 ? 'Waiting for input' : 'Stopped at a breakpoint'}</Badge>
        ) : (
          <Status status={status} />
        )}
        <span className="visually-hidden" role="status">
          Run: {statusText}
        </span>
        {startedMs === null ? null : (
          <span className="numbers" data-elapsed>
            {formatDuration(Math.max(0, (endedMs ?? now) - startedMs))}
          </span>
        )}
        {view.attempt > 1 ? <Badge variant="warn">Attempt {view.attempt}</Badge> : null}
        <span className="soft">
          {pluralize(view.steps.size, 'step')} · {pluralize(view.received, 'event')}
        </span>
        <span className="row soft">
          Run <CopyableId id={runId} />
        </span>
        {threadId === null ? (
          <span className="soft">Stateless</span>
        ) : (
          <span className="row">
            <Link href={`~${CONSOLE_PATH}/threads/${threadId}`}>Thread</Link>
            <CopyableId id={threadId} />
          </span>
        )}
        {hasEnded(status) ? <RecordedRun runId={runId} /> : null}
        {isActive ? (
          <span className={styles['statusActions']}>
            <Button needs="threads:update" small onPress={() => void stop()}>
              <Square size={13} aria-hidden />
              Cancel
            </Button>
            {threadId === null ? null : (
              <Button needs="threads:update" small variant="quiet" onPress={() => setRollbackOpen(true)}>
                <Undo2 size={13} aria-hidden />
                Cancel and roll back
              </Button>
            )}
          </span>
        ) : null}
      </div>
      {error === null ? null : <ErrorNote error={error} />}
      {isQueued && why.data !== undefined ? (
        <Note>
          <span dir="auto">Queued. {why.data.message}</span>
        </Note>
      ) : null}
      {connection.kind === 'lost' ? (
        <Note variant="warn">
          <span className="row">
            {connection.reason}{' '}
            {threadId === null
              ? 'This stateless run ends if the server stops. '
              : 'The run continues without this page. '}
            Reconnecting{connection.tries > 1 ? ` (attempt ${connection.tries})` : ''}. No events are lost.{' '}
            <Button small onPress={onRetry}>
              Reconnect now
            </Button>
          </span>
        </Note>
      ) : null}
      {connection.kind === 'gone' ? <Note variant="warn">{connection.reason}</Note> : null}
      {view.attempt > 1 ? (
        <Note variant="warn">
          The run lost its worker and resumed from its last checkpoint. This is attempt {view.attempt}. Unfinished steps
          run again.
        </Note>
      ) : null}
      {snapshot.fromState
        ? null
        : view.gaps.map(({ from, to }) => (
            <Note key={from} variant="warn">
              Events {formatCount(from)} to {formatCount(to)} have expired on the server and are missing here. The state
              is complete.
            </Note>
          ))}
      {snapshot.fromState ? (
        <Note>The events of this run have expired. This is the state of its thread at the end of the run.</Note>
      ) : null}
      {view.error === null ? null : <ErrorNote error={`${view.error.error}: ${view.error.message}`} />}
      <ConfirmDialog
        title="Cancel this run and roll back?"
        confirmLabel="Cancel and roll back"
        dismissLabel="Keep running"
        isOpen={isRollbackOpen}
        onClose={() => setRollbackOpen(false)}
        onConfirm={() => cancel('rollback')}
      >
        The run is deleted and the thread returns to its state before the run. This cannot be undone.
      </ConfirmDialog>
    </section>
  );
}
