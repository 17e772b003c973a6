import { LIMITS } from '../base/limits.js';
import type { Gap, LogCursor } from '../pool/run-log.js';
import { gapText, type Following } from '../services/follow-run.js';
import { framesOf, type FrameBatch } from '../wire/frame.js';
import type { Exchange, Headers, Outflow } from './exchange.js';

const SSE_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
const HEARTBEAT = ': heartbeat\n\n';

/** Open streams; one timer serves all, so that heartbeats keep their pace whatever a graph does. */
const open = new Set<EventStream>();
let timer: NodeJS.Timeout | null = null;

/** Readers of events that are connected now. */
export function openStreams(): number {
  return open.size;
}

/** Sends a run's events until it has ended and all are sent, or a gap must be told, or the client goes away. */
export function eventStream(exchange: Exchange, following: Following, options: { headers?: Headers; onGone?: () => void }): void {
  const stream = new EventStream(exchange.open(200, { ...SSE_HEADERS, ...options.headers }), following);
  exchange.onGone(() => {
    stream.close();
    options.onGone?.();
  });
}

/** `Last-Event-ID`. Our ids are decimal; `-1` and the official `-` mean from the first. Anything else is no id of ours: from the first, too. */
export function lastEventId(headers: Headers): number | null {
  const header = headers['last-event-id'];
  if (header === undefined || header === '') return null;
  const id = Number(header);
  return Number.isSafeInteger(id) && id >= -1 ? id : -1;
}

class EventStream {
  readonly #out: Outflow;
  readonly #cursor: LogCursor;
  readonly #wants: Following['wants'];
  readonly #farewell: string;
  readonly #goesOn: boolean;
  readonly #gap: (from: number, to: number) => string;
  readonly #unfollow: () => void;
  /** Part of a batch that the socket has not taken yet. */
  #rest: Uint8Array | null = null;
  #reading = false;

  constructor(out: Outflow, following: Following) {
    this.#out = out;
    this.#cursor = following.log.cursor(following.afterSeq);
    this.#wants = following.wants;
    this.#farewell = following.farewell;
    this.#goesOn = following.goesOn ?? false;
    this.#gap = following.gap ?? gapText;
    this.#unfollow = following.log.follow(() => this.#pump());
    out.onDrain = () => this.#pump();
    open.add(this);
    timer ??= setInterval(() => { for (const stream of open) stream.beat(); }, LIMITS.heartbeatMs).unref();
    this.#pump();
    out.flushHead();
  }

  beat(): void {
    // In the middle of a frame a comment would break it; a reader that takes nothing needs no sign of life.
    if (this.#rest === null && this.#out.writable) this.#out.write(HEARTBEAT);
  }

  close(): void {
    open.delete(this);
    this.#unfollow();
  }

  #pump(): void {
    // Somebody else answered.
    if (this.#out.closed) this.close();
    if (this.#reading) return;
    while (this.#out.writable) {
      if (this.#rest !== null) {
        this.#rest = this.#out.write(this.#rest);
        continue;
      }
      const next = this.#cursor.next();
      if (next === undefined) {
        if (this.#cursor.ended) this.#finish(this.#farewell);
        return;
      }
      if (next instanceof Promise) {
        this.#reading = true;
        void next.then((found) => {
          this.#reading = false;
          if (this.#take(found)) this.#pump();
        });
        return;
      }
      if (!this.#take(next)) return;
    }
  }

  /** False when the stream is over. */
  #take(found: FrameBatch | Gap): boolean {
    if ('gap' in found) {
      const told = this.#gap(found.from, found.to);
      if (this.#goesOn) {
        this.#cursor.advance(found.to);
        this.#rest = this.#out.write(told);
        return true;
      }
      this.#finish(told);
      return false;
    }
    const bytes = this.#select(found);
    this.#cursor.advance(found.lastSeq);
    if (bytes.byteLength > 0) this.#rest = this.#out.write(bytes);
    return true;
  }

  /** The frames of the batch that this reader gets, as one piece. */
  #select(batch: FrameBatch): Uint8Array {
    const wants = this.#wants;
    const whole = batch.firstSeq > this.#cursor.afterSeq;
    if (whole && (wants === null || batch.names.every(wants))) return batch.bytes;
    const chosen: Uint8Array[] = [];
    for (const frame of framesOf(batch)) {
      if (frame.seq > this.#cursor.afterSeq && (wants === null || wants(frame.name))) chosen.push(frame.bytes);
    }
    return Buffer.concat(chosen);
  }

  #finish(last: string): void {
    this.close();
    this.#out.end(last);
  }
}
