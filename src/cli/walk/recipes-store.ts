import { itemNamespace, type Records } from './records.js';
import type { Recipe, RequestParts } from './requests.js';

/** Every user has a separate store, so the namespace and key of the owner's item are empty in the other's store. */
const place = (theirs: Records): { namespace: string[]; key: string } => ({
  namespace: itemNamespace(theirs),
  key: theirs.get('item'),
});
const body = (parts: Record<string, unknown>): RequestParts => ({ body: parts });

export const storeRecipes: Readonly<Record<string, Recipe>> = {
  'PUT /store/items': {
    attempts: [
      { kind: 'creates', build: (theirs, own) => body({ ...place(theirs), value: { text: own.marker } }) },
      {
        kind: 'creates',
        build: (theirs, own) =>
          body({ namespace: itemNamespace(own), key: theirs.get('item'), value: { text: own.marker }, ttl: 60 }),
      },
      // Walked last: it writes an item whose namespace and key contain the owner's marker, and lists would show it.
    ],
    destructiveOrder: 8,
  },
  'GET /store/items': {
    attempts: [
      {
        kind: 'filters',
        build: (theirs) => ({ query: { namespace: itemNamespace(theirs).join('.'), key: theirs.get('item') } }),
      },
      {
        kind: 'filters',
        build: (theirs) => ({
          query: { namespace: itemNamespace(theirs), key: theirs.get('item'), refresh_ttl: 'true' },
        }),
      },
    ],
  },
  'DELETE /store/items': {
    attempts: [{ kind: 'filters', build: (theirs) => body(place(theirs)) }],
    destructiveOrder: 1,
  },
  'POST /store/items/search': {
    attempts: [
      { kind: 'lists', build: () => body({ limit: 100 }) },
      { kind: 'filters', build: (theirs) => body({ namespace_prefix: itemNamespace(theirs) }) },
      { kind: 'filters', build: (theirs) => body({ filter: { text: theirs.marker } }) },
      { kind: 'filters', build: (theirs) => body({ query: theirs.marker, limit: 100 }) },
    ],
  },
  'POST /store/namespaces': {
    attempts: [
      { kind: 'lists', build: () => body({ limit: 1_000 }) },
      { kind: 'filters', build: (theirs) => body({ prefix: itemNamespace(theirs) }) },
      { kind: 'filters', build: (theirs) => body({ suffix: [theirs.marker] }) },
    ],
  },
};
