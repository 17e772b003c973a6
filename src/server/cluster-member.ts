import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { Log, Logger } from '../base/log/log.js';
import type { ClusterConfig } from '../config/cluster.js';
import type { Config } from '../config/config.js';
import type { ClusterFacts } from '../http/monitoring/cluster-facts.js';
import { Entrance } from '../http/forward/entrance.js';
import { Forwarder } from '../http/forward/forwarder.js';
import { SocketLink } from '../http/forward/socket-link.js';
import { OK_BODY } from '../http/routes/meta.js';
import { OK_PATH } from '../http/route.js';
import { buildRouteTable } from '../http/routes/index.js';
import { NodeApp } from '../http/transport/node/app.js';
import { writeStatus } from '../http/transport/response-head.js';
import type { HttpApp, HttpResponse, Listener } from '../http/transport/http-app.js';
import type { GraphPool } from '../pool/graphs/graph-pool.js';
import type { RunWorkerHooks } from '../pool/graphs/run-workers.js';
import { NodeWorkers, type NodeWorkersOptions } from '../pool/nodes/node-workers.js';
import { RunHost } from '../pool/nodes/run-host.js';
import type { ClusterNode } from '../store/cluster/cluster-node.js';
import { describeDurability } from '../store/cluster/postgres/durability.js';
import type { Store } from '../store/store.js';
import type { Closers } from './closers.js';
import { joinCluster, startSnapshots } from './join-cluster.js';
import { listenOn, type Listening } from './listen.js';
import { WorkerNode } from './worker-node.js';

export interface MemberOptions {
  config: Config & { cluster: ClusterConfig };
  /** The public port. */
  app: HttpApp;
  logs: Log;
}

export interface Waiting {
  /** Called once, if another node is the owner. */
  onWaiting: (listening: Listening) => void;
  /** Ends the waiting. */
  signal: AbortSignal;
}

/** This server as a node of a cluster. Its public port works from the start, whoever the owner is. */
export class ClusterMember {
  /** The public port, to which the owner binds its routes. */
  readonly entrance: Entrance;
  readonly #node: ClusterNode;
  readonly #config: MemberOptions['config'];
  readonly #log: Logger;
  readonly #forwarder: Forwarder;
  /** Takes requests of other nodes while this one is the owner. */
  #nodeApp: NodeApp | null = null;
  #listening: Listening | null = null;
  /** Lends the graph workers to the owner; null before they have started. */
  #workerNode: WorkerNode | null = null;
  #nodeWorkers: NodeWorkers | null = null;
  /** All routes are bound, and the server is not closing. */
  #isOpen = false;

  private constructor({ config, app, logs }: MemberOptions, node: ClusterNode) {
    this.#config = config;
    this.#log = logs.forModule('cluster');
    this.#node = node;
    const forwarder = new Forwarder({
      key: config.cluster.nodeKey,
      findOwner: () => node.owner,
      mountPrefix: config.api.mountPrefix,
      messageBytesMax: config.bodyBytesMax,
      log: this.#log,
    });
    this.#forwarder = forwarder;
    this.entrance = new Entrance(app, {
      target: forwarder,
      socketPatterns: socketPatterns(config),
      own: ownAnswers(config),
      isServing: this.#isServing,
    });
    node.onOwnerChanged = () => {
      forwarder.onOwnerChanged();
      this.#workerNode?.onOwnerChanged(node.knownEpoch);
    };
  }

  /** Resolves when the public port is open. `closers` gets what is open already. */
  static async join(options: MemberOptions, closers: Closers): Promise<ClusterMember> {
    const { config, logs } = options;
    const log = logs.forModule('cluster');
    const node = await joinCluster(config.cluster, config.dataFolder, log);
    closers.add(() => node.close());
    const { problems, version } = node.durability;
    for (const problem of problems) log.warn({ problem }, 'The settings of the database are not safe');
    log.info({ cluster: node.clusterId, postgres: version }, describeDurability(node.durability));
    const member = new ClusterMember(options, node);
    closers.add(() => member.#close());
    closers.add(() => node.release());
    member.#listening = await listenOn(member.entrance, config);
    return member;
  }

  /** Lends the workers of the pool to the owner until this node becomes it. The pool starts with the hooks. */
  lendWorkers(pool: GraphPool, graphs: Readonly<Record<string, string>>, closers: Closers): RunWorkerHooks {
    const { cluster, runsPerWorker } = this.#config;
    const host = new RunHost({ pool, node: cluster.nodeName, graphs, runsPerWorker, log: this.#log });
    const workerNode = new WorkerNode({
      host,
      key: cluster.nodeKey,
      findOwner: () => this.#node.owner,
      log: this.#log,
    });
    this.#workerNode = workerNode;
    closers.add((untilMs) => workerNode.leave(untilMs));
    return host.hooks;
  }

  /** Resolves when this node is the owner. Rejects when `signal` is aborted. */
  async becomeOwner({ onWaiting, signal }: Waiting): Promise<void> {
    let hasWaited = false;
    await this.#node.becomeOwner(signal, (owner) => {
      this.#log.info({ owner }, 'Waiting to take over, because another node is the owner');
      if (!hasWaited) onWaiting(this.listening);
      hasWaited = true;
    });
    this.#workerNode?.close(this.#node.knownEpoch);
    this.#log.info({ epoch: this.#node.epoch }, 'This node is the owner of the cluster');
  }

  get listening(): Listening {
    return this.#listening!;
  }

  /** For metrics. Call it when the store is open. */
  get facts(): ClusterFacts {
    const { position, appendedBytes, appendSeconds, isReachable } = this.#node.journal!;
    const nodes = this.#nodeWorkers?.facts ?? [];
    return { epoch: this.#node.epoch!, lastEntry: position.index, appendedBytes, appendSeconds, isReachable, nodes };
  }

  /** The store of the owner. Call it once. */
  openStore(encryptionKey: Uint8Array | null): Promise<Store> {
    return this.#node.openStore(encryptionKey);
  }

  /** Stores snapshots until the server closes. */
  startSnapshots(closers: Closers): void {
    const { cluster, dataFolder } = this.#config;
    closers.add(startSnapshots(this.#node, cluster.url, dataFolder, this.#log));
  }

  /** Takes the graph workers of other nodes while this one serves. Call it before `createNodeApp`. */
  takeWorkers(options: Omit<NodeWorkersOptions, 'onSuperseded'>): NodeWorkers {
    this.#nodeWorkers = new NodeWorkers({ ...options, onSuperseded: (epoch) => this.#node.onSuperseded(epoch) });
    return this.#nodeWorkers;
  }

  /** The app that takes requests and graph workers of other nodes. It does not listen yet. */
  createNodeApp(): HttpApp {
    this.#nodeApp = new NodeApp({
      tls: null,
      sockets: { open: 0, refused: 0 },
      connectionsMax: Infinity,
      node: {
        key: this.#config.cluster.nodeKey,
        isServing: this.#isServing,
        onLink: (socket) => this.#nodeWorkers?.accept(new SocketLink(socket)),
      },
    });
    return this.#nodeApp;
  }

  /** Serves at both ports. Call it when all routes are bound. Throws PORT_IN_USE. */
  async serve(): Promise<void> {
    const app = this.#nodeApp!;
    const { nodeAddress } = this.#config.cluster;
    const host = nodeAddress?.host ?? this.#node.localAddress ?? '127.0.0.1';
    const listener = nodeAddress === null ? await app.listen(host, 0) : await listenOnAny(app, nodeAddress.port);
    if (listener === null) throw fail('PORT_IN_USE', { host, port: nodeAddress?.port ?? 0 });
    this.#isOpen = true;
    await this.#node.announce({ host, port: listener.port });
  }

  /** Passes new requests to the next owner, and gives those that are being answered a moment to end. */
  async leave(requests: { readonly open: number }): Promise<void> {
    this.#isOpen = false;
    await this.#node.announce(null);
    const untilMs = performance.now() + LIMITS.clusterLeaveMs;
    while (requests.open > 0 && performance.now() < untilMs) await sleep(LIMITS.forwardRetryMs);
  }

  readonly #isServing = (): boolean => this.#isOpen && this.#node.isCertain;

  /** Closes the ports when the next owner has answered what waits for it. */
  async #close(): Promise<void> {
    await this.#forwarder.drain(LIMITS.forwardDrainMs);
    for (const one of [this.entrance, this.#nodeApp, this.#forwarder]) one?.close();
  }
}

/** The addresses of every network of this machine. */
async function listenOnAny(app: HttpApp, port: number): Promise<Listener | null> {
  return (await app.listen('::', port)) ?? app.listen('0.0.0.0', port);
}

function socketPatterns({ api }: Config): string[] {
  const { served } = buildRouteTable({ ...api, metrics: () => ({ text: never, json: never }) });
  return served.filter(({ openSocket }) => openSocket !== null).map(({ path }) => api.mountPrefix + path);
}

function never(): never {
  throw new Error('these routes are never called');
}

/** Health checks ask about this process, which works although it is not the owner. */
function ownAnswers({ api }: Config): Map<string, (res: HttpResponse) => void> {
  const answer = (res: HttpResponse): void => {
    res.cork(() => {
      writeStatus(res, 200);
      res.writeHeader('content-type', 'application/json');
      res.end(OK_BODY);
    });
  };
  return new Map([OK_PATH, api.mountPrefix + OK_PATH].map((path) => [path, answer]));
}
