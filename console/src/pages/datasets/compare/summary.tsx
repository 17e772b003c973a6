import { Flag } from 'lucide-react';
import type { ComparedExperiment, Comparison, Difference } from '../../../api/evaluation.js';
import { formatCount, formatNumber, pluralize, formatPercent } from '../../../components/format.js';
import { ownProperty, formatSeconds, formatSigned } from '../../../shared/scores.js';
import { IntervalBar } from './interval-bar.js';
import { VerdictLabel } from '../../../shared/verdict.js';
import type { ExtraColumn } from './view.js';
import styles from './summary.module.css';

interface Measure {
  id: string;
  name: string;
  /** Feedback key by which rows can be sorted; null for latency and error rate. */
  key: string | null;
  about: string;
  format: (value: number) => string;
  own: (one: ComparedExperiment) => number | null;
  versus: (one: ComparedExperiment) => Difference | undefined;
}

/** Mean of every shown score of every experiment, its difference from the baseline, and the verdict. */
export function Summary({
  comparison,
  shown,
  hidden,
  onKey,
}: {
  comparison: Comparison;
  /** Scores to show, in this order. */
  shown: readonly string[];
  hidden: readonly ExtraColumn[];
  onKey: (key: string) => void;
}) {
  const measures = comparisonMeasures(comparison, shown).filter(({ id }) => !hidden.some((one) => one === id));
  const ordered = [...comparison.experiments].sort(
    (a, b) => Number(b.versus_baseline === null) - Number(a.versus_baseline === null),
  );
  return (
    <div className={styles['box']} tabIndex={0} role="region" aria-label="Summary">
      <table className={styles['table']}>
        <caption className="visually-hidden">Means of scores and differences from the baseline</caption>
        <thead>
          <tr>
            <th scope="col">Experiment</th>
            {measures.map(({ id, name, key, about }) => (
              <th
                key={id}
                scope="col"
                className={key !== null && key === comparison.feedback_key ? styles['chosen'] : ''}
              >
                {key === null ? (
                  name
                ) : (
                  <button
                    type="button"
                    className={styles['key']}
                    aria-pressed={key === comparison.feedback_key}
                    onClick={() => onKey(key)}
                    dir="auto"
                  >
                    {name}
                  </button>
                )}
                <span className={styles['about']}>{about}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <span className={styles['name']} dir="auto">
                  {one.name}
                </span>
                <span className={styles['about']}>
                  {one.versus_baseline === null ? (
                    <span className={styles['baseline']}>
                      <Flag size={12} aria-hidden />
                      Baseline
                    </span>
                  ) : null}
                  {pluralize(one.run_count ?? 0, 'run')}
                </span>
                {(one.versus_baseline?.examples_changed ?? 0) === 0 ? null : (
                  <span className={styles['about']}>
                    {pluralize(one.versus_baseline!.examples_changed, 'example')} changed since the baseline
                  </span>
                )}
              </th>
              {measures.map((measure) => (
                <td key={measure.id}>
                  <Cell measure={measure} one={one} reach={intervalReach(ordered, measure)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ measure, one, reach }: { measure: Measure; one: ComparedExperiment; reach: number }) {
  const versus = measure.versus(one);
  const mean = measure.own(one);
  if (one.versus_baseline === null || versus === undefined)
    return (
      <div className={styles['cell']}>
        <span className={styles['mean']}>{mean === null ? '–' : measure.format(mean)}</span>
        {mean === null ? null : <span className={styles['counts']}>all its runs</span>}
      </div>
    );
  if (versus.pairs === 0 || versus.difference === null)
    return <span className="soft">No example has this on both sides</span>;
  return (
    <div className={styles['cell']}>
      <span className={styles['line']}>
        <span className={styles['mean']}>{measure.format(versus.mean!)}</span>
        <span className="soft">baseline {measure.format(versus.baseline_mean!)}</span>
        <span className={`${styles['difference']} ${styles[versus.verdict]}`}>
          {formatSigned(versus.difference, measure.format)}
        </span>
        <VerdictLabel verdict={versus.verdict} />
      </span>
      <IntervalBar difference={versus} reach={reach} format={measure.format} />
      <span className={styles['counts']}>
        {formatCount(versus.improved)} better, {formatCount(versus.regressed)} worse, {formatCount(versus.unchanged)}{' '}
        unchanged of {pluralize(versus.pairs, 'pair')}
      </span>
      <Notes difference={versus} />
    </div>
  );
}

/** Examples that the difference does not cover, and why no verdict is possible. */
function Notes({ difference }: { difference: Difference }) {
  const { unpaired_baseline_examples: ofBaseline, unpaired_candidate_examples: ofCandidate } = difference;
  const changed = difference.improved + difference.regressed;
  return (
    <>
      {ofBaseline + ofCandidate === 0 ? null : (
        <span className={styles['counts']}>
          Without a pair: {formatCount(ofBaseline)} of the baseline, {formatCount(ofCandidate)} here
        </span>
      )}
      {changed === 0 || changed >= difference.changed_pairs_min ? null : (
        <span className={styles['counts']}>
          No verdict possible: needs {formatCount(difference.changed_pairs_min)} changed pairs
        </span>
      )}
    </>
  );
}

function comparisonMeasures({ experiments }: Comparison, shown: readonly string[]): Measure[] {
  const higher = (key: string): boolean =>
    experiments.every(({ versus_baseline: versus }) => ownProperty(versus?.feedback, key)?.higher_is_better !== false);
  return [
    ...shown.map((key): Measure => ({
      id: `score ${key}`,
      name: key,
      key,
      about: `mean, ${higher(key) ? 'higher' : 'lower'} is better`,
      format: formatNumber,
      own: (one) => ownProperty(one.feedback_stats, key)?.avg ?? null,
      versus: (one) => ownProperty(one.versus_baseline?.feedback, key),
    })),
    {
      id: 'latency',
      name: 'Latency',
      key: null,
      about: 'mean, lower is better',
      format: formatSeconds,
      own: ({ latency_mean: mean }) => mean,
      versus: (one) => one.versus_baseline?.latency,
    },
    {
      id: 'errors',
      name: 'Error rate',
      key: null,
      about: 'share of runs, lower is better',
      format: formatPercent,
      own: ({ error_rate: rate }) => rate,
      versus: (one) => one.versus_baseline?.error_rate,
    },
  ];
}

function intervalReach(experiments: readonly ComparedExperiment[], { versus }: Measure): number {
  return Math.max(
    0,
    ...experiments.flatMap((one) => versus(one)?.interval ?? []).map(Math.abs),
    ...experiments.map((one) => Math.abs(versus(one)?.difference ?? 0)),
  );
}
