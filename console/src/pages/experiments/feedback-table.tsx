import type { FeedbackStats } from '../../api/evaluation.js';
import { count, figure, percent } from '../../components/format.js';
import { Empty } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table, type Column } from '../../components/table.js';
import styles from './feedback-table.module.css';

/** Labels that are shown of each key. */
const LABELS_MAX = 8;

type Row = readonly [key: string, stats: FeedbackStats];

/** What each key came to: figures as mean and spread, labels as how often each was given. */
export function FeedbackTable({
  title,
  stats,
}: {
  title: string;
  stats: Readonly<Record<string, FeedbackStats>> | null;
}) {
  const figureOf = (value: number | null): string => (value === null ? '–' : figure(value));
  const columns: Column<Row>[] = [
    { id: 'key', name: 'Key', cell: ([key]) => <strong>{key}</strong> },
    { id: 'n', name: 'Given', numbers: true, cell: ([, { n }]) => count(n) },
    { id: 'avg', name: 'Mean', numbers: true, cell: ([, { avg }]) => <strong>{figureOf(avg)}</strong> },
    {
      id: 'range',
      name: 'Lowest, median, highest',
      cell: ([key, one]) => (one.min === null ? '–' : <Range name={key} stats={one} />),
    },
    { id: 'stdev', name: 'Deviation', numbers: true, wideOnly: true, cell: ([, { stdev }]) => figureOf(stdev) },
    { id: 'labels', name: 'Labels', cell: ([, { values, n }]) => <Labels values={values} n={n} /> },
    { id: 'sources', name: 'From', wideOnly: true, cell: ([, { sources }]) => sources.join(', ') },
  ];
  const rows = Object.entries(stats ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return (
    <Panel title={title} flush>
      <Table
        label={title}
        columns={columns}
        items={rows}
        idOf={([key]) => key}
        empty={<Empty title="No feedback yet." />}
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
        aria-label={`${name}: from ${figure(min!)} to ${figure(max!)}, median ${figure(median ?? 0)}`}
        width={120}
        height={14}
        viewBox="0 0 120 14"
      >
        <line x1={4} x2={116} y1={7} y2={7} className={styles['line']} />
        {avg === null ? null : <circle cx={x(avg)} cy={7} r={3.5} className={styles['mean']} />}
        {median === null ? null : <line x1={x(median)} x2={x(median)} y1={1} y2={13} className={styles['median']} />}
      </svg>
      <span className="soft">
        {figure(min!)} · {figure(median ?? 0)} · {figure(max!)}
      </span>
    </span>
  );
}

function Labels({ values, n }: { values: Readonly<Record<string, number>>; n: number }) {
  const sorted = Object.entries(values).sort((a, b) => b[1] - a[1]);
  if (sorted.length === 0) return <span className="soft">none</span>;
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
            {count(times)} ({percent(times / Math.max(1, n))})
          </span>
        </li>
      ))}
      {sorted.length > LABELS_MAX ? <li className="soft">and {count(sorted.length - LABELS_MAX)} more</li> : null}
    </ul>
  );
}
