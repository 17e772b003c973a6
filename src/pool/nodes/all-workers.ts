import type { RunJob } from '../../wire/runs/messages.js';
import type { GraphPool, GraphWorker } from '../graphs/graph-pool.js';
import type { RunChannel } from '../graphs/run-channel.js';
import type { NeededCode, RunWorker, RunWorkers } from '../graphs/run-workers.js';
import type { NodeWorker, NodeWorkers } from './node-workers.js';

/** The graph workers of this node and of all others. */
export class AllWorkers implements RunWorkers {
  readonly #pool: GraphPool;
  readonly #nodes: NodeWorkers;
  readonly #isDraining: () => boolean;
  /** Nodes may have different graphs. */
  readonly isUniform = false;

  /** `isDraining`: while it returns true, the workers of this node take no more runs. */
  constructor(pool: GraphPool, nodes: NodeWorkers, isDraining: () => boolean) {
    this.#pool = pool;
    this.#nodes = nodes;
    this.#isDraining = isDraining;
  }

  /** Of two workers that have equally many runs, the one of this node is nearer. */
  pickWorker(preferred: number | null, graphId: string, code: NeededCode | null = null): RunWorker | null {
    const own = this.#canRunHere(graphId, code) ? this.#pool.pickWorker(preferred) : null;
    if (own !== null && own.id === preferred) return own;
    const other = this.#nodes.pickWorker(preferred, graphId, code);
    if (own === null || other === null) return own ?? other;
    return other.id === preferred || other.runs.size < own.runs.size ? other : own;
  }

  canRun(graphId: string, code: NeededCode | null = null): boolean {
    return this.#canRunHere(graphId, code) || this.#nodes.canRun(graphId, code);
  }

  #canRunHere(graphId: string, code: NeededCode | null): boolean {
    return !this.#isDraining() && this.#hasHere(graphId, code);
  }

  /** This node can load an old version. One that nobody has any more is tried here, where the run then fails. */
  #hasHere(graphId: string, code: NeededCode | null): boolean {
    const hasGraph = this.#nodes.ownHas(graphId);
    return code === null ? hasGraph : (hasGraph && code.isKept) || !this.#nodes.canRun(graphId, code);
  }

  /** Only this node starts workers for one run. Without the graph, it uses those that other nodes have. */
  pickSoloWorker(graphId: string, code: NeededCode | null = null): RunWorker | null {
    if (!this.#hasHere(graphId, code)) return this.#nodes.pickWorker(null, graphId, code);
    return this.#isDraining() ? null : this.#pool.pickSoloWorker();
  }

  closeIdleSoloWorkers(): void {
    this.#pool.closeIdleSoloWorkers();
  }

  get soloCount(): number {
    return this.#pool.soloCount;
  }

  startRun(worker: RunWorker, job: RunJob, isListening: boolean): RunChannel {
    return isOwn(worker)
      ? this.#pool.startRun(worker, job, isListening)
      : this.#nodes.startRun(worker as NodeWorker, job, isListening);
  }

  terminate(worker: RunWorker): void {
    if (isOwn(worker)) this.#pool.terminate(worker);
    else this.#nodes.terminate(worker as NodeWorker);
  }
}

function isOwn(worker: RunWorker): worker is GraphWorker {
  return worker.node === null;
}
