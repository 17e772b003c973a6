import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { createParser } from 'eventsource-parser';
import { Pool } from 'undici';
import { isObject } from '../../base/json/json.js';
import { CommandError, printable } from '../client.js';

export type Mode = 'wait' | 'stream' | 'threads';

export interface LoadOptions {
  url: string;
  headers: Readonly<Record<string, string>>;
  mode: Mode;
  connections: number;
  timeoutMs: number;
  /** What every run is asked for. */
  body: object;
}

/** What went wrong with one request: a status, a code of the system, or the name of a run's error. */
class Fault extends Error {}

const TEXT_CHARS = 200;

/** Requests that are sent one after the other on each connection. Times are nanoseconds. */
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

  /** One request whose time does not count. Throws CommandError with what is wrong with its answer. */
  async try(): Promise<void> {
    try {
      await this.#one(await this.#pathFor());
    } catch (error) {
      throw new CommandError(
        `Not measured: the first request to ${this.#options.url} failed: ${(error as Error).message}${error instanceof Fault && typeof error.cause === 'string' ? ` ${printable(error.cause)}` : ''}`,
      );
    }
    this.bytes = 0;
    this.firstEvent.reset();
  }

  /** Until `more` says no; what is under way then is waited for. */
  async run(more: () => boolean): Promise<void> {
    await Promise.all(
      Array.from({ length: this.#options.connections }, async () => {
        let path: string | null = null;
        while (more()) {
          this.sent += 1;
          const begun = process.hrtime.bigint();
          try {
            path ??= await this.#pathFor();
            // Making the thread is no part of the run.
            const from = this.#options.mode === 'threads' ? process.hrtime.bigint() : begun;
            await this.#one(path);
            this.latency.record(process.hrtime.bigint() - from);
            this.answered += 1;
          } catch (error) {
            const kind = kindOf(error);
            this.errors.set(kind, (this.errors.get(kind) ?? 0) + 1);
            // A server that is gone refuses at once: not a million times a second.
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

  #one(path: string): Promise<void> {
    const begun = process.hrtime.bigint();
    return this.#post(path, this.#body, async (body) => {
      if (this.#options.mode === 'stream') await this.#events(body, begun);
      else this.#values(await body.text());
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
      throw new Fault(`HTTP ${answer.statusCode}`, { cause: (await answer.body.text()).slice(0, TEXT_CHARS) });
    return read(answer.body);
  }

  #values(text: string): void {
    this.bytes += Buffer.byteLength(text);
    // A wait that fails says so in its body.
    if (text.includes('"__error__"')) {
      const values = JSON.parse(text) as unknown;
      const error = isObject(values) ? values['__error__'] : undefined;
      if (isObject(error)) throw new Fault(`run: ${String(error['error'])}`);
    }
  }

  async #events(body: AsyncIterable<Buffer>, begun: bigint): Promise<void> {
    let events = 0;
    let fault: string | null = null;
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (events === 0) this.firstEvent.record(process.hrtime.bigint() - begun);
        events += 1;
        if (event === 'error') fault = data;
      },
    });
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      this.bytes += chunk.byteLength;
      parser.feed(decoder.decode(chunk, { stream: true }));
    }
    if (fault !== null) throw new Fault(`run: ${nameIn(fault)}`);
    if (events === 0) throw new Fault('no event');
  }
}

function nameIn(data: string): string {
  try {
    const value = JSON.parse(data) as unknown;
    return isObject(value) ? String(value['error']) : 'error';
  } catch {
    return 'error';
  }
}

function kindOf(error: unknown): string {
  if (error instanceof Fault) return error.message;
  const { code, message } = error as { code?: string; message: string };
  return code ?? message;
}
