import { LIMITS } from '../base/limits.js';
import type { Logger } from '../base/log/log.js';
import { threadFile } from '../base/program-files.js';
import type { SignInResult, SignInTask, SignInWorkerData } from '../wire/sign-in.js';
import { WorkerPool } from './worker-pool.js';

/** The thread that talks to the identity provider. It starts with the first sign-in and ends after an idle period. */
export class SignInThread {
  readonly #data: SignInWorkerData;
  readonly #log: Logger;
  #piscina: WorkerPool<SignInTask, SignInResult> | null = null;

  constructor(data: SignInWorkerData, log: Logger) {
    this.#data = data;
    this.#log = log;
  }

  /** Never rejects: a lost thread, or too many sign-ins at once, count as a provider that does not respond. */
  async run(task: SignInTask): Promise<SignInResult> {
    const piscina = (this.#piscina ??= this.#open());
    try {
      return await piscina.run(task);
    } catch (error) {
      return { type: 'unreachable', why: error instanceof Error ? error.message : String(error) };
    }
  }

  async close(): Promise<void> {
    await this.#piscina?.destroy();
  }

  #open(): WorkerPool<SignInTask, SignInResult> {
    const piscina = new WorkerPool<SignInTask, SignInResult>({
      filename: threadFile('sign-in/serve'),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: LIMITS.signInIdleMs,
      concurrentTasksPerWorker: LIMITS.signInsConcurrentMax,
      maxQueue: LIMITS.signInsWaitingMax,
      // Synchronous atomics would block the thread between tasks, and its sockets with it.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: LIMITS.signInHeapMb },
      workerData: this.#data,
    });
    piscina.on('error', (error: Error) => {
      this.#log.error({ err: error }, 'the sign-in thread failed');
      if (this.#piscina !== piscina) return;
      this.#piscina = null;
      void piscina.destroy();
    });
    return piscina;
  }
}
