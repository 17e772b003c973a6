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
  feedback_config: {
    feedback_config: {
      type: 'continuous' | 'categorical' | 'freeform';
      min?: number | null;
      max?: number | null;
      categories?: readonly { value: number; label?: string | null }[] | null;
    };
  } | null;
}

export interface QueueWithRubric extends Queue {
  rubric_instructions: string | null;
  rubric_items: readonly RubricItem[] | null;
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
const at = (id: string, path = ''): string => `${BASE}/${encodeURIComponent(id)}${path}`;

export const queues = {
  list: (query: { name_contains: string | null; offset: number; limit: number }, signal?: AbortSignal) =>
    fetchJson<Queue[]>(BASE, { query, signal }),
  get: (id: string, signal?: AbortSignal) => fetchJson<QueueWithRubric>(at(id), { signal }),
  delete: (id: string) => fetchJson(at(id), { method: 'DELETE' }),
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
    fetchJson('api/v1/feedback', {
      method: 'POST',
      body: { ...feedback, run_id: runId, feedback_source: { type: 'app' } },
    }),
};
