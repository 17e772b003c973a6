/** A streamed response to a client that reads slowly, with sockets as uWebSockets.js has them. */
import t from 'tap';
import { KiB, LIMITS } from '../../src/base/limits.js';
import { ResponseStream } from '../../src/http/transport/response-stream.js';
import type { HttpResponse } from '../../src/http/transport/http-app.js';

/**
 * Keeps what the system's buffer does not take, sends it with the next write or at the end of a cork, and says before
 * that it takes more.
 */
class SlowSocket {
  /** Bytes that fit into the system's buffer. */
  #free = 0;
  #kept = 0;
  keptMax = 0;
  sent = 0;
  #onWritable: (offset: number) => boolean = () => true;

  write(chunk: Uint8Array | string): boolean {
    this.#kept += chunk.length;
    this.keptMax = Math.max(this.keptMax, this.#flush());
    return this.#kept === 0;
  }

  #flush(): number {
    const bytes = Math.min(this.#free, this.#kept);
    this.#free -= bytes;
    this.#kept -= bytes;
    this.sent += bytes;
    return this.#kept;
  }

  /** The client has read so much. */
  read(bytes: number): void {
    this.#free += bytes;
    this.#onWritable(0);
  }

  cork(callback: () => void): this {
    callback();
    this.#flush();
    return this;
  }

  onWritable(callback: (offset: number) => boolean): this {
    this.#onWritable = callback;
    return this;
  }
}

t.test('a client that reads in small steps occupies no more memory than one that does not read', (t) => {
  const socket = new SlowSocket();
  const stream = new ResponseStream(socket as unknown as HttpResponse, {
    isAborted: () => false,
    onEnd: () => undefined,
    onWritten: () => undefined,
  });
  stream.start((write) => write());
  const bytes = Buffer.alloc(4 * 1024 * KiB);
  let rest: Uint8Array | null = stream.write(bytes);
  stream.onDrain = () => {
    while (rest !== null && stream.writable) rest = stream.write(rest);
  };
  let steps = 0;
  for (; socket.sent < bytes.length && steps < 1_000; steps += 1) socket.read(20 * KiB);
  t.ok(socket.sent >= bytes.length, `everything arrives: ${socket.sent} bytes after ${steps} steps`);
  t.ok(socket.keptMax <= LIMITS.writeBytesMax + 4 * LIMITS.resumedWriteBytes, `${socket.keptMax} bytes were kept`);
  t.end();
});
