import { withFilters, type Caller } from '../../domain/caller.js';
import { itemFilterProblem } from '../../domain/item-filter.js';
import { parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';
import type { ItemRecord } from '../../store/items/item-record.js';
import { itemKeyProblem } from '../../store/items/items.js';
import type { MemoryItem, MemoryOperation, MemoryResult } from '../../wire/runs/messages.js';

export interface MemoryWrite {
  /** Returns false once the run's lease is over; nothing is written then. */
  isCurrent: () => boolean;
  /** The changes are on disk already. */
  isWritten: boolean;
  /** Adds to the commit of the changes. */
  onWrite: (commit: Commit) => void;
}

/**
 * Implements a graph's `config.store` on the items of its caller. Operations are answered in order, with the
 * semantics of LangGraph's own store: reads see the state before the batch, and puts are on disk when the reply
 * is sent.
 */
export async function applyMemoryOperations(
  stores: Stores,
  runCaller: Caller,
  operations: readonly MemoryOperation[],
  { isCurrent, isWritten, onWrite }: MemoryWrite,
): Promise<MemoryResult[]> {
  await stores.store.flushed();
  // Graphs are the developer's code and no access handler was called: a graph can access all items of its
  // caller (P8).
  const caller = withFilters(runCaller, { ...runCaller.filters, store: null }, runCaller.stamp);
  const results: MemoryResult[] = [];
  const seen: ItemRecord[] = [];
  for (const operation of operations) results.push(await execute(stores, caller, operation, seen));
  const changes = isWritten ? [] : operations.filter((operation) => operation.op === 'put');
  const puts = changes.flatMap(({ value, index }) => (value === null ? [] : [{ value, index }]));
  const vectors = await stores.items.vectorsOf(puts);
  if (!isCurrent()) throw new Error('This run has ended, so its store operations are not written.');
  const plan = stores.items.begin();
  for (const { namespace, key, value, index, ttlMinutes } of changes) {
    if (value === null) stores.items.remove(plan, caller, namespace, key);
    else
      stores.items.put(plan, caller, {
        namespace,
        key,
        value,
        index,
        vectors: vectors.shift()!,
        ttlMs: ttlMinutes === undefined || ttlMinutes === null ? ttlMinutes : ttlMinutes * 60_000,
      });
  }
  if (changes.length > 0) onWrite(plan);
  await Promise.all([stores.items.write(plan), stores.items.refresh(caller, seen, null)]);
  return results;
}

/** Adds the items that were read to `seen`, because reading extends their lifetime. */
async function execute(
  { items, itemLists }: Stores,
  caller: Caller,
  operation: MemoryOperation,
  seen: ItemRecord[],
): Promise<MemoryResult> {
  switch (operation.op) {
    case 'get': {
      const item = items.get(caller, operation.namespace, operation.key);
      if (item === undefined) return null;
      seen.push(item);
      return memoryItem(item, null);
    }
    case 'put':
      checkPut(operation);
      return null;
    case 'search': {
      const filter = operation.filter === null ? null : (parseJson(operation.filter) as JsonObject);
      const problem = filter === null ? null : itemFilterProblem(filter);
      if (problem !== null) throw new RangeError(problem);
      const found = await itemLists.search(caller, { ...operation, filter });
      seen.push(...found.map(({ item }) => item));
      return found.map(({ item, score }) => memoryItem(item, score));
    }
    case 'namespaces':
      return itemLists.namespaces(caller, operation);
  }
}

function checkPut({ namespace, key, value, ttlMinutes }: Extract<MemoryOperation, { op: 'put' }>): void {
  const problem = itemKeyProblem(namespace, key);
  if (problem !== null) throw new RangeError(problem);
  if (value === null) return;
  if (namespace.length === 0 || namespace.includes(''))
    throw new RangeError('namespace: needs labels that are not empty');
  if (ttlMinutes !== undefined && ttlMinutes !== null && !(ttlMinutes > 0 && ttlMinutes <= LIMITS.itemTtlMinutesMax)) {
    throw new RangeError(`ttl: must be a number of minutes above 0, at most ${LIMITS.itemTtlMinutesMax}`);
  }
}

function memoryItem({ namespace, key, value, createdAtUs, updatedAtUs }: ItemRecord, score: number | null): MemoryItem {
  return {
    namespace,
    key,
    value: Buffer.from(value),
    createdAtMs: createdAtUs / 1_000,
    updatedAtMs: updatedAtUs / 1_000,
    score,
  };
}
