import { itemNamespace, type Records } from './records.js';
import type { Parts, Recipe } from './requests.js';

/** Every user has a memory of their own: the place of another's item is, in one's own memory, a place where nothing is. */
const place = (of: Records): { namespace: string[]; key: string } => ({
  namespace: itemNamespace(of),
  key: of.get('item'),
});
const body = (parts: Record<string, unknown>): Parts => ({ body: parts });

export const storeRecipes: Readonly<Record<string, Recipe>> = {
  'PUT /store/items': {
    tries: [
      { kind: 'makes', make: (of, own) => body({ ...place(of), value: { text: own.marker } }) },
      {
        kind: 'makes',
        make: (of, own) =>
          body({ namespace: itemNamespace(own), key: of.get('item'), value: { text: own.marker }, ttl: 60 }),
      },
      // Last: one's own item in the place of another's has names that are the other's, and lists show them.
    ],
    ends: 8,
  },
  'GET /store/items': {
    tries: [
      { kind: 'filters', make: (of) => ({ query: { namespace: itemNamespace(of).join('.'), key: of.get('item') } }) },
      {
        kind: 'filters',
        make: (of) => ({ query: { namespace: itemNamespace(of), key: of.get('item'), refresh_ttl: 'true' } }),
      },
    ],
  },
  'DELETE /store/items': { tries: [{ kind: 'filters', make: (of) => body(place(of)) }], ends: 1 },
  'POST /store/items/search': {
    tries: [
      { kind: 'all', make: () => body({ limit: 100 }) },
      { kind: 'filters', make: (of) => body({ namespace_prefix: itemNamespace(of) }) },
      { kind: 'filters', make: (of) => body({ filter: { text: of.marker } }) },
      { kind: 'filters', make: (of) => body({ query: of.marker, limit: 100 }) },
    ],
  },
  'POST /store/namespaces': {
    tries: [
      { kind: 'all', make: () => body({ limit: 1_000 }) },
      { kind: 'filters', make: (of) => body({ prefix: itemNamespace(of) }) },
      { kind: 'filters', make: (of) => body({ suffix: [of.marker] }) },
    ],
  },
};
