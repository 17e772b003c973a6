import { createContext, useContext } from 'react';
import {
  evaluation,
  type ComparedRow,
  type ComparedRun,
  type Comparison,
  type Example,
} from '../../../api/evaluation.js';
import type { FeedbackEntry } from '../../../shared/feedback-list.js';
import { comparisonRequest, type View } from './view.js';

/** Rows per request. */
export const ROWS_PER_PAGE = 50;
/** A comparison changes only after uploads or new feedback. */
export const COMPARISON_STALE_MS = 30_000;
/** Longer values are cut in the grid, which shows a few lines. An open cell loads the full values. */
const VALUE_CHARS_MAX = 2_000;
/** Most repetitions of an example whose runs are loaded in full. */
const REPETITIONS_MAX = 20;

/** A run with its full values and feedback. */
export interface FullRun extends Omit<ComparedRun, 'feedbacks' | 'total_cost'> {
  inputs?: unknown;
  extra?: Readonly<Record<string, unknown>> | null;
  tags?: readonly string[] | null;
  feedback: readonly FeedbackEntry[];
}

/** Source of a comparison: a server or a saved file. */
export interface ComparisonSource {
  /** Query key prefix, unique per source. */
  id: readonly string[];
  /** Set for a saved file, whose baseline and confidence cannot change. Null for a server. */
  saved: { at: string } | null;
  page: (view: View, at: { offset: number } | { example_id: string }, signal: AbortSignal) => Promise<Comparison>;
  /** The comparison without the rows, regardless of the score and the filter. */
  summary: (view: View, signal: AbortSignal) => Promise<Comparison>;
  example: (row: ComparedRow, signal: AbortSignal) => Promise<Example>;
  runs: (row: ComparedRow, experimentId: string, signal: AbortSignal) => Promise<FullRun[]>;
  /** Address of a run's page, or null if there are none. */
  runHref: ((experimentId: string, runId: string) => string) | null;
}

export function serverSource(
  datasetId: string,
  runHref: (experimentId: string, runId: string) => string,
): ComparisonSource {
  return {
    id: ['datasets', 'comparison', datasetId],
    saved: null,
    page: (view, at, signal) =>
      evaluation.compare(
        datasetId,
        { ...comparisonRequest(view), ...at, limit: ROWS_PER_PAGE, value_chars_max: VALUE_CHARS_MAX },
        signal,
      ),
    summary: (view, signal) =>
      evaluation.compare(
        datasetId,
        {
          ...comparisonRequest({ ...view, key: null, only: null, text: '', sort: 'example' }),
          limit: 1,
          value_chars_max: VALUE_CHARS_MAX,
        },
        signal,
      ),
    example: ({ example }, signal) =>
      isShortened(example) ? evaluation.example(example.id, datasetId, signal) : Promise.resolve(example),
    runs: (row, experimentId, signal) =>
      Promise.all(
        (row.runs[experimentId] ?? []).slice(0, REPETITIONS_MAX).map(async ({ id }) => {
          const [{ total_cost: _cost, outputs_preview: _preview, ...run }, feedback] = await Promise.all([
            evaluation.run(id, signal),
            evaluation.runFeedback(id, signal),
          ]);
          return { ...run, feedback };
        }),
      ),
    runHref,
  };
}

function isShortened(one: { inputs_preview?: string; outputs_preview?: string }): boolean {
  return one.inputs_preview !== undefined || one.outputs_preview !== undefined;
}

export const SourceContext = createContext<ComparisonSource | null>(null);

export function useComparisonSource(): ComparisonSource {
  return useContext(SourceContext)!;
}
