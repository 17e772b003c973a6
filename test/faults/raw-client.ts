import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A client that sends what it likes, when it likes, and hangs up, or does not. */
export class RawClient {
  readonly socket: Socket;
  /** Resolves when the connection is closed, with all that came. */
  readonly closed: Promise<string>;
  #text = '';
  #open = true;

  constructor(port: number, { reads = true } = {}) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    // Without a listener nothing is read.
    if (reads)
      this.socket.on('data', (bytes) => {
        this.#text += bytes.toString('latin1');
      });
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      this.socket.on('close', () => {
        this.#open = false;
        resolve(this.#text);
      });
    });
  }

  get text(): string {
    return this.#text;
  }

  get open(): boolean {
    return this.#open;
  }

  send(text: string): this {
    this.socket.write(Buffer.from(text, 'latin1'));
    return this;
  }

  /** Piece after piece, as long as the server listens. */
  async dribble(text: string, { bytes, everyMs }: { bytes: number; everyMs: number }): Promise<void> {
    for (let at = 0; at < text.length && this.#open; at += bytes) {
      this.send(text.slice(at, at + bytes));
      await sleep(everyMs);
    }
  }

  /** Resolves with what has come as soon as it has this in it. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.#text)) {
      if (!this.#open) throw new Error(`the connection was closed after ${JSON.stringify(this.#text)}`);
      await sleep(5);
    }
    return this.#text;
  }

  /** Gone, as a process is that was killed. */
  vanish(): void {
    this.socket.destroy();
  }
}

export function head(method: string, path: string, headers: Record<string, string> = {}): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');
}

/** A request whose body says how long it is. */
export function whole(method: string, path: string, body: unknown): string {
  const text = JSON.stringify(body);
  return `${head(method, path, { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) })}${text}`;
}

/** The body of the only answer in a text. */
export function bodyOf(text: string): string {
  return text.slice(text.indexOf('\r\n\r\n') + 4);
}
