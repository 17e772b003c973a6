import type { Problem } from '../base/errors.js';
import { errorOutputStalled } from '../base/output.js';
import { isObject } from '../base/json/json.js';

/** An error whose message is printed without a stack. */
export class CommandError extends Error {}

/** The server returned an error status. */
export class HttpError extends CommandError {
  readonly status: number;
  /** The problems that the server lists in the response; empty if it lists none. */
  readonly problems: readonly Problem[];

  constructor(status: number, message: string, places: readonly Problem[]) {
    super(message);
    this.status = status;
    this.problems = places;
  }
}

export interface Connection {
  url: string;
  apiKey?: string | undefined;
}

type ClientInit = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

/**
 * Client for the HTTP API of a running server. It returns JSON as text, because parsing and printing it again would
 * change long numbers.
 */
export class Client {
  readonly url: string;
  /** Headers that authenticate the client. */
  readonly headers: Readonly<Record<string, string>>;

  /** Throws CommandError if the URL is not an http or https address. */
  constructor({ url, apiKey }: Connection) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new CommandError(`--url: "${url}" is not an http or https address, such as http://127.0.0.1:8123`);
    this.url = url.replace(/\/+$/, '');
    const key = apiKey ?? process.env['LANGSMITH_API_KEY'] ?? '';
    this.headers = key === '' ? {} : { 'x-api-key': key };
  }

  get(path: string): Promise<string> {
    return this.#request(path, {});
  }

  /** Address of a page of the server's console; null when the server says that it has none, or says nothing. */
  async consoleUrl(path: string): Promise<string | null> {
    try {
      const { links } = JSON.parse(await this.get('/')) as { links?: { console?: unknown } };
      return typeof links?.console === 'string' ? `${this.url}/console${path}` : null;
    } catch {
      return null;
    }
  }

  post(path: string, body: unknown): Promise<string> {
    return this.#request(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  }

  async delete(path: string): Promise<void> {
    await this.#send(path, { method: 'DELETE' });
  }

  async getBytes(path: string): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.getStream(path)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** Posts JSON, and returns the path of what the request has created. */
  async postForLocation(path: string, body: unknown): Promise<string> {
    const { response } = await this.#send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    return response.headers.get('content-location') ?? '';
  }

  /** Posts JSON lines. */
  postLines(path: string, lines: Uint8Array<ArrayBuffer>): Promise<string> {
    return this.#request(path, {
      method: 'POST',
      body: lines,
      headers: { 'content-type': 'application/x-ndjson' },
    });
  }

  /** Posts a form with a file. */
  postForm(path: string, form: FormData): Promise<string> {
    return this.#request(path, { method: 'POST', body: form });
  }

  /** Streams the chunks as the request body. An error of `chunks` aborts the request and is thrown. */
  async postStream(path: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
    let sourceFailure: { error: unknown } | null = null;
    async function* watchedChunks(): AsyncGenerator<Uint8Array> {
      try {
        yield* chunks;
      } catch (error) {
        sourceFailure = { error };
        throw error;
      }
    }
    try {
      return await this.#request(path, {
        method: 'POST',
        body: ReadableStream.from(watchedChunks()),
        duplex: 'half',
        headers: { 'content-type': 'application/json' },
      });
    } catch (error) {
      const failure = sourceFailure as { error: unknown } | null;
      throw failure === null ? error : failure.error;
    }
  }

  /**
   * Yields the response body as it arrives. Calls `onConnected` after a success status. Throws CommandError if the
   * response ends early.
   */
  async *getStream(
    path: string,
    headers: Record<string, string> = {},
    onConnected: () => void = () => undefined,
  ): AsyncGenerator<Uint8Array> {
    let response: Response;
    try {
      response = await fetch(this.url + path, { headers: { ...this.headers, ...headers } });
      if (!response.ok) throw httpErrorOf(response, await response.text());
      onConnected();
    } catch (error) {
      throw error instanceof CommandError ? error : new CommandError(this.#connectionErrorText(error));
    }
    const chunks = (response.body ?? ReadableStream.from([])).getReader();
    try {
      for (;;) {
        const { done, value } = await chunks.read().catch((error: unknown) => {
          throw new CommandError(
            `The response from ${this.url} ended early: ` +
              `${error instanceof Error ? error.message : String(error)}. See the server's log for the reason.`,
          );
        });
        if (done) return;
        yield value as Uint8Array;
      }
    } finally {
      await chunks.cancel().catch(() => undefined);
    }
  }

  async #send(path: string, init: ClientInit): Promise<{ response: Response; text: string }> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.url + path, { ...init, headers: { ...this.headers, ...init.headers } });
      text = await response.text();
    } catch (error) {
      throw new CommandError(this.#connectionErrorText(error));
    }
    if (!response.ok) throw httpErrorOf(response, text);
    return { response, text };
  }

  async #request(path: string, init: ClientInit): Promise<string> {
    const { response, text } = await this.#send(path, init);
    if (response.headers.get('content-type')?.includes('json') !== true)
      throw new CommandError(
        `The server at ${this.url} is not a Threadmill server: its response is not JSON. Check --url.`,
      );
    return text;
  }

  #connectionErrorText(error: unknown): string {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
    const { code } = cause as { code?: string };
    switch (code) {
      case 'ECONNREFUSED':
        return (
          `No server is listening at ${this.url}. Start one with "threadmill serve", or give its address with ` +
          '--url.'
        );
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        return `The host name in ${this.url} cannot be resolved. Give the address of the server with --url.`;
      case 'ECONNRESET':
      case 'EPIPE':
      case 'UND_ERR_SOCKET':
        return (
          `The server at ${this.url} closed the connection before it responded (${cause.message}). The request ` +
          `body may be over the server's limit. See the server's log for the reason.`
        );
      default:
        return `The request to ${this.url} failed: ${cause.message}${code === undefined ? '' : ` (${code})`}`;
    }
  }
}

const BODY_CHARS_MAX = 300;

function httpErrorOf({ status, statusText }: Response, text: string): HttpError {
  let detail: unknown;
  try {
    const body: unknown = JSON.parse(text);
    detail = isObject(body) ? body['detail'] : undefined;
  } catch {
    detail = undefined;
  }
  if (Array.isArray(detail)) {
    const places = detail as Problem[];
    return new HttpError(status, places.map(problemText).join('\n'), places);
  }
  return new HttpError(
    status,
    typeof detail === 'string'
      ? detail
      : `The server returned ${status} ${statusText}: ${text.slice(0, BODY_CHARS_MAX)}`,
    [],
  );
}

/** `results.17.end_time: must not be before start_time`. */
export function problemText({ loc, msg }: Problem): string {
  const place = (loc[0] === 'body' ? loc.slice(1) : loc).join('.');
  return place === '' ? msg : `${place}: ${msg}`;
}

/** Replaces control characters, so that text from elsewhere is safe to print to a terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

/**
 * Runs a command and sets the exit code: the result of `work`, or `exitCode` if it throws. Prints a CommandError
 * without its stack.
 */
export async function runCommand(exitCode: number, work: () => Promise<number>): Promise<void> {
  // A reader may close the pipe early (`| head`). Without a handler Node would exit with 1, which can be a result here.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  try {
    process.exitCode = await work();
  } catch (error) {
    const text =
      error instanceof CommandError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    process.stderr.write(`${text.replace(/[^\P{Cc}\n]+/gu, ' ')}\n`);
    process.exitCode = exitCode;
  }
  // Only commands that ran a server can have a stalled log. Exits once stdout is written, without waiting for the log.
  if (errorOutputStalled()) process.stdout.write('', () => process.exit());
}
