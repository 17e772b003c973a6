import type { MessagePort } from 'node:worker_threads';
import { pack, unpack } from '../codec.js';

/**
 * Two sides that take turns over a port: each sends, and awaits what the other says next. Messages are packed; their byte
 * fields arrive as views into the message.
 */
export class Conversation<Out, In> {
  readonly #port: MessagePort;
  readonly #arrived: In[] = [];
  #waiting: { resolve: (message: In) => void; reject: (error: Error) => void } | null = null;
  #failure: Error | null = null;

  /** `gone`: what every wait ends with when the other side is. */
  constructor(port: MessagePort, gone: () => Error = () => new Error('the other side of the conversation is gone')) {
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

  /** As send, but `bytes` is handed over and not copied: it is gone here. For bodies, which would be most of what is packed. */
  hand({ bytes, ...rest }: Out & { bytes: Uint8Array<ArrayBuffer> }): void {
    const packed = pack(rest);
    this.#port.postMessage([packed, bytes], [packed.buffer, bytes.buffer]);
  }

  /** The other side's next message. Rejects when it is gone. */
  next(): Promise<In> {
    const message = this.#arrived.shift();
    if (message !== undefined) return Promise.resolve(message);
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** Ends every wait with this error: the other side will not answer. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#waiting?.reject(this.#failure);
    this.#waiting = null;
  }

  close(): void {
    this.#port.close();
  }
}
