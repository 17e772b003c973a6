import { setTimeout as sleep } from 'node:timers/promises';

const JSON_HEADERS = { 'content-type': 'application/json' };

/** What rounds of a load ask the server with. */
export class SoakClient {
  readonly url: string;
  /** Aborted when the load is to end: what waits for its time stops waiting. */
  readonly stopped: AbortSignal;
  readonly #done: Map<string, number>;

  constructor(url: string, stopped: AbortSignal, done: Map<string, number>) {
    this.url = url;
    this.stopped = stopped;
    this.#done = done;
  }

  /** One more of what the soak counts. */
  did(what: string): void {
    this.#done.set(what, (this.#done.get(what) ?? 0) + 1);
  }

  /** Status and body (null when there is none). Rejects when the connection fails. */
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

  /** The body of a 2xx; rejects otherwise. */
  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.send<T>(method, path, body);
    // Ids would make every message another one.
    if (answer.status >= 300)
      throw new Error(
        `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')} answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 200)}`,
      );
    return answer.body;
  }

  /** A thread of its own for `use`, deleted afterwards, so that the store stays as large as what is under way. */
  async withThread<T>(use: (threadId: string) => Promise<T>): Promise<T> {
    const { thread_id: threadId } = await this.ask<{ thread_id: string }>('POST', '/threads', {});
    try {
      return await use(threadId);
    } finally {
      await this.ask('DELETE', `/threads/${threadId}`);
    }
  }

  /** False when the load ended before. */
  async pause(ms: number): Promise<boolean> {
    return sleep(ms, true, { signal: this.stopped }).catch(() => false);
  }
}

export function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}
