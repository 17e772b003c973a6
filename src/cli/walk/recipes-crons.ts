import { GRAPH, NEVER, type Records } from './records.js';
import { all, filters, makes, named, names, type Parts, type Recipe } from './requests.js';

const cron = (own: Records): Parts => ({
  body: { assistant_id: GRAPH, schedule: NEVER, input: { text: own.marker }, metadata: { walk: own.marker } },
});

const CRON = { cron_id: 'cron' } as const;

export const cronRecipes: Readonly<Record<string, Recipe>> = {
  'POST /runs/crons': {
    tries: [
      makes((_, own) => cron(own)),
      // On a thread that only the path could name.
      makes((of, own) => ({ body: { ...(cron(own).body as object), thread_id: of.get('thread') } })),
    ],
  },
  'POST /threads/:thread_id/runs/crons': {
    tries: [
      names(named({ thread_id: 'thread' }, (_, own) => cron(own))),
      names(named({ thread_id: 'openThread' }, (_, own) => cron(own))),
    ],
  },
  'POST /runs/crons/search': {
    tries: [
      all(() => ({ body: { limit: 100 } })),
      filters((of) => ({ body: { metadata: { walk: of.marker } } })),
      filters((of) => ({ body: { thread_id: of.get('thread'), sort_by: 'next_run_date' } })),
    ],
  },
  'POST /runs/crons/count': {
    tries: [
      all(() => ({ body: {} })),
      { ...filters((of) => ({ body: { metadata: { walk: of.marker } } })), nothing: '0' },
      { ...filters((of) => ({ body: { thread_id: of.get('thread') } })), nothing: '0' },
    ],
  },
  'GET /runs/crons/:cron_id': { tries: [names(named(CRON)), names(named({ cron_id: 'threadCron' }))] },
  'PATCH /runs/crons/:cron_id': {
    tries: [
      names(named(CRON, (_, own) => ({ body: { metadata: { patched: own.marker } } }))),
      names(named({ cron_id: 'threadCron' }, (_, own) => ({ body: { input: { text: own.marker }, enabled: false } }))),
    ],
  },
  'DELETE /runs/crons/:cron_id': { tries: [names(named(CRON)), names(named({ cron_id: 'threadCron' }))], ends: 2 },
};
