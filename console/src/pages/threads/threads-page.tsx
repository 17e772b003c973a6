import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Play, Trash2 } from 'lucide-react';
import { fetchJson } from '../../api/http.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { Button, ButtonLink } from '../../components/button.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { formatCount, pluralize } from '../../components/format.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Page, Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import { showToast } from '../../components/toast.js';
import { CopyAs } from '../../shared/copy-as.js';
import { FirstThread } from '../../shared/first-steps.js';
import { parseMetadataFilter } from '../../shared/metadata-filter.js';
import { useQueryString } from '../../components/query-string.js';
import { ThreadFilters } from './thread-filters.js';
import { threadColumns } from './thread-columns.js';
import {
  countThreads,
  isFiltered,
  searchRequest,
  searchThreads,
  DEFAULT_SORT,
  type Filters,
} from '../../shared/thread-search.js';
import styles from './threads.module.css';

/** With more pages than this the list is not refreshed automatically, because a refresh reloads all pages. */
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
    sort: get('sort') || DEFAULT_SORT,
  };
  const wrong = parseMetadataFilter(filters.metadata).error !== null;
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
  const cut = list.data?.pages.at(-1)?.isPartial ?? false;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const here = rows.filter(({ thread_id: id }) => selected.has(id)).map(({ thread_id: id }) => id);
  return (
    <Page
      title="Threads"
      about="Conversations and their state, kept from one run to the next."
      actions={
        <>
          <CopyAs request={wrong ? null : searchRequest(filters)} />
          <ButtonLink variant="primary" to={`~${CONSOLE_PATH}/run`}>
            <Play size={15} aria-hidden />
            Start a run
          </ButtonLink>
        </>
      }
    >
      <ThreadFilters filters={filters} onChange={change} />
      {list.error === null ? null : <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      <Panel flush>
        <div className={styles['line']} style={{ padding: 'var(--gap-1) var(--gap-4)' }}>
          <span className="soft" role="status">
            {countText(rows.length, total.data ?? null, list.hasNextPage)}
          </span>
          {here.length === 0 ? null : (
            <span className={styles['end']}>
              <DeleteSelected ids={here} onDone={() => setSelected(new Set())} />
            </span>
          )}
        </div>
        {list.isPending && !wrong ? (
          <Loading />
        ) : (
          <Table
            label="Threads"
            columns={threadColumns(selected, setSelected)}
            items={rows}
            idOf={({ thread_id: id }) => id}
            empty={<NoThreads filters={filters} cut={cut} />}
          />
        )}
      </Panel>
      {list.hasNextPage ? (
        <div className="row">
          <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            {cut ? 'Continue search' : 'Show more'}
          </Button>
          {cut ? (
            <span className="soft">The search stopped at its limit per request. There may be more matches.</span>
          ) : null}
        </div>
      ) : null}
    </Page>
  );
}

function countText(shown: number, total: number | null, more: boolean): string {
  if (total !== null && total >= shown)
    return shown < total ? `${formatCount(shown)} of ${pluralize(total, 'thread')}` : pluralize(total, 'thread');
  return more ? `First ${pluralize(shown, 'thread')}` : pluralize(shown, 'thread');
}

function NoThreads({ filters, cut }: { filters: Filters; cut: boolean }) {
  if (cut) return <EmptyState title="No matches so far">Continue the search to look at more threads.</EmptyState>;
  return isFiltered(filters) ? (
    <EmptyState title="No matching threads">Change or clear the filters.</EmptyState>
  ) : (
    <FirstThread />
  );
}

function DeleteSelected({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const [isConfirming, setConfirming] = useState(false);
  const queries = useQueryClient();
  const remove = async (): Promise<void> => {
    const { pruned_count: deleted } = await fetchJson<{ pruned_count: number }>('threads/prune', {
      method: 'POST',
      body: { thread_ids: ids, strategy: 'delete' },
    });
    void queries.invalidateQueries({ queryKey: ['threads'] });
    if (deleted < ids.length)
      throw new Error(
        `${deleted} of ${pluralize(ids.length, 'thread')} deleted. The others are gone or have an active run to cancel first.`,
      );
    onDone();
    showToast(`${pluralize(deleted, 'thread')} deleted.`);
  };
  return (
    <>
      <Button variant="danger" small onPress={() => setConfirming(true)}>
        <Trash2 size={14} aria-hidden />
        Delete {pluralize(ids.length, 'thread')}
      </Button>
      <ConfirmDialog
        title={`Delete ${pluralize(ids.length, 'thread')}?`}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        confirmLabel="Delete"
        onConfirm={remove}
      >
        Their messages, states and runs are deleted too. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
