import type { RecordName } from './records.js';
import { filters, lists, targets, type Attempt, type Recipe, type RequestBuilder } from './requests.js';

/** Puts a thread of the owner into the path. */
const onThread =
  (record: RecordName, parts: RequestBuilder = () => ({})): RequestBuilder =>
  (theirs, own) => ({ ...parts(theirs, own), params: { thread_id: theirs.get(record) } });
/** Counts records that belong to the owner. A count above 0 is a leak. */
const counts = (build: RequestBuilder): Attempt => ({ kind: 'filters', build, emptyBody: '0' });

const EVERYTHING = { limit: 100 };

/** Routes that find threads or show their states. */
export const threadRecipes: Readonly<Record<string, Recipe>> = {
  'GET /threads': {
    attempts: [
      lists(() => ({ query: { limit: '100' } })),
      filters((theirs) => ({ query: { metadata: JSON.stringify({ walk: theirs.marker }) } })),
      filters((theirs) => ({
        query: { or: JSON.stringify([{ metadata: { walk: theirs.marker } }, { ids: [theirs.get('thread')] }]) },
      })),
    ],
  },
  'POST /threads/search': {
    attempts: [
      lists(() => ({ body: EVERYTHING })),
      filters((theirs) => ({
        body: { ids: [theirs.get('thread'), theirs.get('openThread'), theirs.get('statelessThread')] },
      })),
      filters((theirs) => ({ body: { metadata: { walk: theirs.marker } } })),
      filters((theirs) => ({ body: { values: { text: theirs.marker } } })),
      filters(() => ({ body: { status: 'busy' } })),
      // Neither `or` nor `not` may widen the result beyond what the caller may see.
      filters((theirs) => ({
        body: {
          ...EVERYTHING,
          or: [{ metadata: { walk: theirs.marker } }, { not: { metadata: { walk: theirs.marker } } }],
        },
      })),
      filters(() => ({ body: { ...EVERYTHING, not: { metadata: { walk: 'nobody' } } } })),
      filters(() => ({ body: { ...EVERYTHING, exists: ['values.text'], cursor: '*' } })),
      filters((theirs) => ({
        body: { ...EVERYTHING, ids: [theirs.get('thread')], extract: { said: 'values.text', by: 'metadata.walk' } },
      })),
    ],
  },
  'POST /threads/count': {
    attempts: [
      lists(() => ({ body: {} })),
      counts((theirs) => ({ body: { metadata: { walk: theirs.marker } } })),
      counts((theirs) => ({ body: { values: { text: theirs.marker } } })),
      counts((theirs) => ({ body: { or: [{ metadata: { walk: theirs.marker } }, { ids: [theirs.get('thread')] }] } })),
    ],
  },
  'GET /threads/:thread_id/state': {
    attempts: [
      targets(onThread('thread')),
      targets(onThread('thread', () => ({ query: { subgraphs: 'true' } }))),
      targets(onThread('thread', () => ({ query: { select: ['next', 'values.text'] } }))),
    ],
  },
  'GET /threads/:thread_id/state/:checkpoint_id': {
    attempts: [
      targets((theirs) => ({ params: { thread_id: theirs.get('thread'), checkpoint_id: theirs.get('checkpoint') } })),
      // With the sender's own thread in the path.
      targets((theirs, own) => ({ params: { thread_id: own.get('thread'), checkpoint_id: theirs.get('checkpoint') } })),
    ],
  },
  'POST /threads/:thread_id/state/checkpoint': {
    attempts: [
      targets(onThread('thread', (theirs) => ({ body: { checkpoint: { checkpoint_id: theirs.get('checkpoint') } } }))),
      targets((theirs, own) => ({
        params: { thread_id: own.get('thread') },
        body: { checkpoint: { thread_id: theirs.get('thread'), checkpoint_id: theirs.get('checkpoint') } },
      })),
    ],
  },
  'POST /threads/:thread_id/history': {
    attempts: [
      targets(onThread('thread', () => ({ body: { limit: 100 } }))),
      filters((theirs, own) => ({
        params: { thread_id: own.get('thread') },
        body: {
          before: { configurable: { thread_id: theirs.get('thread'), checkpoint_id: theirs.get('checkpoint') } },
        },
      })),
      filters((theirs, own) => ({
        params: { thread_id: own.get('thread') },
        body: { metadata: { walk: theirs.marker }, select: ['metadata'] },
      })),
    ],
  },
  'GET /threads/:thread_id/history': { attempts: [targets(onThread('thread'))] },
};
