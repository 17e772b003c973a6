import type { MessagePort } from 'node:worker_threads';
import { pack, unpack } from './codec.js';

/**
 * Two sides that take turns over a port: each sends, and awaits what the other says next. Messages are packed; their byte
 * fields arrive as views into the message.
 */
export class Conversation<Out, In> {
  readonly #port: MessagePort;
  readonly #arrived: In[] = [];
  #waiting: { resolve: (message: In) => void; reject: (error: Error) => void } | null = null;
  #failure: Error | null = null;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (bytes: Uint8Array) => {
      const message = unpack<In>(bytes);
      const waiting = this.#waiting;
      this.#waiting = null;
      if (waiting !== null) waiting.resolve(message);
      else this.#arrived.push(message);
    });
    port.on('close', () => this.fail(new Error('the other side of the conversation is gone')));
  }

  send(message: Out): void {
    const bytes = pack(message);
    this.#port.postMessage(bytes, [bytes.buffer]);
  }

  /** The other side's next message. Rejects when it is gone. */
  next(): Promise<In> {
    const message = this.#arrived.shift();
    if (message !== undefined) return Promise.resolve(message);
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => { this.#waiting = { resolve, reject }; });
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
