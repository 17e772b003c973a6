import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Flag, GitCompareArrows } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { BASE } from '../../api/session.js';
import { COMPARED_MAX, evaluation, type Dataset, type Experiment } from '../../api/evaluation.js';
import { Button } from '../../components/button.js';
import { useDoing } from '../../components/doing.js';
import { Checkbox } from '../../components/field.js';
import { many } from '../../components/format.js';
import { Empty, ErrorNote, Loading } from '../../components/note.js';
import { Panel, Toolbar } from '../../components/page.js';
import { Paging } from '../../components/paging.js';
import { say } from '../../components/toast.js';
import { ExperimentsTable, sortQuery } from '../../shared/experiments-table.js';
import { PausedSearch } from '../../components/paused.js';
import { numberIn, useQueryString } from '../../components/query-string.js';
import { Trends } from './trends.js';
import styles from './experiments-tab.module.css';

const SIZE = 50;

/** Experiments of a dataset: how they went over time, and which ones to lay side by side. */
export function ExperimentsTab({ dataset }: { dataset: Dataset }) {
  const [query, change] = useQueryString();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const { error, attempt } = useDoing();
  const name = query.get('name') ?? '';
  const offset = numberIn(query, 'offset');
  const sort = sortQuery(query);
  const list = useQuery({
    queryKey: ['datasets', 'experiments', dataset.id, { name, offset, sort }],
    queryFn: ({ signal }) =>
      evaluation.experiments(
        { reference_dataset: [dataset.id], name_contains: name === '' ? null : name, offset, limit: SIZE + 1, ...sort },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const onName = useCallback((text: string) => change({ name: text, offset: null }), [change]);
  const shown = list.data?.slice(0, SIZE) ?? [];
  const turn = (one: Experiment, isChosen: boolean): void =>
    setChosen((before) => {
      const after = new Map(before);
      if (isChosen) after.set(one.id, one.name);
      else after.delete(one.id);
      return after;
    });
  const compare = (): void => {
    const baseline = dataset.baseline_experiment_id;
    const ids = [...chosen.keys()];
    // One alone is compared with the dataset's baseline.
    const all = ids.length === 1 && baseline !== null && ids[0] !== baseline ? [baseline, ...ids] : ids;
    navigate(
      `/${dataset.id}/compare?experiments=${all.join(',')}${baseline !== null && all.includes(baseline) ? `&baseline=${baseline}` : ''}`,
    );
  };
  const setBaseline = (id: string | null): Promise<void> =>
    attempt(async () => {
      client.setQueryData(
        ['datasets', 'one', dataset.id],
        await evaluation.patchDataset(dataset.id, { baseline_experiment_id: id }),
      );
      say(id === null ? 'There is no baseline now.' : 'The baseline is set.');
    });
  const [only] = chosen.keys();
  const tooMany = chosen.size > COMPARED_MAX;
  return (
    <>
      <Trends datasetId={dataset.id} />
      <Toolbar label="Search and choose">
        <PausedSearch label="Name of an experiment" text={name} onText={onName} />
        <div className={styles['chosen']}>
          <span role="status">
            {chosen.size === 0
              ? 'Choose experiments to compare them'
              : tooMany
                ? `${many(chosen.size, 'experiment')} chosen: at most ${COMPARED_MAX} are compared`
                : `${many(chosen.size, 'experiment')} chosen`}
          </span>
          {chosen.size === 0 ? null : (
            <Button small look="quiet" onPress={() => setChosen(new Map())}>
              Choose none
            </Button>
          )}
          {chosen.size !== 1 ? null : only === dataset.baseline_experiment_id ? (
            <Button small onPress={() => void setBaseline(null)}>
              No baseline
            </Button>
          ) : (
            <Button small onPress={() => void setBaseline(only!)}>
              <Flag size={14} aria-hidden />
              Set as baseline
            </Button>
          )}
          <Button small look="primary" isDisabled={chosen.size === 0 || tooMany} onPress={compare}>
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
            hrefOf={({ id }) => `~${BASE}/experiments/${id}`}
            before={(one) => (
              <Checkbox value={chosen.has(one.id)} onChange={(isChosen) => turn(one, isChosen)}>
                <span className="seen-by-readers-only">Choose {one.name}</span>
              </Checkbox>
            )}
            empty={
              <Empty
                title={name === '' ? 'No experiment has been run over this dataset.' : 'No experiment has such a name.'}
              />
            }
          />
        </Panel>
      )}
      <Paging
        what="experiments"
        offset={offset}
        shown={shown.length}
        total={name === '' ? dataset.session_count : undefined}
        hasMore={(list.data?.length ?? 0) > SIZE}
        size={SIZE}
        onOffset={(next) => change({ offset: next === 0 ? null : String(next) }, { push: true })}
      />
    </>
  );
}
