import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link } from 'wouter';
import { evaluation } from '../../api/evaluation.js';
import { CONSOLE_PATH } from '../../api/session.js';
import { shortId } from '../../components/format.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Page, Panel, Toolbar } from '../../components/page.js';
import { Pagination } from '../../components/pagination.js';
import { FirstExperiment } from '../../shared/lazy-first-steps.js';
import { ExperimentsTable, sortQuery } from '../../shared/experiments-table.js';
import { DebouncedSearchField } from '../../components/debounced-search.js';
import { queryNumber, useQueryString } from '../../components/query-string.js';

const PAGE_SIZE = 50;

/** The experiments of all datasets, newest first by default. */
export function ExperimentsPage() {
  const [query, change] = useQueryString();
  const name = query.get('name') ?? '';
  const offset = queryNumber(query, 'offset');
  const sort = sortQuery(query);
  const list = useQuery({
    queryKey: ['experiments', 'list', { name, offset, sort }],
    // Sessions without a dataset are tracing projects, not experiments.
    queryFn: ({ signal }) =>
      evaluation.experiments(
        { reference_free: false, name_contains: name === '' ? null : name, offset, limit: PAGE_SIZE + 1, ...sort },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const shown = list.data?.slice(0, PAGE_SIZE) ?? [];
  const datasetIds = [...new Set(shown.map(({ reference_dataset_id: id }) => id).filter((id) => id !== null))].sort();
  const datasets = useQuery({
    queryKey: ['experiments', 'datasets', datasetIds],
    queryFn: ({ signal }) => evaluation.datasets({ id: datasetIds, limit: PAGE_SIZE }, signal),
    enabled: datasetIds.length > 0,
    placeholderData: keepPreviousData,
  });
  const onName = useCallback((text: string) => change({ name: text, offset: null }), [change]);
  const nameOf = (id: string): string => datasets.data?.find((one) => one.id === id)?.name ?? shortId(id);
  return (
    <Page title="Experiments" about="Each experiment runs every example of a dataset and scores the results.">
      <Toolbar label="Search">
        <DebouncedSearchField label="Experiment name" text={name} onText={onName} />
      </Toolbar>
      {[list, datasets].map((one, at) =>
        one.error === null ? null : <ErrorNote key={at} error={one.error} onRetry={() => void one.refetch()} />,
      )}
      {list.data === undefined ? (
        list.error === null ? (
          <Loading />
        ) : null
      ) : (
        <Panel flush>
          <ExperimentsTable
            experiments={shown}
            sort={sort}
            onSort={change}
            hrefOf={({ id }) => `/${id}`}
            extraColumns={[
              {
                id: 'dataset',
                name: 'Dataset',
                cell: ({ reference_dataset_id: id }) =>
                  id === null ? '–' : <Link href={`~${CONSOLE_PATH}/datasets/${id}`}>{nameOf(id)}</Link>,
              },
            ]}
            empty={
              name === '' ? (
                <FirstExperiment title="No experiments yet" />
              ) : (
                <EmptyState title="No matching experiments">Change or clear the search.</EmptyState>
              )
            }
          />
        </Panel>
      )}
      <Pagination
        what="experiments"
        offset={offset}
        shown={shown.length}
        hasMore={(list.data?.length ?? 0) > PAGE_SIZE}
        size={PAGE_SIZE}
        onOffset={(next) => change({ offset: next === 0 ? null : String(next) }, { push: true })}
      />
    </Page>
  );
}
