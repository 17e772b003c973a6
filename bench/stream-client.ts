import { Agent, request, type IncomingMessage } from 'node:http';
import { verify } from './bench.js';

/** Figures of a stream that was read. */
export interface StreamResult {
  events: number;
  bytes: number;
  /** Data of the last event, as text. */
  lastData: string;
  /** Times from sending the request: to the first event, to the last event, to the end of the stream. */
  firstEventMs: number;
  lastEventMs: number;
  totalMs: number;
  /** The whole text if `keep` is set, else empty. */
  text: string;
}

interface ReadOptions {
  /** Keep the whole text. */
  keep?: boolean;
  onHead?: (headers: IncomingMessage['headers']) => void;
  /** Called with the number of events so far. */
  onEvents?: (events: number) => void;
}

/** Begins the line that names an event. Heartbeats are comments and have none. */
const EVENT_LINE = '\nevent:';
/** Size of the end of the stream that is kept, to find the last event in it. */
const TAIL_BYTES = 256 * 1024;
/** Connections that are opened at the same time. */
const CONNECTING_AT_ONCE = 50;

/** Reads Server-Sent Events with little CPU: it only counts events and keeps the end of the stream. */
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
    /** The end of what was read, which may hold the begin of an event's line. */
    let rest = Buffer.from('\n');
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      const text = Buffer.concat([rest, chunk]);
      rest = text.subarray(1 - EVENT_LINE.length);
      const before = events;
      for (let at = text.indexOf(EVENT_LINE); at !== -1; at = text.indexOf(EVENT_LINE, at + 1)) events += 1;
      lastEventMs = performance.now() - begun;
      if (before === 0 && events > 0) firstEventMs = lastEventMs;
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
      response.on('aborted', () => reject(new Error('the stream ended early')));
    });
    const last =
      Buffer.concat(tail)
        .toString()
        .trimEnd()
        .split('\n\n')
        .filter((block) => /^data: /m.test(block))
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

  /** Opens streams and never reads their bodies. Resolves when the headers of all have arrived. */
  async openWithoutReading(path: string, readers: number): Promise<{ close(): void }> {
    const opening: Promise<IncomingMessage>[] = [];
    for (let at = 0; at < readers; at += 1) {
      opening.push(this.#send('GET', path, undefined));
      // The listen backlog of the server is limited.
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

/** Parses the events of a kept text, to check a complete stream before the measurement. */
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
