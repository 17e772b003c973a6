import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link } from 'wouter';
import { evaluation, type Dataset } from '../../api/evaluation.js';
import { prettyJson } from '../../api/json.js';
import { formatCount } from '../../components/format.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Page, Panel, Toolbar } from '../../components/page.js';
import { Pagination } from '../../components/pagination.js';
import { SortButton } from '../../components/sort-button.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { FirstExperiment } from '../../shared/lazy-first-steps.js';
import { MetadataField } from '../../shared/metadata-filter.js';
import { parseMetadataFilter } from '../../shared/parse-metadata-filter.js';
import { DebouncedSearchField } from '../../components/debounced-search.js';
import { queryNumber, useQueryString } from '../../components/query-string.js';
import { NewDatasetButton } from './new-dataset.js';
import { UploadFile } from './upload/upload-file.js';

const PAGE_SIZE = 50;
const SORTS = {
  name: 'name',
  example_count: 'Examples',
  session_count: 'Experiments',
  last_session_start_time: 'Last experiment',
} as const;

/** All datasets, those with the newest experiments first by default. */
export function DatasetsPage() {
  const [query, change] = useQueryString();
  const name = query.get('name') ?? '';
  const metadata = query.get('metadata') ?? '';
  const offset = queryNumber(query, 'offset');
  const sort = Object.hasOwn(SORTS, query.get('sort') ?? '') ? query.get('sort')! : 'last_session_start_time';
  const descending = query.get('order') !== 'asc';
  const filter = parseMetadataFilter(metadata);
  const list = useQuery({
    queryKey: ['datasets', 'list', { name, filter: filter.value, offset, sort, descending }],
    queryFn: ({ signal }) =>
      evaluation.datasets(
        {
          name_contains: name === '' ? null : name,
          metadata: filter.value === null ? null : prettyJson(filter.value),
          sort_by: sort,
          sort_by_desc: descending,
          offset,
          limit: PAGE_SIZE + 1,
        },
        signal,
      ),
    placeholderData: keepPreviousData,
    enabled: filter.error === null,
  });
  const onName = useCallback((text: string) => change({ name: text, offset: null }), [change]);
  const sortBy = (id: string, text: string) => ({
    sorted: sort === id ? (descending ? ('descending' as const) : ('ascending' as const)) : null,
    onSort: () => change({ sort: id, order: (sort === id ? descending : id === 'name') ? 'asc' : null, offset: null }),
    children: text,
  });
  const columns: Column<Dataset>[] = [
    {
      id: 'name',
      name: <SortButton {...sortBy('name', 'Name')} />,
      cell: (one) => (
        <>
          <Link href={`/${one.id}`}>{one.name}</Link>
          {one.description === null || one.description === '' ? null : (
            <div className="soft">{one.description.slice(0, 200)}</div>
          )}
        </>
      ),
    },
    {
      id: 'examples',
      name: <SortButton {...sortBy('example_count', 'Examples')} />,
      numbers: true,
      cell: (one) => formatCount(one.example_count),
    },
    {
      id: 'experiments',
      name: <SortButton {...sortBy('session_count', 'Experiments')} />,
      numbers: true,
      cell: (one) => formatCount(one.session_count),
    },
    {
      id: 'last',
      name: <SortButton {...sortBy('last_session_start_time', 'Last experiment')} />,
      cell: (one) => <Time at={one.last_session_start_time} />,
    },
    { id: 'changed', name: 'Updated', wideOnly: true, cell: (one) => <Time at={one.modified_at} /> },
  ];
  const shown = list.data?.slice(0, PAGE_SIZE) ?? [];
  return (
    <Page
      title="Datasets"
      about="Examples with reference outputs, and the experiments that ran them."
      actions={
        <>
          <UploadFile dataset={null} />
          <NewDatasetButton />
        </>
      }
    >
      <Toolbar label="Search">
        <DebouncedSearchField label="Name" text={name} onText={onName} />
        <MetadataField hideLabel text={metadata} onText={(text) => change({ metadata: text, offset: null })} />
      </Toolbar>
      {list.error === null ? null : <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.data === undefined ? (
        list.error === null && filter.error === null ? (
          <Loading />
        ) : null
      ) : (
        <Panel flush>
          <Table
            label="Datasets"
            columns={columns}
            items={shown}
            idOf={({ id }) => id}
            empty={
              name === '' && metadata === '' ? (
                <FirstExperiment title="No datasets yet" />
              ) : (
                <EmptyState title="No matching datasets">Change or clear the filters.</EmptyState>
              )
            }
          />
        </Panel>
      )}
      <Pagination
        what="datasets"
        offset={offset}
        shown={shown.length}
        hasMore={(list.data?.length ?? 0) > PAGE_SIZE}
        size={PAGE_SIZE}
        onOffset={(next) => change({ offset: next === 0 ? null : String(next) }, { push: true })}
      />
    </Page>
  );
}
