import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { client } from '../../api/client.js';
import { ask } from '../../api/http.js';
import { BASE } from '../../api/session.js';
import { Badge, Status } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Id } from '../../components/copy.js';
import { Confirm, Dialog } from '../../components/dialog.js';
import { duration } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { Menu, type MenuAction } from '../../components/menu.js';
import { Empty, ErrorNote, Loading } from '../../components/note.js';
import { Facts, Panel } from '../../components/page.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { say } from '../../components/toast.js';
import { runsOf, whyOf, type Run, type ThreadHead } from './thread-data.js';
import styles from './thread.module.css';

const PAGE = 20;
type Deed = { kind: 'interrupt' | 'rollback' | 'delete' | 'show'; run: Run };

/** The thread's runs, newest first: how each went, or what it waits for. */
export function RunsTab({ thread }: { thread: ThreadHead }) {
  const { thread_id: id } = thread;
  const runs = useInfiniteQuery({
    queryKey: ['threads', id, 'runs'],
    queryFn: ({ pageParam, signal }) => runsOf(id, { limit: PAGE, offset: pageParam, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < PAGE ? null : all.length * PAGE),
    refetchInterval: thread.status === 'busy' ? 2_000 : false,
    placeholderData: keepPreviousData,
  });
  const [deed, setDeed] = useState<Deed | null>(null);
  if (runs.data === undefined)
    return runs.error === null ? <Loading /> : <ErrorNote error={runs.error} onRetry={() => void runs.refetch()} />;
  const columns: Column<Run>[] = [
    {
      id: 'run',
      name: 'Run',
      cell: (run) => (
        <span className={styles['run']}>
          <Link href={`~${BASE}/run?thread=${id}&run=${run.run_id}`}>Watch</Link>
          <Id id={run.run_id} />
        </span>
      ),
    },
    { id: 'status', name: 'Status', cell: ({ status }) => <Status status={status} /> },
    { id: 'why', name: 'What became of it', cell: (run) => <Became thread={thread} run={run} /> },
    {
      id: 'took',
      name: 'Took',
      numbers: true,
      wideOnly: true,
      cell: (run) =>
        isAlive(run) ? '' : duration(new Date(run.updated_at).getTime() - new Date(run.created_at).getTime()),
    },
    {
      id: 'made',
      name: 'Made',
      cell: ({ created_at: at }) => (
        <span style={{ whiteSpace: 'nowrap' }}>
          <Time at={at} />
        </span>
      ),
    },
    {
      id: 'do',
      name: <span className="seen-by-readers-only">What can be done</span>,
      cell: (run) => <Menu label={`Run ${run.run_id}`} actions={actionsOf(run, setDeed)} />,
    },
  ];
  return (
    <>
      {runs.error === null ? null : <ErrorNote error={runs.error} onRetry={() => void runs.refetch()} />}
      <Panel flush>
        <Table
          label="Runs"
          columns={columns}
          items={runs.data.pages.flat()}
          idOf={({ run_id: run }) => run}
          empty={<Empty title="Nothing has run on this thread." />}
        />
      </Panel>
      {runs.hasNextPage ? (
        <div className="row">
          <Button isPending={runs.isFetchingNextPage} onPress={() => void runs.fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
      <Ways thread={thread} deed={deed} onClose={() => setDeed(null)} />
    </>
  );
}

function isAlive({ status }: Run): boolean {
  return status === 'pending' || status === 'running';
}

function actionsOf(run: Run, choose: (deed: Deed) => void): MenuAction[] {
  const show: MenuAction = { id: 'show', name: 'What it was asked', onAction: () => choose({ kind: 'show', run }) };
  return isAlive(run)
    ? [
        show,
        { id: 'interrupt', name: 'Cancel', onAction: () => choose({ kind: 'interrupt', run }) },
        {
          id: 'rollback',
          name: 'Cancel and roll back',
          danger: true,
          onAction: () => choose({ kind: 'rollback', run }),
        },
      ]
    : [show, { id: 'delete', name: 'Delete', danger: true, onAction: () => choose({ kind: 'delete', run }) }];
}

/** The server's own words. Of a run that went well there is nothing to say. */
function Became({ thread, run }: { thread: ThreadHead; run: Run }) {
  const { data, error } = useQuery({
    queryKey: ['threads', thread.thread_id, 'why', run.run_id, run.status],
    queryFn: ({ signal }) => whyOf(thread.thread_id, run.run_id, signal),
    enabled: run.status !== 'success',
    refetchInterval: isAlive(run) ? 2_000 : false,
  });
  if (run.status === 'success') return <span className="soft">It went well.</span>;
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined) return null;
  return (
    <span className={`row ${styles['became']}`}>
      <span dir="auto">{data.message.slice(0, 500)}</span>
      {data.attempt > 1 ? (
        <Badge look="warn">
          attempt {data.attempt} of {data.attempts_max}
        </Badge>
      ) : null}
    </span>
  );
}

function Ways({
  thread: { thread_id: id },
  deed,
  onClose,
}: {
  thread: ThreadHead;
  deed: Deed | null;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const done = async (text: string): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['threads', id] });
    say(text);
  };
  const run = deed?.run.run_id ?? '';
  return (
    <>
      <Confirm
        title="Cancel this run?"
        isOpen={deed?.kind === 'interrupt'}
        onClose={onClose}
        verb="Cancel the run"
        onConfirm={async () => {
          await client.runs.cancel(id, run, false, 'interrupt');
          await done('Cancelled.');
        }}
      >
        What it has done so far stays in the state.
      </Confirm>
      <Confirm
        title="Cancel this run and roll back?"
        isOpen={deed?.kind === 'rollback'}
        onClose={onClose}
        verb="Roll back"
        onConfirm={async () => {
          await client.runs.cancel(id, run, false, 'rollback');
          await done('Rolled back.');
        }}
      >
        The run is deleted, and the thread's state is what it was before it. This cannot be taken back.
      </Confirm>
      <Confirm
        title="Delete this run?"
        isOpen={deed?.kind === 'delete'}
        onClose={onClose}
        verb="Delete"
        onConfirm={async () => {
          await client.runs.delete(id, run);
          await done('The run is deleted.');
        }}
      >
        The run, its events and its feedback are deleted; what it did to the state stays.
      </Confirm>
      {deed?.kind === 'show' ? <Asked threadId={id} run={deed.run} onClose={onClose} /> : null}
    </>
  );
}

function Asked({ threadId, run, onClose }: { threadId: string; run: Run; onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey: ['threads', threadId, 'run', run.run_id],
    queryFn: ({ signal }) => ask<Record<string, unknown>>(`threads/${threadId}/runs/${run.run_id}`, { signal }),
  });
  return (
    <Dialog title="What the run was asked" isOpen size="wide" onClose={onClose}>
      <Facts
        facts={[
          ['Status', <Status status={run.status} />],
          ['Made', <Time at={run.created_at} />],
          ['Changed', <Time at={run.updated_at} />],
          ['Where another run executes', run.multitask_strategy],
        ]}
      />
      {error === null ? null : <ErrorNote error={error} />}
      {data === undefined ? null : (
        <div className={styles['channel']}>
          <JsonTree label="The run" value={data} openTo={2} rows={22} />
        </div>
      )}
    </Dialog>
  );
}
