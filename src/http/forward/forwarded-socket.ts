import { WebSocket as Upstream } from 'ws';
import { LIMITS } from '../../base/limits.js';
import { formatAddress, type NodeAddress } from '../../base/node-address.js';
import type { HttpRequest, HttpResponse, UpgradeContext, WebSocket } from '../transport/http-app.js';
import { NOT_SERVING_STATUS } from './not-serving.js';
import { nodeClientTls } from './node-tls.js';
import { copyHead, type RequestHead } from './request-head.js';

/** uWebSockets.js copies the members of this object. */
export interface SocketData {
  socket: ForwardedSocket;
}

/** Codes of closes (RFC 6455, 7.4.1, and the registry of IANA). */
const NORMAL = 1_000;
const NO_CODE = 1_005;
export const SERVICE_RESTART = 1_012;
const TRY_AGAIN_LATER = 1_013;
/** A refused handshake closes the client's socket with this plus the status, as http/transport/socket.ts does. */
const CLOSE_OF_STATUS = 4_000;

/**
 * A WebSocket of a client while it is passed on. The client's handshake is completed first, because uWebSockets.js can
 * close a socket that is accepted later (docs/decisions/0050-transports.md).
 */
export class ForwardedSocket {
  readonly #head: RequestHead;
  readonly #options: { key: Buffer; messageBytesMax: number };
  #upstream: { ws: Upstream; address: NodeAddress } | null = null;
  #client: WebSocket<unknown> | null = null;
  #isClosed = false;
  /** Messages of the client that arrived before the owner took the socket. */
  #early: { message: Buffer; isBinary: boolean }[] = [];
  #earlyBytes = 0;
  /** Called when the client's socket is open. */
  onOpened: () => void = () => undefined;
  /** Called once, when the client's socket is closed. */
  onClosed: () => void = () => undefined;

  /** Create it in the route's callback. */
  constructor(req: HttpRequest, options: { key: Buffer; messageBytesMax: number }) {
    this.#head = copyHead(req);
    this.#options = options;
  }

  /** The client has disconnected. */
  get isAborted(): boolean {
    return this.#isClosed;
  }

  get address(): NodeAddress | null {
    return this.#upstream?.address ?? null;
  }

  /** Completes the client's handshake. */
  accept(res: HttpResponse, context: UpgradeContext): void {
    const [protocol = ''] = protocolsOf(this.#head);
    const key = String(this.#head.headers['sec-websocket-key'] ?? '');
    res.upgrade<SocketData>({ socket: this }, key, protocol, '', context);
  }

  /** Ends the connection to a node that does not serve any more. */
  breakOff(): void {
    this.#upstream?.ws.terminate();
  }

  /** Resolves with false when the owner could not be reached, and with true when it took or refused the socket. */
  connect(address: NodeAddress): Promise<boolean> {
    const ws = new Upstream(`wss://${formatAddress(address)}${toAscii(this.#head.target)}`, protocolsOf(this.#head), {
      headers: withoutHandshake(this.#head.headers),
      maxPayload: this.#options.messageBytesMax,
      perMessageDeflate: false,
      handshakeTimeout: LIMITS.forwardHoldMs,
      ...nodeClientTls(this.#options.key),
    });
    this.#upstream = { ws, address };
    return new Promise((resolve) => {
      ws.once('error', () => resolve(false));
      ws.once('open', () => {
        this.#join(ws);
        resolve(true);
      });
      ws.once('unexpected-response', (request, { statusCode }) => {
        request.destroy();
        if (statusCode === NOT_SERVING_STATUS) resolve(false);
        else {
          this.close(CLOSE_OF_STATUS + statusCode!, 'the owner of the cluster refused the connection');
          resolve(true);
        }
      });
    });
  }

  /** Closes the client's socket. */
  close(code: number, reason: string): void {
    const client = this.#client;
    this.#client = null;
    client?.end(code, Buffer.from(reason));
  }

  onOpen(client: WebSocket<unknown>): void {
    this.#client = client;
    this.onOpened();
  }

  onMessage(message: Buffer, isBinary: boolean): void {
    const ws = this.#upstream?.ws;
    if (ws?.readyState === Upstream.OPEN) {
      ws.send(message, { binary: isBinary });
      // The transport cannot stop a client from sending.
      if (ws.bufferedAmount > this.#bufferedBytesMax) this.close(TRY_AGAIN_LATER, 'the owner does not keep up');
      return;
    }
    this.#early.push({ message, isBinary });
    this.#earlyBytes += message.byteLength;
    if (this.#earlyBytes > this.#bufferedBytesMax) this.close(TRY_AGAIN_LATER, 'there is no owner yet');
  }

  onDrain(): void {
    if (this.#client !== null && this.#client.getBufferedAmount() < LIMITS.socketBufferedBytesMax)
      this.#upstream?.ws.resume();
  }

  onClose(): void {
    this.#client = null;
    this.#isClosed = true;
    this.#early = [];
    this.#upstream?.ws.close();
    this.onClosed();
  }

  get #bufferedBytesMax(): number {
    return this.#options.messageBytesMax + LIMITS.socketBufferedBytesMax;
  }

  #join(ws: Upstream): void {
    ws.on('message', (message: Buffer, isBinary) => {
      const client = this.#client;
      if (client === null) return;
      client.send(message, isBinary);
      if (client.getBufferedAmount() >= LIMITS.socketBufferedBytesMax) ws.pause();
    });
    ws.on('error', () => undefined);
    ws.once('close', (code, reason) => this.close(closeCode(code), reason.toString()));
    if (this.#isClosed) ws.close();
    for (const { message, isBinary } of this.#early.splice(0)) ws.send(message, { binary: isBinary });
  }
}

/** 1006 stands for a connection that was lost, and may not be sent. */
function closeCode(code: number): number {
  if (code === NO_CODE) return NORMAL;
  return code === 1_006 ? SERVICE_RESTART : code;
}

function protocolsOf({ headers }: RequestHead): string[] {
  return [headers['sec-websocket-protocol'] ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** The transport decodes bytes that should have been escaped, and node:http sends none. */
function toAscii(target: string): string {
  return target.replace(/[^!-~]+/gu, (text) => encodeURIComponent(text.toWellFormed()));
}

/** The handshake with the owner has its own. */
function withoutHandshake(headers: RequestHead['headers']): RequestHead['headers'] {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('sec-websocket-') && name !== 'transfer-encoding'),
  );
}
