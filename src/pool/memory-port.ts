import type { Caller } from '../base/caller.js';
import { isObject, parseJson, type JsonObject } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { Commit } from '../store/env.js';
import type { Nouns } from '../store/index.js';
import { ITEM_KEY_BYTES_MAX } from '../store/items.js';
import type { MemoryItem, MemoryOperation, MemoryResult } from '../wire/messages.js';

/**
 * A graph's `config.store`, over its caller's items. Operations are answered in order as LangGraph's own store does: reads
 * see what was there before, puts are on disk when the answer comes.
 */
export async function applyMemory(nouns: Nouns, caller: Caller, operations: readonly MemoryOperation[]): Promise<MemoryResult[]> {
  await nouns.store.flushed();
  const commit = new Commit();
  const results = operations.map((operation): MemoryResult => {
    switch (operation.op) {
      case 'get':
        return nouns.items.get(caller, operation.namespace, operation.key) ?? null;
      case 'put': {
        const bytes = Buffer.byteLength([...operation.namespace, operation.key].join('\u0000'));
        if (bytes > ITEM_KEY_BYTES_MAX) throw new RangeError(`The namespace and key of an item may have ${ITEM_KEY_BYTES_MAX} bytes together; these have ${bytes}.`);
        if (operation.value === null) nouns.items.remove(commit, caller, operation.namespace, operation.key);
        else nouns.items.put(commit, caller, operation.namespace, operation.key, operation.value, Date.now());
        return null;
      }
      case 'search':
        return search(nouns, caller, operation);
      case 'namespaces':
        return listNamespaces(nouns, caller, operation);
    }
  });
  await nouns.store.write(commit);
  return results;
}

function search(nouns: Nouns, caller: Caller, query: Extract<MemoryOperation, { op: 'search' }>): MemoryItem[] {
  const filter = query.filter === null ? null : (parseJson(query.filter) as JsonObject);
  const found: MemoryItem[] = [];
  let rows = 0;
  for (const item of nouns.items.under(caller, query.prefix)) {
    if (++rows > LIMITS.scanRowsMax) break;
    if (filter !== null && !matches(parseJson(item.value) as JsonObject, filter)) continue;
    found.push(item);
  }
  found.sort((a, b) => b.updatedAtMs - a.updatedAtMs);
  return found.slice(query.offset, query.offset + query.limit);
}

/** Equality per key, or the operators of the library's stores. */
function matches(value: JsonObject, filter: JsonObject): boolean {
  return Object.entries(filter).every(([key, wanted]) => {
    const actual = value[key];
    const operators = isObject(wanted) ? Object.entries(wanted) : [];
    if (operators.length > 0 && operators.every(([name]) => name.startsWith('$'))) {
      return operators.every(([name, operand]) => compare(actual, name, operand));
    }
    return JSON.stringify(actual) === JSON.stringify(wanted);
  });
}

function compare(actual: unknown, operator: string, operand: unknown): boolean {
  switch (operator) {
    case '$eq': return JSON.stringify(actual) === JSON.stringify(operand);
    case '$ne': return JSON.stringify(actual) !== JSON.stringify(operand);
    case '$gt': return Number(actual) > Number(operand);
    case '$gte': return Number(actual) >= Number(operand);
    case '$lt': return Number(actual) < Number(operand);
    case '$lte': return Number(actual) <= Number(operand);
    case '$in': return Array.isArray(operand) && operand.some((one) => JSON.stringify(one) === JSON.stringify(actual));
    case '$nin': return Array.isArray(operand) && !operand.some((one) => JSON.stringify(one) === JSON.stringify(actual));
    default: return false;
  }
}

function listNamespaces(nouns: Nouns, caller: Caller, query: Extract<MemoryOperation, { op: 'namespaces' }>): string[][] {
  const found = new Map<string, string[]>();
  let rows = 0;
  for (const { namespace } of nouns.items.under(caller, [])) {
    if (++rows > LIMITS.scanRowsMax) break;
    if (!query.matches.every(({ type, path }) => matchesPath(namespace, type, path))) continue;
    const shown = query.maxDepth === null ? namespace : namespace.slice(0, query.maxDepth);
    found.set(JSON.stringify(shown), shown);
  }
  return [...found.values()].slice(query.offset, query.offset + query.limit);
}

function matchesPath(namespace: string[], type: 'prefix' | 'suffix', path: string[]): boolean {
  if (path.length > namespace.length) return false;
  const from = type === 'prefix' ? 0 : namespace.length - path.length;
  return path.every((label, at) => label === '*' || label === namespace[from + at]);
}
