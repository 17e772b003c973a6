import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { pack, unpack } from '../../wire/codec.js';
import { WIRE_VERSION } from '../../wire/runs/messages.js';
import type { UsedCode } from '../../store/code-versions.js';
import { isAvailable, type GraphPool, type GraphWorker } from '../graphs/graph-pool.js';
import type { PortChannel } from '../graphs/port-channel.js';
import type { OfferedRun } from '../graphs/offered-run.js';
import type { RunWorkerHooks } from '../graphs/run-workers.js';
import { KeptMessages } from './kept-messages.js';
import type { Link } from './link.js';
import { LINK_VERSION, type RunOffer, type ToNode, type ToOwner } from './messages.js';

export interface RunHostOptions {
  pool: GraphPool;
  /** Name of this node. */
  node: string;
  /** Hash of each graph's code by graph id. */
  graphs: Readonly<Record<string, string>>;
  runsPerWorker: number;
  /** The code of graphs of this node. */
  readCode: (graphIds: readonly string[]) => UsedCode[];
  log: Logger;
}

/** Why a run that was offered is canceled. */
const REFUSED = 'another attempt of the run has begun';

interface HostedRun {
  readonly runId: string;
  /** The owner's. */
  lease: number;
  readonly worker: GraphWorker;
  readonly port: PortChannel;
  /** On the link to the owner; null while there is no owner. */
  channel: number | null;
  /** Id of its first event. */
  readonly firstSeq: number;
  /** Id of the first event in the kept messages, or in later ones. */
  nextSeq: number;
  readonly kept: KeptMessages;
  /** The worker does not hold the run any more. The owner still closes the channel. */
  isFree: boolean;
  /** The owner has closed the channel. */
  isClosed: boolean;
}

/**
 * Lends the graph workers of this node to the owner of the cluster. What a run's worker sends goes to the owner as it
 * is. This node keeps what the owner may not have on disk. When the owner is lost, the runs go on, and are offered to
 * the next one.
 */
export class RunHost {
  /** For the pool, while this node is not the owner. */
  readonly hooks: RunWorkerHooks;
  readonly #options: RunHostOptions;
  #link: Link | null = null;
  readonly #runs = new Set<HostedRun>();
  /** Those that the owner has a channel to. */
  readonly #linked = new Map<number, HostedRun>();
  #abandoning: NodeJS.Timeout | null = null;
  #isLeaving = false;
  #isDraining = false;

  constructor(options: RunHostOptions) {
    this.#options = options;
    this.hooks = {
      onCapacity: () => this.#sendWorkers(),
      onRunReturned: (worker, runId) => this.#onReturned(worker as GraphWorker, runId),
      onWorkerLost: (worker, _runIds, { reason, cause }) => {
        const runs = [...this.#runs].filter((run) => run.worker === worker);
        const channels = runs.flatMap(({ channel, port }): [number, number][] =>
          channel === null ? [] : [[channel, port.framesMade]],
        );
        for (const run of runs) this.#forget(run);
        this.#send({ type: 'lost', worker: worker.id, channels, reason, cause });
      },
    };
  }

  /** Works for the owner at the other end. Resolves with the reason when the link is closed. */
  serve(link: Link): Promise<string> {
    const { node, graphs, runsPerWorker } = this.#options;
    this.#link = link;
    const timer = setInterval(() => this.#sendWorkers(), LIMITS.linkBeatMs);
    const closed = new Promise<string>((resolve) => {
      link.receive((bytes) => this.#receive(unpack<ToNode>(bytes)), resolve);
    });
    this.#send({ type: 'hello', versions: [LINK_VERSION, WIRE_VERSION], node, graphs: { ...graphs }, runsPerWorker });
    this.#sendWorkers();
    this.#send({ type: 'offers', runs: this.#runsToOffer().map(offerOf) });
    return closed.finally(() => {
      clearInterval(timer);
      this.#link = null;
      this.#keepRuns();
    });
  }

  /** This node has become the owner. The runs that it executes, for its own scheduler. Call it once. */
  takeRuns(): OfferedRun[] {
    if (this.#abandoning !== null) clearTimeout(this.#abandoning);
    return this.#runsToOffer().map((run) => ({
      ...offerOf(run),
      worker: run.worker,
      take: () => {
        this.#runs.delete(run);
        run.port.handOver(run.kept);
        return run.port;
      },
      refuse: () => this.#end(run, REFUSED),
    }));
  }

  /** While true, takes no more runs. Those that execute go on. */
  set isDraining(isDraining: boolean) {
    if (isDraining === this.#isDraining) return;
    this.#isDraining = isDraining;
    this.#sendWorkers();
  }

  /** Takes no more runs, and lets those that execute end until `untilMs`, by `performance.now()`. */
  async leave(untilMs: number): Promise<void> {
    this.#isLeaving = true;
    this.#send({ type: 'leaving' });
    while (this.#executing > 0 && performance.now() < untilMs) await sleep(LIMITS.forwardRetryMs);
    this.#link?.close('the node ends');
  }

  /** Number of runs that workers of this node hold. */
  get #executing(): number {
    return [...this.#runs].filter(({ isFree }) => !isFree).length;
  }

  /** Tells the owner at the other end of the link that it is not the owner any more. */
  sendSuperseded(epoch: number): void {
    this.#send({ type: 'superseded', epoch });
  }

  #send(message: ToOwner): void {
    this.#link?.send(pack(message));
  }

  #sendWorkers(): void {
    if (this.#isLeaving || this.#link === null) return;
    const workers = [...this.#options.pool.sharedWorkers()].map((worker) => ({
      id: worker.id,
      name: worker.name,
      isAvailable: !this.#isDraining && isAvailable(worker),
    }));
    this.#send({ type: 'workers', workers });
  }

  #receive(message: ToNode): void {
    if (message.type === 'start') {
      this.#start(message);
      return;
    }
    if (message.type === 'terminate') {
      const worker = this.#findWorker(message.worker);
      if (worker !== undefined) this.#options.pool.terminate(worker);
      return;
    }
    if (message.type === 'want-code') {
      for (const code of this.#options.readCode(message.graphIds)) this.#send({ type: 'code', code });
      return;
    }
    if (message.type === 'take') {
      this.#onTaken(message);
      return;
    }
    if (message.type === 'refuse') {
      const refused = this.#findOffered(message.runId);
      if (refused !== undefined) this.#end(refused, REFUSED);
      return;
    }
    const run = this.#linked.get(message.channel);
    if (run === undefined) return;
    switch (message.type) {
      case 'run':
        run.port.sendPacked(message.bytes);
        break;
      case 'listen':
        run.port.requestFrames();
        break;
      case 'finished':
        run.kept.drop(message.bytes);
        run.nextSeq = message.nextSeq;
        run.port.finish(message.bytes);
        break;
      case 'close':
        run.port.close(run.isFree);
        if (run.isFree) this.#forget(run);
        else run.isClosed = true;
    }
  }

  #start({ channel, worker: id, runId, lease, firstSeq, job, isListening }: Extract<ToNode, { type: 'start' }>): void {
    const worker = this.#findWorker(id);
    if (worker === undefined || this.#isLeaving || this.#isDraining) {
      const reason = worker === undefined ? 'the node has no such worker any more' : 'the node takes no more runs';
      this.#send({ type: 'lost', worker: id, channels: [[channel, 0]], reason, cause: 'withdrawn' });
      return;
    }
    // The bytes are transferred to the worker, so they must not be a part of the message.
    const port = this.#options.pool.startPackedRun(worker, { runId, bytes: Uint8Array.from(job) }, isListening);
    const run: HostedRun = {
      ...{ runId, lease, worker, port, channel, firstSeq },
      nextSeq: firstSeq,
      kept: new KeptMessages(),
      isFree: false,
      isClosed: false,
    };
    this.#runs.add(run);
    this.#linked.set(channel, run);
    port.receive(
      (bytes) => {
        run.kept.add(bytes);
        if (run.channel !== null) this.#sendMessage(run.channel, port, bytes);
      },
      () => port.close(false),
    );
  }

  #sendMessage(channel: number, { framesMade }: PortChannel, bytes: Uint8Array): void {
    this.#send({ type: 'run', channel, bytes, framesMade });
  }

  /** The owner has taken over a run that was offered. */
  #onTaken({ channel, runId, lease }: Extract<ToNode, { type: 'take' }>): void {
    const run = this.#findOffered(runId);
    if (run === undefined) {
      // Its worker has died since.
      this.#send({ type: 'lost', worker: 0, channels: [[channel, 0]], reason: 'its worker is gone', cause: 'worker' });
      return;
    }
    run.channel = channel;
    run.lease = lease;
    this.#linked.set(channel, run);
    for (const bytes of run.kept) this.#sendMessage(channel, run.port, bytes);
    if (run.isFree) this.#send({ type: 'returned', channel, isFree: true });
  }

  #onReturned(worker: GraphWorker, runId: string): void {
    for (const run of this.#runs) {
      if (run.worker !== worker || run.runId !== runId || run.isFree) continue;
      const { channel } = run;
      const isFree = !worker.runs.has(runId);
      run.isFree = isFree;
      if (isFree && run.isClosed) this.#forget(run);
      if (channel !== null) this.#send({ type: 'returned', channel, isFree });
    }
  }

  #findWorker(id: number): GraphWorker | undefined {
    return [...this.#options.pool.sharedWorkers()].find((worker) => worker.id === id && !worker.lost);
  }

  #forget(run: HostedRun): void {
    this.#runs.delete(run);
    if (run.channel !== null) this.#linked.delete(run.channel);
  }

  #runsToOffer(): HostedRun[] {
    return [...this.#runs].filter(({ channel, worker }) => channel === null && !worker.lost);
  }

  #findOffered(runId: string): HostedRun | undefined {
    return this.#runsToOffer().find((run) => run.runId === runId);
  }

  /** The owner is lost. Its runs go on for a while, so that the next owner can take them over. */
  #keepRuns(): void {
    for (const run of this.#linked.values())
      if (run.isClosed) this.#forget(run);
      else run.channel = null;
    this.#linked.clear();
    if (this.#runs.size === 0) return;
    this.#options.log.warn({ runs: this.#runs.size }, 'The owner is lost. Its runs go on here until the next one asks');
    if (this.#abandoning !== null) clearTimeout(this.#abandoning);
    this.#abandoning = setTimeout(() => this.#abandonRuns(), LIMITS.runKeptMs).unref();
  }

  /** No owner has asked for the runs that were kept, so another attempt of them begins somewhere. */
  #abandonRuns(): void {
    const runs = this.#runsToOffer();
    for (const run of runs) this.#end(run, 'no owner of the cluster has asked for the run');
    if (runs.length > 0) this.#options.log.warn({ runs: runs.length }, 'Runs end here, because no owner needs them');
  }

  #end(run: HostedRun, reason: string): void {
    run.port.send({ type: 'run.cancel', reason });
    run.port.close(false);
    this.#forget(run);
  }
}

function offerOf({ runId, lease, worker, firstSeq, nextSeq }: HostedRun): RunOffer {
  return { runId, lease, worker: worker.id, nextSeq, framesSent: nextSeq - firstSeq };
}
