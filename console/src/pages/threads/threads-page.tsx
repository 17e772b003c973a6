import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Trash2 } from 'lucide-react';
import { ask } from '../../api/http.js';
import { BASE } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { Confirm } from '../../components/dialog.js';
import { count, many } from '../../components/format.js';
import { Empty, ErrorNote, Loading } from '../../components/note.js';
import { Page, Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import { say } from '../../components/toast.js';
import { readMetadata } from '../../shared/metadata-filter.js';
import { useQueryString } from '../../components/query-string.js';
import { ThreadFilters } from './thread-filters.js';
import { threadColumns } from './thread-columns.js';
import { countThreads, isFiltered, searchThreads, SORT, type Filters } from './thread-search.js';
import styles from './threads.module.css';

/** Beyond so many pages the list is no longer read anew by itself: all of them would be. */
const REFRESHED_PAGES = 4;
const REFRESH_MS = 5_000;

export function ThreadsPage() {
  const [params, change] = useQueryString();
  const get = (name: string): string => params.get(name) ?? '';
  const filters: Filters = {
    text: get('text'),
    status: get('status'),
    owner: get('owner'),
    metadata: get('metadata'),
    sort: get('sort') || SORT,
  };
  const wrong = readMetadata(filters.metadata).error !== null;
  const list = useInfiniteQuery({
    queryKey: ['threads', 'list', filters],
    queryFn: ({ pageParam, signal }) => searchThreads(filters, pageParam, signal),
    initialPageParam: null as string | number | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= REFRESHED_PAGES ? REFRESH_MS : false),
    placeholderData: keepPreviousData,
    enabled: !wrong,
  });
  const total = useQuery({
    queryKey: ['threads', 'count', filters],
    queryFn: ({ signal }) => countThreads(filters, signal),
    refetchInterval: 4 * REFRESH_MS,
    enabled: !wrong,
  });
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const cut = list.data?.pages.at(-1)?.cut ?? false;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const here = rows.filter(({ thread_id: id }) => chosen.has(id)).map(({ thread_id: id }) => id);
  return (
    <Page title="Threads" actions={<Link href={`~${BASE}/run`}>Start a run</Link>}>
      <ThreadFilters filters={filters} onChange={change} />
      {list.error === null ? null : <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      <Panel flush>
        <div className={styles['line']} style={{ padding: '0 var(--gap-3)' }}>
          <span className="soft" role="status">
            {foundText(rows.length, total.data ?? null, list.hasNextPage)}
          </span>
          {here.length === 0 ? null : (
            <span className={styles['end']}>
              <DeleteChosen ids={here} onDone={() => setChosen(new Set())} />
            </span>
          )}
        </div>
        {list.isPending && !wrong ? (
          <Loading />
        ) : (
          <Table
            label="Threads"
            columns={threadColumns(chosen, setChosen)}
            items={rows}
            idOf={({ thread_id: id }) => id}
            empty={<Nothing filters={filters} cut={cut} />}
          />
        )}
      </Panel>
      {list.hasNextPage ? (
        <div className="row">
          <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            {cut ? 'Look further' : 'Show more'}
          </Button>
          {cut ? (
            <span className="soft">One request looks at so many threads and not at more; there may be others.</span>
          ) : null}
        </div>
      ) : null}
    </Page>
  );
}

function foundText(shown: number, total: number | null, more: boolean): string {
  if (total !== null && total >= shown)
    return shown < total ? `${count(shown)} of ${many(total, 'thread')}` : many(total, 'thread');
  return more ? `The first ${many(shown, 'thread')}` : many(shown, 'thread');
}

function Nothing({ filters, cut }: { filters: Filters; cut: boolean }) {
  if (cut) return <Empty title="None so far." />;
  return isFiltered(filters) ? (
    <Empty title="No thread is like that." />
  ) : (
    <Empty title="There are no threads yet.">
      A thread is made by whoever talks to a graph: a client, or a run started here.
    </Empty>
  );
}

function DeleteChosen({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const [asked, setAsked] = useState(false);
  const queries = useQueryClient();
  const remove = async (): Promise<void> => {
    const { pruned_count: deleted } = await ask<{ pruned_count: number }>('threads/prune', {
      method: 'POST',
      body: { thread_ids: ids, strategy: 'delete' },
    });
    void queries.invalidateQueries({ queryKey: ['threads'] });
    if (deleted < ids.length)
      throw new Error(
        `${many(deleted, 'thread')} of ${ids.length} deleted. The others are gone already, or execute a run: cancel it first.`,
      );
    onDone();
    say(`${many(deleted, 'thread')} deleted.`);
  };
  return (
    <>
      <Button look="danger" small onPress={() => setAsked(true)}>
        <Trash2 size={14} aria-hidden />
        Delete {many(ids.length, 'thread')}
      </Button>
      <Confirm
        title={`Delete ${many(ids.length, 'thread')}?`}
        isOpen={asked}
        onClose={() => setAsked(false)}
        verb="Delete"
        onConfirm={remove}
      >
        Their messages, states and runs go with them. This cannot be taken back.
      </Confirm>
    </>
  );
}
