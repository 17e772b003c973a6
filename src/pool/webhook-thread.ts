import { Piscina } from 'piscina';
import { LIMITS } from '../base/limits.js';
import type { Logger } from '../base/log/log.js';
import { workersFile } from '../base/places.js';
import type { WebhookResult, WebhookTask, WebhookWorkerData } from '../wire/webhook.js';

/** The thread that composes and sends webhooks. It starts with the first one, and ends when none has been sent for a while. */
export class WebhookThread {
  readonly #data: WebhookWorkerData;
  readonly #log: Logger;
  #piscina: Piscina<WebhookTask, WebhookResult> | null = null;
  #closed = false;

  constructor(data: WebhookWorkerData, log: Logger) {
    this.#data = data;
    this.#log = log;
  }

  /** One attempt. Never rejects: that the thread was lost is an attempt that failed. */
  async send(task: WebhookTask): Promise<WebhookResult> {
    const piscina = (this.#piscina ??= this.#open());
    try {
      return await piscina.run(task);
    } catch (error) {
      if (!this.#closed) this.#log.error({ err: error, runId: task.runId }, 'a webhook could not be sent');
      this.#drop(piscina);
      return { kind: 'failed', why: 'the server could not send it; its log says why' };
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#piscina?.destroy();
  }

  /** Piscina leaves tasks that wait behind a lost thread waiting; with their pool gone they are told. */
  #drop(piscina: Piscina<WebhookTask, WebhookResult>): void {
    if (this.#piscina !== piscina) return;
    this.#piscina = null;
    void piscina.destroy();
  }

  #open(): Piscina<WebhookTask, WebhookResult> {
    const piscina = new Piscina<WebhookTask, WebhookResult>({
      filename: workersFile('webhook/serve.js'),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: LIMITS.webhookIdleMs,
      concurrentTasksPerWorker: LIMITS.webhooksAtOnceMax,
      maxQueue: Infinity,
      // Synchronous atomics would park the thread between tasks, and sockets with it.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: LIMITS.webhookHeapMb },
      workerData: this.#data,
    });
    piscina.on('error', (error: Error) => {
      this.#log.error({ err: error }, 'the webhook thread failed');
      this.#drop(piscina);
    });
    return piscina;
  }
}
