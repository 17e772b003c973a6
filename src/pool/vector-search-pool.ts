import { filterOf, type Caller } from '../domain/caller.js';
import type { CipherKeys } from '../base/cipher-keys.js';
import { fail } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { Logger } from '../base/log/log.js';
import type { NearestAsk, NearItem } from '../store/items/nearest.js';
import { scopePart } from '../store/keys.js';
import type { NearestAnswer, NearestAskText, NearestWorkerData } from '../wire/vector-search.js';
import { numbersText } from '../wire/numbers.js';
import type { Vitals } from '../wire/vitals.js';
import { AskPool } from './user-code/call-pool.js';

/** The thread that compares vectors: each search reads all that are in its namespaces. It starts when it is first asked. */
export class NearestPool {
  readonly #pool: AskPool<NearestAskText, NearestAnswer, NearestWorkerData>;

  constructor(dataFile: string, encryption: CipherKeys | null, log: Logger) {
    this.#pool = new AskPool<NearestAskText, NearestAnswer, NearestWorkerData>(
      {
        entry: 'vector-search/serve.js',
        data: { dataFile, encryption, env: {} },
        threads: 1,
        heapMb: LIMITS.nearestHeapMb,
        silentMs: LIMITS.nearestSilentMs,
        askMs: () => LIMITS.nearestAskMs,
        waitMs: null,
        asksMax: LIMITS.nearestAsksMax,
        idleMs: LIMITS.deskIdleMs,
        name: 'the search thread',
        about: ({ prefix }) => `a search in ${JSON.stringify(prefix)}`,
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

  /** Nearest first. Throws STORE_SCAN_LIMIT, OVERLOADED, SHUTTING_DOWN. */
  async ask(caller: Caller, { vector, mark, ...ask }: NearestAsk): Promise<NearItem[]> {
    const answer = await this.#pool.ask({
      ...ask,
      caller,
      vector: numbersText(vector),
      mark: Buffer.from(mark).toString('base64'),
    });
    if (answer.type === 'limit') throw fail('STORE_SCAN_LIMIT', { authenticated: filterOf(caller, 'store') !== null });
    if (answer.type === 'failed') {
      const error = new Error(answer.message);
      if (answer.stack !== null) error.stack = answer.stack;
      throw error;
    }
    const scope = scopePart(caller.itemScope);
    return answer.near.map(([namespace, key, updatedAtUs, score]) => ({
      at: ['mi', scope, namespace, key],
      updatedAtUs,
      score,
    }));
  }

  get vitals(): Vitals[] {
    return this.#pool.vitals;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
