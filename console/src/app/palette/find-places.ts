import { client } from '../../api/client.js';
import { evaluation } from '../../api/evaluation.js';
import { statusOf } from '../../api/http.js';
import { DEFAULT_SORT, searchThreads } from '../../shared/thread-search.js';
import { threadTitle } from '../../shared/thread-title.js';
import type { Place } from './recent.js';

export interface PlaceGroup {
  name: string;
  find: (text: string, signal: AbortSignal) => Promise<Place[]>;
}

const FOUND_MAX = 5;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Searches of the server, by the name or the whole id. What this key may not read is not found. */
export const PLACE_GROUPS: readonly PlaceGroup[] = [
  {
    name: 'Threads',
    async find(text, signal) {
      const filters = { text, status: '', owner: '', metadata: '', sort: DEFAULT_SORT };
      const { rows } = await searchThreads(filters, null, signal, { limit: FOUND_MAX });
      return rows.map((row) => ({
        name: threadTitle(row) ?? row.thread_id,
        kind: 'Thread',
        path: `/threads/${row.thread_id}`,
      }));
    },
  },
  {
    name: 'Runs',
    async find(text, signal) {
      if (!ID.test(text)) return [];
      const { id, name, trace_id: traceId } = await evaluation.run(text, signal);
      const path = id === traceId ? `/traces/${traceId}` : `/traces/${traceId}?step=${id}`;
      return [{ name: `${name} ${id}`, kind: 'Run', path }];
    },
  },
  {
    name: 'Assistants',
    async find(text, signal) {
      const found = ID.test(text)
        ? [await client.assistants.get(text, { signal })]
        : await client.assistants.search({ name: text, limit: FOUND_MAX, signal });
      return found.map(({ assistant_id: id, name }) => ({
        name: name || 'Untitled',
        kind: 'Assistant',
        path: `/assistants/${id}`,
      }));
    },
  },
  {
    name: 'Datasets',
    async find(text, signal) {
      const found = await evaluation.datasets({ ...nameOrId(text), limit: FOUND_MAX }, signal);
      return found.map(({ id, name }) => ({ name, kind: 'Dataset', path: `/datasets/${id}` }));
    },
  },
  {
    name: 'Experiments',
    async find(text, signal) {
      const query = { ...nameOrId(text), reference_free: false, include_stats: false, limit: FOUND_MAX };
      const found = await evaluation.experiments(query, signal);
      return found.map(({ id, name }) => ({ name, kind: 'Experiment', path: `/experiments/${id}` }));
    },
  },
  {
    name: 'Trace projects',
    async find(text, signal) {
      const query = { ...nameOrId(text), reference_free: true, include_stats: false, limit: FOUND_MAX };
      const found = await evaluation.experiments(query, signal);
      return found.map(({ id, name }) => ({ name, kind: 'Trace project', path: `/traces?project=${id}` }));
    },
  },
];

function nameOrId(text: string): { id: readonly string[] } | { name_contains: string } {
  return ID.test(text) ? { id: [text] } : { name_contains: text };
}

const FORBIDDEN = 403;
const NOT_FOUND = 404;

/** What is forbidden or does not exist is no match, not an error. */
export async function findPlaces({ find }: PlaceGroup, text: string, signal: AbortSignal): Promise<Place[]> {
  try {
    return await find(text, signal);
  } catch (error) {
    if ([FORBIDDEN, NOT_FOUND].includes(statusOf(error))) return [];
    throw error;
  }
}
