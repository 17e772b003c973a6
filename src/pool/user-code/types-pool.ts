import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import type { NamedSchemas, TypesAnswer, TypesAsk, TypesWorkerData } from '../../wire/user-code/graph-types.js';
import type { Vitals } from '../../wire/vitals.js';
import { AskPool } from './call-pool.js';

/**
 * The thread that reads schemas out of TypeScript sources: seconds of work without a pause, so it is nobody else's thread.
 * No code of the user's runs there.
 */
export class TypesPool {
  readonly #pool: AskPool<TypesAsk, TypesAnswer, TypesWorkerData>;

  constructor(data: TypesWorkerData, timeoutMs: number, log: Logger) {
    this.#pool = new AskPool<TypesAsk, TypesAnswer, TypesWorkerData>(
      {
        entry: 'types/serve.js',
        data,
        threads: 1,
        heapMb: LIMITS.typesHeapMb,
        // It beats when it is done: shorter than a desk's pause would end it between two beats.
        silentMs: Math.max(timeoutMs, LIMITS.deskSilentMs),
        askMs: () => timeoutMs,
        waitMs: null,
        asksMax: LIMITS.typesAsksMax,
        idleMs: LIMITS.deskIdleMs,
        name: 'reading types',
        about: ({ file }) => file,
        errors: {
          overloaded: () => fail('OVERLOADED', { what: 'too many requests wait for schemas' }),
          silent: (waitedMs) => new Error(`the types could not be read within ${waitedMs} ms`),
          ended: (reason) => new Error(reason),
          endedTwice: (reason) => new Error(reason),
        },
      },
      log,
    );
  }

  /** Rejects with the reason when the types say nothing, or not in time. */
  async ask(file: string, exportName: string): Promise<NamedSchemas> {
    const answer = await this.#pool.ask({ file, exportName });
    if (answer.type === 'failed') throw new Error(answer.message);
    return answer.schemas;
  }

  use(data: TypesWorkerData): Promise<void> {
    return this.#pool.use(data);
  }

  get vitals(): Vitals[] {
    return this.#pool.vitals;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
