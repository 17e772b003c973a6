import type { RecordName } from './records.js';
import type { Kind, Making, Recipe, Try } from './requests.js';

/** The request names the record in its path. */
const named =
  (record: RecordName, parts: Making = () => ({})): Making =>
  (of, own) => ({ ...parts(of, own), params: { thread_id: of.get(record) } });
const one =
  (kind: Kind) =>
  (make: Making): Try => ({ kind, make });
const [all, filters, names] = [one('all'), one('filters'), one('names')];
/** Looks for what belongs to another; a number would say that it is there. */
const counts = (make: Making): Try => ({ kind: 'filters', make, nothing: '0' });

const EVERYTHING = { limit: 100 };

/** Routes that find threads, and those that show their states. */
export const threadRecipes: Readonly<Record<string, Recipe>> = {
  'GET /threads': {
    tries: [
      all(() => ({ query: { limit: '100' } })),
      filters((of) => ({ query: { metadata: JSON.stringify({ walk: of.marker }) } })),
      filters((of) => ({
        query: { or: JSON.stringify([{ metadata: { walk: of.marker } }, { ids: [of.get('thread')] }]) },
      })),
    ],
  },
  'POST /threads/search': {
    tries: [
      all(() => ({ body: EVERYTHING })),
      filters((of) => ({ body: { ids: [of.get('thread'), of.get('openThread'), of.get('statelessThread')] } })),
      filters((of) => ({ body: { metadata: { walk: of.marker } } })),
      filters((of) => ({ body: { values: { text: of.marker } } })),
      filters(() => ({ body: { status: 'busy' } })),
      // Neither a choice nor a denial leads past what the caller may see.
      filters((of) => ({
        body: { ...EVERYTHING, or: [{ metadata: { walk: of.marker } }, { not: { metadata: { walk: of.marker } } }] },
      })),
      filters(() => ({ body: { ...EVERYTHING, not: { metadata: { walk: 'nobody' } } } })),
      filters(() => ({ body: { ...EVERYTHING, exists: ['values.text'], cursor: '*' } })),
      filters((of) => ({
        body: { ...EVERYTHING, ids: [of.get('thread')], extract: { said: 'values.text', by: 'metadata.walk' } },
      })),
    ],
  },
  'POST /threads/count': {
    tries: [
      all(() => ({ body: {} })),
      counts((of) => ({ body: { metadata: { walk: of.marker } } })),
      counts((of) => ({ body: { values: { text: of.marker } } })),
      counts((of) => ({ body: { or: [{ metadata: { walk: of.marker } }, { ids: [of.get('thread')] }] } })),
    ],
  },
  'GET /threads/:thread_id/state': {
    tries: [
      names(named('thread')),
      names(named('thread', () => ({ query: { subgraphs: 'true' } }))),
      names(named('thread', () => ({ query: { select: ['next', 'values.text'] } }))),
    ],
  },
  'GET /threads/:thread_id/state/:checkpoint_id': {
    tries: [
      names((of) => ({ params: { thread_id: of.get('thread'), checkpoint_id: of.get('checkpoint') } })),
      // Through a thread of one's own.
      names((of, own) => ({ params: { thread_id: own.get('thread'), checkpoint_id: of.get('checkpoint') } })),
    ],
  },
  'POST /threads/:thread_id/state/checkpoint': {
    tries: [
      names(named('thread', (of) => ({ body: { checkpoint: { checkpoint_id: of.get('checkpoint') } } }))),
      names((of, own) => ({
        params: { thread_id: own.get('thread') },
        body: { checkpoint: { thread_id: of.get('thread'), checkpoint_id: of.get('checkpoint') } },
      })),
    ],
  },
  'POST /threads/:thread_id/history': {
    tries: [
      names(named('thread', () => ({ body: { limit: 100 } }))),
      filters((of, own) => ({
        params: { thread_id: own.get('thread') },
        body: { before: { configurable: { thread_id: of.get('thread'), checkpoint_id: of.get('checkpoint') } } },
      })),
      filters((of, own) => ({
        params: { thread_id: own.get('thread') },
        body: { metadata: { walk: of.marker }, select: ['metadata'] },
      })),
    ],
  },
  'GET /threads/:thread_id/history': { tries: [names(named('thread'))] },
};
