import { fetchJson, statusOf } from './http.js';

const FORBIDDEN = 403;

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

interface DeliveryProgress {
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: { sent_at: string; duration_ms: number; status_code: number | null; error: string | null }[];
  next_attempt_at: string | null;
}

/** Of the webhook of a run. */
export interface RunDelivery extends DeliveryProgress {
  run_id: string;
  thread_id: string;
  run_status: string | null;
  can_send_again: boolean;
}

/** Of a call of an alert. */
export interface AlertDelivery extends DeliveryProgress {
  webhook_id: string;
  alert_id: string;
  alert_name: string;
}

export type Delivery = RunDelivery | AlertDelivery;

interface List<T> {
  deliveries: T[];
  has_more: boolean;
}

/** The newest deliveries of one source. */
function listDeliveries<T>(
  source: 'runs' | 'alerts',
  { status, signal }: { status: string | null; signal: AbortSignal },
): Promise<List<T>> {
  return fetchJson<List<T>>('webhooks/deliveries', { query: { source, status, limit: 100 }, signal });
}

function lastMs({ attempts, next_attempt_at: next }: Delivery): number {
  return Date.parse(attempts.at(-1)?.sent_at ?? next ?? '') || 0;
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

export interface StorageReport {
  kinds: { kind: string; records: number; bytes: number }[];
  state: StateProfile;
}

export interface NamedThread {
  thread_id: string;
  /** From the metadata. */
  title: string | null;
  bytes: number;
}

/** Where the bytes of the states of threads are. Every list has its largest first. */
export interface StateProfile {
  at: string;
  bytes: number;
  threads: number;
  deleted_bytes: number;
  is_complete: boolean;
  largest_threads: (NamedThread & {
    graph_id: string | null;
    owner: string | null;
    updated_at: string;
    is_over_budget: boolean;
  })[];
  owners: (GrownSize & { owner: string | null })[];
  graphs: (GrownSize & { graph_id: string })[];
  /** The largest threads, which `channels` and `namespaces` are about. */
  measured: { threads: number; bytes: number };
  channels: (GrownSize & { channel: string })[];
  namespaces: (GrownSize & { namespace: string })[];
  growth: { day: StateGrowth | null; week: StateGrowth | null };
  history: { at: string; bytes: number; threads: number }[];
  budget: {
    thread_bytes: number;
    on_exceed: 'warn' | 'refuse' | 'thin';
    keep_last: number | null;
    threads_over: number;
  } | null;
}

export interface GrownSize {
  threads: number;
  bytes: number;
  /** Null: not known. */
  grown: { day: number | null; week: number | null };
}

export interface StateGrowth {
  since: string;
  bytes: number;
  threads: (NamedThread & { grown_bytes: number; is_at_least: boolean })[];
}

/** Routes about the server itself. */
export const serverApi = {
  history: (seconds: number, stepSeconds: number, signal: AbortSignal): Promise<ServerHistory> =>
    fetchJson<ServerHistory>('server/history', {
      query: { start: new Date(Date.now() - seconds * 1_000).toISOString(), step_seconds: stepSeconds },
      signal,
    }),
  /** Of runs and alerts, the newest first. Without those of alerts if the server does not permit them. */
  deliveries: async (status: string | null, signal: AbortSignal): Promise<List<Delivery>> => {
    const [runs, alerts] = await Promise.all([
      listDeliveries<RunDelivery>('runs', { status, signal }),
      listDeliveries<AlertDelivery>('alerts', { status, signal }).catch((error: unknown) => {
        if (statusOf(error) === FORBIDDEN) return { deliveries: [], has_more: false };
        throw error;
      }),
    ]);
    const all = [...runs.deliveries, ...alerts.deliveries];
    return {
      deliveries: all.toSorted((one, other) => lastMs(other) - lastMs(one)),
      has_more: runs.has_more || alerts.has_more,
    };
  },
  sendAgain: ({ thread_id: threadId, run_id: runId }: RunDelivery): Promise<RunDelivery> =>
    fetchJson<RunDelivery>(`threads/${threadId}/runs/${runId}/webhook`, { method: 'POST' }),
  storage: (signal: AbortSignal): Promise<StorageReport> => fetchJson<StorageReport>('server/storage', { signal }),
  backups: (signal: AbortSignal): Promise<Backups> => fetchJson<Backups>('server/backup', { signal }),
};
