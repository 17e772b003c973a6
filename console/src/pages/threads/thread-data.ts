import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ask } from '../../api/http.js';
import { client } from '../../api/client.js';
import { findThread } from './thread-search.js';

export type ThreadHead = NonNullable<Awaited<ReturnType<typeof findThread>>>;

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

/** A state, or the parts of it that were selected. */
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
}
export interface Why {
  attempt: number;
  attempts_max: number;
  reason: string;
  message: string;
}

const ALIVE_MS = 2_000;
const STILL_MS = 8_000;
/** A run may change its thread many times a second. */
const TOLD_MS = 700;

/** What of a thread its page always shows. Its state is not in it: that is read where it is shown. */
export function useThread(threadId: string): UseQueryResult<ThreadHead | null> {
  return useQuery({
    queryKey: ['threads', threadId, 'head'],
    queryFn: ({ signal }) => findThread(threadId, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'busy' ? ALIVE_MS : STILL_MS),
  });
}

/** The latest state, read anew when the thread says that it has changed. `select`: what of it. */
export function useLatestState(thread: ThreadHead, select: readonly string[] | null): UseQueryResult<State> {
  const { thread_id: id } = thread;
  return useQuery({
    queryKey: ['threads', id, 'state', select, thread.state_updated_at, thread.status],
    queryFn: ({ signal }) => ask<State>(`threads/${id}/state`, { query: { select }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

/** The runs of a thread, newest first, without what they were asked to do. */
export function runsOf(
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
  ];
  return ask<Run[]>(`threads/${threadId}/runs`, { query: { limit, offset, status, select }, signal });
}

/** The run that executes, or else the newest one, with what became of it. */
export function useNewestRun({ thread_id: id, updated_at: at, status }: ThreadHead): { run: Run; why: Why } | null {
  const { data } = useQuery({
    queryKey: ['threads', id, 'newest run', at, status],
    queryFn: async ({ signal }) => {
      // Of several the one that executes.
      const [running] = status === 'busy' ? await runsOf(id, { limit: 1, status: 'running', signal }) : [];
      const run = running ?? (await runsOf(id, { limit: 1, signal }))[0];
      return run === undefined ? null : { run, why: await whyOf(id, run.run_id, signal) };
    },
    placeholderData: keepPreviousData,
  });
  return data ?? null;
}

export function whyOf(threadId: string, runId: string, signal: AbortSignal): Promise<Why> {
  return ask<Why>(`threads/${threadId}/runs/${runId}/why`, { signal });
}

/** Follows the thread while something executes there: what is shown of it is read anew as it changes. */
export function useAlive(threadId: string, alive: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!alive) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const changed = (): void => {
      timer ??= setTimeout(() => {
        timer = null;
        // A page that nobody looks at reads what is new when it is looked at.
        if (!document.hidden) void queries.invalidateQueries({ queryKey: ['threads', threadId] });
      }, TOLD_MS);
    };
    void (async () => {
      try {
        for await (const _event of client.threads.joinStream(threadId, {
          streamMode: ['lifecycle', 'state_update'],
          signal: stop.signal,
        }))
          changed();
      } catch {
        // The thread is asked every two seconds as well.
      }
      if (!stop.signal.aborted) changed();
    })();
    return () => {
      stop.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [threadId, alive, queries]);
}

/** Which assistant a thread's runs go to, when it has had one. */
export function assistantOf({ metadata }: ThreadHead): string | null {
  const { assistant_id: assistant, graph_id: graph } = metadata;
  return typeof assistant === 'string' ? assistant : typeof graph === 'string' ? graph : null;
}

/** Starts a run whose events can be looked at from their beginning, by a link. */
export function startRun(threadId: string, assistantId: string, body: Record<string, unknown>): Promise<Run> {
  return ask<Run>(`threads/${threadId}/runs`, {
    method: 'POST',
    body: {
      assistant_id: assistantId,
      stream_resumable: true,
      stream_mode: ['values', 'messages-tuple', 'updates'],
      stream_subgraphs: true,
      ...body,
    },
  });
}
