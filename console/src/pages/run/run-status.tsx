import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Square, Undo2 } from 'lucide-react';
import { client } from '../../api/client.js';
import { ask } from '../../api/http.js';
import { BASE } from '../../api/session.js';
import { Badge, Status } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Id } from '../../components/copy.js';
import { Confirm } from '../../components/dialog.js';
import { useDoing } from '../../components/doing.js';
import { count, duration, many } from '../../components/format.js';
import { ErrorNote, Note } from '../../components/note.js';
import { isOver, type Followed } from './follow-run.js';
import { useNow } from './use-run.js';
import styles from './run-room.module.css';

interface Why {
  message: string;
  thread_id: string;
}

/** How the run is doing, and what can be done about it. */
export function RunStatus({
  followed,
  threadId,
  runId,
  onRetry,
}: {
  followed: Followed;
  threadId: string | null;
  runId: string;
  onRetry: () => void;
}) {
  const { view, status, link, startedMs, endedMs } = followed;
  const alive = !isOver(status) && link.kind !== 'gone' && link.kind !== 'ended';
  const now = useNow(alive, 100);
  const [undo, setUndo] = useState(false);
  const { error, attempt } = useDoing();
  const waits = status === 'pending' && alive && link.kind !== 'lost';
  const why = useQuery({
    queryKey: ['run', 'why', runId],
    queryFn: ({ signal }) =>
      ask<Why>(threadId === null ? `runs/${runId}/why` : `threads/${threadId}/runs/${runId}/why`, { signal }),
    enabled: waits,
    refetchInterval: waits ? 1_500 : false,
  });
  const cancel = async (action: 'interrupt' | 'rollback'): Promise<void> => {
    const thread = threadId ?? (await ask<Why>(`runs/${runId}/why`)).thread_id;
    await client.runs.cancel(thread, runId, false, action);
  };
  const stop = (): Promise<void> => attempt(() => cancel('interrupt'));
  const says =
    link.kind === 'lost'
      ? 'connection lost, trying again'
      : link.kind === 'gone'
        ? 'not there any more'
        : followed.open && view.interrupts.length > 0
          ? 'it waits for an answer'
          : status;
  return (
    <section aria-label="The run" className={styles['status']}>
      <div className={styles['statusLine']}>
        <Status status={status} />
        {followed.open && view.error === null ? (
          <Badge look="warn">{view.interrupts.length > 0 ? 'waits for an answer' : 'stopped on the way'}</Badge>
        ) : null}
        <span className="seen-by-readers-only" role="status">
          The run: {says}
        </span>
        {startedMs === null ? null : (
          <span className="numbers" data-elapsed>
            {duration(Math.max(0, (endedMs ?? now) - startedMs))}
          </span>
        )}
        {view.attempt > 1 ? <Badge look="warn">attempt {view.attempt}</Badge> : null}
        <span className="soft">
          {many(view.steps.size, 'step')} · {many(view.received, 'event')}
        </span>
        <span className="row soft">
          Run <Id id={runId} />
        </span>
        {threadId === null ? (
          <span className="soft">without a thread</span>
        ) : (
          <span className="row">
            <Link href={`~${BASE}/threads/${threadId}`}>Thread</Link>
            <Id id={threadId} />
          </span>
        )}
        {alive ? (
          <span className={styles['statusActions']}>
            <Button small onPress={() => void stop()}>
              <Square size={13} aria-hidden />
              Stop
            </Button>
            {threadId === null ? null : (
              <Button small look="quiet" onPress={() => setUndo(true)}>
                <Undo2 size={13} aria-hidden />
                Stop and undo
              </Button>
            )}
          </span>
        ) : null}
      </div>
      {error === null ? null : <ErrorNote error={error} />}
      {waits && why.data !== undefined ? (
        <Note>
          <span dir="auto">Waiting. {why.data.message}</span>
        </Note>
      ) : null}
      {link.kind === 'lost' ? (
        <Note look="warn">
          <span className="row">
            {link.why}{' '}
            {threadId === null
              ? 'This run has no thread, so it ends if the server goes down. '
              : 'The run goes on without this page. '}
            Trying again{link.tries > 1 ? ` (${link.tries})` : ''}; nothing is lost and nothing shown twice.{' '}
            <Button small onPress={onRetry}>
              Try now
            </Button>
          </span>
        </Note>
      ) : null}
      {link.kind === 'gone' ? <Note look="warn">{link.why}</Note> : null}
      {view.attempt > 1 ? (
        <Note look="warn">
          The run lost its worker and was taken up again from its last checkpoint: this is attempt {view.attempt}. Steps
          that were not done then are done again.
        </Note>
      ) : null}
      {followed.fromState
        ? null
        : view.gaps.map(({ from, to }) => (
            <Note key={from} look="warn">
              Events {count(from)} to {count(to)} are no longer kept by the server: what they said is missing here. The
              state has everything.
            </Note>
          ))}
      {followed.fromState ? (
        <Note>The events of this run are no longer kept. This is what its thread held when it had ended.</Note>
      ) : null}
      {view.error === null ? null : <ErrorNote error={`${view.error.error}: ${view.error.message}`} />}
      <Confirm
        title="Stop and undo?"
        verb="Stop and undo"
        isOpen={undo}
        onClose={() => setUndo(false)}
        onConfirm={() => cancel('rollback')}
      >
        The run is stopped and removed with all that it wrote; the thread is again as it was before.
      </Confirm>
    </section>
  );
}
