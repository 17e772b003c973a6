import { Flag } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Experiment } from '../api/evaluation.js';
import { columnFormat, formatCount, formatPercent } from '../components/format.js';
import { SortButton } from '../components/sort-button.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import { ownProperty } from './scores.js';
import styles from './experiments-table.module.css';

/** Score columns in the table. The page of an experiment shows all scores. */
const SCORE_COLUMNS_MAX = 12;
const SORTS = ['name', 'start_time', 'latency_p50', 'latency_p99', 'error_rate', 'feedback'] as const;

export interface SortQuery {
  sort_by: (typeof SORTS)[number];
  sort_by_desc: boolean;
  sort_by_feedback_key?: string;
}

/** Sort parameters of the API from the query string of the page. */
export function sortQuery(query: URLSearchParams): SortQuery {
  const key = query.get('score');
  const sort = SORTS.find((one) => one === query.get('sort')) ?? 'start_time';
  const descending = query.get('order') !== 'asc';
  if (sort === 'feedback')
    return key === null
      ? { sort_by: 'start_time', sort_by_desc: descending }
      : { sort_by: sort, sort_by_desc: descending, sort_by_feedback_key: key };
  return { sort_by: sort, sort_by_desc: descending };
}

interface ExperimentsTableProps {
  experiments: readonly Experiment[];
  sort: SortQuery;
  onSort: (changes: Readonly<Record<string, string | null>>) => void;
  hrefOf: (one: Experiment) => string;
  baselineId?: string | null;
  /** Content before the name. */
  namePrefix?: (one: Experiment) => ReactNode;
  extraColumns?: readonly Column<Experiment>[];
  empty: ReactNode;
}

/** Experiments with statistics. The server sorts them. */
export function ExperimentsTable({
  experiments,
  sort,
  onSort,
  hrefOf,
  baselineId = null,
  namePrefix,
  extraColumns = [],
  empty,
}: ExperimentsTableProps) {
  const p50 = columnFormat(experiments.map((one) => one.latency_p50));
  const p99 = columnFormat(experiments.map((one) => one.latency_p99));
  const keys = [...new Set(experiments.flatMap(({ feedback_stats: stats }) => Object.keys(stats ?? {})))].sort();
  const sorter = (id: SortQuery['sort_by'], text: string, key: string | null = null): ReactNode => {
    const isSorted = sort.sort_by === id && (key === null || sort.sort_by_feedback_key === key);
    const ascends = isSorted ? sort.sort_by_desc : id === 'name';
    return (
      <SortButton
        sorted={isSorted ? (sort.sort_by_desc ? 'descending' : 'ascending') : null}
        onSort={() => onSort({ sort: id, score: key, order: ascends ? 'asc' : null, offset: null })}
      >
        {text}
      </SortButton>
    );
  };
  const columns: Column<Experiment>[] = [
    {
      id: 'name',
      name: sorter('name', 'Experiment'),
      cell: (one) => (
        <span className={styles['name']}>
          {namePrefix?.(one)}
          <span className={styles['words']}>
            <Link href={hrefOf(one)}>{one.name}</Link>
            {one.id === baselineId ? (
              <span className={styles['baseline']}>
                <Flag size={12} aria-hidden />
                Baseline
              </span>
            ) : null}
            {one.description === null || one.description === '' ? null : (
              <span className="soft">{one.description.slice(0, 160)}</span>
            )}
          </span>
        </span>
      ),
    },
    ...extraColumns,
    { id: 'start', name: sorter('start_time', 'Started'), cell: (one) => <Time at={one.start_time} /> },
    { id: 'runs', name: 'Runs', numbers: true, cell: (one) => formatCount(one.run_count ?? 0) },
    {
      id: 'errors',
      name: sorter('error_rate', 'Errors'),
      numbers: true,
      cell: (one) => (one.error_rate === null ? '–' : formatPercent(one.error_rate)),
    },
    {
      id: 'p50',
      name: sorter('latency_p50', 'p50'),
      numbers: true,
      cell: (one) => (one.latency_p50 === null ? '–' : `${p50(one.latency_p50)} s`),
    },
    {
      id: 'p99',
      name: sorter('latency_p99', 'p99'),
      numbers: true,
      wideOnly: true,
      cell: (one) => (one.latency_p99 === null ? '–' : `${p99(one.latency_p99)} s`),
    },
    ...keys.slice(0, SCORE_COLUMNS_MAX).map((key): Column<Experiment> => {
      const format = columnFormat(experiments.map((one) => ownProperty(one.feedback_stats, key)?.avg));
      return {
        id: `score ${key}`,
        name: sorter('feedback', key, key),
        numbers: true,
        cell: (one) => {
          const stats = ownProperty(one.feedback_stats, key);
          return stats === undefined ? '–' : stats.avg === null ? topLabel(stats.values) : format(stats.avg);
        },
      };
    }),
  ];
  return <Table label="Experiments" columns={columns} items={experiments} idOf={({ id }) => id} empty={empty} />;
}

/** The most frequent label, for feedback without numeric scores. */
function topLabel(values: Readonly<Record<string, number>>): string {
  const [most] = Object.entries(values).sort((a, b) => b[1] - a[1]);
  return most === undefined ? '–' : `${most[0].slice(0, 40)} (${formatCount(most[1])})`;
}
