import { GRAPH } from './records.js';
import type { Recipe, Try } from './requests.js';

/** Assistants of configured graphs are everyone's, and so is what is told of their graphs. */
const all = (params: Readonly<Record<string, string>> = {}): Try => ({
  kind: 'all',
  make: () => ({ params: { assistant_id: GRAPH, ...params } }),
});

export const graphRecipes: Readonly<Record<string, Recipe>> = {
  'GET /assistants/:assistant_id/graph': { tries: [all()] },
  'GET /assistants/:assistant_id/schemas': { tries: [all()] },
  'GET /assistants/:assistant_id/subgraphs': { tries: [all()] },
  'GET /assistants/:assistant_id/subgraphs/:namespace': { tries: [all({ namespace: 'echo' })] },
};
