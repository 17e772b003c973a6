import { fetchJson } from '../../api/http.js';
import type { CheckpointReader } from './fork-point.js';

/** The most that the server returns at once. */
const PAGE_SIZE = 1_000;

interface StoredCheckpoint {
  checkpoint: { checkpoint_id: string };
  parent_checkpoint: { checkpoint_id: string } | null;
}

/** Reads the checkpoints of a thread. `property`: the property of the state that has the messages. */
export function threadCheckpoints(threadId: string, property: string | null): CheckpointReader {
  return {
    async page(before) {
      const found = await fetchJson<StoredCheckpoint[]>(`threads/${threadId}/history`, {
        method: 'POST',
        body: {
          limit: PAGE_SIZE,
          select: ['checkpoint', 'parent_checkpoint'],
          ...(before === null ? {} : { before }),
        },
      });
      return {
        checkpoints: found.map(({ checkpoint, parent_checkpoint: parent }) => ({
          id: checkpoint.checkpoint_id,
          parentId: parent?.checkpoint_id ?? null,
        })),
        hasMore: found.length === PAGE_SIZE,
      };
    },
    async values(id) {
      const select = [property === null ? 'values' : `values.${property}`];
      const state = await fetchJson<{ values: unknown }>(`threads/${threadId}/state/${id}`, { query: { select } });
      return state.values;
    },
  };
}
