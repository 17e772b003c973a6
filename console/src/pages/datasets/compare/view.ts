import {
  CORRECTIONS,
  ROW_FILTERS,
  type ComparisonRequest,
  type Correction,
  type RowFilter,
  type SortBy,
} from '../../../api/evaluation.js';

/** View state of a comparison, as in its URL. */
export interface View {
  experiments: readonly string[];
  /** Null: the baseline of the dataset, or else the first experiment. */
  baseline: string | null;
  /** Score that examples are ranked by. Null: the one that changed most. */
  key: string | null;
  /** Scores on screen. Null: those that changed most. */
  scores: readonly string[] | null;
  /** All scores are on screen, without a change of the choice. */
  allScores: boolean;
  /** Columns of the summary that are not on screen. */
  hidden: readonly ExtraColumn[];
  only: RowFilter | null;
  text: string;
  sort: SortBy;
  order: 'asc' | 'desc';
  confidence: number;
  correction: Correction;
  /** Example of the open cell. */
  row: string | null;
  /** Experiment of the open cell. */
  cell: string | null;
  tab: CellTab;
}

/** Changes the view. `push`: the back button of the browser undoes the change. */
export type ChangeView = (patch: Partial<View>, how?: { push?: boolean }) => void;

/** Columns of the summary beside the scores. */
export const EXTRA_COLUMNS = ['latency', 'errors'] as const;
export type ExtraColumn = (typeof EXTRA_COLUMNS)[number];

export const CELL_TABS = ['baseline', 'reference', 'values', 'feedback'] as const;
export type CellTab = (typeof CELL_TABS)[number];

const DEFAULT_CONFIDENCE = 0.95;
const SORTS: readonly SortBy[] = ['difference', 'latency', 'example'];

export function viewFromSearch(search: string): View {
  const query = new URLSearchParams(search);
  const one = <T extends string>(name: string, known: readonly T[]): T | null =>
    known.find((value) => value === query.get(name)) ?? null;
  const confidence = Number(query.get('confidence') ?? DEFAULT_CONFIDENCE);
  const scores = query.getAll('score');
  return {
    experiments: (query.get('experiments') ?? '').split(',').filter((id) => id !== ''),
    baseline: query.get('baseline'),
    key: query.get('key'),
    scores: scores.length === 0 ? null : scores,
    allScores: query.get('scores') === 'all',
    hidden: EXTRA_COLUMNS.filter((column) => query.getAll('hide').includes(column)),
    only: one('only', ROW_FILTERS),
    text: query.get('text') ?? '',
    sort: one('sort', SORTS) ?? 'difference',
    order: one('order', ['asc', 'desc']) ?? 'asc',
    confidence: confidence > 0.5 && confidence < 1 ? confidence : DEFAULT_CONFIDENCE,
    correction: one('correction', CORRECTIONS) ?? 'none',
    row: query.get('row'),
    cell: query.get('cell'),
    tab: one('tab', CELL_TABS) ?? 'baseline',
  };
}

/** Query string of a view, without default values. */
export function viewToSearch(view: View): string {
  const query = new URLSearchParams();
  const put = (name: string, value: string | null, usual = ''): void => {
    if (value !== null && value !== usual) query.set(name, value);
  };
  put('experiments', view.experiments.join(','));
  put('baseline', view.baseline);
  put('key', view.key);
  for (const key of view.scores ?? []) query.append('score', key);
  if (view.allScores) put('scores', 'all');
  for (const column of view.hidden) query.append('hide', column);
  put('only', view.only);
  put('text', view.text);
  put('sort', view.sort, 'difference');
  put('order', view.order, 'asc');
  put('confidence', String(view.confidence), String(DEFAULT_CONFIDENCE));
  put('correction', view.correction, 'none');
  put('row', view.row);
  put('cell', view.cell);
  if (view.row !== null) put('tab', view.tab, 'baseline');
  // A comma is valid in a query. Unescaped, it keeps a link with 50 ids shorter.
  return query.toString().replaceAll('%2C', ',');
}

/** API request for a view. The open cell is not part of it. */
export function comparisonRequest(view: View): ComparisonRequest {
  return {
    experiment_ids: view.experiments,
    baseline_id: view.baseline,
    feedback_key: view.key,
    only: view.only,
    sort_by: view.sort,
    sort_order: view.order,
    confidence: view.confidence,
    correction: view.correction,
    ...(view.text.trim() === '' ? {} : { full_text_contains: [view.text.trim()] }),
  };
}
