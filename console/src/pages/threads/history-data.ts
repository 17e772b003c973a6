import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { ask } from '../../api/http.js';
import type { Checkpoint, State, ThreadHead } from './thread-data.js';

/** A checkpoint as its line shows it. */
export interface Past {
  checkpoint: Checkpoint;
  parent_checkpoint: Checkpoint | null;
  metadata: Record<string, unknown>;
  next: string[];
  created_at: string | null;
}

const PAGE = 50;
/** No values: a history of long chats would be hundreds of megabytes. */
const SELECT = ['checkpoint', 'parent_checkpoint', 'metadata', 'next', 'created_at'];

/** Checkpoints, newest first. `ns`: of which graph in the graph. */
export function useHistory(
  { thread_id: id, state_updated_at: at }: ThreadHead,
  ns: string,
): UseInfiniteQueryResult<InfiniteData<Past[], string | null>> {
  return useInfiniteQuery({
    queryKey: ['threads', id, 'history', ns, at],
    queryFn: ({ pageParam, signal }) =>
      ask<Past[]>(`threads/${id}/history`, {
        method: 'POST',
        signal,
        body: {
          limit: PAGE,
          select: SELECT,
          ...(pageParam === null ? {} : { before: pageParam }),
          ...(ns === '' ? {} : { checkpoint: { checkpoint_ns: ns } }),
        },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.length < PAGE ? null : last.at(-1)!.checkpoint.checkpoint_id),
    placeholderData: (before, query) => (query?.queryKey[3] === ns ? before : undefined),
    staleTime: 30_000,
  });
}

/** A state never changes, but what its tasks wrote is known only when they are done. */
export function usePastState(threadId: string, ns: string, checkpointId: string | null): UseQueryResult<State> {
  return useQuery({
    queryKey: ['threads', threadId, 'past', ns, checkpointId],
    queryFn: ({ signal }) =>
      ask<State>(`threads/${threadId}/state/checkpoint`, {
        method: 'POST',
        signal,
        body: { checkpoint: { checkpoint_id: checkpointId, checkpoint_ns: ns } },
      }),
    enabled: checkpointId !== null,
    staleTime: 30_000,
  });
}

export interface Step {
  past: Past;
  step: string;
  source: string;
  nodes: readonly string[];
}

/** With what made each of them: the nodes that were next at the checkpoint before it. */
export function stepsOf(pasts: readonly Past[]): Step[] {
  const next = new Map(pasts.map((past) => [past.checkpoint.checkpoint_id, past.next]));
  return pasts.map((past) => {
    const { source, step } = past.metadata;
    const parent = past.parent_checkpoint?.checkpoint_id;
    const made = source === 'loop' && parent !== undefined ? (next.get(parent) ?? []) : [];
    return {
      past,
      step: typeof step === 'number' ? String(step) : '',
      source: typeof source === 'string' ? source : '',
      nodes: [...new Set(made)],
    };
  });
}

const SOURCES: Readonly<Record<string, string>> = { input: 'Input', update: 'Edited state', fork: 'Fork' };

/** What a checkpoint is called: who wrote it. */
export function nameOf({ nodes, source }: Step): string {
  return nodes.length > 0
    ? nodes.join(', ')
    : (SOURCES[source] ?? (source === 'loop' ? 'Step' : source || 'Checkpoint'));
}
