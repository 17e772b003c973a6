import { constants, openSync, write as writeFile, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty, WriteStream } from 'node:tty';
import { LIMITS } from './limits.js';

/** Bytes per write to the system: small enough to notice the progress of a slow reader. */
const CHUNK_BYTES = 16 * 1024;
const POLL_MS = 20;
/** Memory that a piece needs in addition to its bytes. */
const PIECE_BYTES = 128;

type Written = (error?: Error | null) => void;

/**
 * Standard output or standard error of a server. Writing never blocks and never throws, whether the reader
 * stalls or is closed, or the disk is full; at most `LIMITS.logBytesMax` wait. Text that cannot be written is
 * dropped and counted.
 *
 * Pipes, sockets and terminals are written through a non-blocking stream of Node. `fs.write` is not used there:
 * it would block a thread of libuv, and the process cannot exit before that thread returns. Files are written
 * with `fs.write`, because Node's stream for them is synchronous and throws (docs/decisions/0042).
 */
export class Output {
  /** Called when writing works again after text was dropped, with the number of dropped pieces. */
  onRecovered: (dropped: number) => void = () => undefined;
  readonly #send: (text: Buffer, written: Written) => void;
  readonly #sendNow: (text: Buffer) => void;
  /** Each piece is one call of `write`. */
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #sendingBytes = 0;
  #sent = 0;
  #dropped = 0;
  #scheduled = false;

  constructor(readonly stream: NodeJS.WriteStream & { fd: number }) {
    // Each failed write is counted through its callback; an `error` event that nobody listens to would end the process.
    stream.on('error', () => undefined);
    if (stream instanceof Socket) {
      const target = ownStream(stream.fd) ?? stream;
      const write = target.write.bind(target);
      target.on('error', () => undefined);
      this.#send = (text, written) => {
        makeNonBlocking(stream);
        makeNonBlocking(target);
        write(text, written);
      };
      this.#sendNow = write;
    } else {
      const { fd } = stream;
      this.#send = (text, written) => writeAll(fd, text, written);
      this.#sendNow = (text) => {
        writeSync(fd, text);
      };
    }
    process.on('exit', () => this.#atExit());
  }

  /**
   * Everything else in the process that writes to the stream, user code in workers included, then goes through
   * `write` too.
   */
  capture(): void {
    const write = (chunk: string | Uint8Array, encoding?: BufferEncoding | Written, callback?: Written): boolean => {
      this.write(
        typeof chunk === 'string'
          ? Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8')
          : Buffer.from(chunk),
      );
      const done = typeof encoding === 'function' ? encoding : callback;
      if (done !== undefined) process.nextTick(done);
      return true;
    };
    this.stream.write = write as typeof this.stream.write;
  }

  write(text: string | Buffer): void {
    const piece = typeof text === 'string' ? Buffer.from(text) : text;
    if (this.pendingBytes + piece.byteLength + PIECE_BYTES > LIMITS.logBytesMax) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(piece);
    this.#waitingBytes += piece.byteLength + PIECE_BYTES;
    if (this.#scheduled || this.#sendingBytes > 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#sendNext();
    });
  }

  /** 0 when everything is written. */
  get pendingBytes(): number {
    return this.#waitingBytes + this.#sendingBytes;
  }

  /** Waits until everything is written. False when nothing was taken for `quietMs`, or after `totalMs`. */
  async drained(quietMs: number, totalMs: number): Promise<boolean> {
    const start = performance.now();
    let sent = this.#sent;
    let movedAt = start;
    while (this.pendingBytes > 0) {
      await new Promise((resolve) => {
        setTimeout(resolve, POLL_MS);
      });
      const now = performance.now();
      if (sent !== this.#sent) {
        sent = this.#sent;
        movedAt = now;
      }
      if (now - movedAt >= quietMs || now - start >= totalMs) return this.pendingBytes === 0;
    }
    return true;
  }

  #sendNext(): void {
    if (this.#sendingBytes > 0 || this.#waiting.length === 0) return;
    const pieces = this.#takeChunk();
    const chunk = Buffer.concat(pieces);
    this.#sendingBytes = chunk.byteLength;
    this.#send(chunk, (error) => {
      this.#sendingBytes = 0;
      this.#sent += 1;
      if (error) this.#dropped += pieces.length;
      else if (this.#dropped > 0 && this.#waitingBytes < LIMITS.logBytesMax / 2) {
        const dropped = this.#dropped;
        this.#dropped = 0;
        this.onRecovered(dropped);
      }
      this.#sendNext();
    });
  }

  #takeChunk(): Buffer[] {
    let count = 0;
    let bytes = 0;
    while (count < this.#waiting.length && (count === 0 || bytes + this.#waiting[count]!.byteLength <= CHUNK_BYTES)) {
      bytes += this.#waiting[count]!.byteLength;
      count += 1;
    }
    this.#waitingBytes -= bytes + count * PIECE_BYTES;
    return this.#waiting.splice(0, count);
  }

  /** Offers the remaining text once, because nothing may delay the end of the process. */
  #atExit(): void {
    if (this.#waiting.length === 0) return;
    const rest = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    try {
      this.#sendNow(rest);
    } catch {
      // The disk is full.
    }
  }
}

/**
 * The same pipe or terminal, opened once more. Whether a file descriptor blocks is a property that it shares with its
 * copies in other processes, and each child process that inherits it makes it blocking again. Null where that cannot be
 * done: for sockets, for files of another user, where there is no /proc.
 */
function ownStream(fd: number): Socket | null {
  try {
    const own = openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    return isatty(own) ? new WriteStream(own) : new Socket({ fd: own, readable: false, writable: true });
  } catch {
    return null;
  }
}

/** Node makes terminals blocking: one that was stopped with Ctrl-S would stop the server. */
function makeNonBlocking(stream: Socket): void {
  (stream as unknown as { _handle?: { setBlocking?(on: boolean): unknown } | null })._handle?.setBlocking?.(false);
}

function writeAll(fd: number, text: Buffer, written: Written): void {
  writeFile(fd, text, (error, bytes) => {
    if (error !== null || bytes === text.byteLength) written(error);
    else writeAll(fd, text.subarray(bytes), written);
  });
}

let standardError: Output | null = null;

/** The one writer of standard error in this process. */
export function errorOutput(): Output {
  return (standardError ??= new Output(process.stderr));
}

/** True when unread log lines remain, which would keep the process from ending by itself. */
export function errorOutputStalled(): boolean {
  return standardError !== null && standardError.pendingBytes > 0;
}
