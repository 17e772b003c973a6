import { LIMITS } from '../../base/limits.js';
import type { HttpResponse } from '../transport/http-app.js';
import type { ForwardedResponse } from './channel/channel-client.js';
import { CONTINUE_HEADER } from './continue-headers.js';
import { isHopHeader } from '../transport/hop-headers.js';
import { EventCut, ResultCut, type StreamCut } from './stream-cut.js';

/** Statuses whose responses have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

/** How the response continues when its node is lost. */
export interface Continuation {
  /** With the query, and without the mount prefix. */
  path: string;
  lastEventId: string | null;
}

/** Passes the body of a response on. */
interface BodyWriter {
  onData: (piece: Buffer) => void;
  /** Ends the client's response. */
  end: () => void;
}

/** Passes responses to the client, at the speed at which the client reads. */
export class ResponseRelay {
  readonly #res: HttpResponse;
  /** Of the request, in upper case. */
  readonly #method: string;
  #response: ForwardedResponse | null = null;
  /** Status and headers are written. */
  hasHead = false;
  /** Nothing may be written any more. */
  #isDone = false;
  #cut: StreamCut | null = null;
  #path: string | null = null;

  constructor(res: HttpResponse, method: string) {
    this.#res = res;
    this.#method = method;
  }

  /** The client has disconnected. */
  abort(): void {
    this.#isDone = true;
    this.#response?.destroy();
  }

  /** Null unless the node of this response has said how it continues. */
  get continuation(): Continuation | null {
    if (this.#isDone || this.#path === null || this.#cut?.canContinue !== true) return null;
    return { path: this.#path, lastEventId: this.#cut instanceof EventCut ? this.#cut.lastId : null };
  }

  /**
   * Passes a response on. Resolves with false when it broke off and `continuation` says how to go on; otherwise with
   * true, when nothing more is written.
   */
  async run(response: ForwardedResponse): Promise<boolean> {
    if (this.#isDone) {
      response.destroy();
      return true;
    }
    if (this.hasHead && response.statusCode !== 200) {
      response.destroy();
      this.breakOff();
      return true;
    }
    this.#response = response;
    this.#expect(response);
    const isWhole = await this.#pass(response);
    if (isWhole || this.continuation !== null) return isWhole;
    this.breakOff();
    return true;
  }

  /** Ends the connection: the client must not take the beginning of a response for all of it. */
  breakOff(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#res.close();
  }

  #expect(response: ForwardedResponse): void {
    this.#path = response.header(CONTINUE_HEADER);
    this.#cut?.restart();
    if (this.#cut === null && this.#path !== null)
      this.#cut =
        response.header('content-type')?.startsWith('text/event-stream') === true ? new EventCut() : new ResultCut();
  }

  /** Resolves with false when the response broke off. */
  #pass(response: ForwardedResponse): Promise<boolean> {
    const length = response.header('content-length');
    return new Promise((resolve) => {
      const { onData, end } =
        this.#method === 'HEAD' || BODILESS.has(response.statusCode)
          ? this.#passHead(response, length)
          : // Sent in one piece, so that the client learns its length.
            !this.hasHead && length !== null && Number(length) <= LIMITS.forwardKeptBytesMax
            ? this.#passWhole()
            : this.#passPieces(response);
      response.receive({
        onData,
        onEnd: (isComplete) => {
          if (isComplete) {
            this.#write(response, end);
            this.#isDone = true;
          }
          resolve(isComplete);
        },
      });
    });
  }

  #write(response: ForwardedResponse, write: () => void): void {
    if (this.#isDone) return;
    this.#res.cork(() => {
      if (!this.hasHead) this.#writeHead(response);
      this.hasHead = true;
      write();
    });
  }

  #writeHead({ status, fields }: ForwardedResponse): void {
    this.#res.writeStatus(status);
    for (let at = 0; at < fields.length; at += 2) {
      const name = fields[at]!.toLowerCase();
      // The transport writes the length and the date itself.
      if (!isHopHeader(name) && name !== 'content-length' && name !== 'date' && name !== CONTINUE_HEADER)
        this.#res.writeHeader(name, fields[at + 1]!);
    }
  }

  #passHead({ statusCode }: ForwardedResponse, length: string | null): BodyWriter {
    return {
      onData: () => undefined,
      end: () => {
        // As in exchange.ts: uWS takes only a missing argument for no length, and closes the connection at any other.
        if (length !== null && !BODILESS.has(statusCode)) this.#res.writeHeader('content-length', length);
        this.#res.endWithoutBody();
      },
    };
  }

  #passWhole(): BodyWriter {
    const pieces: Buffer[] = [];
    return {
      onData: (piece) => pieces.push(piece),
      end: () => this.#res.end(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)),
    };
  }

  #passPieces(response: ForwardedResponse): BodyWriter {
    const cut = this.#cut;
    this.#res.onWritable(() => {
      this.#response?.resume();
      return true;
    });
    return {
      onData: (piece) => {
        const bytes = cut === null ? piece : cut.add(piece);
        if (bytes.byteLength === 0) return;
        this.#write(response, () => {
          if (!this.#res.write(bytes)) response.pause();
        });
      },
      end: () => this.#res.end(),
    };
  }
}
