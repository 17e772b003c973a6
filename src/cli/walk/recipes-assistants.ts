import { GRAPH } from './records.js';
import type { Kind, Making, Recipe, Try } from './requests.js';

const as =
  (kind: Kind) =>
  (make: Making): Try => ({ kind, make });
const [names, filters, all, makes] = [as('names'), as('filters'), as('all'), as('makes')];

const assistant =
  (more: Making = () => ({})): Making =>
  (of, own) => ({ ...more(of, own), params: { assistant_id: of.get('assistant') } });
/** The one that everybody sees: what one changes of it, all have changed. */
const everyones =
  (more: Making = () => ({})): Making =>
  (of, own) => ({ ...more(of, own), params: { assistant_id: GRAPH } });

export const assistantRecipes: Readonly<Record<string, Recipe>> = {
  'POST /assistants': {
    tries: [
      makes((_, own) => ({ body: { graph_id: GRAPH, name: own.marker, metadata: { walk: own.marker } } })),
      names((of) => ({ body: { graph_id: GRAPH, assistant_id: of.get('assistant'), if_exists: 'do_nothing' } })),
      names((of) => ({ body: { graph_id: GRAPH, assistant_id: of.get('assistant'), if_exists: 'raise' } })),
    ],
  },
  'POST /assistants/search': {
    tries: [
      all(() => ({ body: { limit: 100 } })),
      filters((of) => ({ body: { metadata: { walk: of.marker } } })),
      filters((of) => ({ body: { name: of.marker, sort_by: 'name' } })),
    ],
  },
  'POST /assistants/count': {
    tries: [
      all(() => ({ body: {} })),
      { ...filters((of) => ({ body: { metadata: { walk: of.marker } } })), nothing: '0' },
      { ...filters((of) => ({ body: { name: of.marker } })), nothing: '0' },
    ],
  },
  'GET /assistants/:assistant_id': { tries: [names(assistant()), all(everyones())] },
  'PATCH /assistants/:assistant_id': {
    tries: [
      names(assistant((_, own) => ({ body: { metadata: { patched: own.marker } } }))),
      names(everyones((_, own) => ({ body: { description: own.marker } }))),
    ],
  },
  'POST /assistants/:assistant_id/versions': {
    tries: [
      names(assistant(() => ({ body: {} }))),
      names(assistant((of) => ({ body: { metadata: { walk: of.marker } } }))),
    ],
  },
  'POST /assistants/:assistant_id/latest': {
    tries: [
      names(assistant(() => ({ body: { version: 1 } }))),
      names(assistant(() => ({ query: { version: '1' }, body: {} }))),
      names(everyones(() => ({ body: { version: 1 } }))),
    ],
  },
  'DELETE /assistants/:assistant_id': {
    tries: [names(assistant()), names(assistant(() => ({ query: { delete_threads: 'true' } })))],
    ends: 1,
  },
};
