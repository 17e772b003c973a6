import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { CircleStop, Copy, Trash2 } from 'lucide-react';
import { client } from '../../api/client.js';
import { ask } from '../../api/http.js';
import { BASE } from '../../api/session.js';
import { useDoing } from '../../components/doing.js';
import { shortId } from '../../components/format.js';
import { Status } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Id } from '../../components/copy.js';
import { Confirm } from '../../components/dialog.js';
import { Empty, ErrorNote, Loading } from '../../components/note.js';
import { Page } from '../../components/page.js';
import { Tabs } from '../../components/tabs.js';
import { Time } from '../../components/time.js';
import { say } from '../../components/toast.js';
import { AboutTab } from './about-tab.js';
import { HistoryTab } from './history-tab.js';
import { MessagesTab } from './messages-tab.js';
import { useQueryString } from '../../components/query-string.js';
import { RunsTab } from './runs-tab.js';
import { StateTab } from './state-tab.js';
import { aboutOf, nameIn } from './thread-about.js';
import { useAlive, useNewestRun, useThread, type ThreadHead } from './thread-data.js';
import styles from './thread.module.css';

const CRUMBS = [{ name: 'Threads', to: '/' }];
const TITLE_MAX = 120;

export function ThreadPage({ threadId }: { threadId: string }) {
  const thread = useThread(threadId);
  if (thread.data) return <Found thread={thread.data} error={thread.error} />;
  return (
    <Page title={`Thread ${shortId(threadId)}`} crumbs={CRUMBS}>
      {thread.error !== null ? (
        <ErrorNote error={thread.error} onRetry={() => void thread.refetch()} />
      ) : thread.isPending ? (
        <Loading />
      ) : (
        <Empty title="There is no such thread.">It was deleted, or this key does not see it.</Empty>
      )}
    </Page>
  );
}

function Found({ thread, error }: { thread: ThreadHead; error: Error | null }) {
  const [params, change] = useQueryString();
  const tab = params.get('tab') ?? 'messages';
  const busy = thread.status === 'busy';
  useAlive(thread.thread_id, busy);
  const title = aboutOf(thread)?.slice(0, TITLE_MAX) ?? `Thread ${shortId(thread.thread_id)}`;
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
      badge={<Status status={thread.status} />}
      about={<Facts thread={thread} />}
      actions={<Actions thread={thread} />}
    >
      {error === null ? null : <ErrorNote error={error} />}
      <Alive thread={thread} />
      <Tabs
        label="Parts of the thread"
        tabs={tabs}
        value={tabs.some(({ id }) => id === tab) ? tab : 'messages'}
        onChange={(id) =>
          change({ tab: id === 'messages' ? null : id, at: null, with: null, ns: null }, { push: true })
        }
      />
    </Page>
  );
}

function Facts({
  thread: { thread_id: id, created_at: created, updated_at: updated, metadata },
}: {
  thread: ThreadHead;
}) {
  const [graph, owner] = [nameIn(metadata['graph_id']), nameIn(metadata['owner'])];
  return (
    <span className={styles['facts']}>
      <Id id={id} />
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
        Made <Time at={created} />
      </span>
      <span>
        Changed <Time at={updated} />
      </span>
    </span>
  );
}

/** The run that executes or waits, or how the last one failed. */
function Alive({ thread }: { thread: ThreadHead }) {
  const newest = useNewestRun(thread);
  if (newest === null) return null;
  const { run, why } = newest;
  const live = `~${BASE}/run?thread=${thread.thread_id}&run=${run.run_id}`;
  if (thread.status === 'busy')
    return (
      <p role="status" className={styles['alive']}>
        <Status status={run.status} />
        <span>{why.message}</span>
        <Link href={live}>Watch it live</Link>
      </p>
    );
  if (thread.status === 'error') return <ErrorNote error={`The last run failed. ${why.message}`} />;
  return null;
}

function Actions({ thread }: { thread: ThreadHead }) {
  const { thread_id: id, status } = thread;
  const [asked, setAsked] = useState<'cancel' | 'delete' | null>(null);
  const { error, attempt } = useDoing();
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: ['threads'] });
  const copy = (): Promise<void> =>
    attempt(async () => {
      const { thread_id: made } = await ask<{ thread_id: string }>(`threads/${id}/copy`, { method: 'POST' });
      say('This is the copy.');
      navigate(`/${made}`);
    });
  return (
    <>
      {status === 'busy' ? (
        <Button onPress={() => setAsked('cancel')}>
          <CircleStop size={15} aria-hidden />
          Cancel the run
        </Button>
      ) : null}
      <Button onPress={() => void copy()}>
        <Copy size={15} aria-hidden />
        Copy thread
      </Button>
      <Button look="danger" onPress={() => setAsked('delete')}>
        <Trash2 size={15} aria-hidden />
        Delete
      </Button>
      {error === null ? null : <ErrorNote error={error} />}
      <Confirm
        title="Cancel the run?"
        isOpen={asked === 'cancel'}
        onClose={() => setAsked(null)}
        verb="Cancel the run"
        onConfirm={async () => {
          await cancelAll(id);
          await changed();
          say('Cancelled.');
        }}
      >
        It stops where it is, and runs that wait behind it are cancelled too; what they have done so far stays in the
        state. To take back what a run did, roll it back under Runs.
      </Confirm>
      <Confirm
        title="Delete this thread?"
        isOpen={asked === 'delete'}
        onClose={() => setAsked(null)}
        verb="Delete"
        onConfirm={async () => {
          await client.threads.delete(id);
          say('The thread is deleted.');
          navigate('/');
          void changed();
        }}
      >
        Its messages, states and runs go with it. This cannot be taken back.
      </Confirm>
    </>
  );
}

/** All runs of the thread that have not ended, those that wait first: none begins because another one stops. */
async function cancelAll(threadId: string): Promise<void> {
  const alive = await Promise.all(
    ['pending', 'running'].map((status) =>
      ask<{ run_id: string }[]>(`threads/${threadId}/runs`, { query: { status, limit: 1_000, select: ['run_id'] } }),
    ),
  );
  const ids = alive.flat().map(({ run_id: id }) => id);
  if (ids.length > 0)
    await ask('runs/cancel', {
      method: 'POST',
      query: { action: 'interrupt' },
      body: { thread_id: threadId, run_ids: ids },
    });
}
