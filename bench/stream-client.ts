import { Agent, request, type IncomingMessage } from 'node:http';
import { verify } from './bench.js';

/** What a stream was, without having kept it. */
export interface StreamResult {
  events: number;
  bytes: number;
  /** Data of the last event, as text. */
  lastData: string;
  /** From sending the request, to the head, to the first event, to the end. */
  firstEventMs: number;
  lastEventMs: number;
  totalMs: number;
  /** The whole text, only when asked for. */
  text: string;
}

interface ReadOptions {
  /** Keep the whole text. */
  keep?: boolean;
  onHead?: (headers: IncomingMessage['headers']) => void;
  /** How many events have come so far. */
  onEvents?: (events: number) => void;
}

const NEWLINE = 10;
const COLON = 58;
/** An event's end is looked for in here when the stream is over. */
const TAIL_BYTES = 256 * 1024;
const CONNECTING_AT_ONCE = 50;

/** Reads Server-Sent Events for as little CPU as JavaScript allows: it counts the blank lines and keeps the end. */
export class StreamClient {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Infinity });

  constructor(url: string) {
    this.#url = new URL(url);
  }

  async read(
    method: string,
    path: string,
    body: unknown,
    { keep = false, onHead, onEvents }: ReadOptions = {},
  ): Promise<StreamResult> {
    const begun = performance.now();
    const response = await this.#send(method, path, body);
    onHead?.(response.headers);
    const kept: Buffer[] = [];
    let tail: Buffer[] = [];
    let tailBytes = 0;
    let events = 0;
    let bytes = 0;
    let firstEventMs = 0;
    let lastEventMs = 0;
    let endedInNewline = false;
    let comment = false;
    /** A block begins with the next chunk. */
    let fresh = true;
    response.on('data', (chunk: Buffer) => {
      lastEventMs = performance.now() - begun;
      if (bytes === 0) firstEventMs = lastEventMs;
      bytes += chunk.length;
      // Where a block ends: an event, unless it began with a colon (a comment, such as a heartbeat).
      const ended = (next: number): void => {
        if (!comment) events += 1;
        comment = chunk[next] === COLON;
        fresh = next >= chunk.length;
      };
      if (fresh) comment = chunk[0] === COLON;
      fresh = false;
      if (endedInNewline && chunk[0] === NEWLINE) ended(1);
      for (let at = chunk.indexOf('\n\n'); at !== -1; at = chunk.indexOf('\n\n', at + 2)) ended(at + 2);
      endedInNewline = !fresh && chunk[chunk.length - 1] === NEWLINE;
      onEvents?.(events);
      if (keep) kept.push(chunk);
      tail.push(chunk);
      tailBytes += chunk.length;
      if (tailBytes > 2 * TAIL_BYTES) {
        tail = [Buffer.concat(tail).subarray(-TAIL_BYTES)];
        tailBytes = TAIL_BYTES;
      }
    });
    await new Promise<void>((resolve, reject) => {
      response.on('end', resolve);
      response.on('error', reject);
      response.on('aborted', () => reject(new Error('the stream broke off')));
    });
    const last =
      Buffer.concat(tail)
        .toString()
        .trimEnd()
        .split('\n\n')
        .filter((block) => !block.startsWith(':'))
        .at(-1) ?? '';
    const lastData = last
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => line.slice(6))
      .join('\n');
    return {
      events,
      bytes,
      lastData,
      firstEventMs,
      lastEventMs,
      totalMs: performance.now() - begun,
      text: keep ? Buffer.concat(kept).toString() : '',
    };
  }

  /** Opens streams and never reads their bodies. Resolves when every head has come. */
  async hold(path: string, readers: number): Promise<{ close(): void }> {
    const opening: Promise<IncomingMessage>[] = [];
    for (let at = 0; at < readers; at += 1) {
      opening.push(this.#send('GET', path, undefined));
      // The server's backlog is finite.
      if (at % CONNECTING_AT_ONCE === CONNECTING_AT_ONCE - 1) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const responses = await Promise.all(opening);
    for (const response of responses) response.on('error', () => undefined);
    return {
      close: () => {
        for (const response of responses) response.destroy();
      },
    };
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, body: unknown): Promise<IncomingMessage> {
    const text = body === undefined ? '' : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          agent: this.#agent,
          host: this.#url.hostname,
          port: this.#url.port,
          method,
          path,
          headers:
            body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
        },
        (response) => {
          if (response.statusCode === 200) resolve(response);
          else {
            response.resume();
            reject(new Error(`${method} ${path} answered ${response.statusCode}`));
          }
        },
      );
      sent.on('error', reject);
      sent.end(text);
    });
  }
}

/** Events of a kept text, for checking a stream in full before anything is timed. */
export function parseEvents(text: string): { event: string; data: unknown }[] {
  return text
    .split('\n\n')
    .filter((block) => /^(event|data|id):/m.test(block))
    .map((block) => {
      const lines = block.split('\n');
      const field = (name: string): string =>
        lines
          .filter((line) => line.startsWith(`${name}: `))
          .map((line) => line.slice(name.length + 2))
          .join('\n');
      const data = field('data');
      verify(data !== '', `an event without data: ${block.slice(0, 200)}`);
      return { event: field('event'), data: JSON.parse(data) as unknown };
    });
}
