import { filters, named, names, type Recipe } from './requests.js';

const THREAD = { thread_id: 'thread' } as const;

export const threadChangeRecipes: Readonly<Record<string, Recipe>> = {
  'POST /threads/:thread_id/state': {
    tries: [
      names(named(THREAD, (_, own) => ({ body: { values: { text: own.marker }, as_node: 'echo' } }))),
      // From a checkpoint of another's thread.
      names((of, own) => ({
        params: { thread_id: own.get('thread') },
        body: { values: { text: own.marker }, checkpoint_id: of.get('checkpoint') },
      })),
      names((of, own) => ({
        params: { thread_id: own.get('thread') },
        body: {
          values: { text: own.marker },
          checkpoint: { thread_id: of.get('thread'), checkpoint_id: of.get('checkpoint') },
        },
      })),
    ],
  },
  'PATCH /threads/:thread_id/state': {
    tries: [names(named(THREAD, (_, own) => ({ body: { metadata: { patched: own.marker } } })))],
  },
  'POST /threads/:thread_id/copy': { tries: [names(named(THREAD))] },
  'GET /threads/:thread_id/export': { tries: [names(named(THREAD))] },
  'GET /threads/:thread_id/storage': { tries: [names(named(THREAD))] },
  'POST /threads/prune': {
    tries: [
      {
        ...filters((of) => ({ body: { thread_ids: [of.get('thread')], strategy: 'keep_latest' } })),
        nothing: '{"pruned_count":0}',
      },
      {
        ...filters((of) => ({ body: { thread_ids: [of.get('openThread'), of.get('thread')] } })),
        nothing: '{"pruned_count":0}',
      },
    ],
    ends: 6,
  },
};
