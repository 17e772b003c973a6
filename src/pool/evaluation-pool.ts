import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Caller } from '../domain/caller.js';
import { fail, ThreadmillError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { Logger } from '../base/log/log.js';
import { workersFile } from '../base/places.js';
import { pack } from '../wire/codec.js';
import { Conversation } from '../wire/user-code/duplex.js';
import type {
  EvaluationResult,
  EvaluationTask,
  EvaluationWorkerData,
  ReadAnswer,
  ReadAsk,
} from '../wire/evaluation/evaluation.js';
import type { FromExport, ToExport } from '../wire/evaluation/exports.js';
import { sharedVitals, vitalsOf, type Vitals } from '../wire/vitals.js';

/** Uploads are parsed on one thread, questions answered and statistics made on another: a large body delays no reader. */
export type Lane = 'intake' | 'reading';

interface OpenLane {
  piscina: Piscina<EvaluationTask, EvaluationResult>;
  vitals: SharedArrayBuffer;
}

/** A task with a port: what both sides say, and how it ends. What is said before the start waits in the port. */
export interface EvaluationTalk<Out, In, Value> {
  talk: Conversation<Out, In>;
  /** Takes a place of the thread: call it when the whole body has been passed on, or slow clients would hold all places. */
  start(): void;
  /** Instead of `start`: it will not come to that. */
  abandon(error: Error): void;
  done: Promise<Value>;
}

/** The evaluation threads. They start with the first task that needs them: who serves graphs only pays nothing for them. */
export class EvaluationPool {
  readonly #data: Omit<EvaluationWorkerData, 'vitals'>;
  readonly #log: Logger;
  readonly #lanes = new Map<Lane, OpenLane>();
  #exports = 0;

  constructor(data: Omit<EvaluationWorkerData, 'vitals'>, log: Logger) {
    this.#data = data;
    this.#log = log;
  }

  /** Answers from what is on disk. Throws what the read refuses. */
  async read(name: string, caller: Caller, params: unknown): Promise<ReadAnswer> {
    return (await this.#run('reading', {
      type: 'read',
      ask: pack({ name, caller, params } satisfies ReadAsk),
    })) as ReadAnswer;
  }

  async statistics(list: number): Promise<unknown> {
    return this.#run('reading', { type: 'statistics', list });
  }

  /** A task that has a conversation; the front's end of it. */
  open<Out, In, Value>(type: 'upload' | 'ingest' | 'examples'): EvaluationTalk<Out, In, Value> {
    return this.#talk('intake', (port) => ({ type, port }));
  }

  /** Starts an export: `name` is one of workers/evaluation/exports.ts. Throws OVERLOADED. */
  openExport(name: string, caller: Caller, params: unknown): EvaluationTalk<ToExport, FromExport, null> {
    if (this.#exports >= LIMITS.exportsMax) throw fail('OVERLOADED', { what: 'too many exports are under way' });
    this.#exports += 1;
    const opened = this.#talk<ToExport, FromExport, null>('reading', (port) => ({
      type: 'export',
      port,
      ask: pack({ name, caller, params } satisfies ReadAsk),
    }));
    opened.start();
    opened.done
      .catch(() => undefined)
      .finally(() => {
        this.#exports -= 1;
      });
    return opened;
  }

  /** Tasks that wait for their thread. */
  get waiting(): { lane: Lane; tasks: number }[] {
    return [...this.#lanes].map(([lane, { piscina }]) => ({ lane, tasks: piscina.queueSize }));
  }

  /** Of the threads that are there. */
  get vitals(): { lane: Lane; vitals: Vitals }[] {
    return [...this.#lanes]
      .filter(([, { piscina }]) => piscina.threads.length > 0)
      .map(([lane, { vitals }]) => ({ lane, vitals: vitalsOf(vitals) }));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map(({ piscina }) => piscina.destroy()));
  }

  #talk<Out, In, Value>(lane: Lane, taskOf: (port: MessagePort) => EvaluationTask): EvaluationTalk<Out, In, Value> {
    const { port1, port2 } = new MessageChannel();
    const talk = new Conversation<Out, In>(port1);
    let begin!: (task: Promise<unknown>) => void;
    let refuse!: (error: Error) => void;
    const done = new Promise<unknown>((resolve, reject) => {
      [begin, refuse] = [resolve, reject];
    }) as Promise<Value>;
    done
      .then(
        () => undefined,
        (error: unknown) => talk.fail(error as Error),
      )
      .finally(() => talk.close());
    return {
      talk,
      start: () => begin(this.#run(lane, taskOf(port2), [port2])),
      abandon: refuse,
      done,
    };
  }

  async #run(lane: Lane, task: EvaluationTask, transferList: MessagePort[] = []): Promise<unknown> {
    const pool = this.#laneOf(lane);
    let result: EvaluationResult;
    try {
      result = await pool.run(task, { transferList });
    } catch (error) {
      this.#log.error({ err: error, task: task.type }, 'an evaluation task failed');
      // Piscina leaves tasks that wait behind a lost thread waiting; with their lane gone they are told.
      this.#drop(lane, pool);
      throw fail('EVALUATION_FAILED', { reason: error instanceof Error ? error.message : String(error) }, error);
    }
    if (result.ok) return result.value;
    if (result.code !== null) throw new ThreadmillError(result.code, result.params);
    const error = new Error('the evaluation thread failed');
    error.stack = result.stack;
    throw error;
  }

  #drop(name: Lane, pool: Piscina<EvaluationTask, EvaluationResult>): void {
    if (this.#lanes.get(name)?.piscina !== pool) return;
    this.#lanes.delete(name);
    void pool.destroy();
  }

  #laneOf(name: Lane): Piscina<EvaluationTask, EvaluationResult> {
    let lane = this.#lanes.get(name)?.piscina;
    if (lane === undefined) {
      const vitals = sharedVitals();
      lane = new Piscina<EvaluationTask, EvaluationResult>({
        filename: workersFile('evaluation/serve.js'),
        minThreads: 0,
        maxThreads: 1,
        // A thread that has parsed a large body keeps its heap; ended, it gives it back. The reading thread has its caches.
        idleTimeout: name === 'intake' ? LIMITS.intakeIdleMs : Infinity,
        concurrentTasksPerWorker: name === 'intake' ? LIMITS.intakeTasksMax : LIMITS.readingTasksMax,
        maxQueue: Infinity,
        // While a large body is parsed, the front answers everyone else: it goes first when there are not cores for all.
        niceIncrement: name === 'intake' ? LIMITS.intakeNice : 0,
        // Synchronous atomics would park the thread between tasks; a conversation goes on between them.
        atomics: 'disabled',
        recordTiming: false,
        resourceLimits: {
          maxOldGenerationSizeMb: LIMITS.evaluationHeapMb,
          maxYoungGenerationSizeMb: LIMITS.workerYoungMb,
        },
        workerData: { ...this.#data, vitals } satisfies EvaluationWorkerData,
      });
      const opened = lane;
      lane.on('error', (error: Error) => {
        this.#log.error({ err: error }, 'an evaluation thread failed');
        this.#drop(name, opened);
      });
      this.#lanes.set(name, { piscina: lane, vitals });
    }
    return lane;
  }
}
