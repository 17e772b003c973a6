import type { BaseStore, Item, MatchCondition, Operation } from '@langchain/langgraph-checkpoint';
import { jsonBytes, parseJson } from '../../src/base/json/json.js';
import type { MemoryItem, MemoryOperation, MemoryResult } from '../../src/wire/runs/messages.js';
import { oncePerLibrary, type Library } from './library.js';
import type { Outbox } from './outbox.js';
import { isMemoryRead, RunRecorder } from './recording/run-recorder.js';
import { runScope } from './recording/run-scope.js';
import { RunReplayer } from './replay/run-replayer.js';

type ItemStoreClass = new (outbox: Outbox) => BaseStore;

/** A graph's long-term memory (`config.store`): the items of its caller, accessed through the run's port. */
export function createItemStore(library: Library, outbox: Outbox): BaseStore {
  return new (itemStoreClass(library))(outbox);
}

const itemStoreClass = oncePerLibrary((library: Library): ItemStoreClass => {
  return class RunItemStore extends library.checkpoint.BaseStore {
    readonly #outbox: Outbox;

    constructor(outbox: Outbox) {
      super();
      this.#outbox = outbox;
    }

    override async batch(operations: Operation[]): Promise<never> {
      const results = await requestItems(this.#outbox, operations.map(toWire));
      return results.map((result, at) => {
        const operation = operations[at]!;
        if ('namespacePrefix' in operation)
          return (result as MemoryItem[]).map((item) => ({ ...toItem(item), score: item.score ?? undefined }));
        if ('key' in operation && !('value' in operation)) return result === null ? null : toItem(result as MemoryItem);
        return 'key' in operation ? undefined : result;
      }) as never;
    }
  } as unknown as ItemStoreClass;
});

/** A replayed run reads what the recorded one has read. Its writes, and other reads, go to the store of the replay. */
async function requestItems(outbox: Outbox, operations: MemoryOperation[]): Promise<MemoryResult[]> {
  const scope = runScope.getStore();
  const isRead = scope !== undefined && isMemoryRead(operations);
  const recorded = isRead && scope instanceof RunReplayer ? scope.memoryResults(operations) : null;
  if (recorded !== null) return recorded;
  const results = await outbox.request({ type: 'memory.batch', operations });
  if (isRead && scope instanceof RunRecorder) scope.addMemory(operations, results);
  return results;
}

/** A put operation, including the TTL that workers/graph/optimizations/store-polling.ts adds. */
type Put = Extract<Operation, { value: unknown }> & { ttl?: number | null };

function toWire(operation: Operation): MemoryOperation {
  if ('namespacePrefix' in operation) {
    return {
      op: 'search',
      prefix: operation.namespacePrefix,
      filter: operation.filter === undefined || operation.filter === null ? null : jsonBytes(operation.filter),
      query: operation.query ?? null,
      limit: operation.limit ?? 10,
      offset: operation.offset ?? 0,
    };
  }
  if ('value' in operation) {
    const { namespace, key, value, index, ttl } = operation as Put;
    return {
      op: 'put',
      namespace,
      key,
      value: value === null ? null : jsonBytes(value),
      index: index ?? null,
      ...(ttl === undefined ? {} : { ttlMinutes: ttl }),
    };
  }
  if ('key' in operation) return { op: 'get', namespace: operation.namespace, key: operation.key };
  return {
    op: 'namespaces',
    matches: (operation.matchConditions ?? []).map((match: MatchCondition) => ({
      type: match.matchType,
      path: [...match.path],
    })),
    maxDepth: operation.maxDepth ?? null,
    limit: operation.limit,
    offset: operation.offset,
  };
}

function toItem(item: MemoryItem): Item {
  return {
    namespace: item.namespace,
    key: item.key,
    value: parseJson(item.value) as Record<string, unknown>,
    createdAt: new Date(item.createdAtMs),
    updatedAt: new Date(item.updatedAtMs),
  };
}
