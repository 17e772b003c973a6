import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { client } from '../../api/client.js';
import { fetchJson } from '../../api/http.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { Badge, Status } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CopyableId } from '../../components/copy.js';
import { ConfirmDialog, Dialog } from '../../components/dialog.js';
import { formatDuration } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { Menu, type MenuAction } from '../../components/menu.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { DescriptionList, Panel } from '../../components/page.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { newestRunStatus } from '../../shared/thread-title.js';
import { fetchRuns, fetchRunExplanation, type Run, type ThreadSummary } from './thread-data.js';
import styles from './thread.module.css';

const PAGE = 20;
type RunAction = { kind: 'interrupt' | 'rollback' | 'delete' | 'show'; run: Run };

/** The runs of a thread, newest first, with their outcome or the reason why they wait. */
export function RunsTab({ thread }: { thread: ThreadSummary }) {
  const { thread_id: id } = thread;
  const runs = useInfiniteQuery({
    queryKey: ['threads', id, 'runs'],
    queryFn: ({ pageParam, signal }) => fetchRuns(id, { limit: PAGE, offset: pageParam, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < PAGE ? null : all.length * PAGE),
    refetchInterval: thread.status === 'busy' ? 2_000 : false,
    placeholderData: keepPreviousData,
  });
  const [action, setAction] = useState<RunAction | null>(null);
  const [, navigate] = useLocation();
  if (runs.data === undefined)
    return runs.error === null ? <Loading /> : <ErrorNote error={runs.error} onRetry={() => void runs.refetch()} />;
  const newest = runs.data.pages[0]?.[0];
  const statusOf = (run: Run): string =>
    run.run_id === newest?.run_id ? newestRunStatus(run.status, thread) : run.status;
  const columns: Column<Run>[] = [
    {
      id: 'run',
      name: 'Run',
      cell: (run) => (
        <span className={styles['run']}>
          <Link href={`~${CONSOLE_PATH}/run?thread=${id}&run=${run.run_id}`}>Open</Link>
          <CopyableId id={run.run_id} />
        </span>
      ),
    },
    { id: 'status', name: 'Status', cell: (run) => <Status status={statusOf(run)} /> },
    {
      id: 'why',
      name: 'Outcome',
      cell: (run) =>
        statusOf(run) === 'waiting' ? (
          <span className="soft">It asked for input</span>
        ) : (
          <RunOutcome thread={thread} run={run} />
        ),
    },
    {
      id: 'took',
      name: 'Duration',
      numbers: true,
      wideOnly: true,
      cell: (run) =>
        isActive(run) ? '' : formatDuration(new Date(run.updated_at).getTime() - new Date(run.created_at).getTime()),
    },
    {
      id: 'made',
      name: 'Created',
      cell: ({ created_at: at }) => (
        <span style={{ whiteSpace: 'nowrap' }}>
          <Time at={at} />
        </span>
      ),
    },
    {
      id: 'do',
      name: <span className="visually-hidden">Actions</span>,
      cell: (run) => (
        <Menu
          label={`Run ${run.run_id}`}
          actions={[
            {
              id: 'trace',
              name: 'Show trace',
              onAction: () => navigate(`~${CONSOLE_PATH}/traces/${run.run_id}`),
            },
            ...menuActions(run, setAction),
          ]}
        />
      ),
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
          empty={<EmptyState title="No runs yet">Send a message or start a run on this thread.</EmptyState>}
        />
      </Panel>
      {runs.hasNextPage ? (
        <div className="row">
          <Button isPending={runs.isFetchingNextPage} onPress={() => void runs.fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
      <RunActionDialogs thread={thread} action={action} onClose={() => setAction(null)} />
    </>
  );
}

function isActive({ status }: Run): boolean {
  return status === 'pending' || status === 'running';
}

function menuActions(run: Run, choose: (action: RunAction) => void): MenuAction[] {
  const show: MenuAction = { id: 'show', name: 'Show details', onAction: () => choose({ kind: 'show', run }) };
  return isActive(run)
    ? [
        show,
        {
          id: 'interrupt',
          name: 'Cancel',
          needs: 'threads:update',
          onAction: () => choose({ kind: 'interrupt', run }),
        },
        {
          id: 'rollback',
          name: 'Cancel and roll back',
          needs: 'threads:update',
          danger: true,
          onAction: () => choose({ kind: 'rollback', run }),
        },
      ]
    : [
        show,
        {
          id: 'delete',
          name: 'Delete',
          danger: true,
          needs: 'threads:delete',
          onAction: () => choose({ kind: 'delete', run }),
        },
      ];
}

/** The server's explanation of the status. Successful runs need none. */
function RunOutcome({ thread, run }: { thread: ThreadSummary; run: Run }) {
  const { data, error } = useQuery({
    queryKey: ['threads', thread.thread_id, 'why', run.run_id, run.status],
    queryFn: ({ signal }) => fetchRunExplanation(thread.thread_id, run.run_id, signal),
    enabled: run.status !== 'success',
    refetchInterval: isActive(run) ? 2_000 : false,
  });
  if (run.status === 'success') return <span className="soft">Completed</span>;
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined) return null;
  return (
    <span className={`row ${styles['outcome']}`}>
      <span dir="auto">{data.message.slice(0, 500)}</span>
      {data.attempt > 1 ? (
        <Badge variant="warn">
          Attempt {data.attempt} of {data.attempts_max}
        </Badge>
      ) : null}
    </span>
  );
}

function RunActionDialogs({
  thread: { thread_id: id },
  action,
  onClose,
}: {
  thread: ThreadSummary;
  action: RunAction | null;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const done = async (text: string): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['threads', id] });
    showToast(text);
  };
  const run = action?.run.run_id ?? '';
  return (
    <>
      <ConfirmDialog
        title="Cancel this run?"
        isOpen={action?.kind === 'interrupt'}
        onClose={onClose}
        confirmLabel="Cancel run"
        dismissLabel="Keep running"
        onConfirm={async () => {
          await client.runs.cancel(id, run, false, 'interrupt');
          await done('Run cancelled.');
        }}
      >
        The checkpoints that it has written are kept.
      </ConfirmDialog>
      <ConfirmDialog
        title="Cancel this run and roll back?"
        dismissLabel="Keep running"
        isOpen={action?.kind === 'rollback'}
        onClose={onClose}
        confirmLabel="Cancel and roll back"
        onConfirm={async () => {
          await client.runs.cancel(id, run, false, 'rollback');
          await done('Run rolled back.');
        }}
      >
        The run is deleted and the thread returns to its state before the run. This cannot be undone.
      </ConfirmDialog>
      <ConfirmDialog
        title="Delete this run?"
        isOpen={action?.kind === 'delete'}
        onClose={onClose}
        confirmLabel="Delete"
        onConfirm={async () => {
          await client.runs.delete(id, run);
          await done('Run deleted.');
        }}
      >
        The run, its events and its feedback are deleted. Its changes to the state are kept.
      </ConfirmDialog>
      {action?.kind === 'show' ? <RunDetailsDialog threadId={id} run={action.run} onClose={onClose} /> : null}
    </>
  );
}

function RunDetailsDialog({ threadId, run, onClose }: { threadId: string; run: Run; onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey: ['threads', threadId, 'run', run.run_id],
    queryFn: ({ signal }) => fetchJson<Record<string, unknown>>(`threads/${threadId}/runs/${run.run_id}`, { signal }),
  });
  return (
    <Dialog title="Run details" isOpen size="wide" onClose={onClose}>
      <DescriptionList
        facts={[
          ['Status', <Status status={run.status} />],
          ['Created', <Time at={run.created_at} />],
          ['Updated', <Time at={run.updated_at} />],
          ['Multitask strategy', run.multitask_strategy],
          ['Code version', run.code_version == null ? '–' : <code key="code">{run.code_version}</code>],
        ]}
      />
      {error === null ? null : <ErrorNote error={error} />}
      {data === undefined ? null : (
        <div className={styles['channel']}>
          <JsonTree label="Run" value={data} openTo={2} rows={22} />
        </div>
      )}
    </Dialog>
  );
}
