import type { Exchange } from './exchange.js';
import type { ResponseStream } from './response-stream.js';

/** The client's end: takes bytes at the client's pace. */
export class Sink {
  readonly #out: ResponseStream;
  #wake: () => void = () => undefined;

  constructor(exchange: Exchange, out: ResponseStream) {
    this.#out = out;
    out.onDrain = () => this.#wake();
    exchange.onAborted(() => this.#wake());
  }

  /** Resolves when the socket has taken all of it, or the client is gone. */
  async take(bytes: Uint8Array): Promise<void> {
    let rest = bytes.byteLength === 0 ? null : this.#out.write(bytes);
    while (!this.#out.closed && (rest !== null || !this.#out.writable)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      if (rest !== null) rest = this.#out.write(rest);
    }
  }
}
