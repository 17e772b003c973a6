import type { MessagePort } from 'node:worker_threads';
import { LIMITS } from '../../src/base/limits.js';
import { pack } from '../../src/wire/codec.js';
import { nameLines, type FrameBatch } from '../../src/wire/runs/frame.js';
import type { FromWorker, ReplyValues } from '../../src/wire/runs/messages.js';
import { primordials } from '../../src/wire/user-code/primordials.js';
import { FRAMES_MADE } from '../../src/wire/runs/run-signals.js';
import type { ErrorRecord } from '../../src/base/errors.js';

/** Types of messages that expect a reply. The outbox adds the request id. */
type RequestType = Extract<FromWorker, { requestId: unknown }>['type'];

interface OutboxOptions {
  /**
   * Shared memory in which the main thread reads how many frames were created, even if this thread dies. Null if
   * nobody reads it.
   */
  signals?: Int32Array | null;
  /** The first frame does not wait for the end of the turn: a reader has got nothing so far. */
  isFirstFrameUrgent?: boolean;
}

/**
 * The worker's end of a run's port. Sends what a run does in one turn of the event loop together: its frames as one
 * batch, then its messages in order. The main thread writes that in one commit, then publishes the frames.
 */
export class Outbox {
  readonly #port: MessagePort;
  readonly #signals: Int32Array | null;
  #messages: FromWorker[] = [];
  #seq: number;
  #text = '';
  #firstSeq: number;
  #names = new Set<string>();
  /** Name of the last frame. Most streams repeat it. */
  #name = '';
  #nameLines = '';
  #scheduled = false;
  #isUrgent: boolean;
  /** Frames are kept for `takeKept`. */
  #keepsFrames = false;
  #unconfirmedBytes = 0;
  #creditWaiters: (() => void)[] = [];
  #nextRequest = 1;
  readonly #requests = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  #closed = false;

  constructor(port: MessagePort, seq: number, { signals = null, isFirstFrameUrgent = true }: OutboxOptions = {}) {
    this.#port = port;
    this.#seq = seq;
    this.#firstSeq = seq;
    this.#signals = signals;
    this.#isUrgent = isFirstFrameUrgent;
  }

  /** Id of the last event; one less than the first id if there was none. */
  get lastSeq(): number {
    return this.#seq - 1;
  }

  /** Adds one event. `json` must be one line. `event`: see `nameLines`; it is the same for all frames of a name. */
  frame(name: string, json: string, event = name): void {
    if (this.#text === '') this.#firstSeq = this.#seq;
    if (name !== this.#name) {
      this.#name = name;
      this.#nameLines = nameLines(name, event);
    }
    this.#names.add(name);
    this.#text += `id: ${this.#seq++}${this.#nameLines}${json}\n\n`;
    if (this.#signals !== null) primordials.atomicsAdd(this.#signals, FRAMES_MADE, 1);
    if (this.#keepsFrames) return;
    // The length in UTF-16 units is a close enough estimate of the bytes.
    if (this.#text.length >= LIMITS.batchBytesMax || this.#isUrgent) this.flush();
    else this.#schedule();
  }

  /** Keeps all later frames for `takeKept`. */
  keepFrames(): void {
    this.#addBatch();
    this.#keepsFrames = true;
  }

  /** The kept frames; null if there are none. */
  takeKept(): FrameBatch | null {
    return this.#keepsFrames ? this.#takeBatch() : null;
  }

  /**
   * True when the main thread has too much unprocessed data, for example because the disk is slow. Wait for
   * `room`.
   */
  get isFull(): boolean {
    return this.#unconfirmedBytes >= LIMITS.creditBytes && !this.#closed;
  }

  /** Resolves when the main thread has processed enough. */
  waitForCredit(): Promise<void> {
    if (!this.isFull) return Promise.resolve();
    return new Promise((resolve) => this.#creditWaiters.push(resolve));
  }

  addCredit(bytes: number): void {
    this.#unconfirmedBytes -= bytes;
    if (this.#unconfirmedBytes >= LIMITS.creditBytes) return;
    for (const resolve of this.#creditWaiters.splice(0)) resolve();
  }

  send(message: FromWorker): void {
    this.#messages.push(message);
    this.#schedule();
  }

  /** Sends a message with a request id and waits for the reply. */
  request<T extends RequestType>(
    message: Omit<Extract<FromWorker, { type: T }>, 'requestId'> & { type: T },
  ): Promise<ReplyValues[T & keyof ReplyValues]> {
    const requestId = this.#nextRequest++;
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new Error('The run has ended; its port is closed.'));
        return;
      }
      this.#requests.set(requestId, { resolve: resolve as (value: never) => void, reject });
      this.send({ ...message, requestId } as unknown as FromWorker);
      this.flush();
    });
  }

  settleRequest(requestId: number, ok: boolean, value: unknown): void {
    const request = this.#requests.get(requestId);
    this.#requests.delete(requestId);
    if (ok) request?.resolve(value as never);
    else {
      const { name, message } = value as ErrorRecord;
      request?.reject(Object.assign(new Error(message), { name }));
    }
  }

  flush(): void {
    this.#addBatch();
    if (this.#messages.length === 0 || this.#closed) return;
    const bytes = pack(this.#messages);
    this.#messages = [];
    this.#unconfirmedBytes += bytes.byteLength;
    primordials.postMessage(this.#port, bytes, [bytes.buffer]);
  }

  /** Sends the rest and closes the outbox. Open requests are rejected. */
  close(): void {
    this.flush();
    this.#closed = true;
    for (const { reject } of this.#requests.values()) reject(new Error('The run has ended; its port is closed.'));
    this.#requests.clear();
    this.addCredit(this.#unconfirmedBytes);
  }

  /** The frames that were not sent yet; null if there are none. */
  #takeBatch(): FrameBatch | null {
    if (this.#text === '') return null;
    const bytes = Buffer.from(this.#text, 'utf8');
    const batch = { firstSeq: this.#firstSeq, lastSeq: this.#seq - 1, names: [...this.#names], bytes };
    this.#text = '';
    this.#names = new Set();
    return batch;
  }

  /**
   * Adds the frames of this turn as one batch, which each reader gets in one write. It comes first, because the main
   * thread ignores what comes after the end of the run.
   */
  #addBatch(): void {
    if (this.#keepsFrames) return;
    const batch = this.#takeBatch();
    if (batch === null) return;
    this.#messages.unshift({ type: 'run.frames', batch });
    this.#isUrgent = false;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    primordials.setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }
}
