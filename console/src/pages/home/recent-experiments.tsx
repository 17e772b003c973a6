import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { evaluation, type Experiment, type Verdict } from '../../api/evaluation.js';
import { consoleHref } from '../../components/console-href.js';
import { pluralize } from '../../components/format.js';
import { EmptyState } from '../../components/note.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { VerdictLabel } from '../../shared/verdict.js';
import { useRecentExperiments } from './home-data.js';
import { Section } from './section.js';
import styles from './home.module.css';

const SHOWN_MAX = 6;
const VERDICTS_SHOWN_MAX = 2;
const DATASETS_MAX = 20;
/** The least that the server accepts: no values are shown. */
const VALUE_CHARS = 100;
const VERDICT_STALE_MS = 60_000;
/** Verdicts that need attention come first. */
const VERDICT_ORDER: readonly Verdict[] = ['worse', 'better', 'not_enough_evidence'];

interface Row {
  experiment: Experiment;
  datasetId: string;
  datasetName: string | null;
  /**
   * The baseline of the dataset, or else the experiment before this one. Null for the first; undefined while the
   * baseline of the dataset is not known, because a verdict against another one would be shown for a moment.
   */
  baselineId: string | null | undefined;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    name: 'Experiment',
    cell: ({ experiment, datasetName }) => (
      <>
        <Link href={consoleHref(`/experiments/${experiment.id}`)} className={styles['name']} dir="auto">
          {experiment.name}
        </Link>
        <div className="soft">
          {datasetName === null ? null : `${datasetName} · `}
          <Time at={experiment.start_time} />
        </div>
      </>
    ),
  },
  { id: 'verdicts', name: 'Against the baseline', cell: (row) => <Verdicts row={row} /> },
];

export function RecentExperiments() {
  const experiments = useRecentExperiments();
  const ids = [...new Set((experiments.data ?? []).map(({ reference_dataset_id: id }) => id))]
    .filter((id) => id !== null)
    .toSorted();
  const datasets = useQuery({
    queryKey: ['experiments', 'datasets', ids],
    queryFn: ({ signal }) => evaluation.datasets({ id: ids, limit: DATASETS_MAX }, signal),
    enabled: ids.length > 0,
  });
  const knownDatasets = datasets.data ?? (datasets.error === null ? null : []);
  return (
    <Section
      title="Recent experiments"
      actions={<Link href={consoleHref('/experiments')}>All experiments</Link>}
      query={experiments}
    >
      {(found) => (
        <Table
          label="Recent experiments"
          columns={COLUMNS}
          items={rowsOf(found, knownDatasets).slice(0, SHOWN_MAX)}
          idOf={({ experiment }) => experiment.id}
          empty={<EmptyState title="No experiments yet">Run one from the page of a dataset.</EmptyState>}
        />
      )}
    </Section>
  );
}

/** `experiments`: newest first. `datasets`: null while they are not known. */
function rowsOf(
  experiments: readonly Experiment[],
  datasets: readonly { id: string; name: string; baseline_experiment_id: string | null }[] | null,
): Row[] {
  return experiments.flatMap((experiment, at) => {
    const datasetId = experiment.reference_dataset_id;
    if (datasetId === null) return [];
    const dataset = datasets?.find(({ id }) => id === datasetId);
    const before = experiments.slice(at + 1).find(({ reference_dataset_id: id }) => id === datasetId);
    const baselineId = dataset?.baseline_experiment_id ?? before?.id ?? null;
    return [
      {
        experiment,
        datasetId,
        datasetName: dataset?.name ?? null,
        baselineId: datasets === null ? undefined : baselineId === experiment.id ? null : baselineId,
      },
    ];
  });
}

function Verdicts({ row: { experiment, datasetId, baselineId } }: { row: Row }) {
  const comparison = useQuery({
    queryKey: ['home', 'verdicts', datasetId, baselineId, experiment.id],
    queryFn: ({ signal }) =>
      evaluation.compare(
        datasetId,
        {
          experiment_ids: [baselineId!, experiment.id],
          baseline_id: baselineId!,
          limit: 1,
          value_chars_max: VALUE_CHARS,
        },
        signal,
      ),
    enabled: baselineId != null,
    staleTime: VERDICT_STALE_MS,
  });
  if (baselineId === null) return <span className="soft">Baseline</span>;
  if (baselineId === undefined) return <span className="soft">–</span>;
  const difference = comparison.data?.experiments.find(({ id }) => id === experiment.id)?.versus_baseline;
  if (difference === undefined || difference === null) return <span className="soft">–</span>;
  const verdicts = Object.entries(difference.feedback).toSorted(
    ([, one], [, other]) => VERDICT_ORDER.indexOf(one.verdict) - VERDICT_ORDER.indexOf(other.verdict),
  );
  if (verdicts.length === 0) return <span className="soft">No scores</span>;
  return (
    <Link
      className={styles['verdicts']}
      href={consoleHref(`/datasets/${datasetId}/compare`, {
        experiments: `${baselineId},${experiment.id}`,
        baseline: baselineId,
      })}
    >
      <span className="visually-hidden">Compare {experiment.name} with its baseline: </span>
      {verdicts.slice(0, VERDICTS_SHOWN_MAX).map(([key, { verdict }]) => (
        <span key={key} className={styles['verdict']}>
          <span className={styles['score']} dir="auto">
            {key}
          </span>
          <VerdictLabel verdict={verdict} />
        </span>
      ))}
      {verdicts.length > VERDICTS_SHOWN_MAX ? (
        <span className="soft">and {pluralize(verdicts.length - VERDICTS_SHOWN_MAX, 'more score', 'more scores')}</span>
      ) : null}
    </Link>
  );
}
