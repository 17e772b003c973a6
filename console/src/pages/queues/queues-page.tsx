import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { queues, type Queue } from '../../api/queues.js';
import { Button } from '../../components/button.js';
import { DebouncedSearchField } from '../../components/debounced-search.js';
import { formatCount } from '../../components/format.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Page, Panel, Toolbar } from '../../components/page.js';
import { Pagination } from '../../components/pagination.js';
import { queryNumber, useQueryString } from '../../components/query-string.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { QueueDialog } from '../../shared/queue-dialog.js';
import styles from './queues.module.css';

const PAGE_SIZE = 50;

const COLUMNS: readonly Column<Queue>[] = [
  { id: 'name', name: 'Queue', cell: (queue) => <Link href={`/${queue.id}`}>{queue.name}</Link> },
  {
    id: 'description',
    name: 'Description',
    wideOnly: true,
    cell: (queue) => <span className="soft">{(queue.description ?? '').slice(0, 160)}</span>,
  },
  { id: 'runs', name: 'To review', numbers: true, cell: (queue) => formatCount(queue.total_runs ?? 0) },
  { id: 'created', name: 'Created', cell: (queue) => <Time at={queue.created_at} /> },
];

/** The annotation queues, newest first. */
export function QueuesPage() {
  const [query, change] = useQueryString();
  const [, navigate] = useLocation();
  const [isCreating, setCreating] = useState(false);
  const name = query.get('name') ?? '';
  const offset = queryNumber(query, 'offset');
  const list = useQuery({
    queryKey: ['queues', 'list', { name, offset }],
    queryFn: ({ signal }) =>
      queues.list({ name_contains: name === '' ? null : name, offset, limit: PAGE_SIZE + 1 }, signal),
    placeholderData: keepPreviousData,
  });
  const onName = useCallback((text: string) => change({ name: text, offset: null }), [change]);
  const shown = list.data?.slice(0, PAGE_SIZE) ?? [];
  const newQueue = (
    <Button needs="experiments:create|reviews" variant="primary" onPress={() => setCreating(true)}>
      <Plus size={16} aria-hidden />
      New queue
    </Button>
  );
  const isEmpty = name === '' && offset === 0 && list.data?.length === 0;
  return (
    <Page
      title="Annotation queues"
      about="Lists of runs that people review and score."
      // An empty page has the button in its middle. Until that is known it is not shown, so that it does not move.
      actions={list.isPending || isEmpty ? undefined : newQueue}
    >
      <Toolbar label="Search">
        <DebouncedSearchField label="Queue name" text={name} onText={onName} />
      </Toolbar>
      {list.error === null ? null : <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.data === undefined ? (
        list.error === null ? (
          <Loading />
        ) : null
      ) : (
        <Panel flush>
          <Table
            label="Annotation queues"
            columns={COLUMNS}
            items={shown}
            idOf={({ id }) => id}
            empty={
              isEmpty ? (
                <EmptyState title="No annotation queues yet">
                  <p>Create a queue, then add runs to it from an experiment.</p>
                  <div className={styles['emptyAction']}>{newQueue}</div>
                </EmptyState>
              ) : (
                <EmptyState title="No matching queues">Change or clear the search.</EmptyState>
              )
            }
          />
        </Panel>
      )}
      <Pagination
        what="queues"
        offset={offset}
        shown={shown.length}
        total={undefined}
        hasMore={(list.data?.length ?? 0) > PAGE_SIZE}
        size={PAGE_SIZE}
        onOffset={(next) => change({ offset: next === 0 ? null : String(next) }, { push: true })}
      />
      {isCreating ? (
        <QueueDialog
          queue={null}
          onClose={() => setCreating(false)}
          onSaved={({ id }) => {
            showToast('Queue created.');
            navigate(`/${id}`);
          }}
        />
      ) : null}
    </Page>
  );
}
