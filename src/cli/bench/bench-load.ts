import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { createParser } from 'eventsource-parser';
import { Pool } from 'undici';
import { isObject } from '../../base/json/json.js';
import { CommandError, printable } from '../client.js';

export type LoadMode = 'wait' | 'stream' | 'threads';

export interface LoadOptions {
  url: string;
  headers: Readonly<Record<string, string>>;
  mode: LoadMode;
  connections: number;
  timeoutMs: number;
  /** Body of every request that starts a run. */
  body: object;
}

/** A failed request. The message is an HTTP status, a system error code, or the name of the error of a run. */
class RequestFailure extends Error {}

const BODY_CHARS_MAX = 200;

/** Generates load: each connection sends one request after another. Histograms are in nanoseconds. */
export class Load {
  readonly latency: RecordableHistogram = createHistogram();
  readonly firstEvent: RecordableHistogram = createHistogram();
  readonly errors = new Map<string, number>();
  sent = 0;
  answered = 0;
  bytes = 0;
  readonly #options: LoadOptions;
  readonly #base: string;
  readonly #pool: Pool;
  readonly #body: string;

  constructor(options: LoadOptions) {
    this.#options = options;
    const { origin, pathname } = new URL(options.url);
    this.#base = pathname.replace(/\/$/, '');
    this.#pool = new Pool(origin, {
      connections: options.connections,
      pipelining: 1,
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
      connectTimeout: options.timeoutMs,
    });
    this.#body = JSON.stringify(options.body);
  }

  /** Sends one request that is not measured. Throws CommandError with the reason if it fails. */
  async sendTrialRequest(): Promise<void> {
    try {
      await this.#sendRun(await this.#pathFor());
    } catch (error) {
      const details =
        error instanceof RequestFailure && typeof error.cause === 'string' ? ` ${printable(error.cause)}` : '';
      throw new CommandError(
        `Not measured: the first request to ${this.#options.url} failed: ${(error as Error).message}${details}`,
      );
    }
    this.bytes = 0;
    this.firstEvent.reset();
  }

  /** Sends requests while `shouldContinue` returns true, then waits for the open ones. */
  async run(shouldContinue: () => boolean): Promise<void> {
    await Promise.all(
      Array.from({ length: this.#options.connections }, async () => {
        let path: string | null = null;
        while (shouldContinue()) {
          this.sent += 1;
          const begun = process.hrtime.bigint();
          try {
            path ??= await this.#pathFor();
            // The time to create the thread is not part of the run.
            const from = this.#options.mode === 'threads' ? process.hrtime.bigint() : begun;
            await this.#sendRun(path);
            this.latency.record(process.hrtime.bigint() - from);
            this.answered += 1;
          } catch (error) {
            const kind = errorKindOf(error);
            this.errors.set(kind, (this.errors.get(kind) ?? 0) + 1);
            // A server that is down refuses connections at once. The pause avoids a busy loop.
            await new Promise((resolve) => {
              setTimeout(resolve, 10);
            });
          }
        }
      }),
    );
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #pathFor(): Promise<string> {
    if (this.#options.mode !== 'threads') return `/runs/${this.#options.mode}`;
    const text = await this.#post('/threads', '{}', (body) => body.text());
    return `/threads/${(JSON.parse(text) as { thread_id: string }).thread_id}/runs/wait`;
  }

  #sendRun(path: string): Promise<void> {
    const begun = process.hrtime.bigint();
    return this.#post(path, this.#body, async (body) => {
      if (this.#options.mode === 'stream') await this.#readEvents(body, begun);
      else this.#checkWaitBody(await body.text());
    });
  }

  async #post<T>(
    path: string,
    body: string,
    read: (body: AsyncIterable<Buffer> & { text(): Promise<string> }) => Promise<T>,
  ): Promise<T> {
    const answer = await this.#pool.request({
      method: 'POST',
      path: this.#base + path,
      headers: { 'content-type': 'application/json', ...this.#options.headers },
      body,
    });
    if (answer.statusCode !== 200)
      throw new RequestFailure(`HTTP ${answer.statusCode}`, {
        cause: (await answer.body.text()).slice(0, BODY_CHARS_MAX),
      });
    return read(answer.body);
  }

  #checkWaitBody(text: string): void {
    this.bytes += Buffer.byteLength(text);
    // A failed wait has status 200 and its error in the body.
    if (text.includes('"__error__"')) {
      const values = JSON.parse(text) as unknown;
      const error = isObject(values) ? values['__error__'] : undefined;
      if (isObject(error)) throw new RequestFailure(`run: ${String(error['error'])}`);
    }
  }

  async #readEvents(body: AsyncIterable<Buffer>, begun: bigint): Promise<void> {
    let events = 0;
    let errorData: string | null = null;
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (events === 0) this.firstEvent.record(process.hrtime.bigint() - begun);
        events += 1;
        if (event === 'error') errorData = data;
      },
    });
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      this.bytes += chunk.byteLength;
      parser.feed(decoder.decode(chunk, { stream: true }));
    }
    if (errorData !== null) throw new RequestFailure(`run: ${errorNameOf(errorData)}`);
    if (events === 0) throw new RequestFailure('no event');
  }
}

function errorNameOf(data: string): string {
  try {
    const value = JSON.parse(data) as unknown;
    return isObject(value) ? String(value['error']) : 'error';
  } catch {
    return 'error';
  }
}

function errorKindOf(error: unknown): string {
  if (error instanceof RequestFailure) return error.message;
  const { code, message } = error as { code?: string; message: string };
  return code ?? message;
}
