import type { Experiment, Run } from './evaluation.js';
import { fetchJson } from './http.js';

export interface PublicDataset {
  id: string;
  name: string;
  description: string | null;
  example_count: number;
}

export interface PublicExample {
  id: string;
  inputs: unknown;
  outputs: unknown;
}

/** Only of links that list the experiments too. */
export type PublicExperiment = Pick<
  Experiment,
  'id' | 'name' | 'description' | 'start_time' | 'run_count' | 'error_rate' | 'latency_p50'
>;

/** A share link shows these members of a run. */
export type PublicRun = Pick<
  Run,
  'id' | 'name' | 'run_type' | 'status' | 'start_time' | 'end_time' | 'error' | 'inputs' | 'outputs'
>;

const at = (token: string, path: string): string => `api/v1/public/${encodeURIComponent(token)}/${path}`;

/** Reads of a share link. They need no key. */
export const publicShares = {
  dataset: (token: string, signal?: AbortSignal) => fetchJson<PublicDataset>(at(token, 'datasets'), { signal }),
  examples: (token: string, query: { offset: number; limit: number }, signal?: AbortSignal) =>
    fetchJson<PublicExample[]>(at(token, 'examples'), { query, signal }),
  experiments: (token: string, query: { offset: number; limit: number }, signal?: AbortSignal) =>
    fetchJson<PublicExperiment[]>(at(token, 'datasets/sessions'), { query, signal }),
  runs: (token: string, signal?: AbortSignal) =>
    fetchJson<{ runs: PublicRun[] }>(at(token, 'runs/query'), { method: 'POST', body: {}, signal }),
};
