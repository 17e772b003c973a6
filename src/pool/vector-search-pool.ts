import { filterOf, type Caller } from '../domain/caller.js';
import type { CipherKeys } from '../base/cipher-keys.js';
import { fail } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { threadFile } from '../base/program-files.js';
import type { Logger } from '../base/log/log.js';
import type { VectorSearchRequest, VectorMatch } from '../store/items/vector-search.js';
import { scopePart } from '../store/keys.js';
import type { VectorSearchReply, VectorSearchCall, VectorSearchWorkerData } from '../wire/vector-search.js';
import { encodeFloats } from '../wire/numbers.js';
import type { ThreadMetrics } from '../wire/thread-metrics.js';
import { CallPool } from './user-code/call-pool.js';

/**
 * The thread that compares vectors. Each search reads all vectors in its namespaces. The thread starts with the
 * first search.
 */
export class VectorSearchPool {
  readonly #pool: CallPool<VectorSearchCall, VectorSearchReply, VectorSearchWorkerData>;

  constructor(dataFile: string, encryption: CipherKeys | null, log: Logger) {
    this.#pool = new CallPool<VectorSearchCall, VectorSearchReply, VectorSearchWorkerData>(
      {
        file: threadFile('vector-search/serve'),
        data: { dataFile, encryption, env: {} },
        threads: 1,
        heapMb: LIMITS.vectorSearchHeapMb,
        silentMs: LIMITS.vectorSearchSilentMs,
        callTimeoutMs: () => LIMITS.vectorSearchCallMs,
        queueTimeoutMs: null,
        callsMax: LIMITS.vectorSearchCallsMax,
        idleTimeoutMs: LIMITS.userCodeIdleMs,
        name: 'the vector search',
        describe: ({ prefix }) => `a search in ${JSON.stringify(prefix)}`,
        errors: {
          overloaded: () => fail('OVERLOADED', { what: 'too many searches of long-term memory wait' }),
          silent: () => fail('OVERLOADED', { what: 'searches of long-term memory take too long' }),
          ended: () => fail('OVERLOADED', { what: 'the search thread was lost' }),
          endedTwice: () => fail('OVERLOADED', { what: 'the search thread was lost' }),
        },
      },
      log,
    );
  }

  /** Returns the nearest items first. Throws STORE_SCAN_LIMIT, OVERLOADED, SHUTTING_DOWN. */
  async search(caller: Caller, { vector, mark, ...query }: VectorSearchRequest): Promise<VectorMatch[]> {
    const reply = await this.#pool.call({
      ...query,
      caller,
      vector: encodeFloats(vector),
      mark: Buffer.from(mark).toString('base64'),
    });
    if (reply.type === 'limit') throw fail('STORE_SCAN_LIMIT', { authenticated: filterOf(caller, 'store') !== null });
    if (reply.type === 'failed') {
      const error = new Error(reply.message);
      if (reply.stack !== null) error.stack = reply.stack;
      throw error;
    }
    const scope = scopePart(caller.itemScope);
    return reply.near.map(([namespace, key, updatedAtUs, score]) => ({
      at: ['mi', scope, namespace, key],
      updatedAtUs,
      score,
    }));
  }

  get metrics(): ThreadMetrics[] {
    return this.#pool.metrics;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
