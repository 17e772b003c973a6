import { lists, targets, type Attempt, type Recipe } from './requests.js';

const attempts: readonly [Attempt, Attempt] = [
  targets((theirs) => ({ params: { thread_id: theirs.get('openThread'), run_id: theirs.get('openRun') } })),
  // With the sender's own thread in the path.
  targets((theirs, own) => ({ params: { thread_id: own.get('openThread'), run_id: theirs.get('openRun') } })),
];

export const webhookRecipes: Readonly<Record<string, Recipe>> = {
  'GET /threads/:thread_id/runs/:run_id/webhook': { attempts },
  'POST /threads/:thread_id/runs/:run_id/webhook': { attempts },
  'GET /webhooks/deliveries': { attempts: [lists()] },
};
