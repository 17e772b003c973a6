import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { evaluation, type Experiment } from '../../api/evaluation.js';
import { Button } from '../../components/button.js';
import { formatNumber, pluralize, formatPercent } from '../../components/format.js';
import { ErrorNote } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Trend } from '../../components/trend.js';
import { ownProperty, formatSeconds, formatSigned } from '../../shared/scores.js';
import styles from './trends.module.css';

/** Number of recent experiments in a trend. */
const EXPERIMENTS_MAX = 100;
const VISIBLE_MAX = 8;

/** Trend of each score over the experiments, oldest on the left. */
export function Trends({ datasetId }: { datasetId: string }) {
  const [all, setAll] = useState(false);
  const list = useQuery({
    queryKey: ['datasets', 'trends', datasetId],
    queryFn: ({ signal }) =>
      evaluation.experiments(
        { reference_dataset: [datasetId], sort_by: 'start_time', sort_by_desc: true, limit: EXPERIMENTS_MAX },
        signal,
      ),
    staleTime: 30_000,
  });
  const lines = useMemo(() => trendLines([...(list.data ?? [])].reverse()), [list.data]);
  if (list.error !== null) return <ErrorNote error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data === undefined || list.data.length < 2) return null;
  return (
    <Panel
      title={`Trends over the last ${pluralize(list.data.length, 'experiment')}`}
      actions={
        lines.length > VISIBLE_MAX ? (
          <Button small variant="quiet" onPress={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${lines.length}`}
          </Button>
        ) : undefined
      }
    >
      <ul className={styles['trends']}>
        {lines.slice(0, all ? lines.length : VISIBLE_MAX).map(({ name, values, format }) => {
          const known = values.filter((value) => value !== null);
          const [before, last] = [known.at(-2), known.at(-1)];
          return (
            <li key={name} className={styles['trend']}>
              <span className={styles['name']} dir="auto" title={name}>
                {name}
              </span>
              <Trend label={name} values={values} width={150} height={36} format={format} />
              <span className={styles['last']}>
                {last === undefined ? '–' : format(last)}{' '}
                {before === undefined || last === undefined ? null : (
                  <span className="soft">{formatSigned(Number((last - before).toPrecision(12)), format)}</span>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

interface TrendLine {
  name: string;
  values: (number | null)[];
  format: (value: number) => string;
}

function trendLines(experiments: readonly Experiment[]): TrendLine[] {
  const keys = [...new Set(experiments.flatMap(({ feedback_stats: stats }) => Object.keys(stats ?? {})))].sort();
  const scores = keys.map((key): TrendLine => ({
    name: key,
    values: experiments.map(({ feedback_stats: stats }) => ownProperty(stats, key)?.avg ?? null),
    format: formatNumber,
  }));
  return [
    // Feedback with labels only has no trend.
    ...scores.filter(({ values }) => values.some((value) => value !== null)),
    { name: 'Latency p50', values: experiments.map((one) => one.latency_p50), format: formatSeconds },
    { name: 'Error rate', values: experiments.map((one) => one.error_rate), format: formatPercent },
  ];
}
