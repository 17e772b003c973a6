import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { Log, Logger } from '../base/log/log.js';
import type { ClusterConfig } from '../config/cluster.js';
import type { Config } from '../config/config.js';
import { loadEncryptionKey } from '../config/encryption.js';
import type { ClusterFacts } from '../http/monitoring/cluster-facts.js';
import type { RequestStats } from '../http/monitoring/request-stats.js';
import { SocketLink } from '../http/forward/socket-link.js';
import { NodeApp } from '../http/transport/node/app.js';
import type { HttpApp, Listener } from '../http/transport/http-app.js';
import type { GraphPool } from '../pool/graphs/graph-pool.js';
import type { RunWorkerHooks } from '../pool/graphs/run-workers.js';
import { NodeWorkers, type NodeWorkersOptions } from '../pool/nodes/node-workers.js';
import { RunHost, type RunHostOptions } from '../pool/nodes/run-host.js';
import type { ClusterControl } from '../services/cluster/cluster-control.js';
import type { Scheduler } from '../services/runs/scheduler.js';
import { WorkerStats } from '../services/thread-stats.js';
import type { ClusterNode, WaitReason } from '../store/cluster/cluster-node.js';
import { describeDurability } from '../store/cluster/postgres/durability.js';
import type { NodeLoad } from '../store/cluster/postgres/membership.js';
import { hasSuccessor, type NodeStatus } from '../store/cluster/postgres/nodes.js';
import type { Store } from '../store/store.js';
import type { Closers } from './closers.js';
import { ClusterPort, type PortUser, type PublicApp } from './cluster-port.js';
import { joinCluster, startSnapshots } from './join-cluster.js';
import type { Listening } from './listen.js';
import { createNodeMetricsRoute } from './node-metrics.js';
import { WorkerNode } from './worker-node.js';

export interface MemberOptions {
  config: Config & { cluster: ClusterConfig };
  /** A new public port, or the one that the node had before it handed over. */
  port: PublicApp | ClusterPort;
  logs: Log;
}

export interface Waiting {
  /** Called once, if this node does not become the owner at once. */
  onWaiting: (listening: Listening) => void;
  /** Ends the waiting. */
  signal: AbortSignal;
}

/** This server as a node of a cluster. Its public port works from the start, whoever the owner is. */
export class ClusterMember {
  readonly #node: ClusterNode;
  readonly #config: MemberOptions['config'];
  readonly #log: Logger;
  #port: ClusterPort | null = null;
  /** Takes requests of other nodes while this one is the owner. */
  #nodeApp: NodeApp | null = null;
  /** Lends the graph workers to the owner; null before they have started. */
  #lent: { pool: GraphPool; host: RunHost; workerNode: WorkerNode } | null = null;
  #nodeWorkers: NodeWorkers | null = null;
  /** All routes are bound, and the server is not closing. */
  #isOpen = false;
  #isDraining = false;
  #isKeepingPort = false;
  /** When the other nodes could see that this one does not serve any more. */
  #announcedMs = -Infinity;
  /** Those that this server has served, while it leaves. */
  #requests: RequestStats | null = null;
  #onNodesSeen: () => void = () => undefined;
  /** Called once, when the owner is drained: it executes nothing any more, and another node can take over. */
  onDrained: () => void = () => undefined;

  readonly #encryptionKey: Uint8Array | null;

  private constructor({ config, logs }: MemberOptions, node: ClusterNode) {
    const { encryption, dataFolder } = config;
    this.#encryptionKey =
      encryption === null
        ? null
        : loadEncryptionKey(encryption, dataFolder, (text) => logs.forModule('server').warn(text));
    this.#config = config;
    this.#log = logs.forModule('cluster');
    this.#node = node;
    node.load = () => this.#load;
    node.onOwnerChanged = () => {
      this.#port?.forwarder.onOwnerChanged();
      this.#lent?.workerNode.onOwnerChanged(node.knownEpoch);
    };
    node.onObserved = () => this.#onObserved();
  }

  /** Resolves when the public port is open. `closers` gets what is open already. */
  static async join(options: MemberOptions, closers: Closers): Promise<ClusterMember> {
    const { config, port, logs } = options;
    const log = logs.forModule('cluster');
    const nodeId = port instanceof ClusterPort ? port.nodeId : randomUUID();
    const node = await joinCluster(config.cluster, { nodeId, dataFolder: config.dataFolder, log });
    const member = new ClusterMember(options, node);
    closers.add(() => member.#closePort());
    closers.add(() => node.release({ joinsAgain: member.#isKeepingPort }));
    // A key that is wrong is noticed before this node is needed.
    node.openReader(member.#encryptionKey);
    const { problems, version } = node.durability;
    for (const problem of problems) log.warn({ problem }, 'The settings of the database are not safe');
    log.info({ cluster: node.clusterId, postgres: version }, describeDurability(node.durability));
    const user: PortUser = {
      findOwner: () => node.owner,
      isServing: member.#isServing,
      onReplaced: () => void node.close(),
    };
    if (port instanceof ClusterPort) port.use(user);
    member.#port = port instanceof ClusterPort ? port : await ClusterPort.open(port, config, { nodeId, log, user });
    return member;
  }

  get port(): ClusterPort {
    return this.#port!;
  }

  /** Lends the workers of the pool to the owner until this node becomes it. The pool starts with the hooks. */
  lendWorkers(
    pool: GraphPool,
    { graphs, readCode }: Pick<RunHostOptions, 'graphs' | 'readCode'>,
    closers: Closers,
  ): RunWorkerHooks {
    const { cluster, runsPerWorker } = this.#config;
    const host = new RunHost({ pool, node: cluster.nodeName, graphs, runsPerWorker, readCode, log: this.#log });
    const workerNode = new WorkerNode({
      host,
      key: cluster.nodeKey,
      findOwner: () => this.#node.owner,
      log: this.#log,
    });
    host.isDraining = this.#isDraining;
    this.#lent = { pool, host, workerNode };
    closers.add((untilMs) => workerNode.leave(untilMs));
    const threads = new WorkerStats(pool);
    closers.add(() => threads.close());
    this.port.onMetrics = createNodeMetricsRoute(this.#config, {
      sources: { threads, sockets: this.port.publicApp.sockets, cluster: () => this.facts },
      reader: () => this.#node.openReader(this.#encryptionKey),
      log: this.#log,
    });
    return host.hooks;
  }

  /** Resolves when this node is the owner. Rejects when `signal` is aborted. */
  async becomeOwner({ onWaiting, signal }: Waiting): Promise<void> {
    let hasWaited = false;
    const reason = await this.#node.becomeOwner(signal, (waiting) => {
      logWait(this.#log, waiting);
      if (!hasWaited) onWaiting(this.port.listening);
      hasWaited = true;
    });
    this.#lent?.workerNode.close(this.#node.knownEpoch);
    this.port.takeovers[reason] += 1;
    this.#log.info({ epoch: this.#node.epoch, reason }, 'This node is the owner of the cluster');
  }

  /** Names of all nodes that the cluster knows, with this one. */
  get nodeNames(): ReadonlySet<string> {
    return new Set([this.#config.cluster.nodeName, ...this.#namesOf(() => true)]);
  }

  #namesOf(fits: (node: NodeStatus) => boolean): string[] {
    return (this.#node.ownership?.nodes ?? []).filter(fits).map(({ name }) => name);
  }

  /**
   * Offers the runs that this node executes for an earlier owner to its own scheduler, which is told from now on which
   * nodes live. Call it once, as the owner.
   */
  offerOwnRuns(scheduler: Pick<Scheduler, 'onRunsOffered' | 'onNodesSeen'>): void {
    const { nodeName } = this.#config.cluster;
    if (this.#lent !== null) scheduler.onRunsOffered(nodeName, this.#lent.host.takeRuns());
    // The database may have been away, and then no node can show at once that it lives.
    const fromMs = performance.now() + LIMITS.clusterOwnerSilentMs;
    this.#onNodesSeen = () => {
      if (performance.now() > fromMs) scheduler.onNodesSeen(new Set(this.#namesOf(({ role }) => role !== 'lost')));
    };
  }

  /** An operator has asked this node to take no more runs. */
  readonly isDraining = (): boolean => this.#isDraining;

  get control(): ClusterControl {
    const node = this.#node;
    return {
      clusterId: node.clusterId,
      durability: node.durability,
      readNodes: () => node.readNodes(),
      requestDrain: (name) => node.changeDrain(name, true),
      undoDrain: (name) => node.changeDrain(name, false),
    };
  }

  /** For metrics. */
  get facts(): ClusterFacts {
    const { journal, ownership, isReachable } = this.#node;
    const { forwarder, takeovers } = this.port;
    const { workers, runs } = this.#load;
    return {
      isServing: this.#isServing(),
      list: ownership,
      clockOffsetMs: ownership?.clockOffsetMs ?? null,
      isReachable,
      takeovers,
      log:
        journal === null
          ? null
          : {
              lastEntry: journal.position.index,
              appendedBytes: journal.appendedBytes,
              appendSeconds: journal.appendSeconds,
            },
      places:
        journal === null
          ? []
          : [{ node: this.#config.cluster.nodeName, workers, runs }, ...(this.#nodeWorkers?.facts ?? [])],
      forwarded: forwarder.stats,
      forwardedOpen: forwarder.open,
    };
  }

  /** The store of the owner. Call it once. */
  openStore(): Promise<Store> {
    return this.#node.openStore(this.#encryptionKey);
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
  async leave(requests: RequestStats): Promise<void> {
    this.#isOpen = false;
    this.#requests = requests;
    await this.#node.announce(null);
    this.#announcedMs = performance.now();
    const untilMs = performance.now() + LIMITS.clusterLeaveMs;
    while (requests.open > 0 && performance.now() < untilMs) await sleep(LIMITS.forwardRetryMs);
  }

  /**
   * Call it before the server closes: the public port then stays open and passes requests on, and the next
   * `ClusterMember` gets it.
   */
  keepPort(): ClusterPort {
    this.#isKeepingPort = true;
    return this.port;
  }

  get isKeepingPort(): boolean {
    return this.#isKeepingPort;
  }

  readonly #isServing = (): boolean => this.#isOpen && this.#node.isCertain;

  get #load(): NodeLoad {
    const workers = this.#lent?.pool.servingWorkers ?? [];
    const runs = (this.#lent?.pool.workers ?? []).reduce((sum, { runs: held }) => sum + held.size, 0);
    const isOwner = this.#node.epoch !== null;
    return { workers: workers.length, runs, isDrained: this.#isDraining && !isOwner && runs === 0 };
  }

  #onObserved(): void {
    this.#onNodesSeen();
    const { isDrainRequested } = this.#node;
    if (isDrainRequested !== this.#isDraining) {
      this.#isDraining = isDrainRequested;
      this.#log.info(
        isDrainRequested
          ? 'This node is drained on request: it takes no more runs and no ownership'
          : 'This node is not drained any more: it takes runs and the ownership again',
      );
      if (this.#lent !== null) {
        this.#lent.host.isDraining = isDrainRequested;
        // Runs that waited for a worker may have one again.
        if (!isDrainRequested) this.#lent.pool.announceCapacity();
      }
    }
    const { ownership, nodeId } = this.#node;
    if (!this.#isDraining || !this.#isOpen || this.#load.runs > 0 || !hasSuccessor(ownership!, nodeId)) return;
    const { onDrained } = this;
    this.onDrained = () => undefined;
    onDrained();
  }

  /** Closes the ports when the next owner has answered what waits for it. */
  async #closePort(): Promise<void> {
    if (this.#isKeepingPort) {
      this.#requests?.terminateAll();
      this.port.entrance.clear();
    } else {
      await this.#port?.forwarder.drain(LIMITS.forwardDrainMs);
      this.#port?.close();
      await this.#node.close();
    }
    await this.#closeNodeApp();
  }

  async #closeNodeApp(): Promise<void> {
    if (this.#nodeApp === null) return;
    const { ownership, nodeId } = this.#node;
    const hasOthers = ownership?.nodes.some((node) => node.nodeId !== nodeId && node.role !== 'lost') === true;
    // The outcome of a request that arrives at the end would be unknown to its node.
    if (hasOthers) await sleep(Math.max(0, this.#announcedMs + LIMITS.clusterRefuseMs - performance.now()));
    this.#nodeApp.close();
  }
}

function logWait(log: Logger, reason: WaitReason): void {
  if (reason.kind === 'owner')
    log.info({ owner: reason.name }, 'Waiting to take over, because another node is the owner');
  else if (reason.kind === 'older')
    log.info(
      { node: reason.name },
      'Waiting to take over, because a node of an earlier release could not read what this one writes',
    );
  else if (reason.kind === 'drained')
    log.warn('The cluster has no owner, and this node does not become it, because it is drained');
  else
    log.error(
      { offsetMs: Math.round(reason.offsetMs), allowedMs: LIMITS.clusterClockOffsetMs },
      "The cluster has no owner, and this node does not become it, because its clock differs too much from the database's. Synchronize the clocks",
    );
}

/** The addresses of every network of this machine. */
async function listenOnAny(app: HttpApp, port: number): Promise<Listener | null> {
  return (await app.listen('::', port)) ?? app.listen('0.0.0.0', port);
}
