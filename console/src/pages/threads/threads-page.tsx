import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { CONSOLE_PATH } from '../../api/session.js';
import { Button, ButtonLink } from '../../components/button.js';
import { formatCount, pluralize } from '../../components/format.js';
import { RUN } from '../../components/needs.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Page, Panel } from '../../components/page.js';
import { useSelection } from '../../components/selection-cells.js';
import { SelectionStatus } from '../../components/selection-status.js';
import { useStoredValue } from '../../components/stored-value.js';
import { Table } from '../../components/table.js';
import { CopyAs } from '../../shared/copy-as.js';
import { isMetadataColumn, parseColumnChoice } from '../../shared/column-choice.js';
import { ColumnPicker } from '../../shared/column-picker.js';
import { FirstThread } from '../../shared/lazy-first-steps.js';
import { filterQuery } from '../../shared/saved-filters.js';
import { SavedFiltersBar, SaveFiltersButton, useSavedFilters } from '../../shared/saved-filters-bar.js';
import { parseMetadataFilter } from '../../shared/parse-metadata-filter.js';
import { useQueryString } from '../../components/query-string.js';
import { ThreadFilters } from './thread-filters.js';
import { BulkActions } from './bulk-actions.js';
import { COLUMN_IDS, COLUMN_OPTIONS, DEFAULT_COLUMNS, threadColumns } from './thread-columns.js';
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
const FILTER_NAMES = ['text', 'status', 'owner', 'metadata', 'sort'];
const SAVED_KEY = 'threadmill.threads.filters';
const COLUMNS_KEY = 'threadmill.threads.columns';

function parseColumns(stored: unknown): readonly string[] | null {
  return parseColumnChoice(stored, COLUMN_IDS);
}

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
  const [columnChoice, setColumns] = useStoredValue(COLUMNS_KEY, parseColumns);
  const columns = columnChoice ?? DEFAULT_COLUMNS;
  const withMetadata = columns.some(isMetadataColumn);
  const saved = useSavedFilters(SAVED_KEY);
  const current = filterQuery(params, FILTER_NAMES);
  const wrong = parseMetadataFilter(filters.metadata).error !== null;
  const list = useInfiniteQuery({
    queryKey: ['threads', 'list', filters, withMetadata],
    queryFn: ({ pageParam, signal }) => searchThreads(filters, pageParam, signal, { withMetadata }),
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
  const selection = useSelection();
  const selected = rows.filter(({ thread_id: id }) => selection.selected.has(id));
  return (
    <Page
      title="Threads"
      about="Conversations and their state, kept from one run to the next."
      actions={
        <>
          <CopyAs request={wrong ? null : searchRequest(filters)} />
          <ButtonLink needs={RUN} variant="primary" to={`~${CONSOLE_PATH}/run`}>
            <Play size={15} aria-hidden />
            Start a run
          </ButtonLink>
        </>
      }
    >
      <SavedFiltersBar all="All threads" filters={saved} current={current} />
      <ThreadFilters filters={filters} onChange={change} />
      {list.error === null ? null : <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      <Panel flush>
        <div className={styles['line']}>
          <SelectionStatus
            text={
              selected.length === 0
                ? countText(rows.length, total.data ?? null, list.hasNextPage)
                : `${formatCount(selected.length)} selected`
            }
            count={selected.length}
            onClear={selection.clear}
          />
          <span className={styles['end']}>
            {selected.length > 0 ? (
              <BulkActions rows={selected} onDone={selection.clear} />
            ) : (
              <>
                <SaveFiltersButton filters={saved} current={wrong ? '' : current} />
                <ColumnPicker
                  options={COLUMN_OPTIONS}
                  shown={columns}
                  onChange={setColumns}
                  onReset={() => setColumns(null)}
                />
              </>
            )}
          </span>
        </div>
        {list.isPending && !wrong ? (
          <Loading />
        ) : (
          <Table
            label="Threads"
            columns={threadColumns(columns, rows, selection)}
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
