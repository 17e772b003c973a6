import type { MessagePort } from 'node:worker_threads';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import type { DeskAnswer, DeskAsk, DeskKinds, DeskType, DeskWorkerData } from '../../wire/user-code/user-code.js';
import type { Vitals } from '../../wire/vitals.js';
import { AskPool } from './call-pool.js';

/** Why the user's code gave no answer. Whoever asked says what that means for its caller. */
export class DeskError extends Error {
  /** `threw`: its own error. `no-graph`: it made none. `ended`: it stood still or ended its thread. `silent`: no answer in time. */
  readonly why: 'threw' | 'no-graph' | 'ended' | 'silent';

  constructor(why: DeskError['why'], message: string) {
    super(message);
    this.why = why;
  }
}

/** The thread for all code of the user's that is no run and no handler. It starts when it is first asked. */
export class DeskPool {
  readonly #pool: AskPool<DeskAsk, DeskAnswer, DeskWorkerData>;

  constructor(data: DeskWorkerData, log: Logger) {
    this.#pool = new AskPool<DeskAsk, DeskAnswer, DeskWorkerData>(
      {
        entry: 'user-code/serve.js',
        data,
        threads: LIMITS.desks,
        heapMb: LIMITS.deskHeapMb,
        silentMs: LIMITS.deskSilentMs,
        askMs: ({ type }) => (type === 'embed' ? LIMITS.embedMs : LIMITS.deskAskMs),
        waitMs: LIMITS.deskWaitMs,
        asksMax: LIMITS.deskAsksMax,
        idleMs: LIMITS.deskIdleMs,
        name: 'the desk',
        about: (ask) => ('graphId' in ask ? `${ask.type} of ${ask.graphId}` : ask.type),
        errors: {
          overloaded: () => fail('OVERLOADED', { what: 'too many requests wait for the desk' }),
          silent: (waitedMs) => new DeskError('silent', `it did not answer within ${waitedMs} ms`),
          ended: (reason) => new DeskError('ended', reason),
          endedTwice: (reason) => new DeskError('ended', `its thread was lost twice: ${reason}`),
        },
      },
      log,
    );
  }

  /** Throws OVERLOADED, SHUTTING_DOWN, DeskError. */
  async ask<T extends DeskType>(type: T, ask: DeskKinds[T]['ask']): Promise<DeskKinds[T]['answer']> {
    return valueOf<T>(await this.#pool.ask({ type, ...ask } as unknown as Omit<DeskAsk, 'serial'>));
  }

  /** The same with a port to the code that answers, for what does not fit into one answer (AskPool, `converse`). */
  converse<T extends DeskType>(
    type: T,
    ask: DeskKinds[T]['ask'],
  ): { answer: Promise<DeskKinds[T]['answer']>; port: MessagePort } {
    const { answer, port } = this.#pool.converse({ type, ...ask } as unknown as Omit<DeskAsk, 'serial'>);
    return { answer: answer.then(valueOf<T>), port };
  }

  /** Other bundles for what is asked from now on. */
  use(data: DeskWorkerData): Promise<void> {
    return this.#pool.use(data);
  }

  get vitals(): Vitals[] {
    return this.#pool.vitals;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function valueOf<T extends DeskType>(answer: DeskAnswer): DeskKinds[T]['answer'] {
  if (answer.type === 'done') return answer.value as DeskKinds[T]['answer'];
  const error = new DeskError(answer.noGraph ? 'no-graph' : 'threw', answer.message);
  if (answer.stack !== null) error.stack = answer.stack;
  throw error;
}
