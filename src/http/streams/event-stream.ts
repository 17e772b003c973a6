import { LIMITS } from '../../base/limits.js';
import { TransientSet } from '../../base/transient.js';
import { gapText } from '../../services/runs/follow-run.js';
import type { Subscription } from '../../services/runs/subscription.js';
import { EventReader, type EventSink } from './event-reader.js';
import type { Exchange } from '../transport/exchange.js';
import type { Headers } from '../transport/request-copy.js';
import type { ResponseStream } from '../transport/response-stream.js';

/** `no-cache`, as the JavaScript server says: with `no-store` Chromium lists finished streams as failed. */
export const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
};
/** A line without an empty line after it, for which older SDKs yield an event without a name. */
export const HEARTBEAT = ': heartbeat\n';

/** Open streams. One timer sends all heartbeats, so that they are regular whatever a graph does. */
const open = new TransientSet<EventStream>();
let timer: NodeJS.Timeout | null = null;
/** Streams with something that shares a packet with what comes within `LIMITS.streamDelayMs`. One timer serves all. */
let delayed: EventStream[] = [];

/** Number of connected readers of events. */
export function countOpenStreams(): number {
  return open.size;
}

/**
 * Sends a run's events until the run has ended and all are sent, the stream ends at a gap, or the client
 * disconnects.
 */
export function streamEvents(
  exchange: Exchange,
  following: Subscription,
  options: { headers?: Headers; onGone?: () => void },
): void {
  const stream = new EventStream(exchange.open(200, { ...SSE_HEADERS, ...options.headers }), following);
  exchange.onAborted(() => {
    stream.close();
    options.onGone?.();
  });
}

/**
 * Reads `Last-Event-ID`. Our ids are decimal numbers. `-1` and the Agent Server's `-` mean to start from the
 * first event, and so does any unknown id.
 */
export function lastEventId(headers: Headers): number | null {
  const header = headers['last-event-id'];
  if (header === undefined || header === '') return null;
  const id = Number(header);
  return Number.isSafeInteger(id) && id >= -1 ? id : -1;
}

function flushSoon(stream: EventStream): void {
  delayed.push(stream);
  if (delayed.length > 1) return;
  setTimeout(() => {
    const due = delayed;
    delayed = [];
    for (const one of due) one.flush();
  }, LIMITS.streamDelayMs);
}

class EventStream implements EventSink {
  readonly #out: ResponseStream;
  readonly #following: Subscription;
  readonly #reader: EventReader;
  readonly #removeFromOpen: () => void;
  readonly #gapText: (from: number, to: number, lost: boolean) => string;
  /** Not written yet: the last events of a run wait for the end of the stream. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** The part of a batch that the socket has not accepted yet. */
  #rest: Uint8Array | null = null;

  constructor(out: ResponseStream, following: Subscription) {
    this.#out = out;
    this.#following = following;
    this.#gapText = following.gap ?? gapText;
    this.#reader = new EventReader(following, this);
    out.onDrain = () => this.#drain();
    this.#removeFromOpen = open.add(this);
    timer ??= setInterval(() => {
      for (const stream of open.values()) stream.sendHeartbeat();
    }, LIMITS.heartbeatMs).unref();
    this.#reader.pump();
    if (!out.hasHead) flushSoon(this);
  }

  sendHeartbeat(): void {
    // A comment in the middle of a frame would corrupt it, and a blocked reader needs no heartbeat.
    if (this.isReady) this.#out.write(HEARTBEAT);
  }

  close(): void {
    this.#removeFromOpen();
    this.#reader.close();
  }

  get isReady(): boolean {
    return this.#rest === null && this.#out.writable;
  }

  write(frames: Iterable<Uint8Array>, joined: Uint8Array | null): void {
    const bytes = joined ?? Buffer.concat([...frames]);
    this.#wait(bytes);
    if (!this.#endsSoon || this.#waitingBytes > LIMITS.streamDelayedBytesMax) this.#writeWaiting();
    else if (this.#waiting.length === 1) flushSoon(this);
  }

  writeGap(from: number, to: number, lost: boolean): void {
    this.#wait(Buffer.from(this.#gapText(from, to, lost)));
    this.#writeWaiting();
  }

  end(last: string): void {
    this.close();
    this.#out.end(this.#waiting.length === 0 ? last : Buffer.concat([...this.#waiting, Buffer.from(last)]));
  }

  breakOff(): void {
    this.close();
    this.#writeWaiting();
    this.#out.breakOff();
  }

  /** Sends what has waited long enough. */
  flush(): void {
    this.#writeWaiting();
    this.#out.flushHead();
  }

  /** The worker has reported the end of the run, which is being stored. */
  get #endsSoon(): boolean {
    return this.#following.live?.port?.isFinished === true;
  }

  #wait(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.byteLength;
  }

  #writeWaiting(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#rest = this.#out.write(waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting));
  }

  #drain(): void {
    // Another response was sent instead.
    if (this.#out.closed) {
      this.close();
      return;
    }
    while (this.#rest !== null && this.#out.writable) this.#rest = this.#out.write(this.#rest);
    this.#reader.pump();
  }
}
