import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { pack, unpack } from '../../wire/codec.js';
import { WIRE_VERSION } from '../../wire/runs/messages.js';
import { isAvailable, type GraphPool, type GraphWorker } from '../graphs/graph-pool.js';
import type { PortChannel } from '../graphs/port-channel.js';
import type { RunWorkerHooks } from '../graphs/run-workers.js';
import type { Link } from './link.js';
import { LINK_VERSION, type ToNode, type ToOwner } from './messages.js';

export interface RunHostOptions {
  pool: GraphPool;
  /** Name of this node. */
  node: string;
  /** Hash of each graph's code by graph id. */
  graphs: Readonly<Record<string, string>>;
  runsPerWorker: number;
  log: Logger;
}

interface HostedRun {
  runId: string;
  worker: GraphWorker;
  port: PortChannel;
  /** The worker does not hold the run any more. The owner still closes the channel. */
  isFree: boolean;
  /** The owner has closed the channel. */
  isClosed: boolean;
}

/**
 * Lends the graph workers of this node to the owner of the cluster. What a run's worker sends goes to the owner as it
 * is, so this node keeps nothing of a run.
 */
export class RunHost {
  /** For the pool, while this node is not the owner. */
  readonly hooks: RunWorkerHooks;
  readonly #options: RunHostOptions;
  #link: Link | null = null;
  readonly #runs = new Map<number, HostedRun>();
  #isLeaving = false;
  #isDraining = false;

  constructor(options: RunHostOptions) {
    this.#options = options;
    this.hooks = {
      onCapacity: () => this.#sendWorkers(),
      onRunReturned: (worker, runId) => this.#onReturned(worker as GraphWorker, runId),
      onWorkerLost: (worker, _runIds, { reason, cause }) => {
        const runs = [...this.#runs].filter(([, run]) => run.worker === worker);
        const channels = runs.map(([channel, { port }]): [number, number] => [channel, port.framesMade]);
        for (const [channel] of runs) this.#runs.delete(channel);
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
    return closed.finally(() => {
      clearInterval(timer);
      this.#link = null;
      this.#abandonRuns();
    });
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
    return [...this.#runs.values()].filter(({ isFree }) => !isFree).length;
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
    const run = this.#runs.get(message.channel);
    if (run === undefined) return;
    if (message.type === 'run') run.port.sendPacked(message.bytes);
    else if (message.type === 'listen') run.port.requestFrames();
    else {
      run.port.close();
      if (run.isFree) this.#runs.delete(message.channel);
      else run.isClosed = true;
    }
  }

  #start({ channel, worker: id, runId, job, isListening }: Extract<ToNode, { type: 'start' }>): void {
    const worker = this.#findWorker(id);
    if (worker === undefined || this.#isLeaving || this.#isDraining) {
      const reason = worker === undefined ? 'the node has no such worker any more' : 'the node takes no more runs';
      this.#send({ type: 'lost', worker: id, channels: [[channel, 0]], reason, cause: 'withdrawn' });
      return;
    }
    // The bytes are transferred to the worker, so they must not be a part of the message.
    const port = this.#options.pool.startPackedRun(worker, { runId, bytes: Uint8Array.from(job) }, isListening);
    this.#runs.set(channel, { runId, worker, port, isFree: false, isClosed: false });
    port.receive(
      (bytes) => this.#send({ type: 'run', channel, bytes, framesMade: port.framesMade }),
      () => port.close(),
    );
  }

  #onReturned(worker: GraphWorker, runId: string): void {
    for (const [channel, run] of this.#runs) {
      if (run.worker !== worker || run.runId !== runId || run.isFree) continue;
      const isFree = !worker.runs.has(runId);
      run.isFree = isFree;
      if (isFree && run.isClosed) this.#runs.delete(channel);
      this.#send({ type: 'returned', channel, isFree });
    }
  }

  #findWorker(id: number): GraphWorker | undefined {
    return [...this.#options.pool.sharedWorkers()].find((worker) => worker.id === id && !worker.lost);
  }

  /** The owner cannot be reached, so somebody else executes the runs. */
  #abandonRuns(): void {
    for (const { port } of this.#runs.values()) {
      port.send({ type: 'run.cancel', reason: 'the owner of the cluster cannot be reached' });
      port.close();
    }
    const runs = this.#executing;
    if (runs > 0) this.#options.log.warn({ runs }, 'The runs of another node are ended here: its link is closed');
    this.#runs.clear();
  }
}
