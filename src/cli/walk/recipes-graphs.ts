import { WALK_GRAPH } from './records.js';
import type { Attempt, Recipe } from './requests.js';

/** All users see the assistants of configured graphs and the shape of those graphs. */
const visibleToAll = (params: Readonly<Record<string, string>> = {}): Attempt => ({
  kind: 'lists',
  build: () => ({ params: { assistant_id: WALK_GRAPH, ...params } }),
});

export const graphRecipes: Readonly<Record<string, Recipe>> = {
  'GET /assistants/:assistant_id/graph': { attempts: [visibleToAll()] },
  'GET /assistants/:assistant_id/schemas': { attempts: [visibleToAll()] },
  'GET /assistants/:assistant_id/subgraphs': { attempts: [visibleToAll()] },
  'GET /assistants/:assistant_id/subgraphs/:namespace': { attempts: [visibleToAll({ namespace: 'echo' })] },
};
