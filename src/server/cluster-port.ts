import type { Logger } from '../base/log/log.js';
import type { NodeAddress } from '../base/node-address.js';
import type { ClusterConfig } from '../config/cluster.js';
import type { Config } from '../config/config.js';
import { Entrance } from '../http/forward/entrance.js';
import { Forwarder } from '../http/forward/forwarder.js';
import { METRICS_PATH, OK_PATH } from '../http/route.js';
import { OK_BODY } from '../http/routes/meta.js';
import { buildRouteTable } from '../http/routes/index.js';
import type { Transport } from '../http/transport/create-app.js';
import type { HttpApp, HttpRequest, HttpResponse, RouteCallback, Sockets } from '../http/transport/http-app.js';
import { writeStatus } from '../http/transport/response-head.js';
import type { TakeoverReason } from '../store/cluster/cluster-node.js';
import { listenOn, type Listening } from './listen.js';

/** A public port that nothing is bound to yet. */
export interface PublicApp {
  app: HttpApp;
  transport: Transport;
  sockets: Sockets;
}

/** The node behind a public port. */
export interface PortUser {
  /** Null while no node serves. */
  findOwner: () => NodeAddress | null;
  /** While it returns false, requests are passed on. */
  isServing: () => boolean;
  /** Called when another one takes its place. */
  onReplaced: () => void;
}

const NOBODY: PortUser = { findOwner: () => null, isServing: () => false, onReplaced: () => undefined };

/**
 * The public port of a node in a cluster. It is open from the start, whoever the owner is. It outlives the server that
 * is behind it: a drained owner hands over, and waits again.
 */
export class ClusterPort {
  /** Of the process, in the database of the cluster. */
  readonly nodeId: string;
  readonly publicApp: PublicApp;
  /** The owner binds its routes here. */
  readonly entrance: Entrance;
  readonly forwarder: Forwarder;
  /** How often this process has become the owner. */
  readonly takeovers: Record<TakeoverReason, number> = { first: 0, left: 0, lost: 0 };
  /** Answers requests for the metrics of this node; null before its workers have started. */
  onMetrics: RouteCallback | null = null;
  readonly #prefix: string;
  #user = NOBODY;
  #listening: Listening | null = null;

  private constructor(
    publicApp: PublicApp,
    config: Config & { cluster: ClusterConfig },
    { nodeId, log }: { nodeId: string; log: Logger },
  ) {
    this.nodeId = nodeId;
    this.publicApp = publicApp;
    this.#prefix = config.api.mountPrefix;
    this.forwarder = new Forwarder({
      key: config.cluster.nodeKey,
      findOwner: () => this.#user.findOwner(),
      mountPrefix: config.api.mountPrefix,
      messageBytesMax: config.bodyBytesMax,
      log,
    });
    this.entrance = new Entrance(publicApp.app, {
      target: this.forwarder,
      socketPatterns: socketPatterns(config),
      findOwn: (req) => this.#findOwn(req),
      isServing: () => this.#user.isServing(),
    });
  }

  /** Throws PORT_IN_USE. */
  static async open(
    publicApp: PublicApp,
    config: Config & { cluster: ClusterConfig },
    { nodeId, log, user }: { nodeId: string; log: Logger; user: PortUser },
  ): Promise<ClusterPort> {
    const port = new ClusterPort(publicApp, config, { nodeId, log });
    port.use(user);
    try {
      port.#listening = await listenOn(port.entrance, config);
    } catch (error) {
      // One of its ports may be open.
      port.entrance.close();
      throw error;
    }
    return port;
  }

  get listening(): Listening {
    return this.#listening!;
  }

  /** Puts another node behind the port. */
  use(user: PortUser): void {
    const before = this.#user;
    this.#user = user;
    before.onReplaced();
  }

  /** Health checks ask about this process, which works although it is not the owner. */
  #findOwn(req: HttpRequest): RouteCallback | null {
    const path = req.getUrl();
    if (path === OK_PATH || path === this.#prefix + OK_PATH) return answerOk;
    const isOwn =
      path === this.#prefix + METRICS_PATH && new URLSearchParams(req.getQuery() ?? '').get('node') === 'self';
    return isOwn ? (this.onMetrics ?? answerStarting) : null;
  }

  close(): void {
    this.use(NOBODY);
    this.#listening?.stopListening();
    this.entrance.close();
    this.forwarder.close();
  }
}

function socketPatterns({ api, bodyBytesMax }: Config): string[] {
  const { served } = buildRouteTable({ ...api, bodyBytesMax, metrics: () => ({ text: never, json: never }) });
  return served.filter(({ openSocket }) => openSocket !== null).map(({ path }) => api.mountPrefix + path);
}

function never(): never {
  throw new Error('these routes are never called');
}

function answerOk(res: HttpResponse): void {
  answer(res, 200, OK_BODY);
}

function answerStarting(res: HttpResponse): void {
  answer(res, 503, '{"detail":"This node is starting."}');
}

function answer(res: HttpResponse, status: number, body: string): void {
  res.onAborted(() => undefined);
  res.cork(() => {
    writeStatus(res, status);
    res.writeHeader('content-type', 'application/json');
    res.end(Buffer.from(body));
  });
}
