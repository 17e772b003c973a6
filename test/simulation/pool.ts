import { PortChannel } from '../../src/pool/graphs/port-channel.js';
import type { RunWorker, RunWorkerHooks, RunWorkers } from '../../src/pool/graphs/run-workers.js';
import type { RunJob } from '../../src/wire/runs/messages.js';
import { LISTENING, RUN_SIGNALS_BYTES } from '../../src/wire/runs/run-signals.js';
import { SimulatedRun } from './worker.js';

interface Worker {
  id: number;
  runs: Map<string, SimulatedRun>;
  solo: boolean;
  codeOf: () => undefined;
}

type Hooks = Pick<RunWorkerHooks, 'onCapacity' | 'onWorkerLost'>;

const RUNS_MAX = 4;
const SOLOS_MAX = 2;

/** Workers that make progress and get lost when the simulation decides it. */
export class SimulatedPool implements RunWorkers {
  readonly #count: number;
  readonly #nextId: () => string;
  readonly #onStarted: (run: SimulatedRun) => void;
  #hooks: Hooks | null = null;
  readonly #workers: Worker[] = [];
  #lastId = 0;
  readonly isUniform = true;

  /** `onStarted`: a run was dispatched and has not done anything yet. */
  constructor(count: number, nextId: () => string, onStarted: (run: SimulatedRun) => void) {
    this.#count = count;
    this.#nextId = nextId;
    this.#onStarted = onStarted;
  }

  /** The workers take runs from now on. */
  start(hooks: Hooks): void {
    this.#hooks = hooks;
    for (let made = 0; made < this.#count; made += 1) this.#make(false);
    hooks.onCapacity();
  }

  /** Attempts that workers have, those included that are over and have messages on their way. */
  get runs(): SimulatedRun[] {
    return this.#workers.flatMap(({ runs }) => [...runs.values()]);
  }

  get busy(): Worker[] {
    return this.#workers.filter(({ runs }) => runs.size > 0);
  }

  get soloCount(): number {
    return this.#workers.filter(({ solo }) => solo).length;
  }

  canRun(): boolean {
    return true;
  }

  pickWorker(preferred: number | null): RunWorker | null {
    const free = this.#workers.filter(({ solo, runs }) => !solo && runs.size < RUNS_MAX);
    return (free.find(({ id }) => id === preferred) ??
      free.toSorted((a, b) => a.runs.size - b.runs.size)[0] ??
      null) as RunWorker | null;
  }

  pickSoloWorker(): RunWorker | null {
    const free = this.#workers.find(({ solo, runs }) => solo && runs.size === 0);
    if (free !== undefined) return free as unknown as RunWorker;
    return this.soloCount < SOLOS_MAX ? (this.#make(true) as unknown as RunWorker) : null;
  }

  closeIdleSoloWorkers(): void {
    for (const worker of this.#workers.filter(({ solo, runs }) => solo && runs.size === 0))
      this.#workers.splice(this.#workers.indexOf(worker), 1);
  }

  startRun(worker: RunWorker, job: RunJob, isListening: boolean): PortChannel {
    const signals = new SharedArrayBuffer(RUN_SIGNALS_BYTES);
    if (isListening) new Int32Array(signals)[LISTENING] = 1;
    const run = new SimulatedRun(job, signals, this.#nextId);
    (worker as unknown as Worker).runs.set(job.runId, run);
    this.#onStarted(run);
    return new PortChannel(run.port.front, signals);
  }

  terminate(): void {
    throw new Error('no simulated worker breaks in a way that ends it');
  }

  /** The worker lets go of what is over, and of what the front has fenced off. */
  clear(): void {
    let freed = false;
    for (const { runs } of this.#workers) {
      for (const [runId, run] of runs) {
        if (run.port.open && !(run.over && run.port.toFront.length === 0)) continue;
        runs.delete(runId);
        freed = true;
      }
    }
    if (freed) this.#hooks!.onCapacity();
  }

  /** The worker ends, with all that it was doing; another one takes its place. */
  lose(worker: Worker): void {
    this.#workers.splice(this.#workers.indexOf(worker), 1);
    if (!worker.solo) this.#make(false);
    this.#hooks!.onWorkerLost(worker as unknown as RunWorker, [...worker.runs.keys()], {
      reason: 'simulated',
      cause: 'worker',
    });
  }

  #make(solo: boolean): Worker {
    const worker = { id: (this.#lastId += 1), runs: new Map<string, SimulatedRun>(), solo, codeOf: () => undefined };
    this.#workers.push(worker);
    return worker;
  }
}
