import { setTimeout as sleep } from 'node:timers/promises';

const JSON_HEADERS = { 'content-type': 'application/json' };

/** HTTP client for the workloads of the soak. */
export class SoakClient {
  readonly url: string;
  /** Aborted when the load ends. Pauses then return early. */
  readonly stopped: AbortSignal;
  readonly #done: Map<string, number>;

  constructor(url: string, stopped: AbortSignal, done: Map<string, number>) {
    this.url = url;
    this.stopped = stopped;
    this.#done = done;
  }

  /** Counts one completed operation. */
  count(what: string): void {
    this.#done.set(what, (this.#done.get(what) ?? 0) + 1);
  }

  /** Returns status and body (null if empty). Rejects if the connection fails. */
  async send<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: JSON_HEADERS, body: body instanceof Buffer ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T };
  }

  /** Returns the body of a response with a status below 300. Rejects otherwise. */
  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.send<T>(method, path, body);
    // Ids are removed, so that equal errors have equal messages.
    if (answer.status >= 300)
      throw new Error(
        `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')} returned ${answer.status}: ` +
          JSON.stringify(answer.body).slice(0, 200),
      );
    return answer.body;
  }

  /** Creates a thread for `use` and deletes it afterwards, so that the store does not grow. */
  async withThread<T>(use: (threadId: string) => Promise<T>): Promise<T> {
    const { thread_id: threadId } = await this.ask<{ thread_id: string }>('POST', '/threads', {});
    try {
      return await use(threadId);
    } finally {
      await this.ask('DELETE', `/threads/${threadId}`);
    }
  }

  /** Waits. Returns false if the load ended first. */
  async pause(ms: number): Promise<boolean> {
    return sleep(ms, true, { signal: this.stopped }).catch(() => false);
  }
}

/** Throws with the text `what` if the condition is false. */
export function expectThat(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}
