import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { formatAddress, type NodeAddress } from '../../base/node-address.js';
import { toWireError } from '../errors.js';
import { writeHeaders, writeStatus } from '../transport/response-head.js';
import type { HttpRequest, HttpResponse, UpgradeContext, WebSocket } from '../transport/http-app.js';
import type { ForwardTarget } from './entrance.js';
import { ForwardStats, type ForwardOutcome } from './forward-stats.js';
import { ForwardedRequest, type Outcome } from './forwarded-request.js';
import { ForwardedSocket, SERVICE_RESTART, type SocketData } from './forwarded-socket.js';
import { OwnerChannels } from './owner-channels.js';

export interface ForwarderOptions {
  /** Shared by the nodes of the cluster. */
  key: Buffer;
  /** Null while no node serves. */
  findOwner: () => NodeAddress | null;
  mountPrefix: string;
  /** Largest message of a WebSocket. */
  messageBytesMax: number;
  log: Logger;
}

/** Passes requests to the owner of the cluster, and its responses back. */
export class Forwarder implements ForwardTarget {
  readonly #options: ForwarderOptions;
  readonly #channels: OwnerChannels;
  readonly #kept = { total: 0 };
  readonly #requests = new Set<ForwardedRequest>();
  readonly #sockets = new Set<ForwardedSocket>();
  readonly stats = new ForwardStats();

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#channels = new OwnerChannels(options.key);
  }

  /** Requests and WebSockets that are under way, or wait for an owner. */
  get open(): number {
    return this.#requests.size + this.#sockets.size;
  }

  request(res: HttpResponse, req: HttpRequest): void {
    const request = new ForwardedRequest(res, req, { kept: this.#kept, mountPrefix: this.#options.mountPrefix });
    this.#requests.add(request);
    const beganMs = performance.now();
    let outcome: ForwardOutcome = 'answered';
    this.#forward(request)
      .catch((error: unknown) => {
        outcome = (error as { code?: string }).code === 'CLUSTER_OUTCOME_UNKNOWN' ? 'unknown' : 'no_owner';
        const { method, path } = request;
        this.#options.log.warn({ method, path, reason: (error as Error).message }, 'A request could not be passed on');
        request.refuse((response) => this.#writeError(response, error));
      })
      .finally(() => {
        this.stats.count(request.isAborted ? 'aborted' : outcome, performance.now() - beganMs);
        request.close();
        this.#requests.delete(request);
      });
  }

  upgrade(res: HttpResponse, req: HttpRequest, context: UpgradeContext): void {
    const { key, messageBytesMax } = this.#options;
    const socket = new ForwardedSocket(req, { key, messageBytesMax });
    socket.onOpened = () => {
      this.#sockets.add(socket);
      this.#untilAnswered(socket, async (owner) => ((await socket.connect(owner)) ? 'answered' : 'not-sent')).catch(
        (error: Error) => socket.close(SERVICE_RESTART, error.message),
      );
    };
    socket.onClosed = () => this.#sockets.delete(socket);
    socket.accept(res, context);
  }

  get socketBehavior(): ForwardTarget['socketBehavior'] {
    const of = (ws: { getUserData(): unknown }): ForwardedSocket => (ws.getUserData() as SocketData).socket;
    return {
      maxPayloadBytes: this.#options.messageBytesMax,
      idleTimeoutS: LIMITS.socketIdleS,
      open: (ws) => of(ws).onOpen(ws),
      // The memory is used again after this callback.
      message: (ws, message, isBinary) => of(ws).onMessage(Buffer.from(new Uint8Array(message)), isBinary),
      drain: (ws) => of(ws).onDrain(),
      close: (ws) => of(ws).onClose(),
    };
  }

  isForwarded(ws: WebSocket<unknown>): boolean {
    return (ws.getUserData() as SocketData).socket instanceof ForwardedSocket;
  }

  /**
   * An earlier owner may never answer what was sent to it. If it is only leaving, it still does, so it gets a moment.
   */
  onOwnerChanged(): void {
    if (this.#options.findOwner() === null) return;
    setTimeout(() => this.#breakOffOthers(), LIMITS.forwardBreakMs).unref();
  }

  /** Resolves when nothing is open any more, or after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    const untilMs = performance.now() + timeoutMs;
    while (this.open > 0 && performance.now() < untilMs) await sleep(LIMITS.forwardRetryMs);
  }

  close(): void {
    this.#channels.close();
  }

  #breakOffOthers(): void {
    const owner = this.#options.findOwner();
    if (owner === null) return;
    const current = formatAddress(owner);
    for (const one of [...this.#requests, ...this.#sockets])
      if (one.address !== null && formatAddress(one.address) !== current) one.breakOff();
    this.#channels.keepOnly(owner);
  }

  async #forward(request: ForwardedRequest): Promise<void> {
    await this.#untilAnswered(request, async (owner) => {
      const outcome = await request.sendTo(owner, this.#channels);
      if (outcome === 'unknown' && !request.isSafe) throw fail('CLUSTER_OUTCOME_UNKNOWN', {});
      if (outcome !== 'answered' && !request.canRepeat) throw fail('CLUSTER_NO_OWNER', {});
      return outcome;
    });
  }

  /** Tries until there is an answer. Throws CLUSTER_NO_OWNER when there was no owner for long. */
  async #untilAnswered(
    forwarded: { readonly isAborted: boolean },
    attempt: (owner: NodeAddress) => Promise<Outcome>,
  ): Promise<void> {
    let untilMs = performance.now() + LIMITS.forwardHoldMs;
    while (!forwarded.isAborted) {
      const owner = this.#options.findOwner();
      if (owner !== null) {
        const outcome = await attempt(owner);
        if (outcome === 'answered') return;
        if (outcome === 'interrupted') untilMs = performance.now() + LIMITS.forwardHoldMs;
      }
      if (performance.now() > untilMs) throw fail('CLUSTER_NO_OWNER', {});
      await sleep(LIMITS.forwardRetryMs);
    }
  }

  #writeError(res: HttpResponse, error: unknown): void {
    const { status, body, headers } = toWireError(error, this.#options.log, 'agent', randomUUID());
    writeStatus(res, status);
    writeHeaders(res, { 'content-type': 'application/json', ...headers });
    res.end(Buffer.from(body));
  }
}
