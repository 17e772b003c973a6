import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { WorkerPool } from './worker-pool.js';
import type { Caller } from '../domain/caller.js';
import { fail, ThreadmillError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { Logger } from '../base/log/log.js';
import { threadFile } from '../base/program-files.js';
import { pack } from '../wire/codec.js';
import { Duplex } from '../wire/user-code/duplex.js';
import type {
  EvaluationResult,
  EvaluationTask,
  EvaluationWorkerData,
  ReadResponse,
  ReadRequest,
} from '../wire/evaluation/evaluation.js';
import type { FromExport, ToExport } from '../wire/evaluation/exports.js';
import { createMetricsMemory, readThreadMetrics, type ThreadMetrics } from '../wire/thread-metrics.js';

/**
 * `intake` parses uploads, `reading` answers queries and computes statistics. Each has its own thread, so that
 * a large body does not delay readers.
 */
export type Lane = 'intake' | 'reading';

interface LaneThread {
  piscina: WorkerPool<EvaluationTask, EvaluationResult>;
  vitals: SharedArrayBuffer;
  /** Sessions that have not ended, and other tasks. */
  tasks: number;
  /** Bytes of the bodies that the thread has processed. */
  bodyBytes: number;
}

/** A task that exchanges messages over a port, and its result. Messages sent before `start` wait in the port. */
export interface EvaluationSession<Out, In, Value> {
  duplex: Duplex<Out, In>;
  /**
   * Occupies a task slot of the thread. Call it after the whole body has been sent: otherwise slow clients
   * would hold all slots. `bodyBytes`: its size.
   */
  start(bodyBytes: number): void;
  /** Call this instead of `start` to give up. */
  cancel(error: Error): void;
  result: Promise<Value>;
}

/** The evaluation threads. Each one starts with its first task, so a server that only serves graphs has no cost. */
export class EvaluationPool {
  readonly #data: Omit<EvaluationWorkerData, 'vitals'>;
  readonly #log: Logger;
  readonly #lanes = new Map<Lane, LaneThread>();
  #exports = 0;
  #keepsIntakeReady = false;
  #intakeTimer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(data: Omit<EvaluationWorkerData, 'vitals'>, log: Logger) {
    this.#data = data;
    this.#log = log;
  }

  /** Runs a read on stored data. Throws the errors of that read. */
  async read(name: string, caller: Caller, params: unknown): Promise<ReadResponse> {
    return (await this.#run('reading', {
      type: 'read',
      ask: pack({ name, caller, params } satisfies ReadRequest),
    })) as ReadResponse;
  }

  async statistics(list: number): Promise<unknown> {
    return this.#run('reading', { type: 'statistics', list });
  }

  /** Opens a session for a task. Returns the front thread's side. */
  openSession<Out, In, Value>(type: 'upload' | 'ingest' | 'examples'): EvaluationSession<Out, In, Value> {
    return this.#openSession('intake', (port) => ({ type, port }));
  }

  /** Starts an export. `name` is one of workers/evaluation/exports.ts. Throws OVERLOADED. */
  openExport(name: string, caller: Caller, params: unknown): EvaluationSession<ToExport, FromExport, null> {
    if (this.#exports >= LIMITS.exportsMax) throw fail('OVERLOADED', { what: 'too many exports are in progress' });
    this.#exports += 1;
    const session = this.#openSession<ToExport, FromExport, null>('reading', (port) => ({
      type: 'export',
      port,
      ask: pack({ name, caller, params } satisfies ReadRequest),
    }));
    session.start(0);
    session.result
      .catch(() => undefined)
      .finally(() => {
        this.#exports -= 1;
      });
    return session;
  }

  /**
   * Starts the intake thread and keeps one from now on, ready for uploads: the first upload of a new thread takes
   * several times as long.
   */
  keepIntakeReady(): void {
    this.#keepsIntakeReady = true;
    if (this.#isClosed || this.#lanes.has('intake')) return;
    this.#run('intake', { type: 'warm-up' }).catch((error: unknown) => {
      if (!this.#isClosed) this.#log.warn({ err: error }, 'the intake thread could not be prepared');
    });
  }

  /** Thread that takes uploads; null without one. */
  get intakeThreadId(): number | null {
    return this.#lanes.get('intake')?.piscina.threads[0]?.threadId ?? null;
  }

  /** Number of tasks that wait for each thread. */
  get queuedTasks(): { lane: Lane; tasks: number }[] {
    return [...this.#lanes].map(([lane, { piscina }]) => ({ lane, tasks: piscina.queueSize }));
  }

  /** Metrics of the running threads. */
  get metrics(): { lane: Lane; metrics: ThreadMetrics }[] {
    return [...this.#lanes]
      .filter(([, { piscina }]) => piscina.threads.length > 0)
      .map(([lane, { vitals }]) => ({ lane, metrics: readThreadMetrics(vitals) }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#intakeTimer !== null) clearTimeout(this.#intakeTimer);
    await Promise.all([...this.#lanes.values()].map(({ piscina }) => piscina.destroy()));
  }

  #openSession<Out, In, Value>(
    lane: Lane,
    createTask: (port: MessagePort) => EvaluationTask,
  ): EvaluationSession<Out, In, Value> {
    const { port1, port2 } = new MessageChannel();
    const duplex = new Duplex<Out, In>(port1);
    let start!: (task: Promise<unknown>) => void;
    let cancel!: (error: Error) => void;
    const result = new Promise<unknown>((resolve, reject) => {
      [start, cancel] = [resolve, reject];
    }) as Promise<Value>;
    result
      .then(
        () => undefined,
        (error: unknown) => duplex.fail(error as Error),
      )
      .finally(() => duplex.close());
    return {
      duplex,
      start: (bodyBytes) => {
        this.#openLane(lane).bodyBytes += bodyBytes;
        start(this.#run(lane, createTask(port2), [port2]));
      },
      cancel,
      result,
    };
  }

  async #run(lane: Lane, task: EvaluationTask, transferList: MessagePort[] = []): Promise<unknown> {
    const thread = this.#openLane(lane);
    thread.tasks += 1;
    let result: EvaluationResult;
    try {
      result = await thread.piscina.run(task, { transferList });
    } catch (error) {
      if (!this.#isClosed) this.#log.error({ err: error, task: task.type }, 'an evaluation task failed');
      // Piscina never settles the tasks queued behind a lost thread. Closing the lane rejects them.
      this.#closeLane(lane, thread.piscina);
      throw fail('EVALUATION_FAILED', { reason: error instanceof Error ? error.message : String(error) }, error);
    } finally {
      thread.tasks -= 1;
      if (lane === 'intake') this.#onIntakeTaskEnded(thread);
    }
    if (result.ok) return result.value;
    if (result.code !== null) throw new ThreadmillError(result.code, result.params);
    const error = new Error('the evaluation thread failed');
    error.stack = result.stack;
    throw error;
  }

  #closeLane(name: Lane, pool: WorkerPool<EvaluationTask, EvaluationResult>): void {
    if (this.#lanes.get(name)?.piscina !== pool) return;
    this.#lanes.delete(name);
    void pool.destroy();
  }

  /**
   * Ends the intake thread after some time without a task, because it keeps its heap. If one is to be ready, it ends
   * only after large bodies, and another one takes its place.
   */
  #onIntakeTaskEnded(thread: LaneThread): void {
    if (this.#intakeTimer !== null) clearTimeout(this.#intakeTimer);
    this.#intakeTimer = null;
    if (this.#isClosed || thread.tasks > 0 || this.#lanes.get('intake') !== thread) return;
    if (this.#isKeptReady(thread)) return;
    this.#intakeTimer = setTimeout(() => {
      // Since its first body, the server may keep a thread ready.
      if (thread.tasks > 0 || this.#isKeptReady(thread)) return;
      this.#closeLane('intake', thread.piscina);
      if (this.#keepsIntakeReady) this.keepIntakeReady();
    }, LIMITS.intakeIdleMs).unref();
  }

  #isKeptReady({ bodyBytes }: LaneThread): boolean {
    return this.#keepsIntakeReady && bodyBytes <= LIMITS.intakeBodyBytesMax;
  }

  #openLane(name: Lane): LaneThread {
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      if (name === 'intake' && this.#intakeTimer !== null) clearTimeout(this.#intakeTimer);
      const vitals = createMetricsMemory();
      const piscina = new WorkerPool<EvaluationTask, EvaluationResult>({
        filename: threadFile('evaluation/serve'),
        minThreads: 0,
        maxThreads: 1,
        // The pool ends the intake thread itself. The reading thread stays, because it has caches.
        idleTimeout: Infinity,
        concurrentTasksPerWorker: name === 'intake' ? LIMITS.intakeTasksMax : LIMITS.readingTasksMax,
        maxQueue: Infinity,
        // The front thread has priority over the parsing of a large body when cores are scarce.
        niceIncrement: name === 'intake' ? LIMITS.intakeNice : 0,
        // Synchronous atomics would block the thread between tasks, while sessions still exchange messages.
        atomics: 'disabled',
        recordTiming: false,
        resourceLimits: {
          maxOldGenerationSizeMb: LIMITS.evaluationHeapMb,
          maxYoungGenerationSizeMb: name === 'intake' ? LIMITS.intakeYoungHeapMb : LIMITS.workerYoungHeapMb,
        },
        workerData: { ...this.#data, vitals } satisfies EvaluationWorkerData,
      });
      piscina.on('error', (error: Error) => {
        this.#log.error({ err: error }, 'an evaluation thread failed');
        this.#closeLane(name, piscina);
      });
      lane = { piscina, vitals, tasks: 0, bodyBytes: 0 };
      this.#lanes.set(name, lane);
    }
    return lane;
  }
}
