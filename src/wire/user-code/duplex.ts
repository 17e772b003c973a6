import type { MessagePort } from 'node:worker_threads';
import { pack, unpack } from '../codec.js';

/**
 * A message channel over a port: each side sends messages and waits for the next one of the other side.
 * Messages are packed. Their byte fields arrive as views into the message.
 */
export class Duplex<Out, In> {
  readonly #port: MessagePort;
  readonly #arrived: In[] = [];
  #waiting: { resolve: (message: In) => void; reject: (error: Error) => void } | null = null;
  #failure: Error | null = null;

  /** `gone` creates the error for pending and later `receive` calls once the other side has closed. */
  constructor(port: MessagePort, gone: () => Error = () => new Error('the other side has closed the channel')) {
    this.#port = port;
    port.on('message', (posted: Uint8Array | [packed: Uint8Array, bytes: Uint8Array]) => {
      const message = Array.isArray(posted) ? { ...unpack<In>(posted[0]), bytes: posted[1] } : unpack<In>(posted);
      const waiting = this.#waiting;
      this.#waiting = null;
      if (waiting !== null) waiting.resolve(message);
      else this.#arrived.push(message);
    });
    port.on('close', () => this.fail(gone()));
  }

  send(message: Out): void {
    const bytes = pack(message);
    this.#port.postMessage(bytes, [bytes.buffer]);
  }

  /**
   * Like `send`, but transfers `bytes` instead of copying them, so the caller cannot use them afterwards. For
   * bodies, which would be most of the packed message.
   */
  sendWithBytes({ bytes, ...rest }: Out & { bytes: Uint8Array<ArrayBuffer> }): void {
    const packed = pack(rest);
    this.#port.postMessage([packed, bytes], [packed.buffer, bytes.buffer]);
  }

  /** The next message of the other side. Rejects if that side has closed. */
  receive(): Promise<In> {
    const message = this.#arrived.shift();
    if (message !== undefined) return Promise.resolve(message);
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** Rejects pending and later `receive` calls with this error. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#waiting?.reject(this.#failure);
    this.#waiting = null;
  }

  close(): void {
    this.#port.close();
  }
}
