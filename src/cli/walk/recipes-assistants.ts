import { WALK_GRAPH } from './records.js';
import { creates, filters, lists, targets, type Recipe, type RequestBuilder } from './requests.js';

const assistant =
  (more: RequestBuilder = () => ({})): RequestBuilder =>
  (theirs, own) => ({ ...more(theirs, own), params: { assistant_id: theirs.get('assistant') } });
/** The assistant of the configured graph. All users see it, so a change by one user affects all. */
const sharedAssistant =
  (more: RequestBuilder = () => ({})): RequestBuilder =>
  (theirs, own) => ({ ...more(theirs, own), params: { assistant_id: WALK_GRAPH } });

export const assistantRecipes: Readonly<Record<string, Recipe>> = {
  'POST /assistants': {
    attempts: [
      creates((_, own) => ({ body: { graph_id: WALK_GRAPH, name: own.marker, metadata: { walk: own.marker } } })),
      targets((theirs) => ({
        body: { graph_id: WALK_GRAPH, assistant_id: theirs.get('assistant'), if_exists: 'do_nothing' },
      })),
      targets((theirs) => ({
        body: { graph_id: WALK_GRAPH, assistant_id: theirs.get('assistant'), if_exists: 'raise' },
      })),
    ],
  },
  'POST /assistants/search': {
    attempts: [
      lists(() => ({ body: { limit: 100 } })),
      filters((theirs) => ({ body: { metadata: { walk: theirs.marker } } })),
      filters((theirs) => ({ body: { name: theirs.marker, sort_by: 'name' } })),
    ],
  },
  'POST /assistants/count': {
    attempts: [
      lists(() => ({ body: {} })),
      { ...filters((theirs) => ({ body: { metadata: { walk: theirs.marker } } })), emptyBody: '0' },
      { ...filters((theirs) => ({ body: { name: theirs.marker } })), emptyBody: '0' },
    ],
  },
  'GET /assistants/:assistant_id': { attempts: [targets(assistant()), lists(sharedAssistant())] },
  'PATCH /assistants/:assistant_id': {
    attempts: [
      targets(assistant((_, own) => ({ body: { metadata: { patched: own.marker } } }))),
      targets(sharedAssistant((_, own) => ({ body: { description: own.marker } }))),
    ],
  },
  'POST /assistants/:assistant_id/versions': {
    attempts: [
      targets(assistant(() => ({ body: {} }))),
      targets(assistant((theirs) => ({ body: { metadata: { walk: theirs.marker } } }))),
    ],
  },
  'POST /assistants/:assistant_id/latest': {
    attempts: [
      targets(assistant(() => ({ body: { version: 1 } }))),
      targets(assistant(() => ({ query: { version: '1' }, body: {} }))),
      targets(sharedAssistant(() => ({ body: { version: 1 } }))),
    ],
  },
  'DELETE /assistants/:assistant_id': {
    attempts: [targets(assistant()), targets(assistant(() => ({ query: { delete_threads: 'true' } })))],
    destructiveOrder: 1,
  },
};
