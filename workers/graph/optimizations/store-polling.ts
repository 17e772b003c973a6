import { attachedValues } from '../../../src/base/attached-values.js';
import { primordials } from '../../../src/wire/user-code/primordials.js';
import type * as Packages from '../packages.js';

/** The parts of AsyncBatchedStore that are replaced. All are ordinary methods and fields of its class. */
interface Batched {
  queue: Map<number, { operation: unknown; resolve: (value: unknown) => void; reject: (error: unknown) => void }>;
  nextKey: number;
  running: boolean;
  processingTask: Promise<void> | null;
  store: { batch(operations: unknown[]): Promise<unknown[]> };
  enqueueOperation(operation: unknown): Promise<unknown>;
}

/** Arguments of `put` in the stores of LangGraph. */
type PutArguments = [
  namespace: unknown,
  key: unknown,
  value: unknown,
  index?: unknown,
  options?: { ttl?: number | null },
];

const wakes = attachedValues<() => void>();

/**
 * LangGraph gives every run with a store an AsyncBatchedStore, which polls its queue from a timer as long as
 * the run lasts: some thousand times per second and run, even if the graph does not use the store. This patch
 * makes it wait for operations instead. Batching is unchanged: operations of one turn of the event loop are
 * sent together. Measured in bench/runs-wait.bench.ts.
 */
export function stopStorePolling({ AsyncBatchedStore }: typeof Packages.checkpoint): void {
  const prototype = AsyncBatchedStore?.prototype as unknown as Record<string, unknown> | undefined;
  const known = ['processBatchQueue', 'enqueueOperation', 'stop'];
  // Another release may be implemented differently; then nothing is replaced.
  if (prototype === undefined || !known.every((name) => typeof prototype[name] === 'function')) return;

  prototype['enqueueOperation'] = function enqueueOperation(this: Batched, operation: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.queue.set(this.nextKey++, { operation, resolve, reject });
      wakes.get(this)?.();
    });
  };

  prototype['processBatchQueue'] = async function processBatchQueue(this: Batched): Promise<void> {
    while (this.running || this.queue.size > 0) {
      if (this.queue.size === 0)
        await new Promise<void>((resolve) => {
          wakes.set(this, resolve);
        });
      if (this.running) await new Promise((resolve) => primordials.setImmediate(resolve));
      const batch = [...this.queue.values()];
      this.queue.clear();
      if (batch.length === 0) continue;
      try {
        const results = await this.store.batch(batch.map(({ operation }) => operation));
        for (const [at, { resolve }] of batch.entries()) resolve(results[at]);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
  };

  // The library's method accepts neither index paths nor a TTL. It validates the namespace and then enqueues,
  // so wrap it.
  const put = prototype['put'];
  if (typeof put === 'function') {
    prototype['put'] = function putWithOptions(
      this: Batched,
      ...[namespace, key, value, index, options]: PutArguments
    ): Promise<unknown> {
      const more = {
        ...(index === undefined ? {} : { index }),
        ...(options?.ttl === undefined ? {} : { ttl: options.ttl }),
      };
      const enqueueOperation = (operation: object): unknown => this.enqueueOperation({ ...operation, ...more });
      return (put as (...args: unknown[]) => Promise<unknown>).call(
        Object.create(this, { enqueueOperation: { value: enqueueOperation } }),
        namespace,
        key,
        value,
      );
    };
  }

  // `listNamespaces` calls this method, and the library's implementation only throws.
  prototype['batch'] = function batch(this: Batched, operations: unknown[]): Promise<unknown[]> {
    return this.store.batch(operations);
  };

  prototype['stop'] = async function stop(this: Batched): Promise<void> {
    this.running = false;
    wakes.get(this)?.();
    await this.processingTask;
  };
}
