import type { NodeAddress } from '../../base/node-address.js';
import { CLIENT_ADDRESS_HEADER } from '../transport/exchange.js';
import type { HttpRequest, HttpResponse } from '../transport/http-app.js';
import type { ChannelClient, ClientStream, ForwardedResponse } from './channel/channel-client.js';
import type { OwnerChannels } from './owner-channels.js';
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

/** A try to send a request. */
interface Attempt {
  address: NodeAddress;
  /** Null while the channel is connecting. */
  stream: ClientStream | null;
  /** Ends the try before the request is sent. */
  giveUp: () => void;
}

/** A request of a client while it is passed on. */
export class ForwardedRequest {
  readonly #res: HttpResponse;
  readonly #head: RequestHead;
  readonly #body: ForwardedBody;
  readonly #relay: ResponseRelay;
  readonly #mountPrefix: string;
  #attempt: Attempt | null = null;
  #isAborted = false;

  /** Create it in the route's callback. */
  constructor(res: HttpResponse, req: HttpRequest, { kept, mountPrefix }: { kept: KeptBytes; mountPrefix: string }) {
    this.#res = res;
    this.#mountPrefix = mountPrefix;
    res.onAborted(() => {
      this.#isAborted = true;
      this.#body.close();
      this.#relay.abort();
      this.breakOff();
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
    return this.#attempt?.address ?? null;
  }

  /** Ends the try: the node at that address does not serve any more, or the client has disconnected. */
  breakOff(): void {
    if (this.#attempt === null) return;
    if (this.#attempt.stream === null) this.#attempt.giveUp();
    else this.#attempt.stream.reset();
  }

  /**
   * Sends it, or asks for the rest of a response that broke off. Resolves when the response is complete, or when there
   * is none. Throws unless `canRepeat`.
   */
  async sendTo(address: NodeAddress, channels: OwnerChannels): Promise<Outcome> {
    const { continuation } = this.#relay;
    const response = await (continuation === null
      ? this.#exchange(address, channels, this.#head, (sink) => this.#body.sendTo(sink))
      : this.#exchange(address, channels, this.#continuing(continuation), (sink) => sink.end()));
    if (typeof response === 'string') {
      this.#body.detach();
      return response;
    }
    // An owner that answers before it has the whole body does not want the rest.
    this.#body.discard();
    return (await this.#relay.run(response)) ? 'answered' : 'interrupted';
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
      Object.entries(this.#head.headers).filter(
        ([name]) => !name.startsWith('content-') && name !== 'transfer-encoding',
      ),
    );
    // Everything since the beginning, where nothing had arrived of a new run.
    const after = lastEventId ?? (this.#head.method === 'GET' ? null : '-1');
    if (after !== null) headers['last-event-id'] = after;
    return { method: 'GET', target: this.#mountPrefix + path, headers, hasBody: false };
  }

  async #exchange(
    address: NodeAddress,
    channels: OwnerChannels,
    head: RequestHead,
    sendBody: (sink: BodySink) => void,
  ): Promise<ForwardedResponse | 'not-sent' | 'unknown'> {
    const channel = channels.find(address) ?? (await this.#connect(address, channels));
    if (channel === null || this.#isAborted) return 'not-sent';
    const stream = channel.request(head);
    this.#attempt = { address, stream, giveUp: () => undefined };
    stream.onDrain = () => this.#body.resume();
    sendBody(stream);
    const response = await stream.response;
    if (response === 'refused') return 'not-sent';
    return response === 'broken' ? 'unknown' : response;
  }

  /** Resolves with null when the node cannot be reached, or the try was given up. */
  #connect(address: NodeAddress, channels: OwnerChannels): Promise<ChannelClient | null> {
    return new Promise((resolve) => {
      this.#attempt = { address, stream: null, giveUp: () => resolve(null) };
      channels.connect(address).then(resolve, () => resolve(null));
    });
  }
}
