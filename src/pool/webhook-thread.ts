import { WorkerPool } from './worker-pool.js';
import { LIMITS } from '../base/limits.js';
import type { Logger } from '../base/log/log.js';
import { threadFile } from '../base/program-files.js';
import type { WebhookResult, WebhookTask, WebhookWorkerData } from '../wire/webhook.js';

/** The thread that composes and sends webhooks. It starts with the first one and ends after an idle period. */
export class WebhookThread {
  readonly #data: WebhookWorkerData;
  readonly #log: Logger;
  #piscina: WorkerPool<WebhookTask, WebhookResult> | null = null;
  #closed = false;

  constructor(data: WebhookWorkerData, log: Logger) {
    this.#data = data;
    this.#log = log;
  }

  /** Makes one attempt. Never rejects: a lost thread counts as a failed attempt. */
  async send(task: WebhookTask): Promise<WebhookResult> {
    const piscina = (this.#piscina ??= this.#open());
    try {
      return await piscina.run(task);
    } catch (error) {
      if (!this.#closed) this.#log.error({ err: error, runId: task.runId }, 'a webhook could not be sent');
      this.#discard(piscina);
      return { kind: 'failed', why: 'the server could not send it; see its log' };
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#piscina?.destroy();
  }

  /** Piscina never settles the tasks queued behind a lost thread. Destroying the pool rejects them. */
  #discard(piscina: WorkerPool<WebhookTask, WebhookResult>): void {
    if (this.#piscina !== piscina) return;
    this.#piscina = null;
    void piscina.destroy();
  }

  #open(): WorkerPool<WebhookTask, WebhookResult> {
    const piscina = new WorkerPool<WebhookTask, WebhookResult>({
      filename: threadFile('webhook/serve'),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: LIMITS.webhookIdleMs,
      concurrentTasksPerWorker: LIMITS.webhooksConcurrentMax,
      maxQueue: Infinity,
      // Synchronous atomics would block the thread between tasks, and its sockets with it.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: LIMITS.webhookHeapMb },
      workerData: this.#data,
    });
    piscina.on('error', (error: Error) => {
      this.#log.error({ err: error }, 'the webhook thread failed');
      this.#discard(piscina);
    });
    return piscina;
  }
}
