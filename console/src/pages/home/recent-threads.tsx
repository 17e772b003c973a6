import { Link } from 'wouter';
import { Status } from '../../components/badge.js';
import { consoleHref } from '../../components/console-href.js';
import { EmptyState } from '../../components/note.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import type { ThreadRow } from '../../shared/thread-search.js';
import { nonEmptyString, threadStatus, threadTitle } from '../../shared/thread-title.js';
import { useRecentThreads } from './home-data.js';
import { Section } from './section.js';
import styles from './home.module.css';

const SHOWN_MAX = 6;

const COLUMNS: readonly Column<ThreadRow>[] = [
  {
    id: 'title',
    name: 'Thread',
    cell: (row) => (
      <Link href={consoleHref(`/threads/${row.thread_id}`)} className={styles['name']} dir="auto">
        {threadTitle(row) ?? row.thread_id}
      </Link>
    ),
  },
  {
    id: 'graph',
    name: 'Graph',
    wideOnly: true,
    cell: ({ extracted }) => nonEmptyString(extracted.graph) ?? '–',
  },
  { id: 'status', name: 'Status', cell: (row) => <Status status={threadStatus(row)} /> },
  { id: 'updated', name: 'Updated', cell: ({ updated_at: at }) => <Time at={at} /> },
];

export function RecentThreads() {
  const threads = useRecentThreads();
  return (
    <Section title="Recent threads" actions={<Link href={consoleHref('/threads')}>All threads</Link>} query={threads}>
      {(rows) => (
        <Table
          label="Recent threads"
          columns={COLUMNS}
          items={rows.slice(0, SHOWN_MAX)}
          idOf={({ thread_id: id }) => id}
          empty={<EmptyState title="No threads yet">Start a run to create one.</EmptyState>}
        />
      )}
    </Section>
  );
}
