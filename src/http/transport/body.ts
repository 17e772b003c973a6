import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { BodyRateGuard } from './body-rate-guard.js';
import { noteHandler } from './cork.js';
import type { HttpResponse } from './http-app.js';

/** Receives a body in chunks. */
export interface BodySink {
  /** Receives a chunk with a buffer of its own. An exception refuses the body. */
  write(bytes: Uint8Array<ArrayBuffer>): void;
  end(): void;
  refuse(error: Error): void;
  /** Returns true if it is not ready for more chunks; then it calls `resume` later. */
  mustPause?(resume: () => void): boolean;
}

/** The parts of an exchange that tell whether its body is still wanted. */
export interface BodyOwner {
  readonly headers: Readonly<Record<string, string>>;
  readonly aborted: boolean;
  readonly hasReplied: boolean;
  /** Calls back once when nothing more will be written. The response must not be used after that. */
  onFinished(callback: () => void): void;
}

/**
 * Reads a body into a sink. Refuses it with BODY_TOO_LARGE as soon as it exceeds the limit, or with
 * BODY_TOO_SLOW. Call it synchronously in the request callback.
 */
export function readBody(res: HttpResponse, owner: BodyOwner, bytesMax: number, sink: BodySink): void {
  if (Number(owner.headers['content-length'] ?? 0) > bytesMax) {
    sink.refuse(fail('BODY_TOO_LARGE', { bytesMax }));
    return;
  }
  let bytes = 0;
  let inTurn = 0;
  let refused = false;
  let paused = false;
  const resume = (): void => {
    if (!paused) return;
    paused = false;
    inTurn = 0;
    if (!owner.aborted && !owner.hasReplied) rateGuard.resume();
  };
  const refuse = (error: Error): void => {
    refused = true;
    rateGuard.stop();
    resume();
    sink.refuse(error);
  };
  const rateGuard = new BodyRateGuard(
    res,
    () => !owner.aborted && !owner.hasReplied,
    () => refuse(fail('BODY_TOO_SLOW', { bytes: LIMITS.bodyWindowBytes, seconds: LIMITS.bodyWindowMs / 1_000 })),
  );
  res.onData((chunk, last) => {
    noteHandler(res);
    // After a response, the rest of the body is not needed, and uWS aborts the process when the response object
    // is used.
    if (refused || owner.aborted || owner.hasReplied) return;
    bytes += chunk.byteLength;
    inTurn += chunk.byteLength;
    rateGuard.addBytes(chunk.byteLength);
    try {
      if (bytes > bytesMax) throw fail('BODY_TOO_LARGE', { bytesMax });
      // uWS detaches the chunk's buffer after this callback.
      if (chunk.byteLength > 0) sink.write(new Uint8Array(chunk.slice(0)));
    } catch (error) {
      // An exception that escapes a uWS callback would end the process.
      refuse(error as Error);
      return;
    }
    if (last) {
      if (paused) keepOpen(res, owner);
      rateGuard.stop();
      resume();
      sink.end();
      return;
    }
    if (paused) {
      // uWS reads until the socket is empty, and what it reads starts the timeout of an idle socket again.
      rateGuard.pause();
      return;
    }
    if (sink.mustPause?.(resume) === true) {
      paused = true;
      rateGuard.pause();
    } else if (inTurn >= LIMITS.bodySliceBytes) {
      // uWS keeps reading a socket while data is available. Pause fast senders, so that other requests are
      // served.
      paused = true;
      rateGuard.pause();
      setImmediate(resume);
    }
  });
}

/** Bytes of bodies that are being buffered or parsed, over all requests. */
let bufferedBytes = 0;

/** Counts a buffered body while it is parsed. Returns a function that releases it. */
export function reserveBodyBytes(bytes: number): () => void {
  bufferedBytes += bytes;
  return () => {
    bufferedBytes -= bytes;
  };
}

/** Buffers a body and returns it as one piece. */
export class BufferedBody implements BodySink {
  readonly refuse: (error: Error) => void;
  readonly end: () => void;
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(done: (body: Buffer) => void, refused: (error: Error) => void) {
    this.end = () => {
      const body = Buffer.concat(this.#chunks);
      this.discard();
      done(body);
    };
    this.refuse = (error) => {
      this.discard();
      refused(error);
    };
  }

  write(bytes: Uint8Array<ArrayBuffer>): void {
    if (bufferedBytes + bytes.byteLength > LIMITS.bodiesBytesMax)
      throw fail('OVERLOADED', { what: 'too many large request bodies are being received' });
    bufferedBytes += bytes.byteLength;
    this.#bytes += bytes.byteLength;
    this.#chunks.push(bytes);
  }

  /** Discards the body. */
  discard(): void {
    bufferedBytes -= this.#bytes;
    this.#bytes = 0;
    this.#chunks = [];
  }
}

/**
 * uWS closes connections that are idle for 10 s, but not those that wait for a response. After the last byte of
 * a body, `resume` makes a client idle again (uWebSockets.js 20). Each further call restarts that timeout.
 */
function keepOpen(res: HttpResponse, owner: BodyOwner): void {
  const timer = setInterval(() => {
    res.resume();
  }, LIMITS.idleSocketMs / 3).unref();
  owner.onFinished(() => {
    clearInterval(timer);
  });
}

/** Buffers a body until its receiver is known, and pauses the client meanwhile. */
export class HeldBody implements BodySink {
  #early: Uint8Array<ArrayBuffer>[] = [];
  #ended = false;
  #problem: Error | null = null;
  #resume: (() => void) | null = null;
  #sink: BodySink | null = null;

  write(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#sink === null) this.#early.push(bytes);
    else this.#sink.write(bytes);
  }

  end(): void {
    this.#ended = true;
    this.#sink?.end();
  }

  refuse(error: Error): void {
    this.#early = [];
    this.#problem = error;
    this.#sink?.refuse(error);
  }

  mustPause(resume: () => void): boolean {
    if (this.#sink !== null) return this.#sink.mustPause?.(resume) === true;
    this.#resume = resume;
    return true;
  }

  /** True if the body has ended or was refused. */
  get hasEnded(): boolean {
    return this.#ended || this.#problem !== null;
  }

  get isRefused(): boolean {
    return this.#problem !== null;
  }

  /** Discards the body. The rest is still read, so that the client gets to read the response. */
  discard(): void {
    if (this.#sink === null) this.pipeTo({ write: () => undefined, end: () => undefined, refuse: () => undefined });
  }

  pipeTo(sink: BodySink): void {
    this.#sink = sink;
    try {
      for (const bytes of this.#early) sink.write(bytes);
    } catch (error) {
      this.#problem = error as Error;
    }
    this.#early = [];
    if (this.#problem !== null) sink.refuse(this.#problem);
    else if (this.#ended) sink.end();
    else if (this.#resume !== null && sink.mustPause?.(this.#resume) !== true) this.#resume();
  }
}
