import { WALK_GRAPH, RARE_SCHEDULE, type Records } from './records.js';
import { creates, filters, lists, targets, withIds, type Recipe, type RequestParts } from './requests.js';

const cron = (own: Records): RequestParts => ({
  body: {
    assistant_id: WALK_GRAPH,
    schedule: RARE_SCHEDULE,
    input: { text: own.marker },
    metadata: { walk: own.marker },
  },
});

const CRON = { cron_id: 'cron' } as const;

export const cronRecipes: Readonly<Record<string, Recipe>> = {
  'POST /runs/crons': {
    attempts: [
      creates((_, own) => cron(own)),
      // With a thread in the body, although only the path may name one.
      creates((theirs, own) => ({ body: { ...(cron(own).body as object), thread_id: theirs.get('thread') } })),
    ],
  },
  'POST /threads/:thread_id/runs/crons': {
    attempts: [
      targets(withIds({ thread_id: 'thread' }, (_, own) => cron(own))),
      targets(withIds({ thread_id: 'openThread' }, (_, own) => cron(own))),
    ],
  },
  'POST /runs/crons/search': {
    attempts: [
      lists(() => ({ body: { limit: 100 } })),
      filters((theirs) => ({ body: { metadata: { walk: theirs.marker } } })),
      filters((theirs) => ({ body: { thread_id: theirs.get('thread'), sort_by: 'next_run_date' } })),
    ],
  },
  'POST /runs/crons/count': {
    attempts: [
      lists(() => ({ body: {} })),
      { ...filters((theirs) => ({ body: { metadata: { walk: theirs.marker } } })), emptyBody: '0' },
      { ...filters((theirs) => ({ body: { thread_id: theirs.get('thread') } })), emptyBody: '0' },
    ],
  },
  'GET /runs/crons/:cron_id': { attempts: [targets(withIds(CRON)), targets(withIds({ cron_id: 'threadCron' }))] },
  'PATCH /runs/crons/:cron_id': {
    attempts: [
      targets(withIds(CRON, (_, own) => ({ body: { metadata: { patched: own.marker } } }))),
      targets(
        withIds({ cron_id: 'threadCron' }, (_, own) => ({ body: { input: { text: own.marker }, enabled: false } })),
      ),
    ],
  },
  'DELETE /runs/crons/:cron_id': {
    attempts: [targets(withIds(CRON)), targets(withIds({ cron_id: 'threadCron' }))],
    destructiveOrder: 2,
  },
};
