import { fetchJson, type FetchOptions } from './http.js';

/** Datasets, experiments and comparisons in the form of the evaluation API (docs/evaluation.md). */

export interface Dataset {
  id: string;
  name: string;
  description: string | null;
  created_at: string;
  modified_at: string;
  data_type: string;
  externally_managed: boolean;
  metadata: Readonly<Record<string, unknown>> | null;
  inputs_schema_definition: unknown;
  outputs_schema_definition: unknown;
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

/** Called a session in the API. */
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
  source_run_id?: string | null;
  /** Set only in comparisons with `value_chars_max`: the beginning of a longer value, in place of the value. */
  inputs_preview?: string;
  outputs_preview?: string;
  /** Only on request. */
  attachment_urls?: AttachmentUrls | null;
}

/** Links to files by `attachment.` and their name. Null without files. */
export type AttachmentUrls = Readonly<Record<string, { presigned_url: string; mime_type: string }>>;

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
  parent_run_id: string | null;
  trace_id: string;
  dotted_order: string;
  first_token_time: string | null;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  total_tokens: number | null;
  total_cost: string | null;
  s3_urls: AttachmentUrls | null;
}

/** A run in a row of a comparison. */
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

/** Difference of a candidate from the baseline, over the examples that both have run. */
export interface Difference {
  pairs: number;
  baseline_mean: number | null;
  mean: number | null;
  difference: number | null;
  interval: readonly [low: number, high: number] | null;
  confidence: number;
  /** Higher than `confidence` if the verdict is corrected. */
  interval_confidence: number;
  p_value: number | null;
  improved: number;
  regressed: number;
  unchanged: number;
  /** With fewer improved and regressed pairs, no verdict is possible. */
  changed_pairs_min: number;
  /** Examples of one experiment without a value in the other. */
  unpaired_baseline_examples: number;
  unpaired_candidate_examples: number;
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
  /** Seconds. */
  latency_mean: number | null;
  feedback_stats: Readonly<Record<string, FeedbackStats>> | null;
  /** Null for the baseline itself. */
  versus_baseline: {
    /** Examples whose inputs or outputs changed between the two experiments. */
    examples_changed: number;
    latency: Difference;
    error_rate: Difference;
    feedback: Readonly<Record<string, Difference>>;
  } | null;
}

type ValueByKey = Readonly<Record<string, number | null>>;

/** One example with the results of each experiment. The records are keyed by experiment id. */
export interface ComparedRow {
  example: Example;
  runs: Readonly<Record<string, readonly ComparedRun[]>>;
  scores: Readonly<Record<string, ValueByKey>>;
  differences: Readonly<Record<string, ValueByKey | null>>;
  /** Seconds. */
  latencies: Readonly<Record<string, number | null>>;
}

export interface Comparison {
  dataset_id: string;
  baseline_id: string;
  feedback_keys: readonly string[];
  feedback_key: string | null;
  confidence: number;
  correction: Correction;
  experiments: readonly ComparedExperiment[];
  total: number;
  /** Index of the first row among all rows. */
  offset: number;
  rows: readonly ComparedRow[];
  next_cursor: string | null;
}

export const ROW_FILTERS = ['improved', 'regressed', 'changed', 'unchanged', 'errors'] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];
/** holm: the confidence applies to all verdicts together. */
export const CORRECTIONS = ['none', 'holm'] as const;
export type Correction = (typeof CORRECTIONS)[number];
export type SortBy = 'difference' | 'latency' | 'example';

export interface ComparisonRequest {
  experiment_ids: readonly string[];
  baseline_id?: string | null;
  feedback_key?: string | null;
  only?: RowFilter | null;
  full_text_contains?: readonly string[] | null;
  sort_by?: SortBy | null;
  sort_order?: 'asc' | 'desc' | null;
  confidence?: number | null;
  correction?: Correction | null;
  cursor?: string | null;
  offset?: number | null;
  example_id?: string | null;
  limit?: number | null;
  value_chars_max?: number | null;
}

/** Most experiments that the server accepts in one comparison. */
export const EXPERIMENTS_COMPARED_MAX = 50;

/** What can be written of an example. */
export interface ExampleContent {
  inputs: unknown;
  /** Null: none, or in a change those that it has. */
  outputs: unknown;
  metadata: Readonly<Record<string, unknown>>;
  /** Null: as it was, or `base`. */
  split: readonly string[] | null;
}

export interface DatasetVersion {
  as_of: string;
  tags: string[] | null;
}

/** Numbers of some runs. Times are in seconds, costs in US dollars; null if no run has the value. */
export interface RunNumbers {
  run_count: number;
  error_count: number;
  latency_p50: number | null;
  latency_p95: number | null;
  total_tokens: number | null;
  completion_tokens: number | null;
  total_cost: number | null;
}

export interface RunSeries {
  interval_seconds: number;
  /** Earlier runs may not be counted. */
  complete_from: string;
  /** Without a group: one, or none if there are no runs. */
  series: readonly { total: RunNumbers; points: readonly (RunNumbers & { start_time: string })[] }[];
}

/** Runs to add to a dataset: named ones, or those of threads. */
export interface AddRunsRequest {
  runs?: readonly (string | { id: string; inputs?: unknown; outputs?: unknown })[];
  threads?: readonly string[];
  /** Paths such as `messages.-1`. Empty: all. */
  inputs_path: string;
  outputs_path: string;
  split?: string;
  allow_duplicates?: boolean;
}

export type SkipReason = 'already_added' | 'running' | 'no_inputs' | 'no_outputs' | 'truncated';

export interface AddedRuns {
  count: number;
  example_ids: readonly string[];
  skipped: readonly { run_id: string; reason: SkipReason }[];
}

type Query = NonNullable<FetchOptions['query']>;

export const evaluation = {
  datasets: (query: Query, signal?: AbortSignal) => fetchJson<Dataset[]>('api/v1/datasets', { query, signal }),
  dataset: (id: string, signal?: AbortSignal) =>
    fetchJson<Dataset>(`api/v1/datasets/${encodeURIComponent(id)}`, { signal }),
  createDataset: (body: { name: string; description?: string }) =>
    fetchJson<Dataset>('api/v1/datasets', { method: 'POST', body }),
  createExample: (body: ExampleContent & { dataset_id: string }) =>
    fetchJson<Example>('api/v1/examples', { method: 'POST', body }),
  patchExample: (id: string, body: ExampleContent) =>
    fetchJson<Example>(`api/v1/examples/${encodeURIComponent(id)}`, { method: 'PATCH', body }),
  deleteExamples: (ids: readonly string[]) =>
    fetchJson('api/v1/platform/datasets/examples/delete', { method: 'POST', body: { example_ids: ids } }),
  changeSplit: (id: string, body: { split_name: string; examples: readonly string[]; remove: boolean }) =>
    fetchJson<string[]>(`api/v1/datasets/${encodeURIComponent(id)}/splits`, { method: 'PUT', body }),
  tagVersion: (id: string, body: { as_of: string; tag: string }) =>
    fetchJson(`api/v1/datasets/${encodeURIComponent(id)}/tags`, { method: 'PUT', body }),
  importLines: (id: string, lines: Blob, signal: AbortSignal) =>
    fetchJson<{ count: number }>(`api/v1/datasets/${encodeURIComponent(id)}/import`, {
      method: 'POST',
      body: lines,
      headers: { 'content-type': 'application/jsonl' },
      signal,
    }),
  addRuns: (id: string, body: AddRunsRequest) =>
    fetchJson<AddedRuns>(`api/v1/datasets/${encodeURIComponent(id)}/add-runs`, { method: 'POST', body }),
  patchDataset: (
    id: string,
    body: Partial<
      Pick<
        Dataset,
        | 'name'
        | 'description'
        | 'metadata'
        | 'baseline_experiment_id'
        | 'inputs_schema_definition'
        | 'outputs_schema_definition'
      >
    >,
  ) => fetchJson<Dataset>(`api/v1/datasets/${encodeURIComponent(id)}`, { method: 'PATCH', body }),
  deleteDataset: (id: string) => fetchJson(`api/v1/datasets/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  versions: (id: string, signal?: AbortSignal) =>
    fetchJson<DatasetVersion[]>(`api/v1/datasets/${encodeURIComponent(id)}/versions`, {
      query: { limit: 100 },
      signal,
    }),
  splits: (id: string, signal?: AbortSignal) =>
    fetchJson<string[]>(`api/v1/datasets/${encodeURIComponent(id)}/splits`, { signal }),
  examples: (query: Query, signal?: AbortSignal) => fetchJson<Example[]>('api/v1/examples', { query, signal }),
  countExamples: (query: Query, signal?: AbortSignal) => fetchJson<number>('api/v1/examples/count', { query, signal }),
  example: (id: string, datasetId: string | null, signal?: AbortSignal) =>
    fetchJson<Example>(`api/v1/examples/${encodeURIComponent(id)}`, { query: { dataset: datasetId }, signal }),
  experiments: (query: Query, signal?: AbortSignal) => fetchJson<Experiment[]>('api/v1/sessions', { query, signal }),
  experiment: (id: string, signal?: AbortSignal) =>
    fetchJson<Experiment>(`api/v1/sessions/${encodeURIComponent(id)}`, { signal }),
  patchExperiment: (id: string, body: { name?: string; description?: string | null }) =>
    fetchJson<Experiment>(`api/v1/sessions/${encodeURIComponent(id)}`, { method: 'PATCH', body }),
  deleteExperiment: (id: string) => fetchJson(`api/v1/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  runs: (body: Readonly<Record<string, unknown>>, signal?: AbortSignal) =>
    fetchJson<{ runs: Run[]; cursors: { next: string | null } }>('api/v1/runs/query', { method: 'POST', body, signal }),
  runSeries: (body: Readonly<Record<string, unknown>>, signal?: AbortSignal) =>
    fetchJson<RunSeries>('api/v1/runs/series', { method: 'POST', body, signal }),
  run: (id: string, signal?: AbortSignal) => fetchJson<Run>(`api/v1/runs/${encodeURIComponent(id)}`, { signal }),
  runFeedback: (runId: string, signal?: AbortSignal) =>
    fetchJson<Feedback[]>('api/v1/feedback', { query: { run: [runId], limit: 1_000 }, signal }),
  compare: (datasetId: string, body: ComparisonRequest, signal?: AbortSignal) =>
    fetchJson<Comparison>(`api/v1/datasets/${encodeURIComponent(datasetId)}/comparison`, {
      method: 'POST',
      body,
      signal,
    }),
};
