import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Flag, GitCompareArrows } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { CONSOLE_PATH } from '../../api/session.js';
import { EXPERIMENTS_COMPARED_MAX, evaluation, type Dataset, type Experiment } from '../../api/evaluation.js';
import { Button } from '../../components/button.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Checkbox } from '../../components/field.js';
import { pluralize } from '../../components/format.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Panel, Toolbar } from '../../components/page.js';
import { Pagination } from '../../components/pagination.js';
import { SelectionStatus } from '../../components/selection-status.js';
import { showToast } from '../../components/toast.js';
import { ExperimentsTable, sortQuery } from '../../shared/experiments-table.js';
import { DebouncedSearchField } from '../../components/debounced-search.js';
import { queryNumber, useQueryString } from '../../components/query-string.js';
import { Trends } from './trends.js';
import styles from './experiments-tab.module.css';

const PAGE_SIZE = 50;

/** Experiments of a dataset with trends, and a selection to compare. */
export function ExperimentsTab({ dataset }: { dataset: Dataset }) {
  const [query, change] = useQueryString();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [selected, setSelected] = useState<ReadonlyMap<string, string>>(new Map());
  const { error, execute } = useAsyncAction();
  const name = query.get('name') ?? '';
  const offset = queryNumber(query, 'offset');
  const sort = sortQuery(query);
  const list = useQuery({
    queryKey: ['datasets', 'experiments', dataset.id, { name, offset, sort }],
    queryFn: ({ signal }) =>
      evaluation.experiments(
        {
          reference_dataset: [dataset.id],
          name_contains: name === '' ? null : name,
          offset,
          limit: PAGE_SIZE + 1,
          ...sort,
        },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const onName = useCallback((text: string) => change({ name: text, offset: null }), [change]);
  const shown = list.data?.slice(0, PAGE_SIZE) ?? [];
  const select = (one: Experiment, isChosen: boolean): void =>
    setSelected((before) => {
      const after = new Map(before);
      if (isChosen) after.set(one.id, one.name);
      else after.delete(one.id);
      return after;
    });
  const compare = (): void => {
    const baseline = dataset.baseline_experiment_id;
    const ids = [...selected.keys()];
    // A single experiment is compared with the dataset's baseline.
    const all = ids.length === 1 && baseline !== null && ids[0] !== baseline ? [baseline, ...ids] : ids;
    navigate(
      `/${dataset.id}/compare?experiments=${all.join(',')}${baseline !== null && all.includes(baseline) ? `&baseline=${baseline}` : ''}`,
    );
  };
  const setBaseline = (id: string | null): Promise<void> =>
    execute(async () => {
      client.setQueryData(
        ['datasets', 'one', dataset.id],
        await evaluation.patchDataset(dataset.id, { baseline_experiment_id: id }),
      );
      showToast(id === null ? 'Baseline removed.' : 'Baseline set.');
    });
  const [onlyId] = selected.keys();
  const tooMany = selected.size > EXPERIMENTS_COMPARED_MAX;
  return (
    <>
      <Trends datasetId={dataset.id} />
      <Toolbar label="Search and select">
        <DebouncedSearchField label="Experiment name" text={name} onText={onName} />
        <div className={styles['chosen']}>
          <SelectionStatus
            text={
              selected.size === 0
                ? 'Select experiments to compare'
                : tooMany
                  ? `${pluralize(selected.size, 'experiment')} selected, at most ${EXPERIMENTS_COMPARED_MAX} can be compared`
                  : `${pluralize(selected.size, 'experiment')} selected`
            }
            count={selected.size}
            onClear={() => setSelected(new Map())}
          />
          {selected.size !== 1 ? null : onlyId === dataset.baseline_experiment_id ? (
            <Button needs="datasets:update" small onPress={() => void setBaseline(null)}>
              Remove baseline
            </Button>
          ) : (
            <Button needs="datasets:update" small onPress={() => void setBaseline(onlyId!)}>
              <Flag size={14} aria-hidden />
              Set as baseline
            </Button>
          )}
          <Button small variant="primary" isDisabled={selected.size === 0 || tooMany} onPress={compare}>
            <GitCompareArrows size={14} aria-hidden />
            Compare
          </Button>
        </div>
      </Toolbar>
      {error === null ? null : <ErrorNote error={error} />}
      {list.error === null ? null : <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
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
            baselineId={dataset.baseline_experiment_id}
            hrefOf={({ id }) => `~${CONSOLE_PATH}/experiments/${id}`}
            namePrefix={(one) => (
              <Checkbox value={selected.has(one.id)} onChange={(isChosen) => select(one, isChosen)}>
                <span className="visually-hidden">Select {one.name}</span>
              </Checkbox>
            )}
            empty={
              <EmptyState title={name === '' ? 'No experiments on this dataset yet' : 'No matching experiments'}>
                {name === '' ? 'Upload the results of an evaluation.' : 'Change or clear the search.'}
              </EmptyState>
            }
          />
        </Panel>
      )}
      <Pagination
        what="experiments"
        offset={offset}
        shown={shown.length}
        total={name === '' ? dataset.session_count : undefined}
        hasMore={(list.data?.length ?? 0) > PAGE_SIZE}
        size={PAGE_SIZE}
        onOffset={(next) => change({ offset: next === 0 ? null : String(next) }, { push: true })}
      />
    </>
  );
}
