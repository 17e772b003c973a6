import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { fetchJson } from '../../api/http.js';
import type { Checkpoint, State, ThreadSummary } from './thread-data.js';

/** A checkpoint in the list, without values. */
export interface CheckpointSummary {
  checkpoint: Checkpoint;
  parent_checkpoint: Checkpoint | null;
  metadata: Record<string, unknown>;
  next: string[];
  created_at: string | null;
}

const PAGE = 50;
/** Without values, which can be hundreds of megabytes for long conversations. */
const SELECT = ['checkpoint', 'parent_checkpoint', 'metadata', 'next', 'created_at'];

/** Checkpoints, newest first. `ns`: checkpoint namespace of a subgraph, empty for the root graph. */
export function useHistory(
  { thread_id: id, state_updated_at: at }: ThreadSummary,
  ns: string,
): UseInfiniteQueryResult<InfiniteData<CheckpointSummary[], string | null>> {
  return useInfiniteQuery({
    queryKey: ['threads', id, 'history', ns, at],
    queryFn: ({ pageParam, signal }) =>
      fetchJson<CheckpointSummary[]>(`threads/${id}/history`, {
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

/** The state at a checkpoint. Its values never change, but task results are added when the tasks finish. */
export function useCheckpointState(threadId: string, ns: string, checkpointId: string | null): UseQueryResult<State> {
  return useQuery({
    queryKey: ['threads', threadId, 'past', ns, checkpointId],
    queryFn: ({ signal }) =>
      fetchJson<State>(`threads/${threadId}/state/checkpoint`, {
        method: 'POST',
        signal,
        body: { checkpoint: { checkpoint_id: checkpointId, checkpoint_ns: ns } },
      }),
    enabled: checkpointId !== null,
    staleTime: 30_000,
  });
}

export interface HistoryStep {
  past: CheckpointSummary;
  step: string;
  source: string;
  nodes: readonly string[];
}

/** Adds the nodes that wrote each checkpoint: the next nodes of its parent. */
export function historySteps(pasts: readonly CheckpointSummary[]): HistoryStep[] {
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

const SOURCE_NAMES: Readonly<Record<string, string>> = { input: 'Input', update: 'State update', fork: 'Fork' };

/** Display name of a checkpoint, by its writer. */
export function stepName({ nodes, source }: HistoryStep): string {
  return nodes.length > 0
    ? nodes.join(', ')
    : (SOURCE_NAMES[source] ?? (source === 'loop' ? 'Step' : source || 'Checkpoint'));
}
