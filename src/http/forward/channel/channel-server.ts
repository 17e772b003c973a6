import type { Link } from '../../../pool/nodes/link.js';
import { unpack } from '../../../wire/codec.js';
import { ChannelRequest } from './channel-request.js';
import { ChannelResponse } from './channel-response.js';
import { FRAME, grantedBytes, readFrame, sendFrame, type Frame, type RequestHeaders } from './frames.js';

export interface ChannelServerOptions {
  /** While it returns false, requests are refused without being looked at. */
  isServing: () => boolean;
  /** Calls the route of the request. */
  respond: (request: ChannelRequest, response: ChannelResponse) => void;
  onClosed: (channel: ChannelServer) => void;
}

/** The owner's end of a channel: takes the requests that another node passes on. */
export class ChannelServer {
  readonly #link: Link;
  readonly #options: ChannelServerOptions;
  readonly #responses = new Map<number, ChannelResponse>();

  constructor(link: Link, options: ChannelServerOptions) {
    this.#link = link;
    this.#options = options;
    link.receive(
      (message) => this.#receive(readFrame(message)),
      () => {
        for (const response of [...this.#responses.values()]) response.abort();
        options.onClosed(this);
      },
    );
  }

  close(): void {
    this.#link.close('this node does not serve any more');
  }

  /** Frames of a stream that has ended are still on their way, and are dropped. */
  #receive(frame: Frame): void {
    const { kind, stream, payload, isLast } = frame;
    if (kind === FRAME.headers) this.#begin(stream, unpack<RequestHeaders>(payload), isLast);
    else if (kind === FRAME.data) this.#responses.get(stream)?.receiveBody(payload, isLast);
    else if (kind === FRAME.window) this.#responses.get(stream)?.growWindow(grantedBytes(frame));
    else if (kind === FRAME.reset) this.#responses.get(stream)?.abort();
  }

  #begin(stream: number, headers: RequestHeaders, isLast: boolean): void {
    if (!this.#options.isServing()) {
      sendFrame(this.#link, FRAME.refused, stream, { isLast: true });
      return;
    }
    const response = new ChannelResponse(this.#link, stream, () => this.#responses.delete(stream));
    this.#responses.set(stream, response);
    this.#options.respond(new ChannelRequest(headers), response);
    if (isLast) response.receiveBody(new Uint8Array(0), true);
  }
}
