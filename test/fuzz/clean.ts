import { WALK_GRAPH } from '../../src/cli/walk/records.js';
import type { Place } from './place.js';

interface Kind {
  /** Lists some, or says that there are none. */
  list: readonly [method: string, target: string, body?: unknown];
  id: string;
  remove: (id: string, one: Record<string, unknown>) => readonly [target: string, body?: unknown];
  /** Such as cannot be deleted. */
  stays?: (one: Record<string, unknown>) => boolean;
}

const API = '/api/v1';
const KINDS: readonly Kind[] = [
  { list: ['POST', '/runs/crons/search', { limit: 1_000 }], id: 'cron_id', remove: (id) => [`/runs/crons/${id}`] },
  {
    list: ['POST', '/threads/search', { limit: 1_000, select: ['thread_id'] }],
    id: 'thread_id',
    remove: (id) => [`/threads/${id}`],
  },
  // Those of configured graphs stay.
  {
    list: ['POST', '/assistants/search', { limit: 1_000 }],
    id: 'assistant_id',
    remove: (id) => [`/assistants/${id}`],
    stays: (one) =>
      one['name'] === one['graph_id'] &&
      [WALK_GRAPH, 'echo', 'approval'].includes(String(one['name'])) &&
      one['version'] !== undefined &&
      isSystem(one),
  },
  {
    list: ['POST', '/store/items/search', { namespace_prefix: [], limit: 1_000 }],
    id: 'key',
    remove: (key, { namespace }) => ['/store/items', { namespace, key }],
  },
  // Also what waits for runs that never came, which goes with no project.
  { list: ['GET', `${API}/feedback?limit=100`], id: 'id', remove: (id) => [`${API}/feedback/${id}`] },
  { list: ['GET', `${API}/alerts`], id: 'id', remove: (id) => [`${API}/alerts/${id}`] },
  { list: ['GET', `${API}/annotation-queues?limit=100`], id: 'id', remove: (id) => [`${API}/annotation-queues/${id}`] },
  { list: ['GET', `${API}/datasets?limit=100`], id: 'id', remove: (id) => [`${API}/datasets/${id}`] },
  { list: ['GET', `${API}/sessions?limit=100`], id: 'id', remove: (id) => [`${API}/sessions/${id}`] },
  {
    list: ['GET', `${API}/feedback-configs`],
    id: 'feedback_key',
    remove: (key) => [`${API}/feedback-configs?feedback_key=${encodeURIComponent(key)}`],
  },
];

function isSystem({ metadata }: Record<string, unknown>): boolean {
  return (metadata as Record<string, unknown> | null)?.['created_by'] === 'system';
}

/** Deletes all there is, as a client would, until nothing is left. Throws when something cannot be deleted. */
export async function deleteAll(place: Place): Promise<void> {
  for (const { list, id, remove, stays = () => false } of KINDS) {
    for (;;) {
      const { status, body } = await place.ask(...list);
      if (status !== 200) throw new Error(`${list[0]} ${list[1]} answered ${status}: ${body.slice(0, 300)}`);
      const found = JSON.parse(body) as Record<string, unknown>[] | { items: Record<string, unknown>[] };
      const some = (Array.isArray(found) ? found : found.items).filter((one) => !stays(one));
      if (some.length === 0) break;
      for (const one of some) {
        const [target, sent] = remove(String(one[id]), one);
        const answer = await place.ask('DELETE', target, sent);
        // One that goes with another may be gone already.
        if (answer.status >= 300 && answer.status !== 404)
          throw new Error(`DELETE ${target.slice(0, 300)} answered ${answer.status}: ${answer.body.slice(0, 300)}`);
      }
    }
  }
  await place.rest();
}
