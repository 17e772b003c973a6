import type { Run } from './evaluation.js';
import { fetchJson, ServerError } from './http.js';

export interface Queue {
  id: string;
  name: string;
  description: string | null;
  created_at: string;
  /** Only in lists: the number of runs that need a review. */
  total_runs?: number;
}

export interface RubricItem {
  feedback_key: string;
  description?: string | null;
  is_required?: boolean | null;
  /** Configuration of the key; read-only here. */
  feedback_config: FeedbackConfig | null;
}

/** How feedback under a key is given. All queues and experiments share it. */
export interface FeedbackConfig {
  feedback_key: string;
  feedback_config: {
    type: 'continuous' | 'categorical' | 'freeform';
    min?: number | null;
    max?: number | null;
    categories?: readonly { value: number; label?: string | null }[] | null;
  };
}

export interface QueueWithRubric extends Queue {
  rubric_instructions: string | null;
  rubric_items: readonly RubricItem[] | null;
}

export interface QueueChanges {
  name: string;
  description: string | null;
  rubric_instructions: string | null;
  rubric_items: readonly Readonly<Record<string, unknown>>[] | null;
}

export interface QueuedRun extends Run {
  queue_run_id: string;
  added_at: string;
}

export interface GivenFeedback {
  key: string;
  score?: number;
  value?: string;
  comment?: string;
}

const BASE = 'api/v1/annotation-queues';
/** Most runs that the server adds in one request. */
const RUNS_ADDED_MAX = 1_000;
const at = (id: string, path = ''): string => `${BASE}/${encodeURIComponent(id)}${path}`;

export const queues = {
  list: (query: { name_contains: string | null; offset: number; limit: number }, signal?: AbortSignal) =>
    fetchJson<Queue[]>(BASE, { query, signal }),
  get: (id: string, signal?: AbortSignal) => fetchJson<QueueWithRubric>(at(id), { signal }),
  create: (body: QueueChanges) => fetchJson<Queue>(BASE, { method: 'POST', body }),
  update: (id: string, body: QueueChanges) => fetchJson<QueueWithRubric>(at(id), { method: 'PATCH', body }),
  delete: (id: string) => fetchJson(at(id), { method: 'DELETE' }),
  /** A run that is already in the queue keeps its place. */
  async addRuns(id: string, runIds: readonly string[]): Promise<void> {
    for (let from = 0; from < runIds.length; from += RUNS_ADDED_MAX)
      await fetchJson(at(id, '/runs'), { method: 'POST', body: runIds.slice(from, from + RUNS_ADDED_MAX) });
  },
  /** The runs stay. */
  removeRun: (id: string, queueRunId: string) =>
    fetchJson(at(id, `/runs/${encodeURIComponent(queueRunId)}`), { method: 'DELETE' }),
  ofRun: (runId: string, signal?: AbortSignal) => fetchJson<Queue[]>(at(runId, '/queues'), { signal }),
  size: async (id: string, signal?: AbortSignal): Promise<number> =>
    (await fetchJson<{ size: number }>(at(id, '/size'), { signal })).size,
  /** Null if fewer runs need a review. */
  async run(id: string, index: number, signal?: AbortSignal): Promise<QueuedRun | null> {
    try {
      return await fetchJson<QueuedRun>(at(id, `/run/${index}`), { signal });
    } catch (error) {
      if (error instanceof ServerError && error.status === 404) return null;
      throw error;
    }
  },
  complete: (queueRunId: string) =>
    fetchJson(`${BASE}/status/${encodeURIComponent(queueRunId)}`, { method: 'POST', body: { status: 'completed' } }),
  giveFeedback: (runId: string, feedback: GivenFeedback) =>
    fetchJson<{ id: string }>('api/v1/feedback', {
      method: 'POST',
      body: { ...feedback, run_id: runId, feedback_source: { type: 'app' } },
    }),
  changeFeedback: (id: string, { key: _key, ...feedback }: GivenFeedback) =>
    fetchJson(`api/v1/feedback/${encodeURIComponent(id)}`, { method: 'PATCH', body: feedback }),
  feedbackConfigs: (signal?: AbortSignal) =>
    fetchJson<FeedbackConfig[]>('api/v1/feedback-configs', { query: { limit: 10_000 }, signal }),
  createFeedbackConfig: (config: FeedbackConfig) =>
    fetchJson('api/v1/feedback-configs', { method: 'POST', body: config }),
};
