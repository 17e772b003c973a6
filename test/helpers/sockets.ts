import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { WireEvent } from './protocol.js';

export interface SocketAnswer {
  type: 'success' | 'error';
  id: number | null;
  result?: Record<string, unknown>;
  error?: string;
  message?: string;
}

/** A WebSocket of a thread that keeps all it is told. */
export class TestSocket {
  readonly ws: WebSocket;
  readonly events: WireEvent[] = [];
  readonly answers: SocketAnswer[] = [];
  /** Everything, as it came. */
  readonly told: (WireEvent | SocketAnswer)[] = [];
  #id = 0;
  #closed: string | null = null;
  #wakes: (() => void)[] = [];

  constructor(url: string, threadId: string, headers: Record<string, string> = {}) {
    this.ws = new WebSocket(`${url.replace(/^http/, 'ws')}/threads/${threadId}/stream/events`, { headers });
    this.ws.on('message', (bytes: Buffer) => {
      const message = JSON.parse(bytes.toString()) as WireEvent | SocketAnswer;
      this.told.push(message);
      if ('method' in message) this.events.push(message);
      else this.answers.push(message);
      for (const wake of this.#wakes.splice(0)) wake();
    });
    this.ws.on('close', (code, reason) => {
      this.#closed = `${code} ${reason.toString()}`;
      for (const wake of this.#wakes.splice(0)) wake();
    });
  }

  async open(): Promise<this> {
    await once(this.ws, 'open');
    return this;
  }

  /** Sends a command and waits for its answer. */
  async ask(method: string, params: object = {}): Promise<SocketAnswer> {
    const id = (this.#id += 1);
    this.ws.send(JSON.stringify({ id, method, params }));
    return this.until(() => this.answers.find((answer) => answer.id === id));
  }

  /** Waits for what `find` finds in what was told. Throws if the socket is closed before. */
  async until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (this.#closed !== null) throw new Error(`The socket was closed: ${this.#closed}`);
      await new Promise<void>((resolve) => {
        this.#wakes.push(resolve);
      });
    }
  }

  /** Resolves with code and reason of the close. */
  async closed(): Promise<[code: number, reason: string]> {
    const [code, reason] = (await once(this.ws, 'close')) as [number, Buffer];
    return [code, reason.toString()];
  }
}
