import type { MessagePort } from 'node:worker_threads';
import type { GraphPool, GraphWorker } from '../../src/pool/graphs/graph-pool.js';
import type { RunJob } from '../../src/wire/runs/messages.js';
import { SimulatedRun } from './worker.js';

interface Worker {
  id: number;
  runs: Map<string, SimulatedRun>;
  solo: boolean;
}

export interface PoolHooks {
  room(): void;
  lost(worker: GraphWorker, runIds: string[], reason: string): void;
  /** A run was handed out, before anything of it is done. */
  started(run: SimulatedRun): void;
}

const RUNS_MAX = 4;
const SOLOS_MAX = 2;

/** Workers that go on, and get lost, when the simulation says so. */
export class SimulatedPool {
  readonly #hooks: PoolHooks;
  readonly #nextId: () => string;
  readonly #workers: Worker[] = [];
  #lastId = 0;

  constructor(count: number, nextId: () => string, hooks: PoolHooks) {
    this.#hooks = hooks;
    this.#nextId = nextId;
    for (let made = 0; made < count; made += 1) this.#make(false);
  }

  /** In the shape that the scheduler takes: as far as it uses one. */
  get asPool(): GraphPool {
    return this as unknown as GraphPool;
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

  pick(preferred: number | null): GraphWorker | null {
    const free = this.#workers.filter(({ solo, runs }) => !solo && runs.size < RUNS_MAX);
    return (free.find(({ id }) => id === preferred) ??
      free.toSorted((a, b) => a.runs.size - b.runs.size)[0] ??
      null) as GraphWorker | null;
  }

  pickSolo(): GraphWorker | null {
    const free = this.#workers.find(({ solo, runs }) => solo && runs.size === 0);
    if (free !== undefined) return free as unknown as GraphWorker;
    return this.soloCount < SOLOS_MAX ? (this.#make(true) as unknown as GraphWorker) : null;
  }

  closeIdleSolos(): void {
    for (const worker of this.#workers.filter(({ solo, runs }) => solo && runs.size === 0))
      this.#workers.splice(this.#workers.indexOf(worker), 1);
  }

  start(worker: GraphWorker, job: RunJob, signals: SharedArrayBuffer): MessagePort {
    const run = new SimulatedRun(job, signals, this.#nextId);
    (worker as unknown as Worker).runs.set(job.runId, run);
    this.#hooks.started(run);
    return run.port.front;
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
    if (freed) this.#hooks.room();
  }

  /** The worker ends, with all that it was doing; another one takes its place. */
  lose(worker: Worker): void {
    this.#workers.splice(this.#workers.indexOf(worker), 1);
    if (!worker.solo) this.#make(false);
    this.#hooks.lost(worker as unknown as GraphWorker, [...worker.runs.keys()], 'simulated');
  }

  #make(solo: boolean): Worker {
    const worker = { id: (this.#lastId += 1), runs: new Map<string, SimulatedRun>(), solo };
    this.#workers.push(worker);
    return worker;
  }
}
