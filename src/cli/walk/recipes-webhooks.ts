import type { Recipe } from './requests.js';

export const webhookRecipes: Readonly<Record<string, Recipe>> = {
  'GET /threads/:thread_id/runs/:run_id/webhook': {
    attempts: [
      {
        kind: 'targets',
        build: (theirs) => ({ params: { thread_id: theirs.get('openThread'), run_id: theirs.get('openRun') } }),
      },
      // With the sender's own thread in the path.
      {
        kind: 'targets',
        build: (theirs, own) => ({ params: { thread_id: own.get('openThread'), run_id: theirs.get('openRun') } }),
      },
    ],
  },
};
