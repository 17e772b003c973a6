import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { CircleStop, Copy, Trash2 } from 'lucide-react';
import { client } from '../../api/client.js';
import { fetchJson } from '../../api/http.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { useAsyncAction } from '../../components/async-action.js';
import { shortId } from '../../components/format.js';
import { Status } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CopyableId } from '../../components/copy.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Page } from '../../components/page.js';
import { Tabs } from '../../components/tabs.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { AddRunsToDatasetButton } from '../../shared/add-to-dataset.js';
import { AboutTab } from './about-tab.js';
import { HistoryTab } from './history-tab.js';
import { MessagesTab } from './messages-tab.js';
import { useQueryString } from '../../components/query-string.js';
import { RunsTab } from './runs-tab.js';
import { StateTab } from './state-tab.js';
import { threadStatus, threadTitle, nonEmptyString } from '../../shared/thread-title.js';
import { useLiveUpdates, useNewestRun, useThread, type ThreadSummary } from './thread-data.js';
import styles from './thread.module.css';

const CRUMBS = [{ name: 'Threads', to: '/' }];
const TITLE_MAX = 120;

export function ThreadPage({ threadId }: { threadId: string }) {
  const thread = useThread(threadId);
  if (thread.data) return <ThreadView thread={thread.data} error={thread.error} />;
  return (
    <Page title={`Thread ${shortId(threadId)}`} crumbs={CRUMBS}>
      {thread.error !== null ? (
        <ErrorNote error={thread.error} onRetry={() => void thread.refetch()} />
      ) : thread.isPending ? (
        <Loading />
      ) : (
        <EmptyState title="Thread not found">
          It was deleted, or this key has no access to it. Choose another thread.
        </EmptyState>
      )}
    </Page>
  );
}

function ThreadView({ thread, error }: { thread: ThreadSummary; error: Error | null }) {
  const [params, change] = useQueryString();
  const tab = params.get('tab') ?? 'messages';
  const busy = thread.status === 'busy';
  useLiveUpdates(thread.thread_id, busy);
  const title = threadTitle(thread)?.slice(0, TITLE_MAX) ?? `Thread ${shortId(thread.thread_id)}`;
  const tabs = [
    { id: 'messages', name: 'Messages', content: <MessagesTab thread={thread} /> },
    { id: 'state', name: 'State', content: <StateTab thread={thread} /> },
    { id: 'history', name: 'History', content: <HistoryTab thread={thread} /> },
    { id: 'runs', name: 'Runs', content: <RunsTab thread={thread} /> },
    { id: 'about', name: 'About', content: <AboutTab thread={thread} /> },
  ];
  return (
    <Page
      title={title}
      crumbs={CRUMBS}
      tall={tab === 'messages'}
      badge={<Status status={threadStatus(thread)} />}
      about={<ThreadFacts thread={thread} />}
      actions={<Actions thread={thread} />}
    >
      {error === null ? null : <ErrorNote error={error} />}
      <RunNotice thread={thread} />
      <Tabs
        label="Thread views"
        tabs={tabs}
        value={tabs.some(({ id }) => id === tab) ? tab : 'messages'}
        onChange={(id) =>
          change({ tab: id === 'messages' ? null : id, at: null, with: null, ns: null }, { push: true })
        }
      />
    </Page>
  );
}

function ThreadFacts({
  thread: { thread_id: id, created_at: created, updated_at: updated, metadata },
}: {
  thread: ThreadSummary;
}) {
  const [graph, owner] = [nonEmptyString(metadata['graph_id']), nonEmptyString(metadata['owner'])];
  return (
    <span className={styles['facts']}>
      <CopyableId id={id} />
      {graph === null ? null : (
        <span>
          Graph <bdi dir="auto">{graph.slice(0, 80)}</bdi>
        </span>
      )}
      {owner === null ? null : (
        <span>
          Owner <bdi dir="auto">{owner.slice(0, 80)}</bdi>
        </span>
      )}
      <span>
        Created <Time at={created} />
      </span>
      <span>
        Updated <Time at={updated} />
      </span>
    </span>
  );
}

/** The active run with its explanation, or the error of the last one. */
function RunNotice({ thread }: { thread: ThreadSummary }) {
  const newest = useNewestRun(thread);
  if (newest === null) return null;
  const { run, why } = newest;
  const live = `~${CONSOLE_PATH}/run?thread=${thread.thread_id}&run=${run.run_id}`;
  if (thread.status === 'busy')
    return (
      <p role="status" className={styles['runNotice']}>
        <Status status={run.status} />
        <span>{why.message}</span>
        <Link href={live}>Watch live</Link>
      </p>
    );
  if (thread.status === 'error') return <ErrorNote error={`The last run failed. ${why.message}`} />;
  return null;
}

function Actions({ thread }: { thread: ThreadSummary }) {
  const { thread_id: id, status } = thread;
  const [dialog, setDialog] = useState<'cancel' | 'delete' | null>(null);
  const { error, execute } = useAsyncAction();
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: ['threads'] });
  const copy = (): Promise<void> =>
    execute(async () => {
      const { thread_id: made } = await fetchJson<{ thread_id: string }>(`threads/${id}/copy`, { method: 'POST' });
      showToast('Thread copied. This is the copy.');
      navigate(`/${made}`);
    });
  return (
    <>
      {status === 'busy' ? (
        <Button needs="threads:update" onPress={() => setDialog('cancel')}>
          <CircleStop size={15} aria-hidden />
          Cancel run
        </Button>
      ) : null}
      <AddRunsToDatasetButton selection={{ threads: [id] }} />
      <Button needs={['threads:create', 'threads:read']} onPress={() => void copy()}>
        <Copy size={15} aria-hidden />
        Copy thread
      </Button>
      <Button needs="threads:delete" variant="danger" onPress={() => setDialog('delete')}>
        <Trash2 size={15} aria-hidden />
        Delete
      </Button>
      {error === null ? null : <ErrorNote error={error} />}
      <ConfirmDialog
        title="Cancel all runs of this thread?"
        dismissLabel="Keep running"
        isOpen={dialog === 'cancel'}
        onClose={() => setDialog(null)}
        confirmLabel="Cancel runs"
        onConfirm={async () => {
          await cancelAll(id);
          await changed();
          showToast('Runs cancelled.');
        }}
      >
        The active run and all queued runs of the thread are cancelled. Checkpoints that were written are kept. To undo
        a run, roll it back on the Runs tab.
      </ConfirmDialog>
      <ConfirmDialog
        title="Delete this thread?"
        isOpen={dialog === 'delete'}
        onClose={() => setDialog(null)}
        confirmLabel="Delete"
        onConfirm={async () => {
          await client.threads.delete(id);
          showToast('Thread deleted.');
          navigate('/');
          void changed();
        }}
      >
        Its messages, states and runs are deleted too. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}

/** Cancels all active runs of a thread. Queued runs come first, so that none starts when the running one stops. */
async function cancelAll(threadId: string): Promise<void> {
  const alive = await Promise.all(
    ['pending', 'running'].map((status) =>
      fetchJson<{ run_id: string }[]>(`threads/${threadId}/runs`, {
        query: { status, limit: 1_000, select: ['run_id'] },
      }),
    ),
  );
  const ids = alive.flat().map(({ run_id: id }) => id);
  if (ids.length > 0)
    await fetchJson('runs/cancel', {
      method: 'POST',
      query: { action: 'interrupt' },
      body: { thread_id: threadId, run_ids: ids },
    });
}
