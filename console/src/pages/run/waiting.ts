import { useQuery } from '@tanstack/react-query';
import { fetchJson } from '../../api/http.js';
import { isMessage, type MessageLike } from '../../shared/message-parts.js';
import type { RunSummary } from './run-order.js';

/** A run that waits for the runs before it, with the messages that it will add. */
export interface WaitingRun {
  runId: string;
  messages: readonly MessageLike[];
}

const WAITING_MAX = 100;
const REFRESH_MS = 2_000;

export const waitingKey = (threadId: string | null): readonly unknown[] => ['run', 'waiting', threadId];

/** The runs of a thread that wait, oldest first. */
export function useWaitingRuns(threadId: string | null): readonly WaitingRun[] {
  const { data } = useQuery({
    queryKey: waitingKey(threadId),
    queryFn: async ({ signal }) => {
      const runs = await fetchJson<{ run_id: string; kwargs?: { input?: unknown } | null }[]>(
        `threads/${threadId}/runs`,
        { query: { status: 'pending', limit: WAITING_MAX, select: ['run_id', 'kwargs'] }, signal },
      );
      return runs.toReversed().map(({ run_id: runId, kwargs }) => ({ runId, messages: inputMessages(kwargs?.input) }));
    },
    enabled: threadId !== null,
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? REFRESH_MS : false),
  });
  return data ?? [];
}

/** The runs of a thread, newest first. */
export function fetchNewestRuns(threadId: string): Promise<RunSummary[]> {
  return fetchJson<RunSummary[]>(`threads/${threadId}/runs`, {
    query: { limit: WAITING_MAX, select: ['run_id', 'status'] },
  });
}

/** The messages of an input: those of its first list of messages. */
export function inputMessages(input: unknown): MessageLike[] {
  if (typeof input !== 'object' || input === null) return [];
  for (const value of Object.values(input)) {
    const messages = Array.isArray(value) ? value.filter(isMessage) : [];
    if (messages.length > 0) return messages;
  }
  return [];
}
