import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { pack, unpack } from '../../wire/codec.js';
import { WIRE_VERSION, type RunJob, type ToWorker } from '../../wire/runs/messages.js';
import type { UsedCode } from '../../store/code-versions.js';
import type { OfferedRun } from '../graphs/offered-run.js';
import type { RunChannel } from '../graphs/run-channel.js';
import type { LossCause, NeededCode, RunWorker, RunWorkerHooks } from '../graphs/run-workers.js';
import type { Link } from './link.js';
import { LINK_VERSION, type Hello, type RunOffer, type ToNode, type ToOwner, type WorkerState } from './messages.js';

/** A graph worker of another node. */
export interface NodeWorker extends RunWorker {
  readonly node: string;
  readonly runs: Set<string>;
}

/** The graph workers of one node, as metrics tell them. */
export interface NodeWorkerFacts {
  node: string;
  workers: number;
  runs: number;
}

export interface NodeWorkersOptions {
  /** Hash of each graph's code by graph id, as this node has it. */
  graphs: () => Readonly<Record<string, string>>;
  hooks: RunWorkerHooks;
  /** A node has introduced itself and executes these runs, which an earlier owner has given to it. */
  onRunsOffered: (node: string, runs: OfferedRun[]) => void;
  /** Selects the graphs of a node whose code this node needs. */
  wantsCode: (graphs: Readonly<Record<string, string>>) => string[];
  onCode: (code: UsedCode) => void;
  /** A node says that another one has become the owner with this epoch. */
  onSuperseded: (epoch: number) => void;
  log: Logger;
}

/** The graph workers of the other nodes, at the owner. */
export class NodeWorkers {
  readonly #options: NodeWorkersOptions;
  readonly #nodes = new Set<LinkedNode>();
  /** Ids of workers are negative here, because those of threads are positive. */
  #lastId = 0;

  constructor(options: NodeWorkersOptions) {
    this.#options = options;
  }

  /** Uses the workers of the node at the other end until the link is closed. */
  accept(link: Link): void {
    const node = new LinkedNode(link, { ...this.#options, nextId: () => --this.#lastId });
    this.#nodes.add(node);
    node.onClosed = () => this.#nodes.delete(node);
  }

  /** True if this node has the graph. */
  ownHas(graphId: string): boolean {
    return this.#options.graphs()[graphId] !== undefined;
  }

  /** See `RunWorkers.canRun`. */
  canRun(graphId: string, code: NeededCode | null = null): boolean {
    const hash = code?.hash ?? this.#options.graphs()[graphId];
    return [...this.#nodes].some((node) => node.canRun(graphId, hash));
  }

  /** See `RunWorkers.pickWorker`. */
  pickWorker(preferred: number | null, graphId: string, code: NeededCode | null = null): NodeWorker | null {
    const hash = code?.hash ?? this.#options.graphs()[graphId];
    let best: NodeWorker | null = null;
    for (const node of this.#nodes)
      for (const worker of node.freeWorkers(graphId, hash)) {
        if (worker.id === preferred) return worker;
        if (best === null || worker.runs.size < best.runs.size) best = worker;
      }
    return best;
  }

  startRun(worker: NodeWorker, job: RunJob, isListening: boolean): RunChannel {
    return (worker as LinkedWorker).linked.start(worker as LinkedWorker, job, isListening);
  }

  terminate(worker: NodeWorker): void {
    (worker as LinkedWorker).linked.terminate(worker as LinkedWorker);
  }

  get facts(): NodeWorkerFacts[] {
    return [...this.#nodes].flatMap((node) => (node.facts === null ? [] : [node.facts]));
  }

  close(): void {
    for (const node of this.#nodes) node.close('the owner ends');
  }
}

interface LinkedWorker extends NodeWorker {
  readonly linked: LinkedNode;
  /** Id at its node. */
  readonly remoteId: number;
  isAvailable: boolean;
}

/** One node that offers its workers. */
class LinkedNode {
  readonly #link: Link;
  readonly #options: NodeWorkersOptions & { nextId: () => number };
  #hello: Hello | null = null;
  readonly #workers = new Map<number, LinkedWorker>();
  readonly #channels = new Map<number, NodeChannel>();
  #lastChannel = 0;
  #isLeaving = false;
  onClosed: () => void = () => undefined;

  constructor(link: Link, options: NodeWorkersOptions & { nextId: () => number }) {
    this.#link = link;
    this.#options = options;
    link.receive(
      (bytes) => this.#receive(unpack<ToOwner>(bytes)),
      (reason) => this.#onLinkClosed(reason),
    );
  }

  /** Null before the node has introduced itself. */
  get facts(): NodeWorkerFacts | null {
    if (this.#hello === null) return null;
    const workers = [...this.#workers.values()];
    return {
      node: this.#hello.node,
      workers: workers.length,
      runs: workers.reduce((sum, { runs }) => sum + runs.size, 0),
    };
  }

  /** `hash`: of the code that the run needs; undefined if any will do, because the owner does not have the graph. */
  canRun(graphId: string, hash: string | undefined): boolean {
    if (this.#hello === null || this.#isLeaving) return false;
    const own = this.#hello.graphs[graphId];
    return own !== undefined && (hash === undefined || own === hash);
  }

  /** The workers that can take a run of the graph now. */
  *freeWorkers(graphId: string, hash: string | undefined): Generator<LinkedWorker> {
    if (!this.canRun(graphId, hash)) return;
    for (const worker of this.#workers.values())
      if (worker.isAvailable && worker.runs.size < this.#hello!.runsPerWorker) yield worker;
  }

  start(worker: LinkedWorker, job: RunJob, isListening: boolean): RunChannel {
    const { runId, lease, seq: firstSeq } = job;
    const channel = this.#openChannel(worker, runId);
    const { number } = channel;
    this.#send({
      type: 'start',
      ...{ channel: number, worker: worker.remoteId, runId, lease, firstSeq, job: pack(job), isListening },
    });
    return channel;
  }

  #openChannel(worker: LinkedWorker, runId: string): NodeChannel {
    const number = (this.#lastChannel += 1);
    const channel = new NodeChannel(number, {
      worker,
      runId,
      send: (message) => this.#send(message),
      onDone: () => this.#channels.delete(number),
    });
    this.#channels.set(number, channel);
    worker.runs.add(runId);
    return channel;
  }

  terminate({ remoteId }: LinkedWorker): void {
    this.#send({ type: 'terminate', worker: remoteId });
  }

  close(reason: string): void {
    this.#link.close(reason);
  }

  #send(message: ToNode): void {
    this.#link.send(pack(message));
  }

  #receive(message: ToOwner): void {
    switch (message.type) {
      case 'hello':
        this.#introduce(message);
        break;
      case 'workers':
        if (this.#hello !== null) this.#update(this.#hello, message.workers);
        break;
      case 'offers':
        if (this.#hello !== null) this.#onOffers(this.#hello, message.runs);
        break;
      case 'run':
        this.#channels.get(message.channel)?.deliver(message.bytes, message.framesMade);
        break;
      case 'returned':
        this.#onReturned(message.channel, message.isFree);
        break;
      case 'lost': {
        const channels = message.channels.flatMap(([number, framesMade]) => {
          const channel = this.#channels.get(number);
          if (channel === undefined) return [];
          channel.framesMade = framesMade;
          return [channel];
        });
        const { reason, cause } = message;
        const workers = [...this.#workers.values()].filter(({ remoteId }) => remoteId === message.worker);
        this.#lose(workers, channels, { reason, cause });
        break;
      }
      case 'code':
        this.#options.onCode(message.code);
        break;
      case 'leaving':
        this.#isLeaving = true;
        break;
      case 'superseded':
        this.#options.onSuperseded(message.epoch);
    }
  }

  #introduce(hello: Hello): void {
    const { log } = this.#options;
    const [link, wire] = hello.versions;
    if (link !== LINK_VERSION || wire !== WIRE_VERSION) {
      log.warn({ node: hello.node, versions: hello.versions }, 'A node of another version runs no graphs for this one');
      return;
    }
    this.#hello = hello;
    const graphIds = this.#options.wantsCode(hello.graphs);
    if (graphIds.length > 0) this.#send({ type: 'want-code', graphIds });
    const own = this.#options.graphs();
    const others = Object.keys(own).filter((graphId) => own[graphId] !== hello.graphs[graphId]);
    log.info({ node: hello.node, address: this.#link.address }, 'The graph workers of a node can be used');
    if (others.length > 0)
      log.warn({ node: hello.node, graphs: others }, 'A node has other code of graphs, so it runs none of them');
  }

  #update({ node }: Hello, states: readonly WorkerState[]): void {
    const present = new Set(states.map(({ id }) => id));
    for (const remoteId of this.#workers.keys()) if (!present.has(remoteId)) this.#workers.delete(remoteId);
    let hasCapacity = false;
    for (const { id, name, isAvailable } of states) {
      const known = this.#workers.get(id);
      hasCapacity ||= isAvailable && known?.isAvailable !== true;
      if (known !== undefined) known.isAvailable = isAvailable;
      else
        this.#workers.set(id, {
          id: this.#options.nextId(),
          name: `${node}/${name}`,
          node,
          runs: new Set(),
          linked: this,
          remoteId: id,
          isAvailable,
          codeOf: (graphId) => this.#hello?.graphs[graphId],
        });
    }
    if (hasCapacity) this.#options.hooks.onCapacity();
  }

  #onOffers({ node }: Hello, offers: readonly RunOffer[]): void {
    const refuse = (runId: string): void => this.#send({ type: 'refuse', runId });
    const runs = offers.flatMap((offer): OfferedRun[] => {
      const { runId } = offer;
      const worker = this.#workers.get(offer.worker);
      if (worker === undefined) {
        refuse(runId);
        return [];
      }
      const take = (newLease: number): RunChannel => {
        const channel = this.#openChannel(worker, runId);
        this.#send({ type: 'take', channel: channel.number, runId, lease: newLease });
        return channel;
      };
      return [{ ...offer, worker, take, refuse: () => refuse(runId) }];
    });
    this.#options.onRunsOffered(node, runs);
  }

  #onReturned(number: number, isFree: boolean): void {
    const channel = this.#channels.get(number);
    if (channel === undefined) return;
    const { worker, runId } = channel;
    // What the run's worker sent last, such as its end, can arrive after this, so the channel stays until it is closed.
    if (isFree) {
      worker.runs.delete(runId);
      channel.onFree();
    }
    this.#options.hooks.onRunReturned(worker, runId);
    if (isFree) this.#options.hooks.onCapacity();
  }

  /** `workers`: those that are known to be lost. A run may have been sent to one that was gone already. */
  #lose(
    workers: Iterable<LinkedWorker>,
    channels: readonly NodeChannel[],
    loss: { reason: string; cause: LossCause },
  ): void {
    for (const { number, worker, runId } of channels) {
      this.#channels.delete(number);
      worker.runs.delete(runId);
    }
    for (const worker of new Set([...workers, ...channels.map((channel) => channel.worker)])) {
      const runIds = channels.filter((channel) => channel.worker === worker && !channel.isClosed);
      this.#options.hooks.onWorkerLost(
        worker,
        runIds.map(({ runId }) => runId),
        loss,
      );
    }
  }

  #onLinkClosed(reason: string): void {
    this.onClosed();
    if (this.#hello === null) return;
    const { log } = this.#options;
    log.warn({ node: this.#hello.node, runs: this.#channels.size, reason }, 'The graph workers of a node are gone');
    const cause = this.#isLeaving ? 'withdrawn' : 'node';
    const workers = [...this.#workers.values()];
    for (const worker of workers) worker.isAvailable = false;
    this.#workers.clear();
    const { node } = this.#hello;
    this.#lose(workers, [...this.#channels.values()], { reason: `the node ${node} is gone: ${reason}`, cause });
  }
}

/** The channel to a worker of another node, for one attempt of a run. */
class NodeChannel implements RunChannel {
  readonly finishStepBytes = LIMITS.linkCreditStepBytes;
  readonly number: number;
  readonly worker: LinkedWorker;
  readonly runId: string;
  framesMade = 0;
  /** This side takes no more messages. */
  isClosed = false;
  /** The worker does not hold the run any more. */
  #isFree = false;
  readonly #onDone: () => void;
  readonly #send: (message: ToNode) => void;
  #onMessage: ((bytes: Uint8Array) => void) | null = null;
  /** Messages that came before somebody took them. */
  readonly #early: Uint8Array[] = [];

  constructor(
    number: number,
    {
      worker,
      runId,
      send,
      onDone,
    }: {
      worker: LinkedWorker;
      runId: string;
      send: (message: ToNode) => void;
      /** Called when neither side uses the channel any more. */
      onDone: () => void;
    },
  ) {
    this.number = number;
    this.worker = worker;
    this.runId = runId;
    this.#send = send;
    this.#onDone = onDone;
  }

  /** The worker does not hold the run any more. */
  onFree(): void {
    this.#isFree = true;
    if (this.isClosed) this.#onDone();
  }

  receive(onMessage: (bytes: Uint8Array) => void): void {
    this.#onMessage = onMessage;
    for (const bytes of this.#early.splice(0)) onMessage(bytes);
  }

  deliver(bytes: Uint8Array, framesMade: number): void {
    this.framesMade = framesMade;
    if (this.isClosed) return;
    if (this.#onMessage === null) this.#early.push(bytes);
    else this.#onMessage(bytes);
  }

  send(message: ToWorker): void {
    this.#send({ type: 'run', channel: this.number, bytes: pack(message) });
  }

  finish(bytes: number, nextSeq: number): void {
    this.#send({ type: 'finished', channel: this.number, bytes, nextSeq });
  }

  requestFrames(): void {
    this.#send({ type: 'listen', channel: this.number });
  }

  close(): void {
    this.#onMessage = null;
    this.#send({ type: 'close', channel: this.number });
    this.isClosed = true;
    if (this.#isFree) this.#onDone();
  }
}
