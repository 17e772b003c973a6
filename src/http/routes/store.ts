import { ItemDelete, ItemParams, ItemPut, ItemSearch, NamespaceList } from '../../../schemas/compiled/validators.js';
import { asObject, joinBytes } from '../../base/json/json.js';
import { isoMicros } from '../../base/micros.js';
import { deleteItem, getItem, listNamespaces, putItem, searchItems } from '../../services/items/items.js';
import type { FoundItem } from '../../store/items/item-lists.js';
import type { NamespaceMatch } from '../../wire/runs/messages.js';
import { defineRoute, jsonReply, type AuthView } from '../route.js';

/**
 * Auth handlers use their own field names for store requests (agent-server.md, 17.3). `names` maps them to the
 * request's names.
 */
function itemView(names: Readonly<Record<string, string>>): AuthView {
  return {
    buildValue: ({ query, body }) => {
      const request = asObject(body ?? query);
      return Object.fromEntries(
        Object.entries(names).map(([name, field]) => [name, request[field] ?? (name === 'namespace' ? [] : null)]),
      );
    },
    applyChanges: (request, changed) => ({
      ...request,
      ...Object.fromEntries(
        Object.entries(changed).flatMap(([name, value]) => (Object.hasOwn(names, name) ? [[names[name]!, value]] : [])),
      ),
    }),
  };
}

const ITEM_ADDRESS = { namespace: 'namespace', key: 'key' };
const PAGE_FIELDS = { limit: 'limit', offset: 'offset' };

export const putItemRoute = defineRoute({
  method: 'put',
  path: '/store/items',
  action: 'store:put',
  summary: 'Create or replace an item of long-term memory',
  body: ItemPut,
  schemas: { body: 'ItemPut' },
  largeBody: true,
  authView: itemView({ ...ITEM_ADDRESS, value: 'value', index: 'index' }),
  async handle({ body, caller }, services) {
    const { namespace, key, value, index, ttl } = body;
    await putItem(services, caller, {
      namespace: namespace ?? [],
      key,
      value,
      index: index ?? null,
      ttlMs: ttl === undefined || ttl === null ? ttl : ttl * 60_000,
    });
    return { status: 204, body: '' };
  },
});

export const getItemRoute = defineRoute({
  method: 'get',
  path: '/store/items',
  action: 'store:get',
  summary: 'Get an item of long-term memory; null if it does not exist',
  query: ItemParams,
  schemas: { query: 'ItemParams' },
  authView: itemView(ITEM_ADDRESS),
  async handle({ query, caller }, services) {
    const item = await getItem(
      services,
      caller,
      { namespace: query.namespace ?? [], key: query.key },
      query.refresh_ttl ?? null,
    );
    return jsonReply(item === undefined ? 'null' : joinBytes(itemJson({ item, score: null })));
  },
});

export const deleteItemRoute = defineRoute({
  method: 'delete',
  path: '/store/items',
  action: 'store:delete',
  summary: 'Delete an item of long-term memory, if it exists',
  body: ItemDelete,
  schemas: { body: 'ItemDelete' },
  authView: itemView(ITEM_ADDRESS),
  async handle({ body, caller }, services) {
    await deleteItem(services, caller, { namespace: body.namespace ?? [], key: body.key });
    return { status: 204, body: '' };
  },
});

export const searchItemsRoute = defineRoute({
  method: 'post',
  path: '/store/items/search',
  action: 'store:search',
  summary: 'Search items in a namespace and below it, newest first',
  body: ItemSearch,
  schemas: { body: 'ItemSearch' },
  authView: itemView({ namespace: 'namespace_prefix', filter: 'filter', query: 'query', ...PAGE_FIELDS }),
  async handle({ body, caller }, services) {
    const { namespace_prefix: prefix, filter, query, limit, offset, refresh_ttl: refresh } = body;
    const found = await searchItems(
      services,
      caller,
      { prefix: prefix ?? [], filter: filter ?? null, query: query ?? null, limit: limit ?? 10, offset: offset ?? 0 },
      refresh ?? null,
    );
    return jsonReply(
      joinBytes(['{"items":[', ...found.flatMap((one, at) => [at === 0 ? '' : ',', ...itemJson(one)]), ']}']),
    );
  },
});

export const listNamespacesRoute = defineRoute({
  method: 'post',
  path: '/store/namespaces',
  action: 'store:list_namespaces',
  summary: 'List the namespaces of long-term memory that contain items',
  body: NamespaceList,
  schemas: { body: 'NamespaceList' },
  authView: itemView({ namespace: 'prefix', suffix: 'suffix', max_depth: 'max_depth', ...PAGE_FIELDS }),
  async handle({ body, caller }, services) {
    const matches = (['prefix', 'suffix'] as const).flatMap((type): NamespaceMatch[] =>
      body[type] ? [{ type, path: body[type] }] : [],
    );
    const found = await listNamespaces(services, caller, {
      matches,
      maxDepth: body.max_depth ?? null,
      limit: body.limit ?? 100,
      offset: body.offset ?? 0,
    });
    return jsonReply(JSON.stringify({ namespaces: found }));
  },
});

export const storeRoutes = [putItemRoute, getItemRoute, deleteItemRoute, searchItemsRoute, listNamespacesRoute];

function itemJson({
  item: { namespace, key, value, createdAtUs, updatedAtUs },
  score,
}: FoundItem): (string | Uint8Array)[] {
  return [
    `{"namespace":${JSON.stringify(namespace)},"key":${JSON.stringify(key)},"value":`,
    value,
    `,"created_at":"${isoMicros(createdAtUs)}","updated_at":"${isoMicros(updatedAtUs)}"${score === null ? '' : `,"score":${score}`}}`,
  ];
}
