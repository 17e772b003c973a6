import { fetchJson } from './http.js';

/** What the server did in a time. */
export interface HistoryFigures {
  runs_started: number;
  runs_succeeded: number;
  runs_failed: number;
  runs_interrupted: number;
  queue_wait_p95_seconds: number | null;
  run_duration_p50_seconds: number | null;
  run_duration_p95_seconds: number | null;
  requests: number;
  requests_failed: number;
  cpu_seconds: number;
  runs_queued: number;
  runs_running: number;
  workers: number;
  workers_busy: number;
  memory_bytes: number;
  storage_bytes: number;
}

export interface ServerHistory {
  start: string;
  end: string;
  step_seconds: number;
  /** Steps in which nothing was written are missing. */
  points: (HistoryFigures & { start: string })[];
  total: HistoryFigures | null;
}

export interface Delivery {
  run_id: string;
  thread_id: string;
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: { sent_at: string; duration_ms: number; status_code: number | null; error: string | null }[];
  next_attempt_at: string | null;
  run_status: string | null;
  can_send_again: boolean;
}

export interface DeliveryList {
  deliveries: Delivery[];
  has_more: boolean;
}

export interface Backups {
  /** The last one that was downloaded or written by the schedule. */
  last: { made_at: string; bytes: number } | null;
  /** Null: none are made on a schedule. */
  schedule: BackupSchedule | null;
}

export interface BackupSchedule {
  schedule: string;
  timezone: string;
  folder: string;
  keep: number;
  is_running: boolean;
  next_at: string | null;
  last_failure: { at: string; message: string } | null;
  files: { name: string; made_at: string; bytes: number }[];
}

/** Routes about the server itself. */
export const serverApi = {
  history: (seconds: number, stepSeconds: number, signal: AbortSignal): Promise<ServerHistory> =>
    fetchJson<ServerHistory>('server/history', {
      query: { start: new Date(Date.now() - seconds * 1_000).toISOString(), step_seconds: stepSeconds },
      signal,
    }),
  deliveries: (status: string | null, signal: AbortSignal): Promise<DeliveryList> =>
    fetchJson<DeliveryList>('webhooks/deliveries', { query: { status, limit: 100 }, signal }),
  sendAgain: ({ thread_id: threadId, run_id: runId }: Delivery): Promise<Delivery> =>
    fetchJson<Delivery>(`threads/${threadId}/runs/${runId}/webhook`, { method: 'POST' }),
  backups: (signal: AbortSignal): Promise<Backups> => fetchJson<Backups>('server/backup', { signal }),
};
