import type { Recipe } from './requests.js';

export const webhookRecipes: Readonly<Record<string, Recipe>> = {
  'GET /threads/:thread_id/runs/:run_id/webhook': {
    tries: [
      { kind: 'names', make: (of) => ({ params: { thread_id: of.get('openThread'), run_id: of.get('openRun') } }) },
      // Through a thread of one's own.
      {
        kind: 'names',
        make: (of, own) => ({ params: { thread_id: own.get('openThread'), run_id: of.get('openRun') } }),
      },
    ],
  },
};
