import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse, UpgradeContext } from '../http-app.js';

const NO_BYTES = new ArrayBuffer(0);

/** Turns the connection of a request into a WebSocket. */
export type Upgrade = (data: unknown) => void;

/** A response of node:http. */
export class NodeResponse implements HttpResponse {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #upgrade: Upgrade | null;
  #ended = false;

  constructor(request: IncomingMessage, response: ServerResponse, upgrade: Upgrade | null = null) {
    this.#request = request;
    this.#response = response;
    this.#upgrade = upgrade;
    // Writing to a client that has disconnected is no error of the server; `onAborted` reports the disconnection.
    response.on('error', () => undefined);
  }

  getRemoteAddressAsText(): ArrayBuffer {
    return bytesOf(Buffer.from(this.#request.socket.remoteAddress ?? ''));
  }

  writeStatus(status: string): this {
    this.#response.statusCode = Number.parseInt(status, 10);
    this.#response.statusMessage = status.slice(4);
    return this;
  }

  writeHeader(name: string, value: string): this {
    this.#response.appendHeader(name, value);
    return this;
  }

  write(chunk: Uint8Array): boolean {
    return this.#response.write(chunk);
  }

  end(body?: Uint8Array, closeConnection = false): this {
    this.#ended = true;
    if (closeConnection && !this.#response.headersSent) this.#response.setHeader('connection', 'close');
    this.#response.end(body);
    return this;
  }

  endWithoutBody(_reportedContentLength?: number, closeConnection = false): this {
    return this.end(undefined, closeConnection);
  }

  cork(callback: () => void): this {
    const { socket } = this.#response;
    socket?.cork();
    try {
      callback();
    } finally {
      socket?.uncork();
    }
    return this;
  }

  onAborted(callback: () => void): this {
    this.#response.once('close', () => {
      if (!this.#ended) callback();
    });
    return this;
  }

  onData(callback: (chunk: ArrayBuffer, isLast: boolean) => void): this {
    this.#request.on('data', (chunk: Buffer<ArrayBuffer>) => callback(bytesOf(chunk), false));
    this.#request.once('end', () => callback(NO_BYTES, true));
    return this;
  }

  onWritable(callback: (offset: number) => boolean): this {
    this.#response.on('drain', () => callback(0));
    return this;
  }

  pause(): void {
    this.#request.pause();
  }

  resume(): void {
    this.#request.resume();
  }

  close(): this {
    this.#request.socket.destroy();
    return this;
  }

  upgrade<T>(...[data]: [data: T, key: string, protocol: string, extensions: string, context: UpgradeContext]): void {
    this.#ended = true;
    this.#upgrade!(data);
  }
}

/** The memory of a chunk, without a copy where the chunk is all of it. */
function bytesOf({ buffer, byteOffset, byteLength }: Buffer<ArrayBuffer>): ArrayBuffer {
  return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
}
