import { filters, targets, withIds, type Recipe } from './requests.js';

const THREAD = { thread_id: 'thread' } as const;

export const threadChangeRecipes: Readonly<Record<string, Recipe>> = {
  'POST /threads/:thread_id/state': {
    attempts: [
      targets(withIds(THREAD, (_, own) => ({ body: { values: { text: own.marker }, as_node: 'echo' } }))),
      // From a checkpoint of the owner's thread.
      targets((theirs, own) => ({
        params: { thread_id: own.get('thread') },
        body: { values: { text: own.marker }, checkpoint_id: theirs.get('checkpoint') },
      })),
      targets((theirs, own) => ({
        params: { thread_id: own.get('thread') },
        body: {
          values: { text: own.marker },
          checkpoint: { thread_id: theirs.get('thread'), checkpoint_id: theirs.get('checkpoint') },
        },
      })),
    ],
  },
  'PATCH /threads/:thread_id/state': {
    attempts: [targets(withIds(THREAD, (_, own) => ({ body: { metadata: { patched: own.marker } } })))],
  },
  'POST /threads/:thread_id/copy': { attempts: [targets(withIds(THREAD))] },
  'GET /threads/:thread_id/export': { attempts: [targets(withIds(THREAD))] },
  'GET /threads/:thread_id/storage': { attempts: [targets(withIds(THREAD))] },
  'POST /threads/prune': {
    attempts: [
      {
        ...filters((theirs) => ({ body: { thread_ids: [theirs.get('thread')], strategy: 'keep_latest' } })),
        emptyBody: '{"pruned_count":0}',
      },
      {
        ...filters((theirs) => ({ body: { thread_ids: [theirs.get('openThread'), theirs.get('thread')] } })),
        emptyBody: '{"pruned_count":0}',
      },
    ],
    destructiveOrder: 6,
  },
};
