import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { evaluation } from '../../api/evaluation.js';
import { Button, ToggleButton } from '../../components/button.js';
import { pluralize } from '../../components/format.js';
import { ErrorNote } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { useQueryString } from '../../components/query-string.js';
import { Trend } from '../../components/trend.js';
import { formatSigned } from '../../shared/scores.js';
import { trendLines, versionGroups } from './trend-lines.js';
import styles from './trends.module.css';

/** Number of recent experiments in a trend. */
const EXPERIMENTS_MAX = 100;
const VISIBLE_MAX = 4;
const HEIGHT = 124;

/** Trend of each score over time or over the versions of the dataset, oldest on the left. */
export function Trends({ datasetId }: { datasetId: string }) {
  const [all, setAll] = useState(false);
  const [query, change] = useQueryString();
  const wantsVersions = query.get('trends') === 'versions';
  const list = useQuery({
    queryKey: ['datasets', 'trends', datasetId],
    queryFn: ({ signal }) =>
      evaluation.experiments(
        { reference_dataset: [datasetId], sort_by: 'start_time', sort_by_desc: true, limit: EXPERIMENTS_MAX },
        signal,
      ),
    staleTime: 30_000,
  });
  const trends = useMemo(() => {
    const experiments = [...(list.data ?? [])].reverse();
    const groups = versionGroups(experiments);
    const times = experiments.map(({ start_time: time }) => Date.parse(time) / 1_000);
    const names = versionNames(groups.map(({ at }) => at));
    const hasVersions = groups.length > 1;
    return wantsVersions && hasVersions
      ? { hasVersions, byVersion: true, axis: { names }, lines: trendLines(groups.map((one) => one.experiments)) }
      : { hasVersions, byVersion: false, axis: { times }, lines: trendLines(experiments.map((one) => [one])) };
  }, [list.data, wantsVersions]);
  if (list.error !== null) return <ErrorNote error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data === undefined || list.data.length < 2) return null;
  const { hasVersions, byVersion, axis, lines } = trends;
  const show = (trendsOver: 'versions' | null): void => change({ trends: trendsOver }, { push: true });
  return (
    <Panel
      title={`Trends over the last ${pluralize(list.data.length, 'experiment')}`}
      actions={
        <>
          {lines.length > VISIBLE_MAX ? (
            <Button small variant="quiet" onPress={() => setAll(!all)}>
              {all ? 'Show fewer' : `Show all ${lines.length}`}
            </Button>
          ) : null}
          {hasVersions ? (
            <div role="group" aria-label="Trends over" className="row">
              <ToggleButton isSelected={!byVersion} onChange={(on) => show(on ? null : 'versions')}>
                Over time
              </ToggleButton>
              <ToggleButton isSelected={byVersion} onChange={(on) => show(on ? 'versions' : null)}>
                Over versions
              </ToggleButton>
            </div>
          ) : null}
        </>
      }
    >
      {byVersion ? (
        <p className={styles['about']}>
          Each point is a version of the dataset, with the mean of the experiments on it. Experiments that name no
          version are left out.
        </p>
      ) : null}
      <ul className={styles['trends']}>
        {lines.slice(0, all ? lines.length : VISIBLE_MAX).map(({ name, about, values, format }) => {
          const known = values.filter((value) => value !== null);
          const [before, last] = [known.at(-2), known.at(-1)];
          return (
            <li key={name} className={styles['trend']}>
              <span className={styles['head']}>
                <span className={styles['name']} dir="auto" title={name}>
                  {name}
                </span>
                <span className={styles['unit']}>{about}</span>
              </span>
              <span className={styles['last']}>
                {last === undefined ? '–' : format(last)}{' '}
                {before === undefined || last === undefined ? null : (
                  <span className="soft">{formatSigned(Number((last - before).toPrecision(12)), format)}</span>
                )}
              </span>
              <Trend
                label={`${name} over ${byVersion ? 'versions' : 'time'}`}
                values={values}
                {...axis}
                large
                height={HEIGHT}
                format={format}
              />
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

/** The day of each version, with its time if another version has the same day. */
function versionNames(times: readonly number[]): string[] {
  const dayOf = (at: number): string => new Date(at).toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
  const days = times.map(dayOf);
  return times.map((at, place) =>
    days.filter((day) => day === days[place]).length === 1
      ? days[place]!
      : new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  );
}
