import { fetchJson } from './http.js';

/** Experiments that the server runs (docs/experiments.md). */

export interface ExperimentJob {
  experiment_id: string;
  dataset_id: string;
  assistant_id: string;
  status: 'running' | 'success' | 'error' | 'cancelled';
  error: string | null;
  total: number;
  done: number;
  failed: number;
  repetitions: number;
}

export interface Evaluator {
  name: string;
  built_in: boolean;
  /** It scores an experiment as a whole. */
  summary: boolean;
}

/** An evaluator with its options, which only built-in ones have. */
export interface EvaluatorRequest {
  name: string;
  key?: string;
  path?: string;
  reference_path?: string;
  pattern?: string;
  tolerance?: number;
  schema?: unknown;
  max?: number;
}

export interface ExperimentRequest {
  dataset: string;
  assistant_id: string;
  name: string | null;
  evaluators: readonly EvaluatorRequest[];
  repetitions: number;
}

const jobPath = (id: string): string => `api/v1/experiments/${encodeURIComponent(id)}`;

export const experimentJobs = {
  start: (body: ExperimentRequest) => fetchJson<ExperimentJob>('api/v1/experiments', { method: 'POST', body }),
  get: (id: string, signal?: AbortSignal) => fetchJson<ExperimentJob>(jobPath(id), { signal }),
  cancel: (id: string) => fetchJson<ExperimentJob>(`${jobPath(id)}/cancel`, { method: 'POST', body: {} }),
  evaluators: (signal?: AbortSignal) => fetchJson<Evaluator[]>('api/v1/evaluators', { signal }),
};
