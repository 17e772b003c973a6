import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fetchJson } from '../../api/http.js';
import { client } from '../../api/client.js';
import { fetchThread } from '../../shared/thread-search.js';

export type ThreadSummary = NonNullable<Awaited<ReturnType<typeof fetchThread>>>;

export interface Interrupt {
  id?: string;
  value: unknown;
}
export interface Task {
  id: string;
  name: string;
  error: string | null;
  interrupts: Interrupt[];
  checkpoint: { checkpoint_ns: string } | null;
  result: unknown;
}
export interface Checkpoint {
  checkpoint_id: string;
  checkpoint_ns: string;
}

/** A thread state, or the selected parts of one. */
export interface State {
  values: unknown;
  next: string[];
  tasks: Task[];
  checkpoint: Checkpoint | null;
  parent_checkpoint: Checkpoint | null;
  metadata: Record<string, unknown>;
  created_at: string | null;
}

export interface Run {
  run_id: string;
  assistant_id: string;
  status: string;
  created_at: string;
  updated_at: string;
  multitask_strategy: string;
  cancel_reason?: string;
  /** Absent before its first attempt, and for runs of earlier releases. */
  code_version?: string | null;
}
export interface RunExplanation {
  attempt: number;
  attempts_max: number;
  reason: string;
  message: string;
}

const ACTIVE_REFRESH_MS = 2_000;
const IDLE_REFRESH_MS = 8_000;
/** Minimum time between reloads: a run can change its thread many times a second. */
const RELOAD_THROTTLE_MS = 700;

/** The thread without its state, which each tab reads as needed. */
export function useThread(threadId: string): UseQueryResult<ThreadSummary | null> {
  return useQuery({
    queryKey: ['threads', threadId, 'head'],
    queryFn: ({ signal }) => fetchThread(threadId, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'busy' ? ACTIVE_REFRESH_MS : IDLE_REFRESH_MS),
  });
}

/** The latest state, reloaded when the thread has changed. `select`: fields to read, null for all. */
export function useLatestState(thread: ThreadSummary, select: readonly string[] | null): UseQueryResult<State> {
  const { thread_id: id } = thread;
  return useQuery({
    queryKey: ['threads', id, 'state', select, thread.state_updated_at, thread.status],
    queryFn: ({ signal }) => fetchJson<State>(`threads/${id}/state`, { query: { select }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

/** The runs of a thread, newest first, without their input. */
export function fetchRuns(
  threadId: string,
  { limit, offset = 0, status, signal }: { limit: number; offset?: number; status?: string; signal: AbortSignal },
): Promise<Run[]> {
  const select = [
    'run_id',
    'assistant_id',
    'status',
    'created_at',
    'updated_at',
    'multitask_strategy',
    'cancel_reason',
    'code_version',
  ];
  return fetchJson<Run[]>(`threads/${threadId}/runs`, { query: { limit, offset, status, select }, signal });
}

/** The running run, or else the newest one, with the server's explanation of its status. */
export function useNewestRun({
  thread_id: id,
  updated_at: at,
  status,
}: ThreadSummary): { run: Run; why: RunExplanation } | null {
  const { data } = useQuery({
    queryKey: ['threads', id, 'newest run', at, status],
    queryFn: async ({ signal }) => {
      // Prefer the running run over queued ones.
      const [running] = status === 'busy' ? await fetchRuns(id, { limit: 1, status: 'running', signal }) : [];
      const run = running ?? (await fetchRuns(id, { limit: 1, signal }))[0];
      return run === undefined ? null : { run, why: await fetchRunExplanation(id, run.run_id, signal) };
    },
    placeholderData: keepPreviousData,
  });
  return data ?? null;
}

export function fetchRunExplanation(threadId: string, runId: string, signal: AbortSignal): Promise<RunExplanation> {
  return fetchJson<RunExplanation>(`threads/${threadId}/runs/${runId}/why`, { signal });
}

/** While a run is active, subscribes to the thread's events and reloads its data when it changes. */
export function useLiveUpdates(threadId: string, alive: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!alive) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const changed = (): void => {
      timer ??= setTimeout(() => {
        timer = null;
        // A hidden page reloads when it becomes visible again.
        if (!document.hidden) void queries.invalidateQueries({ queryKey: ['threads', threadId] });
      }, RELOAD_THROTTLE_MS);
    };
    void (async () => {
      try {
        for await (const _event of client.threads.joinStream(threadId, {
          streamMode: ['lifecycle', 'state_update'],
          signal: stop.signal,
        }))
          changed();
      } catch {
        // Polling every two seconds continues without the stream.
      }
      if (!stop.signal.aborted) changed();
    })();
    return () => {
      stop.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [threadId, alive, queries]);
}

/** Id of the assistant of the thread's runs, or name of its graph; null if it has had no run. */
export function assistantIdOf({ metadata }: ThreadSummary): string | null {
  const { assistant_id: assistant, graph_id: graph } = metadata;
  return typeof assistant === 'string' ? assistant : typeof graph === 'string' ? graph : null;
}
