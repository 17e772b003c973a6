import { fetchJson } from './http.js';

export interface QueuedRun {
  run_id: string;
  thread_id: string | null;
  graph_id: string;
  attempt: number;
  created_at: string;
}

export interface RunningRun extends QueuedRun {
  started_at: string;
  worker: string | null;
}

export interface WaitingRun extends QueuedRun {
  reason: string;
  message: string;
  ahead: number | null;
}

export interface QueueState {
  running: { total: number; runs: RunningRun[] };
  waiting: { total: number; reasons: Record<string, number>; runs: WaitingRun[] };
  shown_max: number;
}

/** Unfinished runs of the server, with what they wait for. */
export function fetchQueue(signal?: AbortSignal): Promise<QueueState> {
  return fetchJson<QueueState>('server/queue', { signal });
}
