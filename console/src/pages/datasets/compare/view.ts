import { ONLY, type ComparisonAsk, type Only, type SortBy } from '../../../api/evaluation.js';

/** All that a link to a comparison says. */
export interface View {
  experiments: readonly string[];
  /** Null: the dataset's, else the first. */
  baseline: string | null;
  key: string | null;
  only: Only | null;
  text: string;
  sort: SortBy;
  order: 'asc' | 'desc';
  confidence: number;
  /** Example of the opened cell. */
  row: string | null;
  /** Experiment of the opened cell. */
  cell: string | null;
  tab: CellTab;
}

export const CELL_TABS = ['baseline', 'reference', 'values', 'feedback'] as const;
export type CellTab = (typeof CELL_TABS)[number];

const CONFIDENCE = 0.95;
const SORTS: readonly SortBy[] = ['difference', 'latency', 'example'];

export function viewOf(search: string): View {
  const query = new URLSearchParams(search);
  const one = <T extends string>(name: string, known: readonly T[]): T | null =>
    known.find((value) => value === query.get(name)) ?? null;
  const confidence = Number(query.get('confidence') ?? CONFIDENCE);
  return {
    experiments: (query.get('experiments') ?? '').split(',').filter((id) => id !== ''),
    baseline: query.get('baseline'),
    key: query.get('key'),
    only: one('only', ONLY),
    text: query.get('text') ?? '',
    sort: one('sort', SORTS) ?? 'difference',
    order: one('order', ['asc', 'desc']) ?? 'asc',
    confidence: confidence > 0.5 && confidence < 1 ? confidence : CONFIDENCE,
    row: query.get('row'),
    cell: query.get('cell'),
    tab: one('tab', CELL_TABS) ?? 'baseline',
  };
}

/** The search part of the link, without what goes without saying. */
export function searchOf(view: View): string {
  const query = new URLSearchParams();
  const put = (name: string, value: string | null, usual = ''): void => {
    if (value !== null && value !== usual) query.set(name, value);
  };
  put('experiments', view.experiments.join(','));
  put('baseline', view.baseline);
  put('key', view.key);
  put('only', view.only);
  put('text', view.text);
  put('sort', view.sort, 'difference');
  put('order', view.order, 'asc');
  put('confidence', String(view.confidence), String(CONFIDENCE));
  put('row', view.row);
  put('cell', view.cell);
  if (view.row !== null) put('tab', view.tab, 'baseline');
  // A comma may stand in a query as it is, and fifty ids are long enough.
  return query.toString().replaceAll('%2C', ',');
}

/** What the server is asked for this view; which cell is open is not its business. */
export function askOf(view: View): ComparisonAsk {
  return {
    experiment_ids: view.experiments,
    baseline_id: view.baseline,
    feedback_key: view.key,
    only: view.only,
    sort_by: view.sort,
    sort_order: view.order,
    confidence: view.confidence,
    ...(view.text.trim() === '' ? {} : { full_text_contains: [view.text.trim()] }),
  };
}
