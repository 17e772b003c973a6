import type { Exchange } from './exchange.js';
import type { ResponseStream } from './response-stream.js';

/** Writes to a client at the speed at which it reads. */
export class PacedWriter {
  readonly #out: ResponseStream;
  #wake: () => void = () => undefined;

  constructor(exchange: Exchange, out: ResponseStream) {
    this.#out = out;
    out.onDrain = () => this.#wake();
    exchange.onAborted(() => this.#wake());
  }

  /** Resolves when the socket has accepted all bytes, or the client has disconnected. */
  async write(bytes: Uint8Array): Promise<void> {
    let rest = bytes.byteLength === 0 ? null : this.#out.write(bytes);
    while (!this.#out.closed && (rest !== null || !this.#out.writable)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      if (rest !== null) rest = this.#out.write(rest);
    }
  }
}
