import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest, type Agent } from 'node:https';
import type { NodeAddress } from '../../base/node-address.js';
import { CLIENT_ADDRESS_HEADER } from '../transport/exchange.js';
import type { HttpRequest, HttpResponse } from '../transport/http-app.js';
import { NOT_SERVING_STATUS } from './not-serving.js';
import { ForwardedBody, type BodySink, type KeptBytes } from './request-body.js';
import { copyHead, type RequestHead } from './request-head.js';
import { ResponseRelay, type Continuation } from './response-relay.js';

/** What became of one try to send a request. */
export type Outcome =
  | 'answered'
  /** The node has not seen the request, or has not looked at it. */
  | 'not-sent'
  /** Nobody knows whether the request took effect. */
  | 'unknown'
  /** The response broke off, and another node can continue it. */
  | 'interrupted';

/** A request of a client while it is passed on. */
export class ForwardedRequest {
  readonly #res: HttpResponse;
  readonly #head: RequestHead;
  readonly #body: ForwardedBody;
  readonly #relay: ResponseRelay;
  readonly #mountPrefix: string;
  #upstream: { request: ClientRequest; address: NodeAddress } | null = null;
  #isAborted = false;

  /** Create it in the route's callback. */
  constructor(res: HttpResponse, req: HttpRequest, { kept, mountPrefix }: { kept: KeptBytes; mountPrefix: string }) {
    this.#res = res;
    this.#mountPrefix = mountPrefix;
    res.onAborted(() => {
      this.#isAborted = true;
      this.#body.close();
      this.#relay.abort();
      this.#upstream?.request.destroy();
    });
    this.#head = copyHead(req);
    this.#head.headers[CLIENT_ADDRESS_HEADER] = Buffer.from(res.getRemoteAddressAsText()).toString();
    this.#relay = new ResponseRelay(res, this.#head.method);
    this.#body = new ForwardedBody(res, kept);
  }

  /** The client has disconnected. */
  get isAborted(): boolean {
    return this.#isAborted;
  }

  /** In upper case. */
  get method(): string {
    return this.#head.method;
  }

  /** Without the query. */
  get path(): string {
    return this.#head.target.split('?', 1)[0]!;
  }

  /** True if sending it twice has no other effect than sending it once. */
  get isSafe(): boolean {
    const { method } = this.#head;
    return method === 'GET' || method === 'HEAD' || this.#relay.continuation !== null;
  }

  get canRepeat(): boolean {
    return this.#body.canRepeat || this.#relay.continuation !== null;
  }

  /** Where it was sent; null before that. */
  get address(): NodeAddress | null {
    return this.#upstream?.address ?? null;
  }

  /** Ends the try: the node at that address does not serve any more. */
  breakOff(): void {
    this.#upstream?.request.destroy(new Error('another node has become the owner'));
  }

  /**
   * Sends it, or asks for the rest of a response that broke off. Resolves when the response is complete, or when there
   * is none. Throws unless `canRepeat`.
   */
  async sendTo(address: NodeAddress, agent: Agent): Promise<Outcome> {
    const { continuation } = this.#relay;
    const response = await (continuation === null
      ? this.#exchange(address, agent, this.#head, (sink) => this.#body.sendTo(sink))
      : this.#exchange(address, agent, this.#continuing(continuation), (sink) => sink.end()));
    if (typeof response === 'string') {
      this.#body.detach();
      return response;
    }
    if (response.statusCode === NOT_SERVING_STATUS && this.canRepeat) {
      this.#body.detach();
      response.resume();
      return 'not-sent';
    }
    // An owner that answers before it has the whole body does not want the rest.
    this.#body.discard();
    const isWhole = await this.#relay.run(response);
    const { request } = this.#upstream!;
    if (!request.writableEnded) request.destroy();
    return isWhole ? 'answered' : 'interrupted';
  }

  /** Answers in the owner's place. A response that was begun breaks off. */
  refuse(write: (res: HttpResponse) => void): void {
    if (this.#relay.hasHead) this.#relay.breakOff();
    else if (!this.#isAborted) {
      this.#body.discard();
      this.#res.cork(() => write(this.#res));
    }
  }

  /** Call it when the request is done. */
  close(): void {
    this.#body.close();
  }

  #continuing({ path, lastEventId }: Continuation): RequestHead {
    const headers = Object.fromEntries(
      Object.entries(this.#head.headers).filter(([name]) => !name.startsWith('content-')),
    );
    // Everything since the beginning, where nothing had arrived of a new run.
    const after = lastEventId ?? (this.#head.method === 'GET' ? null : '-1');
    if (after !== null) headers['last-event-id'] = after;
    return { method: 'GET', target: this.#mountPrefix + path, headers };
  }

  #exchange(
    { host, port }: NodeAddress,
    agent: Agent,
    { method, target: path, headers }: RequestHead,
    sendBody: (sink: BodySink) => void,
  ): Promise<IncomingMessage | 'not-sent' | 'unknown'> {
    return new Promise((resolve) => {
      const request = httpsRequest({ host, port, agent, method, path, headers });
      this.#upstream = { request, address: { host, port } };
      let isConnected = false;
      request.on('socket', (socket) => {
        if (socket.connecting) socket.once('secureConnect', () => (isConnected = true));
        else isConnected = true;
      });
      request.on('drain', () => this.#body.resume());
      request.on('response', resolve);
      request.on('error', () => resolve(isConnected ? 'unknown' : 'not-sent'));
      sendBody({ write: (bytes) => request.write(bytes), end: () => request.end() });
    });
  }
}
