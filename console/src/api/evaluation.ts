import { ask, type Ask } from './http.js';

/** Datasets, experiments and their comparison, as the server answers them (docs/evaluation.md). */

export interface Dataset {
  id: string;
  name: string;
  description: string | null;
  created_at: string;
  modified_at: string;
  data_type: string;
  externally_managed: boolean;
  metadata: Readonly<Record<string, unknown>> | null;
  baseline_experiment_id: string | null;
  example_count: number;
  session_count: number;
  last_session_start_time: string | null;
}

export interface FeedbackStats {
  n: number;
  avg: number | null;
  stdev: number | null;
  min: number | null;
  max: number | null;
  median: number | null;
  errors: number;
  values: Readonly<Record<string, number>>;
  comments: readonly string[];
  sources: readonly string[];
}

/** The API calls it a session. */
export interface Experiment {
  id: string;
  name: string;
  description: string | null;
  start_time: string;
  end_time: string | null;
  extra: Readonly<Record<string, unknown>> | null;
  reference_dataset_id: string | null;
  test_run_number: number | null;
  run_count: number | null;
  latency_p50: number | null;
  latency_p99: number | null;
  error_rate: number | null;
  total_tokens: number | null;
  total_cost: number | null;
  feedback_stats: Readonly<Record<string, FeedbackStats>> | null;
  session_feedback_stats: Readonly<Record<string, FeedbackStats>> | null;
  last_run_start_time: string | null;
}

export interface Example {
  id: string;
  dataset_id: string;
  name: string | null;
  created_at: string;
  modified_at: string;
  inputs: unknown;
  outputs: unknown;
  metadata: Readonly<Record<string, unknown>> | null;
  /** Of a comparison with `value_chars_max`, for what is longer. */
  inputs_preview?: string;
  outputs_preview?: string;
}

export interface Feedback {
  id: string;
  key: string;
  score: number | boolean | null;
  value: unknown;
  comment: string | null;
  correction: unknown;
  run_id: string | null;
  feedback_source: Readonly<Record<string, unknown>> | null;
  created_at: string;
  modified_at: string;
}

export interface Run {
  id: string;
  name: string;
  run_type: string;
  status: string;
  start_time: string;
  end_time: string | null;
  error: string | null;
  inputs: unknown;
  outputs: unknown;
  inputs_preview: string | null;
  outputs_preview: string | null;
  extra: Readonly<Record<string, unknown>> | null;
  tags: readonly string[] | null;
  session_id: string;
  reference_example_id: string | null;
  feedback_stats: Readonly<Record<string, FeedbackStats>> | null;
  total_tokens: number | null;
  total_cost: string | null;
}

/** A run beside others. */
export interface ComparedRun {
  id: string;
  name: string;
  status: string;
  error: string | null;
  start_time: string;
  end_time: string | null;
  outputs: unknown;
  outputs_preview?: string;
  total_tokens: number | null;
  total_cost: number | null;
  feedbacks: readonly {
    id: string;
    key: string;
    score: number | null;
    value: string | null;
    comment: string | null;
    source: string | null;
  }[];
}

export type Verdict = 'better' | 'worse' | 'not_enough_evidence';

/** Of a candidate against the baseline, over the examples that both have. */
export interface Difference {
  pairs: number;
  baseline_mean: number | null;
  mean: number | null;
  difference: number | null;
  interval: readonly [low: number, high: number] | null;
  confidence: number;
  improved: number;
  regressed: number;
  unchanged: number;
  verdict: Verdict;
  higher_is_better: boolean;
}

export interface ComparedExperiment {
  id: string;
  name: string;
  test_run_number: number | null;
  start_time: string;
  run_count: number | null;
  error_rate: number | null;
  latency_p50: number | null;
  latency_p99: number | null;
  feedback_stats: Readonly<Record<string, FeedbackStats>> | null;
  /** Null: it is the baseline. */
  versus_baseline: {
    latency: Difference;
    error_rate: Difference;
    feedback: Readonly<Record<string, Difference>>;
  } | null;
}

type ByKey = Readonly<Record<string, number | null>>;

/** An example with what each experiment made of it, by the experiment's id. */
export interface ComparedRow {
  example: Example;
  runs: Readonly<Record<string, readonly ComparedRun[]>>;
  scores: Readonly<Record<string, ByKey>>;
  differences: Readonly<Record<string, ByKey | null>>;
  /** Seconds. */
  latencies: Readonly<Record<string, number | null>>;
}

export interface Comparison {
  dataset_id: string;
  baseline_id: string;
  feedback_keys: readonly string[];
  feedback_key: string | null;
  confidence: number;
  experiments: readonly ComparedExperiment[];
  total: number;
  /** Place of the first row. */
  offset: number;
  rows: readonly ComparedRow[];
  next_cursor: string | null;
}

export const ONLY = ['improved', 'regressed', 'changed', 'unchanged', 'errors'] as const;
export type Only = (typeof ONLY)[number];
export type SortBy = 'difference' | 'latency' | 'example';

export interface ComparisonAsk {
  experiment_ids: readonly string[];
  baseline_id?: string | null;
  feedback_key?: string | null;
  only?: Only | null;
  full_text_contains?: readonly string[] | null;
  sort_by?: SortBy | null;
  sort_order?: 'asc' | 'desc' | null;
  confidence?: number | null;
  cursor?: string | null;
  offset?: number | null;
  example_id?: string | null;
  limit?: number | null;
  value_chars_max?: number | null;
}

/** Experiments that one comparison takes. */
export const COMPARED_MAX = 50;

type Query = NonNullable<Ask['query']>;

export const evaluation = {
  datasets: (query: Query, signal?: AbortSignal) => ask<Dataset[]>('api/v1/datasets', { query, signal }),
  dataset: (id: string, signal?: AbortSignal) => ask<Dataset>(`api/v1/datasets/${encodeURIComponent(id)}`, { signal }),
  patchDataset: (
    id: string,
    body: Partial<Pick<Dataset, 'name' | 'description' | 'metadata' | 'baseline_experiment_id'>>,
  ) => ask<Dataset>(`api/v1/datasets/${encodeURIComponent(id)}`, { method: 'PATCH', body }),
  deleteDataset: (id: string) => ask(`api/v1/datasets/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  versions: (id: string, signal?: AbortSignal) =>
    ask<{ as_of: string; tags: string[] | null }[]>(`api/v1/datasets/${encodeURIComponent(id)}/versions`, {
      query: { limit: 100 },
      signal,
    }),
  splits: (id: string, signal?: AbortSignal) =>
    ask<string[]>(`api/v1/datasets/${encodeURIComponent(id)}/splits`, { signal }),
  examples: (query: Query, signal?: AbortSignal) => ask<Example[]>('api/v1/examples', { query, signal }),
  countExamples: (query: Query, signal?: AbortSignal) => ask<number>('api/v1/examples/count', { query, signal }),
  example: (id: string, datasetId: string | null, signal?: AbortSignal) =>
    ask<Example>(`api/v1/examples/${encodeURIComponent(id)}`, { query: { dataset: datasetId }, signal }),
  experiments: (query: Query, signal?: AbortSignal) => ask<Experiment[]>('api/v1/sessions', { query, signal }),
  experiment: (id: string, signal?: AbortSignal) =>
    ask<Experiment>(`api/v1/sessions/${encodeURIComponent(id)}`, { signal }),
  patchExperiment: (id: string, body: { name?: string; description?: string | null }) =>
    ask<Experiment>(`api/v1/sessions/${encodeURIComponent(id)}`, { method: 'PATCH', body }),
  deleteExperiment: (id: string) => ask(`api/v1/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  runs: (body: Readonly<Record<string, unknown>>, signal?: AbortSignal) =>
    ask<{ runs: Run[]; cursors: { next: string | null } }>('api/v1/runs/query', { method: 'POST', body, signal }),
  run: (id: string, signal?: AbortSignal) => ask<Run>(`api/v1/runs/${encodeURIComponent(id)}`, { signal }),
  feedbackOf: (runId: string, signal?: AbortSignal) =>
    ask<Feedback[]>('api/v1/feedback', { query: { run: [runId], limit: 1_000 }, signal }),
  compare: (datasetId: string, body: ComparisonAsk, signal?: AbortSignal) =>
    ask<Comparison>(`api/v1/datasets/${encodeURIComponent(datasetId)}/comparison`, { method: 'POST', body, signal }),
};
