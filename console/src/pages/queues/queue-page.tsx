import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { queues, type QueuedRun, type QueueWithRubric } from '../../api/queues.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Badge } from '../../components/badge.js';
import { Button, ButtonLink } from '../../components/button.js';
import { CopyableId } from '../../components/copy.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { formatCount, pluralize, statusName } from '../../components/format.js';
import { deleteAction, Menu } from '../../components/menu.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { DescriptionList, Page, Panel } from '../../components/page.js';
import { queryNumber, useQueryString } from '../../components/query-string.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { InterruptsOfRun } from '../../shared/open-interrupts.js';
import { QueueDialog } from '../../shared/queue-dialog.js';
import { RunValues } from '../../shared/run-values.js';
import { ReviewForm } from './review-form.js';
import styles from './queues.module.css';

const CRUMBS = [{ name: 'Annotation queues', to: '/' }];
const ERROR_CHARS_MAX = 2_000;

/** The next run of a queue, with the fields of its rubric. `at` in the address counts skipped runs. */
export function QueuePage() {
  const { id } = useParams<{ id: string }>();
  const client = useQueryClient();
  const [query, change] = useQueryString();
  const index = queryNumber(query, 'at');
  const queue = useQuery({ queryKey: ['queues', 'one', id], queryFn: ({ signal }) => queues.get(id, signal) });
  const next = useQuery({
    queryKey: ['queues', 'next', id, index],
    queryFn: async ({ signal }) => {
      const [run, size] = await Promise.all([queues.run(id, index, signal), queues.size(id, signal)]);
      return { run, size, place: index + 1 };
    },
    placeholderData: keepPreviousData,
  });
  const review = useRef<HTMLDivElement>(null);
  const shownRunId = next.data === undefined ? undefined : (next.data.run?.queue_run_id ?? null);
  const previousRunId = useRef(shownRunId);
  useEffect(() => {
    const isFirst = previousRunId.current === undefined;
    previousRunId.current = shownRunId;
    if (isFirst) return;
    // The form of the previous run had the focus and is gone. The next run is read from its beginning.
    review.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [shownRunId]);
  const failed = [queue, next].find(({ error }) => error !== null);
  const retry = failed === undefined ? null : <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />;
  if (queue.data === undefined || next.data === undefined)
    return (
      <Page title="Annotation queue" crumbs={CRUMBS}>
        {retry ?? <Loading />}
      </Page>
    );
  const { name, description, rubric_instructions: instructions, rubric_items: items } = queue.data;
  // Of the run that is shown, while the next one is being loaded.
  const { run, size, place } = next.data;
  return (
    <Page
      title={name}
      crumbs={CRUMBS}
      actions={<Actions queue={queue.data} />}
      about={
        description === null || description === '' ? undefined : <span dir="auto">{description.slice(0, 500)}</span>
      }
    >
      {retry}
      <div className="stack" ref={review} tabIndex={-1} role="region" aria-label="Run to review">
        {run === null ? (
          <Panel>
            <EmptyState title={size === 0 ? 'Nothing to review' : 'End of the queue'}>
              {size === 0 ? (
                <>
                  <p>Open an experiment, select runs and press “Add to queue”.</p>
                  <div className={styles['emptyAction']}>
                    <ButtonLink to={`~${CONSOLE_PATH}/experiments`}>Choose an experiment</ButtonLink>
                  </div>
                </>
              ) : (
                <Link href={`/${id}`}>Review the {pluralize(size, 'skipped run')}</Link>
              )}
            </EmptyState>
          </Panel>
        ) : (
          <>
            <RunPanel queueId={id} run={run} place={place} size={size} />
            <Panel title="Review">
              {instructions === null || instructions === '' ? null : (
                <p dir="auto" className={styles['instructions']}>
                  {instructions}
                </p>
              )}
              <ReviewForm
                key={run.queue_run_id}
                run={run}
                items={items}
                isDisabled={next.isPlaceholderData}
                onSkip={() => change({ at: String(index + 1) })}
                onDone={async () => {
                  showToast('Review stored.');
                  await client.invalidateQueries({ queryKey: ['queues'] });
                }}
              />
            </Panel>
          </>
        )}
      </div>
    </Page>
  );
}

function Actions({ queue }: { queue: QueueWithRubric }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isEditing, setEditing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <Button needs="experiments:update|reviews" onPress={() => setEditing(true)}>
        <Pencil size={15} aria-hidden />
        Edit
      </Button>
      <Menu label="More" actions={[deleteAction('experiments:delete|reviews', () => setDeleting(true))]} />
      {isEditing ? (
        <QueueDialog queue={queue} onClose={() => setEditing(false)} onSaved={() => showToast('Queue saved.')} />
      ) : null}
      <ConfirmDialog
        title={`Delete ${queue.name}?`}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        confirmLabel="Delete"
        onConfirm={async () => {
          await queues.delete(queue.id);
          showToast('Queue deleted.');
          navigate('/');
          await client.invalidateQueries({ queryKey: ['queues', 'list'] });
        }}
      >
        Its runs and their feedback are kept. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}

function RunPanel({ queueId, run, place, size }: { queueId: string; run: QueuedRun; place: number; size: number }) {
  const client = useQueryClient();
  const { error, isPending, execute } = useAsyncAction();
  const remove = (): Promise<void> =>
    execute(async () => {
      await queues.removeRun(queueId, run.queue_run_id);
      showToast('Run removed from the queue.');
      await client.invalidateQueries({ queryKey: ['queues'] });
    });
  return (
    <Panel
      title={`Run ${formatCount(place)} of ${formatCount(size)}`}
      actions={
        <Button
          needs="experiments:update|reviews"
          small
          variant="quiet"
          isPending={isPending}
          onPress={() => void remove()}
        >
          Remove from queue
        </Button>
      }
    >
      {error === null ? null : <ErrorNote error={error} />}
      <DescriptionList
        facts={[
          [
            'Status',
            <Badge key="status" variant={run.error === null ? 'good' : 'bad'}>
              {statusName(run.status)}
            </Badge>,
          ],
          ['Name', run.name],
          ['Added', <Time key="added" at={run.added_at} />],
          [
            'Experiment',
            <Link key="experiment" href={`~${CONSOLE_PATH}/experiments/${run.session_id}?run=${run.id}`}>
              Show the run
            </Link>,
          ],
          ['Run', <CopyableId key="run" id={run.id} />],
        ]}
      />
      {run.error === null ? null : <ErrorNote error={run.error.slice(0, ERROR_CHARS_MAX)} />}
      <RunValues title="Inputs" value={run.inputs} openTo={2} rows={12} />
      <RunValues title="Outputs" value={run.outputs} openTo={2} rows={12} />
      <QuestionsOf run={run} />
    </Panel>
  );
}

/** The questions of the thread of a run, which a reviewer can answer here. */
function QuestionsOf({ run: { extra } }: { run: QueuedRun }) {
  const { thread_id: threadId, assistant_id: assistantId } = (extra?.['metadata'] ?? {}) as Record<string, unknown>;
  return typeof threadId === 'string' && typeof assistantId === 'string' ? (
    <InterruptsOfRun key={threadId} threadId={threadId} assistantId={assistantId} />
  ) : null;
}
