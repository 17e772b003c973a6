import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { GrownSize, NamedThread, StateGrowth, StateProfile } from '../../api/server.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { consoleHref } from '../../components/console-href.js';
import { Select } from '../../components/field.js';
import { formatBytes, formatCount, formatPercent, pluralize } from '../../components/format.js';
import { EmptyState, Note } from '../../components/note.js';
import { DescriptionList, Panel } from '../../components/page.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { Trend } from '../../components/trend.js';
import styles from './server.module.css';

const ROWS_FIRST = 10;
/** Channels of LangGraph itself that may be large. */
const CHANNEL_NAMES: Readonly<Record<string, string>> = {
  __start__: 'Inputs of runs (__start__)',
  __interrupt__: 'Questions to people (__interrupt__)',
};

/** Which threads, users and parts of the state take the space, and what has grown. */
export function StateProfilePanels({ state, actions }: { state: StateProfile; actions: ReactNode }) {
  return (
    <>
      <Overview state={state} actions={actions} />
      <LargestThreads state={state} />
      <Growers growth={state.growth} />
      <div className={styles['pairs']}>
        <Panel title="Users" flush>
          <ShareTable
            label="State by user"
            name="User"
            total={state.bytes}
            rows={state.owners.map(({ owner, ...row }) => ({ id: `user ${owner}`, name: owner ?? 'No owner', ...row }))}
          />
          <p className={styles['about']}>
            The owner of a thread is <code>owner</code>, <code>user_id</code> or <code>langgraph_auth_user_id</code> of
            its metadata.
          </p>
        </Panel>
        <Panel title="Graphs" flush>
          <ShareTable
            label="State by graph"
            name="Graph"
            total={state.bytes}
            rows={state.graphs.map(({ graph_id: name, ...row }) => ({ id: name, name, ...row }))}
          />
        </Panel>
        <Panel title="Values (channels)" flush>
          <ShareTable
            label="State by channel"
            name="Channel"
            total={state.measured.bytes}
            rows={state.channels.map(({ channel, ...row }) => ({
              id: channel,
              name: CHANNEL_NAMES[channel] ?? channel,
              ...row,
            }))}
          />
          <Measured state={state} />
        </Panel>
        <Panel title="Subgraphs (namespaces)" flush>
          <ShareTable
            label="State by subgraph"
            name="Subgraph"
            total={state.measured.bytes}
            rows={state.namespaces.map(({ namespace, ...row }) => ({
              id: namespace,
              name: namespace === '' ? 'Main graph' : namespace.replaceAll('|', ' › '),
              ...row,
            }))}
          />
          <Measured state={state} />
        </Panel>
      </div>
    </>
  );
}

function Overview({ state, actions }: { state: StateProfile; actions: ReactNode }) {
  const { budget, growth } = state;
  const history = [...state.history, { at: state.at, bytes: state.bytes }];
  return (
    <Panel title="State of threads" actions={actions}>
      {budget === null || budget.threads_over === 0 ? null : <OverBudget budget={budget} />}
      <DescriptionList
        facts={[
          ['Size', `${formatBytes(state.bytes)} in ${pluralize(state.threads, 'thread')}`],
          ['Since yesterday', <Growth key="day" growth={growth.day} />],
          ['Since last week', <Growth key="week" growth={growth.week} />],
          ['Budget of a thread', budget === null ? 'None' : budgetText(budget)],
          ...(state.deleted_bytes === 0
            ? []
            : ([['Of deleted threads', `${formatBytes(state.deleted_bytes)}, being removed`]] as const)),
        ]}
      />
      {history.length < 2 ? null : (
        <Trend
          label="Size of all states by day"
          values={history.map(({ bytes }) => bytes)}
          times={history.map(({ at }) => Date.parse(at) / 1_000)}
          height={160}
          format={formatBytes}
          large
        />
      )}
      <p className="soft">
        The state is what a graph remembers in its threads: a checkpoint after each step, which stays until the thread
        is pruned or deleted.
      </p>
      {state.is_complete ? null : (
        <Note variant="warn">There are too many threads or users to add all of them up. Some are missing here.</Note>
      )}
    </Panel>
  );
}

function OverBudget({ budget }: { budget: NonNullable<StateProfile['budget']> }) {
  const { threads_over: over, on_exceed: action } = budget;
  const [subject, they] = over === 1 ? ['thread is', 'it'] : ['threads are', 'them'];
  const text = {
    warn: 'Runs go on.',
    refuse: `New runs and updates of ${they} are refused until ${they === 'it' ? 'it is' : 'they are'} pruned.`,
    thin: `Older states of ${they} are removed after the next run.`,
  }[action];
  return (
    <Note variant="warn">
      {formatCount(over)} {subject} over the budget of {formatBytes(budget.thread_bytes)}. {text}
    </Note>
  );
}

function budgetText({ thread_bytes: bytes, on_exceed: action, keep_last: kept }: NonNullable<StateProfile['budget']>) {
  const above = {
    warn: 'then a warning in the log',
    refuse: 'then new runs are refused',
    thin:
      kept === 1 ? 'then only the newest state is kept' : `then the newest ${formatCount(kept ?? 1)} states are kept`,
  }[action];
  return `${formatBytes(bytes)}, ${above}`;
}

function Growth({ growth }: { growth: StateGrowth | null }) {
  if (growth === null) return <span className="soft">Known after the server has run that long</span>;
  const { bytes, since } = growth;
  return (
    <span>
      {signedBytes(bytes)}{' '}
      <span className="soft">
        compared with <Time at={since} />
      </span>
    </span>
  );
}

function LargestThreads({ state }: { state: StateProfile }) {
  const [isAll, setAll] = useState(false);
  const { largest_threads: threads, budget } = state;
  return (
    <Panel
      title="Largest threads"
      flush
      actions={
        threads.length <= ROWS_FIRST ? undefined : (
          <Button small onPress={() => setAll(!isAll)}>
            {isAll ? `Show ${ROWS_FIRST}` : `Show ${threads.length}`}
          </Button>
        )
      }
    >
      <Table
        label="Largest threads"
        items={isAll ? threads : threads.slice(0, ROWS_FIRST)}
        idOf={({ thread_id: id }) => id}
        empty={<EmptyState title="No thread has a state yet" />}
        columns={[
          {
            id: 'thread',
            name: 'Thread',
            cell: (thread) => (
              <span className={styles['thread']}>
                <ThreadLink thread={thread} />
                {budget !== null && thread.is_over_budget ? <Badge variant="warn">Over budget</Badge> : null}
              </span>
            ),
          },
          { id: 'graph', name: 'Graph', wideOnly: true, cell: ({ graph_id: graph }) => graph ?? '–' },
          { id: 'owner', name: 'User', wideOnly: true, cell: ({ owner }) => owner ?? '–' },
          { id: 'changed', name: 'Changed', wideOnly: true, cell: ({ updated_at: at }) => <Time at={at} /> },
          { id: 'bytes', name: 'Size', numbers: true, cell: ({ bytes }) => formatBytes(bytes) },
          shareColumn<StateProfile['largest_threads'][number]>(state.bytes, ({ thread_id: id }) => id),
        ]}
      />
    </Panel>
  );
}

const SPANS = [
  { id: 'day', name: 'Since yesterday' },
  { id: 'week', name: 'Since last week' },
] as const;

function Growers({ growth }: { growth: StateProfile['growth'] }) {
  const [span, setSpan] = useState<'day' | 'week'>('day');
  const shown = growth[span];
  return (
    <Panel
      title="Fastest growing threads"
      flush
      actions={
        <Select
          label="Time of the growth"
          hideLabel
          value={span}
          options={SPANS}
          onChange={(id) => setSpan(id === 'week' ? 'week' : 'day')}
        />
      }
    >
      <Table
        label="Fastest growing threads"
        items={(shown?.threads ?? []).slice(0, ROWS_FIRST)}
        idOf={({ thread_id: id }) => id}
        empty={
          shown === null ? (
            <EmptyState title="Not known yet">
              <p>The server remembers the largest threads once a day. Come back when it has run long enough.</p>
            </EmptyState>
          ) : (
            <EmptyState title="No thread has grown" />
          )
        }
        columns={[
          { id: 'thread', name: 'Thread', cell: (thread) => <ThreadLink thread={thread} /> },
          {
            id: 'grown',
            name: 'Growth',
            numbers: true,
            cell: ({ grown_bytes: grown, is_at_least: atLeast }) =>
              `${atLeast ? 'at least ' : ''}${signedBytes(grown)}`,
          },
          { id: 'bytes', name: 'Size now', numbers: true, cell: ({ bytes }) => formatBytes(bytes) },
        ]}
      />
    </Panel>
  );
}

function ThreadLink({ thread: { thread_id: id, title } }: { thread: NamedThread }) {
  return (
    <Link href={consoleHref(`/threads/${id}`)} className={styles['threadLink']!} dir="auto">
      {title ?? <code>{id}</code>}
    </Link>
  );
}

interface ShareRow extends GrownSize {
  id: string;
  name: string;
}

function ShareTable({
  label,
  name,
  total,
  rows,
}: {
  label: string;
  name: string;
  total: number;
  rows: readonly ShareRow[];
}) {
  const [isAll, setAll] = useState(false);
  const isGrowthKnown = rows.some(({ grown }) => grown.day !== null);
  return (
    <>
      <Table
        label={label}
        items={isAll ? rows : rows.slice(0, ROWS_FIRST)}
        idOf={({ id }) => id}
        empty={<EmptyState title="None yet" />}
        columns={[
          { id: 'name', name, cell: (row) => <span className={styles['threadLink']}>{row.name}</span> },
          { id: 'threads', name: 'Threads', numbers: true, cell: ({ threads }) => formatCount(threads) },
          { id: 'bytes', name: 'Size', numbers: true, cell: ({ bytes }) => formatBytes(bytes) },
          isGrowthKnown
            ? {
                id: 'grown',
                name: 'Since yesterday',
                numbers: true,
                wideOnly: true,
                cell: ({ grown }) => (grown.day === null ? '–' : signedBytes(grown.day)),
              }
            : {
                id: 'share',
                name: 'Share',
                numbers: true,
                wideOnly: true,
                cell: ({ bytes }) => formatPercent(total === 0 ? 0 : bytes / total),
              },
        ]}
      />
      {rows.length <= ROWS_FIRST ? null : (
        <p className={styles['about']}>
          <Button small onPress={() => setAll(!isAll)}>
            {isAll ? `Show ${ROWS_FIRST}` : `Show ${rows.length}`}
          </Button>
        </p>
      )}
    </>
  );
}

function Measured({ state: { measured, bytes } }: { state: StateProfile }) {
  return (
    <p className={styles['about']}>
      Of the {pluralize(measured.threads, 'largest thread')}, which {measured.threads === 1 ? 'has' : 'have'}{' '}
      {formatPercent(bytes === 0 ? 0 : measured.bytes / bytes)} of the state. What several steps share counts once.
    </p>
  );
}

/** `nameOf`: what a screen reader calls the row. */
export function shareColumn<T extends { bytes: number }>(total: number, nameOf: (row: T) => string): Column<T> {
  const shareOf = ({ bytes }: T): number => (total === 0 ? 0 : bytes / total);
  return {
    id: 'share',
    name: 'Share',
    wideOnly: true,
    cell: (row) => (
      <span className={styles['share']}>
        <meter aria-label={`Share of ${nameOf(row)}`} min={0} max={1} value={shareOf(row)} />
        {formatPercent(shareOf(row))}
      </span>
    ),
  };
}

function signedBytes(bytes: number): string {
  return bytes === 0 ? 'No change' : `${bytes < 0 ? '−' : '+'}${formatBytes(Math.abs(bytes))}`;
}
