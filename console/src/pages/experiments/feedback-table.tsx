import type { FeedbackStats } from '../../api/evaluation.js';
import { formatCount, formatNumber, formatPercent } from '../../components/format.js';
import { EmptyState } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table, type Column } from '../../components/table.js';
import styles from './feedback-table.module.css';

/** Labels shown per key. */
const LABELS_MAX = 8;

type Row = readonly [key: string, stats: FeedbackStats];

/** Statistics by feedback key: mean and range of scores, frequency of labels. */
export function FeedbackTable({
  title,
  stats,
}: {
  title: string;
  stats: Readonly<Record<string, FeedbackStats>> | null;
}) {
  const figureOrDash = (value: number | null): string => (value === null ? '–' : formatNumber(value));
  const columns: Column<Row>[] = [
    { id: 'key', name: 'Key', cell: ([key]) => <strong>{key}</strong> },
    { id: 'n', name: 'Count', numbers: true, cell: ([, { n }]) => formatCount(n) },
    { id: 'avg', name: 'Mean', numbers: true, cell: ([, { avg }]) => <strong>{figureOrDash(avg)}</strong> },
    {
      id: 'range',
      name: 'Min, median, max',
      cell: ([key, one]) => (one.min === null ? '–' : <Range name={key} stats={one} />),
    },
    {
      id: 'stdev',
      name: 'Std. deviation',
      numbers: true,
      wideOnly: true,
      cell: ([, { stdev }]) => figureOrDash(stdev),
    },
    { id: 'labels', name: 'Labels', cell: ([, { values, n }]) => <Labels values={values} n={n} /> },
    { id: 'sources', name: 'Sources', wideOnly: true, cell: ([, { sources }]) => sources.join(', ') },
  ];
  const rows = Object.entries(stats ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return (
    <Panel title={title} flush>
      <Table
        label={title}
        columns={columns}
        items={rows}
        idOf={([key]) => key}
        empty={<EmptyState title="No feedback yet">Add feedback with an evaluator or the API.</EmptyState>}
      />
    </Panel>
  );
}

function Range({ name, stats: { min, median, max, avg } }: { name: string; stats: FeedbackStats }) {
  const x = (value: number): number => (max === min ? 60 : 4 + ((value - min!) / (max! - min!)) * 112);
  return (
    <span className={styles['range']}>
      <svg
        role="img"
        aria-label={`${name}: from ${formatNumber(min!)} to ${formatNumber(max!)}, median ${formatNumber(median ?? 0)}`}
        width={120}
        height={14}
        viewBox="0 0 120 14"
      >
        <line x1={4} x2={116} y1={7} y2={7} className={styles['line']} />
        {avg === null ? null : <circle cx={x(avg)} cy={7} r={3.5} className={styles['mean']} />}
        {median === null ? null : <line x1={x(median)} x2={x(median)} y1={1} y2={13} className={styles['median']} />}
      </svg>
      <span className="soft">
        {formatNumber(min!)} · {formatNumber(median ?? 0)} · {formatNumber(max!)}
      </span>
    </span>
  );
}

function Labels({ values, n }: { values: Readonly<Record<string, number>>; n: number }) {
  const sorted = Object.entries(values).sort((a, b) => b[1] - a[1]);
  if (sorted.length === 0) return <span className="soft">None</span>;
  return (
    <ul className={styles['labels']}>
      {sorted.slice(0, LABELS_MAX).map(([label, times]) => (
        <li key={label}>
          <span className={styles['label']} dir="auto" title={label.slice(0, 500)}>
            {label.slice(0, 100)}
          </span>
          <span className={styles['track']} aria-hidden>
            <span className={styles['fill']} style={{ width: `${(times / Math.max(1, n)) * 100}%` }} />
          </span>
          <span className={styles['times']}>
            {formatCount(times)} ({formatPercent(times / Math.max(1, n))})
          </span>
        </li>
      ))}
      {sorted.length > LABELS_MAX ? <li className="soft">and {formatCount(sorted.length - LABELS_MAX)} more</li> : null}
    </ul>
  );
}
