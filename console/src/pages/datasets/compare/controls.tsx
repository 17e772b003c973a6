import { useCallback } from 'react';
import type { ComparedExperiment, Correction, RowFilter, SortBy } from '../../../api/evaluation.js';
import { Select } from '../../../components/field.js';
import { formatPercent } from '../../../components/format.js';
import { Toolbar } from '../../../components/page.js';
import { DebouncedSearchField } from '../../../components/debounced-search.js';
import type { ChangeView, View } from './view.js';
import styles from './controls.module.css';

export const ROW_FILTER_OPTIONS: readonly { id: RowFilter | 'all'; name: string }[] = [
  { id: 'all', name: 'All examples' },
  { id: 'regressed', name: 'Worse than the baseline' },
  { id: 'improved', name: 'Better than the baseline' },
  { id: 'changed', name: 'Changed' },
  { id: 'unchanged', name: 'Unchanged' },
  { id: 'errors', name: 'With errors' },
];

const ORDER_OPTIONS: readonly { id: string; name: string; sort: SortBy; order: View['order'] }[] = [
  { id: 'worst', name: 'Regressions first', sort: 'difference', order: 'asc' },
  { id: 'best', name: 'Improvements first', sort: 'difference', order: 'desc' },
  { id: 'slower', name: 'Slowdowns first', sort: 'latency', order: 'asc' },
  { id: 'faster', name: 'Speedups first', sort: 'latency', order: 'desc' },
  { id: 'dataset', name: 'Newest examples first', sort: 'example', order: 'asc' },
  { id: 'dataset-back', name: 'Oldest examples first', sort: 'example', order: 'desc' },
];

const CORRECTION_OPTIONS: readonly { id: Correction; name: string }[] = [
  { id: 'none', name: 'Each verdict' },
  { id: 'holm', name: 'All verdicts together' },
];

const CONFIDENCES = [0.8, 0.9, 0.95, 0.99];

interface ControlsProps {
  view: View;
  onView: ChangeView;
  keys: readonly string[];
  feedbackKey: string | null;
  experiments: readonly ComparedExperiment[];
  /** Baseline, confidence and correction of a saved comparison cannot change. */
  isSaved: boolean;
}

export function Controls({ view, onView, keys, feedbackKey, experiments, isSaved }: ControlsProps) {
  const onText = useCallback((text: string) => onView({ text }), [onView]);
  const baseline = experiments.find(({ versus_baseline: versus }) => versus === null)?.id ?? null;
  const confidences = CONFIDENCES.includes(view.confidence)
    ? CONFIDENCES
    : [...CONFIDENCES, view.confidence].sort((a, b) => a - b);
  return (
    <Toolbar label="Comparison settings">
      {keys.length === 0 ? null : (
        <div className={styles['field']}>
          <Select
            label="Score"
            options={keys.map((key) => ({ id: key, name: key }))}
            value={feedbackKey}
            onChange={(key) => onView({ key })}
          />
        </div>
      )}
      <div className={styles['field']}>
        <Select
          label="Show"
          options={ROW_FILTER_OPTIONS}
          value={view.only ?? 'all'}
          onChange={(id) => onView({ only: id === 'all' ? null : (id as RowFilter) })}
        />
      </div>
      <div className={styles['field']}>
        <Select
          label="Order"
          options={ORDER_OPTIONS}
          value={ORDER_OPTIONS.find(({ sort, order }) => sort === view.sort && order === view.order)?.id ?? null}
          onChange={(id) => {
            const { sort, order } = ORDER_OPTIONS.find((one) => one.id === id)!;
            onView({ sort, order });
          }}
        />
      </div>
      {isSaved ? null : (
        <>
          <div className={styles['field']}>
            <Select
              label="Baseline"
              options={experiments.map(({ id, name }) => ({ id, name }))}
              value={baseline}
              onChange={(id) => onView({ baseline: id })}
            />
          </div>
          <div className={styles['narrow']}>
            <Select
              label="Confidence"
              options={confidences.map((one) => ({ id: String(one), name: formatPercent(one) }))}
              value={String(view.confidence)}
              onChange={(id) => onView({ confidence: Number(id) })}
            />
          </div>
          <div className={styles['field']}>
            <Select
              label="Confidence applies to"
              options={CORRECTION_OPTIONS}
              value={view.correction}
              onChange={(id) => onView({ correction: id as Correction })}
            />
          </div>
        </>
      )}
      <div className={styles['field']}>
        <DebouncedSearchField label="Search examples" text={view.text} onText={onText} />
      </div>
    </Toolbar>
  );
}
