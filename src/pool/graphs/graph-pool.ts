import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { WorkerPool } from '../worker-pool.js';
import type { Logger } from '../../base/log/log.js';
import { LIMITS } from '../../base/limits.js';
import { userCodeEnv } from '../../domain/secret-variables.js';
import { pack } from '../../wire/codec.js';
import type { GraphWorkerData } from '../../wire/user-code/graph-source.js';
import type { EditJob, LoadReport, RunJob, WorkerTask } from '../../wire/runs/messages.js';
import { LISTENING, RUN_SIGNALS_BYTES } from '../../wire/runs/run-signals.js';
import { openCodeLog } from '../user-code/code-log-port.js';
import { Probe } from './probe.js';
import { LoadProgress, unfinishedLoad } from './load-progress.js';
import { PortChannel } from './port-channel.js';
import type { RunWorker, RunWorkerHooks } from './run-workers.js';
import { Heartbeat } from './watchdog.js';

/** How often it is checked what the workers load. */
const LOAD_CHECK_MS = 100;

/** A thread of this process that runs graphs. */
export interface GraphWorker extends RunWorker {
  /** `graph-0`, `solo-1`: its number among the workers of its kind. A new worker takes a free number. */
  readonly name: string;
  readonly node: null;
  readonly solo: boolean;
  readonly heartbeat: Heartbeat;
  readonly probe: Probe;
  ready: boolean;
  lost: boolean;
  readonly runs: Set<string>;
}

/** The packed form of a job. */
export interface PackedJob {
  runId: string;
  bytes: Uint8Array;
}

interface WorkerGroup {
  piscina: WorkerPool<WorkerTask, unknown>;
  workers: Map<number, GraphWorker>;
  solo: boolean;
}

/** Starts graph workers, dispatches runs to them, and detects dead workers. It does not interpret runs. */
export class GraphPool {
  readonly #file: string;
  readonly #threads: number;
  readonly #heapMb: number;
  readonly #runsMax: number;
  readonly #probePatienceMs: number;
  readonly #log: Logger;
  readonly #codeLog: Logger;
  #hooks: RunWorkerHooks | null = null;
  #data: GraphWorkerData;
  /** Null before `start`. */
  #shared: WorkerGroup | null = null;
  readonly #retired = new Set<WorkerGroup>();
  readonly #solos = new Set<WorkerGroup>();
  readonly #groups = new WeakMap<GraphWorker, WorkerGroup>();
  #closed = false;
  #reopenAtMs = 0;
  /** Number of workers that died or that the watchdog ended since the start. */
  workersLost = 0;
  /** Worker for the task that is being submitted. Piscina calls its load balancer synchronously. */
  #targetWorkerId: number | null = null;
  readonly #loads = new Map<GraphWorker, Promise<LoadReport>>();
  /** How long loading took the last time. */
  #loadedMs = 0;

  constructor(options: {
    file: string;
    threads: number;
    heapMb: number;
    runsPerWorker: number;
    watchdogMs: number;
    data: GraphWorkerData;
    log: Logger;
    /** For the lines of the graphs themselves. */
    codeLog: Logger;
  }) {
    this.#file = options.file;
    this.#threads = options.threads;
    this.#heapMb = options.heapMb;
    this.#runsMax = options.runsPerWorker;
    this.#probePatienceMs = options.watchdogMs * LIMITS.probeTimeoutPeriods;
    this.#log = options.log;
    this.#codeLog = options.codeLog;
    this.#data = options.data;
  }

  get workers(): GraphWorker[] {
    return [...this.#servingGroups(), ...this.#retired].flatMap((group) => [...group.workers.values()]);
  }

  /** Workers that accept new runs. */
  get servingWorkers(): GraphWorker[] {
    return this.#servingGroups().flatMap((group) => [...group.workers.values()]);
  }

  /** See `RunWorkers.isUniform`. */
  readonly isUniform = true;

  get soloCount(): number {
    return this.#solos.size;
  }

  /**
   * Starts the workers. Resolves when each of them has loaded the graphs; problems are listed by graph. Call it
   * once.
   */
  async start(hooks: RunWorkerHooks): Promise<LoadReport> {
    this.#hooks = hooks;
    this.#shared = this.#openGroup(this.#threads, false);
    // The watchdog ends workers that take too long.
    return this.#loadGroup(this.#shared, Infinity);
  }

  /**
   * Loads new graphs for new runs. Running runs stay on their worker, which ends after the last of them. If a
   * graph does not load, nothing changes.
   */
  async reload(data: GraphWorkerData): Promise<LoadReport> {
    const before = this.#data;
    this.#data = data;
    const group = this.#openGroup(this.#threads, false);
    const report = await this.#loadGroup(group, Math.max(LIMITS.graphReloadMs, 3 * this.#loadedMs));
    if (!report.ok) {
      this.#data = before;
      // The watchdog does not know this group, and its workers hold no runs.
      for (const worker of group.workers.values()) worker.lost = true;
      await group.piscina.destroy();
      return report;
    }
    const old = this.#shared;
    this.#shared = group;
    if (old !== null) {
      this.#retired.add(old);
      this.#closeRetired(old);
    }
    this.#hooks?.onCapacity();
    return report;
  }

  /** Tells the owner of the runs that the workers take runs again. */
  announceCapacity(): void {
    this.#hooks?.onCapacity();
  }

  /** Reports to another owner of the runs from now on. */
  replaceHooks(hooks: RunWorkerHooks): void {
    this.#hooks = hooks;
  }

  /** See `RunWorkers.canRun`. A worker that does not know a graph ends its runs with an error. */
  canRun(): boolean {
    return true;
  }

  /** See `RunWorkers.pickWorker`; every worker of this process has every graph. */
  pickWorker(preferred: number | null): GraphWorker | null {
    return this.#pick(preferred, this.#runsMax);
  }

  /** Selects the worker for a state update, in the same way. */
  pickEditWorker(preferred: number | null): GraphWorker | null {
    return this.#pick(preferred, LIMITS.runsPerWorkerMax);
  }

  /** Workers for new runs, whether they have capacity or not. */
  *sharedWorkers(): Generator<GraphWorker> {
    yield* this.#shared?.workers.values() ?? [];
  }

  #pick(preferred: number | null, runsMax: number): GraphWorker | null {
    let best: GraphWorker | null = null;
    for (const worker of this.#shared?.workers.values() ?? []) {
      if (worker.runs.size >= runsMax || !isAvailable(worker)) continue;
      if (worker.id === preferred) return worker;
      if (best === null || worker.runs.size < best.runs.size) best = worker;
    }
    return best;
  }

  /**
   * Returns an idle worker for one isolated run. If there is none, starts one within the limit and returns
   * null; the worker is available when it is ready.
   */
  pickSoloWorker(): GraphWorker | null {
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

  /** Ends idle solo workers. */
  closeIdleSoloWorkers(): void {
    for (const group of [...this.#solos]) {
      if ([...group.workers.values()].every((worker) => worker.ready && worker.runs.size === 0)) {
        this.#solos.delete(group);
        void group.piscina.destroy();
      }
    }
  }

  /** Starts the run on the worker. */
  startRun(worker: GraphWorker, job: RunJob, isListening: boolean): PortChannel {
    return this.startPackedRun(worker, { runId: job.runId, bytes: pack(job) }, isListening);
  }

  /** The same for the packed form of a RunJob, which is transferred to the worker. */
  startPackedRun(worker: GraphWorker, { runId, bytes }: PackedJob, isListening: boolean): PortChannel {
    const signals = new SharedArrayBuffer(RUN_SIGNALS_BYTES);
    // Set before the worker reads it.
    if (isListening) new Int32Array(signals)[LISTENING] = 1;
    const port = this.#dispatch(worker, { runId, bytes }, (port) => ({ type: 'run', job: bytes, port, signals }));
    return new PortChannel(port, signals);
  }

  /** Starts a state update in the same way. */
  startEdit(worker: GraphWorker, job: EditJob): PortChannel {
    const bytes = pack(job);
    const port = this.#dispatch(worker, { runId: job.runId, bytes }, (port) => ({ type: 'edit', job: bytes, port }));
    return new PortChannel(port, new SharedArrayBuffer(RUN_SIGNALS_BYTES));
  }

  /** Workers that hold runs but can no longer execute code. */
  *brokenWorkers(): Generator<GraphWorker> {
    for (const worker of this.workers) {
      if (worker.ready && !worker.lost && worker.probe.check(worker.runs.size > 0)) yield worker;
    }
  }

  /** Ends the thread immediately. */
  terminate(worker: GraphWorker): void {
    const thread = this.#threadOf(worker);
    if (thread) void thread.terminate();
    else this.#onWorkerLost(worker, new Error('the worker is gone'));
  }

  /**
   * Piscina abandons a pool whose worker failed before it was ready. Without new workers, runs would wait
   * forever.
   */
  ensureWorkers(): void {
    const group = this.#shared;
    if (
      group === null ||
      group.workers.size > 0 ||
      group.piscina.threads.length > 0 ||
      performance.now() < this.#reopenAtMs
    )
      return;
    this.#reopenAtMs = performance.now() + LIMITS.workerReopenMs;
    this.#log.error('no graph worker is left; starting new ones');
    this.#shared = this.#openGroup(this.#threads, false);
    void group.piscina.destroy();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#servingGroups(), ...this.#retired].map((group) => group.piscina.destroy()));
  }

  #servingGroups(): WorkerGroup[] {
    return this.#shared === null ? [...this.#solos] : [this.#shared, ...this.#solos];
  }

  #openGroup(threads: number, solo: boolean): WorkerGroup {
    const group: WorkerGroup = {
      solo,
      workers: new Map(),
      piscina: new WorkerPool<WorkerTask, unknown>({
        filename: this.#file,
        minThreads: threads,
        maxThreads: threads,
        // Piscina ends idle threads immediately by default. Graph workers stay warm.
        idleTimeout: Infinity,
        concurrentTasksPerWorker: LIMITS.runsPerWorkerMax + 1,
        maxQueue: Infinity,
        // Synchronous atomics would block the thread between tasks, and with it the other runs.
        atomics: 'disabled',
        recordTiming: false,
        resourceLimits: { maxOldGenerationSizeMb: this.#heapMb, maxYoungGenerationSizeMb: LIMITS.workerYoungHeapMb },
        env: userCodeEnv(this.#data.env),
        workerData: this.#data,
        loadBalancer: (_task, workers) => workers.find((worker) => worker.id === this.#targetWorkerId) ?? null,
      }),
    };
    group.piscina.on('workerCreate', (created: { id: number }) => this.#onWorkerCreated(group, created.id));
    group.piscina.on('error', (error: Error) => this.#log.error({ err: error }, 'a graph worker failed'));
    return group;
  }

  /** A new thread loads its graphs before it gets runs. */
  #onWorkerCreated(group: WorkerGroup, id: number): void {
    const { graphs } = this.#data;
    const { port1, port2 } = new MessageChannel();
    const heartbeat = new Heartbeat();
    const probe = new Probe(port1, heartbeat, this.#probePatienceMs);
    const worker: GraphWorker = {
      id,
      name: this.#pickName(group),
      node: null,
      solo: group.solo,
      heartbeat,
      probe,
      ready: false,
      lost: false,
      runs: new Set(),
      codeOf: (graphId) => graphs.find((one) => one.graphId === graphId)?.hash,
    };
    group.workers.set(id, worker);
    this.#groups.set(worker, group);
    // Piscina emits `workerCreate` before it dispatches tasks to the worker.
    const load = new Promise((resolve) => setImmediate(resolve))
      .then(() => {
        const log = openCodeLog(this.#codeLog);
        return this.#send(worker, { type: 'load', beat: heartbeat.shared, probe: port2, log }, [port2, log]);
      })
      .then(
        (report) => {
          worker.ready = (report as LoadReport).ok;
          if (worker.ready && (group === this.#shared || group.solo)) this.#hooks?.onCapacity();
          return report as LoadReport;
        },
        (error: unknown) => {
          const position = heartbeat.loadingGraph;
          this.#onWorkerLost(worker, error);
          if (position !== null) return unfinishedLoad(graphs[position]!, null);
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

  #pickName(group: WorkerGroup): string {
    const taken = new Set((group.solo ? this.servingWorkers : [...group.workers.values()]).map(({ name }) => name));
    for (let place = 0; ; place += 1) {
      const name = `${group.solo ? 'solo' : 'graph'}-${place}`;
      if (!taken.has(name)) return name;
    }
  }

  /** Waits until all workers have loaded the graphs, or until one of them loads a graph for more than `limitMs`. */
  async #loadGroup(group: WorkerGroup, limitMs: number): Promise<LoadReport> {
    const startedMs = performance.now();
    // Piscina emits the first `workerCreate` events in a microtask of its constructor.
    while (group.workers.size < this.#threads) await new Promise((resolve) => setImmediate(resolve));
    const workers = [...group.workers.values()];
    const { graphs } = this.#data;
    const loads = Promise.all(
      workers.map((worker) => this.#loads.get(worker) ?? Promise.resolve<LoadReport>({ ok: true, problems: [] })),
    );
    const progress = new LoadProgress(workers);
    let timer: NodeJS.Timeout | undefined;
    const tooSlow = new Promise<LoadReport[]>((resolve) => {
      timer = setInterval(() => {
        const { position, forMs, isNew } = progress.slowest();
        if (position === null) return;
        const { graphId, file } = graphs[position]!;
        if (isNew)
          this.#log.warn(
            { graph: graphId, file },
            'A graph is still loading: code at the top level of its file, or of a module that it imports, has not ended',
          );
        if (forMs > limitMs) resolve([unfinishedLoad(graphs[position]!, forMs)]);
      }, LOAD_CHECK_MS);
    });
    try {
      const reports = await Promise.race([loads, tooSlow]);
      const failed = reports.find((report) => !report.ok);
      if (failed === undefined) this.#loadedMs = performance.now() - startedMs;
      return failed ?? { ok: true, problems: [] };
    } finally {
      clearInterval(timer);
    }
  }

  #dispatch(worker: GraphWorker, { runId, bytes }: PackedJob, taskOf: (port: MessagePort) => WorkerTask): MessagePort {
    const { port1, port2 } = new MessageChannel();
    worker.runs.add(runId);
    port1.on('message', () => worker.probe.noteProgress());
    // The front thread closes the port after the end of a run. The death of the thread or user code can close
    // it too.
    port1.on('close', () => this.#hooks?.onRunReturned(worker, runId));
    this.#send(worker, taskOf(port2), [port2, bytes.buffer as ArrayBuffer]).then(
      () => this.#onTaskReturned(worker, runId),
      (error: unknown) => this.#onWorkerLost(worker, error),
    );
    return port1;
  }

  #send(worker: GraphWorker, task: WorkerTask, transfer: (MessagePort | ArrayBuffer)[]): Promise<unknown> {
    const group = this.#groupOf(worker);
    // A task that Piscina cannot place would stay in its queue forever.
    if (this.#threadOf(worker) === undefined) return Promise.reject(new Error('the worker is gone'));
    this.#targetWorkerId = worker.id;
    try {
      return group.piscina.run(task, { transferList: transfer });
    } finally {
      this.#targetWorkerId = null;
    }
  }

  #onTaskReturned(worker: GraphWorker, runId: string): void {
    worker.runs.delete(runId);
    worker.probe.noteProgress();
    this.#hooks?.onRunReturned(worker, runId);
    const group = this.#groupOf(worker);
    if (this.#retired.has(group)) this.#closeRetired(group);
    this.#hooks?.onCapacity();
  }

  #onWorkerLost(worker: GraphWorker, error: unknown): void {
    if (worker.lost || this.#closed) return;
    worker.lost = true;
    worker.probe.close();
    this.workersLost += 1;
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
    this.#hooks?.onWorkerLost(worker, runIds, { reason, cause: 'worker' });
  }

  #closeRetired(group: WorkerGroup): void {
    if ([...group.workers.values()].some((worker) => worker.runs.size > 0)) return;
    this.#retired.delete(group);
    void group.piscina.destroy();
  }

  #groupOf(worker: GraphWorker): WorkerGroup {
    return this.#groups.get(worker)!;
  }

  #threadOf(worker: GraphWorker): Worker | undefined {
    return this.#groupOf(worker).piscina.threads.find((thread) => thread.threadId === worker.id);
  }
}

/** True if new runs can go to the worker, as far as its health is known. */
export function isAvailable({ ready, lost, heartbeat, probe }: GraphWorker): boolean {
  return ready && !lost && !heartbeat.isSilent && !probe.isSuspicious;
}
