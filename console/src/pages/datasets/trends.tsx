import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { evaluation, type Experiment } from '../../api/evaluation.js';
import { Button } from '../../components/button.js';
import { figure, many, percent } from '../../components/format.js';
import { ErrorNote } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Trend } from '../../components/trend.js';
import { own, seconds, signed } from '../../shared/scores.js';
import styles from './trends.module.css';

/** Experiments that a trend goes back. */
const BACK = 100;
const SHOWN = 8;

/** Each score over the experiments, the oldest at the left. */
export function Trends({ datasetId }: { datasetId: string }) {
  const [all, setAll] = useState(false);
  const list = useQuery({
    queryKey: ['datasets', 'trends', datasetId],
    queryFn: ({ signal }) =>
      evaluation.experiments(
        { reference_dataset: [datasetId], sort_by: 'start_time', sort_by_desc: true, limit: BACK },
        signal,
      ),
    staleTime: 30_000,
  });
  const lines = useMemo(() => linesOf([...(list.data ?? [])].reverse()), [list.data]);
  if (list.error !== null) return <ErrorNote error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data === undefined || list.data.length < 2) return null;
  return (
    <Panel
      title={`Over the last ${many(list.data.length, 'experiment')}`}
      actions={
        lines.length > SHOWN ? (
          <Button small look="quiet" onPress={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${lines.length}`}
          </Button>
        ) : undefined
      }
    >
      <ul className={styles['trends']}>
        {lines.slice(0, all ? lines.length : SHOWN).map(({ name, values, format }) => {
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
                  <span className="soft">{signed(Number((last - before).toPrecision(12)), format)}</span>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

interface Line {
  name: string;
  values: (number | null)[];
  format: (value: number) => string;
}

function linesOf(experiments: readonly Experiment[]): Line[] {
  const keys = [...new Set(experiments.flatMap(({ feedback_stats: stats }) => Object.keys(stats ?? {})))].sort();
  const scores = keys.map((key): Line => ({
    name: key,
    values: experiments.map(({ feedback_stats: stats }) => own(stats, key)?.avg ?? null),
    format: figure,
  }));
  return [
    // Labels alone make no line.
    ...scores.filter(({ values }) => values.some((value) => value !== null)),
    { name: 'Latency, p50', values: experiments.map((one) => one.latency_p50), format: seconds },
    { name: 'Error rate', values: experiments.map((one) => one.error_rate), format: percent },
  ];
}
