import { LIMITS } from '../../../base/limits.js';
import { NO_BYTES } from './frames.js';

/** Share of the window that is returned in one frame, so that small bodies cause none. */
const RETURNED_SHARE = 1 / 4;

/** Sends the body of a stream as far as the other side takes it, and keeps the rest. */
export class SendWindow {
  readonly #send: (bytes: Uint8Array, isLast: boolean) => void;
  #bytes = LIMITS.channelWindowBytes;
  #kept: Uint8Array[] = [];
  #isEnded = false;
  #isDone = false;
  /** Called when nothing is kept any more after `write` has returned false. */
  onDrain: () => void = () => undefined;

  /** `send` is called with `isLast` once, unless the window is closed before. */
  constructor(send: (bytes: Uint8Array, isLast: boolean) => void) {
    this.#send = send;
  }

  /** Takes all of `bytes`. They may not change afterwards. Returns false when more should wait for `onDrain`. */
  write(bytes: Uint8Array): boolean {
    if (bytes.byteLength > 0) this.#kept.push(bytes);
    this.#flush();
    return this.#kept.length === 0;
  }

  end(bytes: Uint8Array = NO_BYTES): void {
    this.#isEnded = true;
    this.write(bytes);
  }

  /** The other side takes more. */
  grow(bytes: number): void {
    this.#bytes += bytes;
    if (this.#kept.length === 0) return;
    this.#flush();
    if (this.#kept.length === 0 && !this.#isEnded) this.onDrain();
  }

  /** Nothing more is sent. */
  close(): void {
    this.#isDone = true;
    this.#kept = [];
  }

  get isClosed(): boolean {
    return this.#isDone;
  }

  #flush(): void {
    while (this.#kept.length > 0 && this.#bytes > 0 && !this.#isDone) {
      const [first] = this.#kept as [Uint8Array];
      const size = Math.min(first.byteLength, this.#bytes, LIMITS.writeBytesMax);
      this.#bytes -= size;
      if (size === first.byteLength) this.#kept.shift();
      else this.#kept[0] = first.subarray(size);
      this.#isDone = this.#isEnded && this.#kept.length === 0;
      this.#send(first.subarray(0, size), this.#isDone);
    }
    if (!this.#isEnded || this.#kept.length > 0 || this.#isDone) return;
    this.#isDone = true;
    this.#send(NO_BYTES, true);
  }
}

/** Lets the other side send as much as has been taken from it. */
export class ReceiveWindow {
  readonly #grant: (bytes: number) => void;
  #takenBytes = 0;
  #isPaused = false;

  constructor(grant: (bytes: number) => void) {
    this.#grant = grant;
  }

  /** Bytes that arrived. While it is paused, at most a window full of them arrives. */
  add(bytes: number): void {
    this.#takenBytes += bytes;
    this.#return();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#return();
  }

  #return(): void {
    if (this.#isPaused || this.#takenBytes < LIMITS.channelWindowBytes * RETURNED_SHARE) return;
    const bytes = this.#takenBytes;
    this.#takenBytes = 0;
    this.#grant(bytes);
  }
}
