import type { MessagePort } from 'node:worker_threads';
import type { FromApp, ToApp } from '../../src/wire/user-code/app.js';
import { Duplex } from '../../src/wire/user-code/duplex.js';

type Type = ToApp['type'];

interface Wait {
  types: readonly Type[];
  resolve: (message: ToApp) => void;
  reject: (error: Error) => void;
}

/**
 * The app's end of the channel for one request. Messages are awaited by type, because a body may be read while
 * a response is written.
 */
export class RequestChannel {
  readonly #conversation: Duplex<FromApp, ToApp>;
  readonly #arrived: ToApp[] = [];
  #waiting: Wait[] = [];
  #closedError: Error | null = null;
  /** Resolves when the main thread closes the channel. */
  readonly closed: Promise<void>;

  constructor(port: MessagePort) {
    this.#conversation = new Duplex<FromApp, ToApp>(port, () => new Error('the request is over'));
    this.closed = this.#listen();
  }

  send(message: FromApp): void {
    this.#conversation.send(message);
  }

  /** Transfers the bytes, which must be a buffer of their own. They are detached here afterwards. */
  sendWithBytes(message: FromApp & { bytes: Uint8Array<ArrayBuffer> }): void {
    this.#conversation.sendWithBytes(message);
  }

  /** Returns the next message of one of these types. Rejects when the request is over. */
  receive<T extends Type>(...types: T[]): Promise<ToApp & { type: T }> {
    const at = this.#arrived.findIndex(({ type }) => types.includes(type as T));
    if (at !== -1) return Promise.resolve(this.#arrived.splice(at, 1)[0] as ToApp & { type: T });
    if (this.#closedError !== null) return Promise.reject(this.#closedError);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ types, resolve: resolve as Wait['resolve'], reject });
    });
  }

  async #listen(): Promise<void> {
    try {
      for (;;) this.#deliver(await this.#conversation.receive());
    } catch (error) {
      this.#closedError = error as Error;
      for (const { reject } of this.#waiting.splice(0)) reject(this.#closedError);
    }
  }

  #deliver(message: ToApp): void {
    const wait = this.#waiting.find(({ types }) => types.includes(message.type));
    if (wait === undefined) {
      this.#arrived.push(message);
      return;
    }
    this.#waiting = this.#waiting.filter((one) => one !== wait);
    wait.resolve(message);
  }
}
