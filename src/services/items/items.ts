import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { itemFilterProblem } from '../../domain/item-filter.js';
import { jsonBytes, type JsonObject } from '../../base/json/json.js';
import type { FoundItem, ItemQuery, NamespaceQuery } from '../../store/items/item-lists.js';
import type { ItemRecord } from '../../store/items/item-record.js';
import { itemKeyProblem, type NewItem } from '../../store/items/items.js';
import type { Needs } from '../context.js';

/** Address of an item, from a client or its access handler. */
export interface ItemPlace {
  namespace: readonly string[];
  key: string;
}

/**
 * Throws NAMESPACE_REQUIRED, NAMESPACE_INVALID, INVALID_REQUEST, ITEM_NOT_FOUND, FORBIDDEN; EMBED_FAILED,
 * EMBED_UNAVAILABLE, OVERLOADED.
 */
export async function putItem(
  { stores: { items }, scheduler }: Needs<'scheduler' | 'stores'>,
  caller: Caller,
  wanted: Omit<NewItem, 'value'> & { value: JsonObject },
): Promise<void> {
  checkPlace(wanted);
  scheduler.checkIntake();
  const item = { ...wanted, value: jsonBytes(wanted.value) };
  const [vectors] = await items.vectorsOf([item]);
  scheduler.checkIntake();
  const plan = items.begin();
  items.put(plan, caller, { ...item, vectors: vectors! });
  await items.write(plan);
}

/**
 * Undefined if the item does not exist. Throws NAMESPACE_REQUIRED, NAMESPACE_INVALID, INVALID_REQUEST;
 * ITEM_NOT_FOUND if it is hidden.
 */
export async function getItem(
  { stores: { items } }: Needs<'stores'>,
  caller: Caller,
  place: ItemPlace,
  refresh: boolean | null,
): Promise<ItemRecord | undefined> {
  checkPlace(place);
  const found = items.get(caller, place.namespace, place.key);
  if (found === undefined) return undefined;
  const item = { ...found, value: Buffer.from(found.value) };
  await items.refresh(caller, [item], refresh);
  return item;
}

/** Does nothing if the item does not exist. Throws the errors of `getItem`. */
export async function deleteItem(
  { stores: { items }, scheduler }: Needs<'scheduler' | 'stores'>,
  caller: Caller,
  place: ItemPlace,
): Promise<void> {
  checkPlace(place);
  scheduler.checkIntake();
  const plan = items.begin();
  items.remove(plan, caller, place.namespace, place.key);
  // Waits even if the item does not exist, because its deletion may be on the way to disk.
  await items.write(plan);
}

/** Throws NAMESPACE_INVALID, INVALID_REQUEST, STORE_SCAN_LIMIT; EMBED_FAILED, EMBED_UNAVAILABLE, OVERLOADED. */
export async function searchItems(
  { stores: { items, itemLists } }: Needs<'stores'>,
  caller: Caller,
  query: ItemQuery,
  refresh: boolean | null,
): Promise<FoundItem[]> {
  checkLabels(query.prefix);
  const problem = query.filter === null ? null : itemFilterProblem(query.filter);
  if (problem !== null) throw fail('INVALID_REQUEST', { problems: `body.${problem}` });
  const found = await itemLists.search(caller, query);
  await items.refresh(
    caller,
    found.map(({ item }) => item),
    refresh,
  );
  return found;
}

/** Throws NAMESPACE_INVALID, STORE_SCAN_LIMIT. */
export function listNamespaces(
  { stores: { itemLists } }: Needs<'stores'>,
  caller: Caller,
  query: NamespaceQuery,
): Promise<string[][]> {
  for (const { path } of query.matches) checkLabels(path);
  return itemLists.namespaces(caller, query);
}

function checkPlace({ namespace, key }: ItemPlace): void {
  if (namespace.length === 0) throw fail('NAMESPACE_REQUIRED', {});
  checkLabels(namespace);
  const problem = itemKeyProblem(namespace, key);
  if (problem !== null) throw fail('INVALID_REQUEST', { problems: problem });
}

/** Characters of the received namespace to show in an error. */
const RECEIVED_CHARS_MAX = 200;

function checkLabels(labels: readonly string[]): void {
  if (labels.some((label) => label === '' || label.includes('.')))
    throw fail('NAMESPACE_INVALID', { received: labels.join('.').slice(0, RECEIVED_CHARS_MAX) });
  const problem = itemKeyProblem(labels, '');
  if (problem !== null) throw fail('INVALID_REQUEST', { problems: problem });
}
