import type { Problem } from '../base/errors.js';
import { errorOutputStalled } from '../base/output.js';
import { isObject } from '../base/json/json.js';

/** Said to the user as it is. */
export class CommandError extends Error {}

/** The server answered, but no. */
export class HttpError extends CommandError {
  readonly status: number;
  /** What is wrong and where, when the server says so. */
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

/** The HTTP API of a running server. Answers are JSON texts: parsed and printed again, long numbers would come out as others. */
export class Client {
  readonly url: string;
  /** That say who asks. */
  readonly headers: Readonly<Record<string, string>>;

  /** Throws CommandError when the address is none. */
  constructor({ url, apiKey }: Connection) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new CommandError(`--url: "${url}" is no http or https address`);
    this.url = url.replace(/\/+$/, '');
    const key = apiKey ?? process.env['LANGSMITH_API_KEY'] ?? '';
    this.headers = key === '' ? {} : { 'x-api-key': key };
  }

  get(path: string): Promise<string> {
    return this.#request(path, {});
  }

  post(path: string, body: unknown): Promise<string> {
    return this.#request(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  }

  /** Sends what is read, as it comes; an error of the source breaks the request off and is thrown. */
  async postStream(path: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
    let broken: { error: unknown } | null = null;
    async function* watched(): AsyncGenerator<Uint8Array> {
      try {
        yield* chunks;
      } catch (error) {
        broken = { error };
        throw error;
      }
    }
    try {
      return await this.#request(path, {
        method: 'POST',
        body: ReadableStream.from(watched()),
        duplex: 'half',
        headers: { 'content-type': 'application/json' },
      });
    } catch (error) {
      const reason = broken as { error: unknown } | null;
      throw reason === null ? error : reason.error;
    }
  }

  /** The bytes of an answer as they come. An answer that breaks off throws CommandError. `reached` is told when the server has said yes. */
  async *getStream(
    path: string,
    headers: Record<string, string> = {},
    reached: () => void = () => undefined,
  ): AsyncGenerator<Uint8Array> {
    let response: Response;
    try {
      response = await fetch(this.url + path, { headers: { ...this.headers, ...headers } });
      if (!response.ok) throw httpErrorOf(response, await response.text());
      reached();
    } catch (error) {
      throw error instanceof CommandError ? error : new CommandError(this.#connectionErrorText(error));
    }
    const chunks = (response.body ?? ReadableStream.from([])).getReader();
    try {
      for (;;) {
        const { done, value } = await chunks.read().catch((error: unknown) => {
          throw new CommandError(
            `The answer of ${this.url} broke off: ${error instanceof Error ? error.message : String(error)}. The server's log may say why.`,
          );
        });
        if (done) return;
        yield value as Uint8Array;
      }
    } finally {
      await chunks.cancel().catch(() => undefined);
    }
  }

  async #request(path: string, init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }): Promise<string> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.url + path, { ...init, headers: { ...this.headers, ...init.headers } });
      text = await response.text();
    } catch (error) {
      throw new CommandError(this.#connectionErrorText(error));
    }
    if (!response.ok) throw httpErrorOf(response, text);
    if (response.headers.get('content-type')?.includes('json') !== true)
      throw new CommandError(`What answers at ${this.url} is no Threadmill server: its answer is no JSON.`);
    return text;
  }

  #connectionErrorText(error: unknown): string {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
    const { code } = cause as { code?: string };
    switch (code) {
      case 'ECONNREFUSED':
        return `Nothing answers at ${this.url}. Start a server with "threadmill serve", or say with --url where it is.`;
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        return `The host of ${this.url} is not known. Say with --url where the server is.`;
      case 'ECONNRESET':
      case 'EPIPE':
      case 'UND_ERR_SOCKET':
        return `The server at ${this.url} closed the connection before it answered (${cause.message}). A body over the server's limit is one reason; its log may say more.`;
      default:
        return `The server at ${this.url} could not be asked: ${cause.message}${code === undefined ? '' : ` (${code})`}`;
    }
  }
}

const SHOWN_MAX = 300;

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
    typeof detail === 'string' ? detail : `The server answered ${status} ${statusText}: ${text.slice(0, SHOWN_MAX)}`,
    [],
  );
}

/** `results.17.end_time: must not be before start_time`. */
export function problemText({ loc, msg }: Problem): string {
  const place = (loc[0] === 'body' ? loc.slice(1) : loc).join('.');
  return place === '' ? msg : `${place}: ${msg}`;
}

/** Text from elsewhere, safe for a terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

/** Runs a command and sets the exit code: what `work` says, or `exitCode` when it throws. What is thrown on purpose is said in words. */
export async function runCommand(exitCode: number, work: () => Promise<number>): Promise<void> {
  // Whoever reads may have seen enough (`| head`); Node would end with code 1, which means something else here.
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
  // A command that had a server of its own: what was printed is waited for, its log is not.
  if (errorOutputStalled()) process.stdout.write('', () => process.exit());
}
