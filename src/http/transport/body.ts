import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { Pace } from './body-rate-guard.js';
import type { HttpResponse } from './uws.js';

/** Who takes a body, bit by bit. */
export interface BodySink {
  /** Each in memory of its own. What it throws refuses the body. */
  pass(bytes: Uint8Array<ArrayBuffer>): void;
  end(): void;
  refuse(error: Error): void;
  /** Not ready for more than what is under way: `resume` is called when it is. */
  wait?(resume: () => void): boolean;
}

/** What of a request says whether its body is still wanted. */
export interface BodyOwner {
  readonly headers: Readonly<Record<string, string>>;
  readonly aborted: boolean;
  readonly hasReplied: boolean;
  /** Called once when nothing more is written: the response may not be touched from then on. */
  onFinished(callback: () => void): void;
}

/** Reads a body into a sink, which is refused with BODY_TOO_LARGE as soon as it is, and with BODY_TOO_SLOW. Call it in the request's own turn. */
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
    if (!owner.aborted && !owner.hasReplied) pace.resume();
  };
  const refuse = (error: Error): void => {
    refused = true;
    pace.end();
    resume();
    sink.refuse(error);
  };
  const pace = new Pace(
    res,
    () => !owner.aborted && !owner.hasReplied,
    () => refuse(fail('BODY_TOO_SLOW', { bytes: LIMITS.bodyWindowBytes, seconds: LIMITS.bodyWindowMs / 1_000 })),
  );
  res.onData((chunk, last) => {
    // Once there is an answer the rest is nobody's, and uWS ends the process when its response is touched.
    if (refused || owner.aborted || owner.hasReplied) return;
    bytes += chunk.byteLength;
    inTurn += chunk.byteLength;
    pace.came(chunk.byteLength);
    try {
      if (bytes > bytesMax) throw fail('BODY_TOO_LARGE', { bytesMax });
      // The chunk is neutered when this returns.
      if (chunk.byteLength > 0) sink.pass(new Uint8Array(chunk.slice(0)));
    } catch (error) {
      // Thrown through a callback of uWS it would end the process.
      refuse(error as Error);
      return;
    }
    if (last) {
      if (paused) stayOpen(res, owner);
      pace.end();
      resume();
      sink.end();
      return;
    }
    if (paused) return;
    if (sink.wait?.(resume) === true) {
      paused = true;
      pace.pause();
    } else if (inTurn >= LIMITS.bodyTurnBytes) {
      // uWS reads a socket for as long as it is full: whoever sends faster than we take waits here, so that others have turns.
      paused = true;
      pace.pause();
      setImmediate(resume);
    }
  });
}

/** Bytes of bodies that are gathered or parsed now, over all requests. */
let gatheredBytes = 0;

/** Counts a gathered body for longer, while it is parsed. Returns how to stop that. */
export function holdBody(bytes: number): () => void {
  gatheredBytes += bytes;
  return () => {
    gatheredBytes -= bytes;
  };
}

/** A body as one piece. */
export class GatheredBody implements BodySink {
  readonly refuse: (error: Error) => void;
  readonly end: () => void;
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(done: (body: Buffer) => void, refused: (error: Error) => void) {
    this.end = () => {
      const body = Buffer.concat(this.#chunks);
      this.drop();
      done(body);
    };
    this.refuse = (error) => {
      this.drop();
      refused(error);
    };
  }

  pass(bytes: Uint8Array<ArrayBuffer>): void {
    if (gatheredBytes + bytes.byteLength > LIMITS.bodiesBytesMax)
      throw fail('OVERLOADED', { what: 'too many large bodies are on their way' });
    gatheredBytes += bytes.byteLength;
    this.#bytes += bytes.byteLength;
    this.#chunks.push(bytes);
  }

  /** Nobody takes it any more. */
  drop(): void {
    gatheredBytes -= this.#bytes;
    this.#bytes = 0;
    this.#chunks = [];
  }
}

/**
 * uWS closes what is idle for 10 s, but not who waits for an answer; `resume` after the last byte makes such a client an
 * idle one again (uWebSockets.js 20). Each further call gives it as long once more.
 */
function stayOpen(res: HttpResponse, owner: BodyOwner): void {
  const timer = setInterval(() => {
    res.resume();
  }, LIMITS.idleSocketMs / 3).unref();
  owner.onFinished(() => {
    clearInterval(timer);
  });
}

/** Keeps what comes until it is known who takes it; the client is made to wait with the rest. */
export class HeldBody implements BodySink {
  #early: Uint8Array<ArrayBuffer>[] = [];
  #ended = false;
  #problem: Error | null = null;
  #resume: (() => void) | null = null;
  #sink: BodySink | null = null;

  pass(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#sink === null) this.#early.push(bytes);
    else this.#sink.pass(bytes);
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

  wait(resume: () => void): boolean {
    if (this.#sink === null) this.#resume = resume;
    return this.#sink === null;
  }

  /** It came to its end, or to one of its own making. */
  get over(): boolean {
    return this.#ended || this.#problem !== null;
  }

  get refused(): boolean {
    return this.#problem !== null;
  }

  /** Nobody takes it: the rest is read and forgotten, so that the client comes to read the answer. */
  drop(): void {
    if (this.#sink === null) this.to({ pass: () => undefined, end: () => undefined, refuse: () => undefined });
  }

  to(sink: BodySink): void {
    this.#sink = sink;
    try {
      for (const bytes of this.#early) sink.pass(bytes);
    } catch (error) {
      this.#problem = error as Error;
    }
    this.#early = [];
    if (this.#problem !== null) sink.refuse(this.#problem);
    else if (this.#ended) sink.end();
    else this.#resume?.();
  }
}
