import { fail } from '../../base/errors.js';
import { BufferedBody, HeldBody, readBody, type BodyOwner, type BodySink } from './body.js';
import type { HttpResponse } from './http-app.js';

/** How much of a body is still on its way when the response is written. */
export type UnreadRest = 'none' | 'unread' | 'endless';

/** Receives the pieces of a body. An exception refuses the body. */
export interface BodyReceiver {
  pass(bytes: Uint8Array<ArrayBuffer>): void;
  /** See `BodySink.mustPause`. */
  mustPause(resume: () => void): boolean;
}

/** The body of one request: read at once, or held until its size, its type and its sender are checked. */
export class RequestBody {
  readonly #res: HttpResponse;
  readonly #owner: BodyOwner & { onAborted(callback: () => void): void };
  #held: HeldBody | null = null;

  constructor(res: HttpResponse, owner: BodyOwner & { onAborted(callback: () => void): void }) {
    this.#res = res;
    this.#owner = owner;
  }

  /** Bytes of the body as the client declares them: 0 without a body, null when the client does not say. */
  get length(): number | null {
    const { headers } = this.#owner;
    const length = headers['content-length'];
    return length !== undefined ? Number(length) : headers['transfer-encoding'] === undefined ? 0 : null;
  }

  /**
   * Keeps the body until `read` or `forward`, which may then come later than the route's callback. The client waits
   * meanwhile.
   */
  hold(bytesMax: number): void {
    if (this.#held !== null) return;
    this.#held = new HeldBody();
    readBody(this.#res, this.#owner, bytesMax, this.#held);
  }

  /** Puts other bytes in the place of those that were sent. The caller changes the headers. */
  replace(bytes: Uint8Array<ArrayBuffer>): void {
    this.#held = new HeldBody();
    if (bytes.byteLength > 0) this.#held.write(bytes);
    this.#held.end();
  }

  /** Frees what is held. */
  drop(): void {
    this.#held?.discard();
  }

  /**
   * The whole body. Rejects with BODY_TOO_LARGE as soon as it is too large, with BODY_TOO_SLOW, and with OVERLOADED
   * when the bodies of all requests together are too large. Never settles when the client disconnects.
   */
  read(bytesMax: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const gathered = new BufferedBody(resolve, reject);
      this.#owner.onAborted(() => gathered.discard());
      this.#passTo(gathered, bytesMax);
    });
  }

  /**
   * Passes on the body in pieces, each in memory of its own. Resolves after the last piece. Rejects with BODY_TOO_LARGE
   * as soon as the body is too large, with BODY_TOO_SLOW, and with REQUEST_ABORTED when the client disconnects. Call it
   * in the route's callback unless the body is held; afterwards uWS has dropped it.
   */
  forward(bytesMax: number, { pass, mustPause }: BodyReceiver): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#owner.onAborted(() => reject(fail('REQUEST_ABORTED', {})));
      this.#passTo({ write: pass, end: resolve, refuse: reject, mustPause }, bytesMax);
    });
  }

  /** A held body of known length is read to its end. For one of unknown length nobody knows how much is to come. */
  get rest(): UnreadRest {
    if (this.#held === null || this.#held.isRefused) return 'unread';
    return !this.#held.hasEnded && this.length === null ? 'endless' : 'none';
  }

  #passTo(sink: BodySink, bytesMax: number): void {
    if (this.#held === null) readBody(this.#res, this.#owner, bytesMax, sink);
    else if ((this.length ?? 0) > bytesMax) sink.refuse(fail('BODY_TOO_LARGE', { bytesMax }));
    else this.#held.pipeTo(limited(sink, bytesMax));
  }
}

/** The same sink, but it refuses a body over `bytesMax`. */
function limited(sink: BodySink, bytesMax: number): BodySink {
  let bytes = 0;
  return {
    write(chunk) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw fail('BODY_TOO_LARGE', { bytesMax });
      sink.write(chunk);
    },
    end: () => sink.end(),
    refuse: (error) => sink.refuse(error),
    mustPause: (resume) => sink.mustPause?.(resume) === true,
  };
}
