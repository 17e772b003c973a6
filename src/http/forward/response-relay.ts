import type { IncomingMessage } from 'node:http';
import { LIMITS } from '../../base/limits.js';
import type { HttpResponse } from '../transport/http-app.js';
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

/** Passes responses to the client, at the speed at which the client reads. */
export class ResponseRelay {
  readonly #res: HttpResponse;
  /** Of the request, in upper case. */
  readonly #method: string;
  #response: IncomingMessage | null = null;
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
  async run(response: IncomingMessage): Promise<boolean> {
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

  #expect({ headers }: IncomingMessage): void {
    const path = headers[CONTINUE_HEADER];
    this.#path = typeof path === 'string' ? path : null;
    this.#cut?.restart();
    if (this.#cut === null && this.#path !== null)
      this.#cut = headers['content-type']?.startsWith('text/event-stream') === true ? new EventCut() : new ResultCut();
  }

  /** Resolves with false when the response broke off. */
  #pass(response: IncomingMessage): Promise<boolean> {
    const { statusCode, headers } = response;
    const length = headers['content-length'] === undefined ? null : Number(headers['content-length']);
    return new Promise((resolve) => {
      response.once('error', () => resolve(false));
      response.once('close', () => resolve(response.complete));
      if (this.#method === 'HEAD' || BODILESS.has(statusCode!)) this.#passHead(response, length);
      // Sent in one piece, so that the client learns its length.
      else if (!this.hasHead && length !== null && length <= LIMITS.forwardKeptBytesMax) this.#passWhole(response);
      else this.#passPieces(response);
    });
  }

  #write(response: IncomingMessage, write: () => void): void {
    if (this.#isDone) return;
    this.#res.cork(() => {
      if (!this.hasHead) this.#writeHead(response);
      this.hasHead = true;
      write();
    });
  }

  #end(response: IncomingMessage, end: () => void): void {
    this.#write(response, end);
    this.#isDone = true;
  }

  #writeHead({ statusCode, statusMessage, rawHeaders }: IncomingMessage): void {
    this.#res.writeStatus(`${statusCode} ${statusMessage}`);
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at]!.toLowerCase();
      // The transport writes the length and the date itself.
      if (!isHopHeader(name) && name !== 'content-length' && name !== 'date' && name !== CONTINUE_HEADER)
        this.#res.writeHeader(name, rawHeaders[at + 1]!);
    }
  }

  #passHead(response: IncomingMessage, length: number | null): void {
    response.resume();
    this.#end(response, () => {
      // As in exchange.ts: uWS takes only a missing argument for no length, and closes the connection at any other.
      if (length !== null && !BODILESS.has(response.statusCode!))
        this.#res.writeHeader('content-length', String(length));
      this.#res.endWithoutBody();
    });
  }

  #passWhole(response: IncomingMessage): void {
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.on('end', () => this.#end(response, () => this.#res.end(Buffer.concat(pieces))));
  }

  #passPieces(response: IncomingMessage): void {
    const cut = this.#cut;
    this.#res.onWritable(() => {
      this.#response?.resume();
      return true;
    });
    response.on('data', (piece: Buffer) => {
      const bytes = cut === null ? piece : cut.add(piece);
      if (bytes.byteLength === 0) return;
      this.#write(response, () => {
        if (!this.#res.write(bytes)) response.pause();
      });
    });
    response.on('end', () => this.#end(response, () => this.#res.end()));
  }
}
