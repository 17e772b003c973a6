import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Logger } from '../../base/log/log.js';
import { LIMITS } from '../../base/limits.js';
import { userCodeEnv } from '../../domain/secret-variables.js';
import { pack } from '../../wire/codec.js';
import type { GraphWorkerData } from '../../wire/user-code/graph-source.js';
import type { EditJob, LoadReport, RunJob, ThreadJob, WorkerTask } from '../../wire/runs/messages.js';
import { Probe } from './probe.js';
import { Beat } from './watchdog.js';

/** One thread that runs graphs. */
export interface GraphWorker {
  readonly id: number;
  /** `graph-0`, `solo-1`: its place among those of its kind. A new worker takes one that is free. */
  readonly name: string;
  readonly solo: boolean;
  readonly beat: Beat;
  readonly probe: Probe;
  ready: boolean;
  lost: boolean;
  /** Runs it holds, cancelled ones whose code has not returned included. */
  readonly runs: Set<string>;
}

export interface PoolHooks {
  /** A worker has room that it had not before. */
  room(): void;
  /** The worker's code for a run has returned, or the run's port is closed. Its end may still be heard a moment later. */
  returned(worker: GraphWorker, runId: string): void;
  /** A worker is gone with the runs it held. */
  lost(worker: GraphWorker, runIds: string[], reason: string): void;
}

interface Group {
  piscina: Piscina<WorkerTask, unknown>;
  workers: Map<number, GraphWorker>;
  solo: boolean;
}

/** Starts graph workers, hands them runs, and notices when one dies. Knows nothing of what a run means. */
export class GraphPool {
  readonly #file: string;
  readonly #threads: number;
  readonly #heapMb: number;
  readonly #runsMax: number;
  readonly #probePatienceMs: number;
  readonly #log: Logger;
  readonly #hooks: PoolHooks;
  #data: GraphWorkerData;
  #shared: Group;
  readonly #retired = new Set<Group>();
  readonly #solos = new Set<Group>();
  readonly #groups = new WeakMap<GraphWorker, Group>();
  #closed = false;
  #reopenAtMs = 0;
  /** Workers that died or were ended by the watchdog, since the start. */
  lost = 0;
  /** Where the task that is being handed to Piscina must go; Piscina asks its balancer at once. */
  #target: number | null = null;
  readonly #loads = new Map<GraphWorker, Promise<LoadReport>>();

  constructor(options: {
    file: string;
    threads: number;
    heapMb: number;
    runsPerWorker: number;
    watchdogMs: number;
    data: GraphWorkerData;
    log: Logger;
    hooks: PoolHooks;
  }) {
    this.#file = options.file;
    this.#threads = options.threads;
    this.#heapMb = options.heapMb;
    this.#runsMax = options.runsPerWorker;
    this.#probePatienceMs = options.watchdogMs * LIMITS.probePatience;
    this.#log = options.log;
    this.#hooks = options.hooks;
    this.#data = options.data;
    this.#shared = this.#openGroup(options.threads, false);
  }

  get workers(): GraphWorker[] {
    return [this.#shared, ...this.#solos, ...this.#retired].flatMap((group) => [...group.workers.values()]);
  }

  /** Those that new runs may go to. */
  get serving(): GraphWorker[] {
    return [this.#shared, ...this.#solos].flatMap((group) => [...group.workers.values()]);
  }

  get soloCount(): number {
    return this.#solos.size;
  }

  /** Resolves when every worker has loaded the graphs; problems are named by graph. */
  async load(): Promise<LoadReport> {
    return this.#loadGroup(this.#shared);
  }

  /** New graphs for new runs. Runs under way keep their worker; it ends when they have. Nothing changes when one does not load. */
  async reload(data: GraphWorkerData): Promise<LoadReport> {
    const before = this.#data;
    this.#data = data;
    const group = this.#openGroup(this.#threads, false);
    const report = await this.#loadGroup(group);
    if (!report.ok) {
      this.#data = before;
      await group.piscina.destroy();
      return report;
    }
    const old = this.#shared;
    this.#shared = group;
    this.#retired.add(old);
    this.#closeRetired(old);
    this.#hooks.room();
    return report;
  }

  /** The worker a run should go to: `preferred` when it has room, else the one with the fewest runs; null when none has. */
  pick(preferred: number | null, runsMax = this.#runsMax): GraphWorker | null {
    let best: GraphWorker | null = null;
    for (const worker of this.#shared.workers.values()) {
      if (!worker.ready || worker.lost || worker.runs.size >= runsMax || worker.beat.silent || worker.probe.suspicious)
        continue;
      if (worker.id === preferred) return worker;
      if (best === null || worker.runs.size < best.runs.size) best = worker;
    }
    return best;
  }

  /** A worker for one run alone, or null when as many as allowed are busy. Starts one when needed; it is free when ready. */
  pickSolo(): GraphWorker | null {
    for (const group of this.#solos) {
      for (const worker of group.workers.values()) {
        if (worker.ready && !worker.lost && worker.runs.size === 0) return worker;
      }
    }
    if (this.#solos.size < LIMITS.soloWorkersMax) {
      const group = this.#openGroup(1, true);
      this.#solos.add(group);
    }
    return null;
  }

  /** Ends workers for single runs that have nothing to do. */
  closeIdleSolos(): void {
    for (const group of [...this.#solos]) {
      if ([...group.workers.values()].every((worker) => worker.ready && worker.runs.size === 0)) {
        this.#solos.delete(group);
        void group.piscina.destroy();
      }
    }
  }

  /** Hands the run to the worker; the returned port is the front's end. */
  start(worker: GraphWorker, job: RunJob, signals: SharedArrayBuffer): MessagePort {
    return this.#hand(worker, job, (bytes, port) => ({ type: 'run', job: bytes, port, signals }));
  }

  /** The same for a change of state. */
  startEdit(worker: GraphWorker, job: EditJob): MessagePort {
    return this.#hand(worker, job, (bytes, port) => ({ type: 'edit', job: bytes, port }));
  }

  /** Workers that hold runs and can no longer work on any of them. */
  *broken(): Generator<GraphWorker> {
    for (const worker of this.workers) {
      if (worker.ready && !worker.lost && worker.probe.look(worker.runs.size > 0)) yield worker;
    }
  }

  /** Ends the thread at once, whatever it does. */
  terminate(worker: GraphWorker): void {
    const thread = this.#threadOf(worker);
    if (thread) void thread.terminate();
    else this.#gone(worker, new Error('the worker is gone'));
  }

  /** Piscina gives up on a pool whose worker failed before it was ready; runs would then wait for ever. */
  ensureWorkers(): void {
    const group = this.#shared;
    if (group.workers.size > 0 || group.piscina.threads.length > 0 || performance.now() < this.#reopenAtMs) return;
    this.#reopenAtMs = performance.now() + LIMITS.workerReopenMs;
    this.#log.error('no graph worker is left; starting new ones');
    this.#shared = this.#openGroup(this.#threads, false);
    void group.piscina.destroy();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#shared, ...this.#solos, ...this.#retired].map((group) => group.piscina.destroy()));
  }

  #openGroup(threads: number, solo: boolean): Group {
    const group: Group = {
      solo,
      workers: new Map(),
      piscina: new Piscina<WorkerTask, unknown>({
        filename: this.#file,
        minThreads: threads,
        maxThreads: threads,
        // Piscina ends idle threads at once by default; ours stay warm.
        idleTimeout: Infinity,
        concurrentTasksPerWorker: LIMITS.runsPerWorkerMax + 1,
        maxQueue: Infinity,
        // Synchronous atomics would park the thread between tasks and stop the other runs in it.
        atomics: 'disabled',
        recordTiming: false,
        resourceLimits: { maxOldGenerationSizeMb: this.#heapMb, maxYoungGenerationSizeMb: LIMITS.workerYoungMb },
        env: userCodeEnv(this.#data.env),
        workerData: this.#data,
        loadBalancer: (_task, workers) => workers.find((worker) => worker.id === this.#target) ?? null,
      }),
    };
    group.piscina.on('workerCreate', (created: { id: number }) => this.#welcome(group, created.id));
    group.piscina.on('error', (error: Error) => this.#log.error({ err: error }, 'a graph worker failed'));
    return group;
  }

  /** A new thread loads its graphs before it gets runs. */
  #welcome(group: Group, id: number): void {
    const { port1, port2 } = new MessageChannel();
    const beat = new Beat();
    const probe = new Probe(port1, beat, this.#probePatienceMs);
    const worker: GraphWorker = {
      id,
      name: this.#freeName(group),
      solo: group.solo,
      beat,
      probe,
      ready: false,
      lost: false,
      runs: new Set(),
    };
    group.workers.set(id, worker);
    this.#groups.set(worker, group);
    // Piscina announces a worker before it hands tasks to it.
    const load = new Promise((resolve) => setImmediate(resolve))
      .then(() => this.#send(worker, { type: 'load', beat: beat.shared, probe: port2 }, [port2]))
      .then(
        (report) => {
          worker.ready = (report as LoadReport).ok;
          if (worker.ready && (group === this.#shared || group.solo)) this.#hooks.room();
          return report as LoadReport;
        },
        (error: unknown) => {
          this.#gone(worker, error);
          const reason = error instanceof Error ? error.message : String(error);
          return {
            ok: false,
            problems: [
              { graphId: '*', file: this.#file, reason, stack: error instanceof Error ? (error.stack ?? '') : '' },
            ],
          };
        },
      );
    this.#loads.set(worker, load);
    void load.finally(() => this.#loads.delete(worker));
  }

  #freeName(group: Group): string {
    const taken = new Set((group.solo ? this.serving : [...group.workers.values()]).map(({ name }) => name));
    for (let place = 0; ; place += 1) {
      const name = `${group.solo ? 'solo' : 'graph'}-${place}`;
      if (!taken.has(name)) return name;
    }
  }

  async #loadGroup(group: Group): Promise<LoadReport> {
    // Piscina announces the first workers in a microtask of its constructor.
    while (group.workers.size < this.#threads) await new Promise((resolve) => setImmediate(resolve));
    const reports = await Promise.all(
      [...group.workers.values()].map(
        (worker) => this.#loads.get(worker) ?? Promise.resolve<LoadReport>({ ok: true, problems: [] }),
      ),
    );
    return reports.find((report) => !report.ok) ?? { ok: true, problems: [] };
  }

  #hand(
    worker: GraphWorker,
    job: ThreadJob,
    taskOf: (bytes: Uint8Array, port: MessagePort) => WorkerTask,
  ): MessagePort {
    const { port1, port2 } = new MessageChannel();
    worker.runs.add(job.runId);
    port1.on('message', () => worker.probe.progress());
    // The front closes it when a run has ended. A thread's death and user code close it as well.
    port1.on('close', () => this.#hooks.returned(worker, job.runId));
    const bytes = pack(job);
    this.#send(worker, taskOf(bytes, port2), [port2, bytes.buffer]).then(
      () => this.#freed(worker, job.runId),
      (error: unknown) => this.#gone(worker, error),
    );
    return port1;
  }

  #send(worker: GraphWorker, task: WorkerTask, transfer: (MessagePort | ArrayBuffer)[]): Promise<unknown> {
    const group = this.#groupOf(worker);
    // A task that Piscina cannot place would wait in its queue for ever.
    if (this.#threadOf(worker) === undefined) return Promise.reject(new Error('the worker is gone'));
    this.#target = worker.id;
    try {
      return group.piscina.run(task, { transferList: transfer });
    } finally {
      this.#target = null;
    }
  }

  #freed(worker: GraphWorker, runId: string): void {
    worker.runs.delete(runId);
    worker.probe.progress();
    this.#hooks.returned(worker, runId);
    const group = this.#groupOf(worker);
    if (this.#retired.has(group)) this.#closeRetired(group);
    this.#hooks.room();
  }

  #gone(worker: GraphWorker, error: unknown): void {
    if (worker.lost || this.#closed) return;
    worker.lost = true;
    worker.probe.close();
    this.lost += 1;
    const group = this.#groupOf(worker);
    group.workers.delete(worker.id);
    const runIds = [...worker.runs];
    worker.runs.clear();
    const reason = error instanceof Error ? error.message : String(error);
    if (group.solo) {
      this.#solos.delete(group);
      void group.piscina.destroy();
    }
    this.#log.warn({ worker: worker.id, runs: runIds.length, reason }, 'a graph worker was lost');
    this.#hooks.lost(worker, runIds, reason);
  }

  #closeRetired(group: Group): void {
    if ([...group.workers.values()].some((worker) => worker.runs.size > 0)) return;
    this.#retired.delete(group);
    void group.piscina.destroy();
  }

  #groupOf(worker: GraphWorker): Group {
    return this.#groups.get(worker)!;
  }

  #threadOf(worker: GraphWorker): Worker | undefined {
    return this.#groupOf(worker).piscina.threads.find((thread) => thread.threadId === worker.id);
  }
}
