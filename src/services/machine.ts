import type { EvaluationPool } from '../pool/evaluation-pool.js';
import type { GatePool } from '../pool/gate-pool.js';
import type { GraphPool } from '../pool/graph-pool.js';
import { sharedVitals, startBeating, vitalsOf, type Vitals } from '../wire/vitals.js';

/** A thread of the server, under a name that stays when it is replaced. */
export interface ThreadVitals extends Vitals {
  thread: string;
}

/** The threads of this process and how they are. Only read when somebody asks. */
export class Machine {
  readonly #front = sharedVitals();
  readonly #stop = startBeating(this.#front);
  readonly #gates: () => GatePool | null;
  readonly #evaluation: EvaluationPool;
  #graphs: GraphPool | null = null;

  constructor(options: { gates: () => GatePool | null; evaluation: EvaluationPool }) {
    this.#gates = options.gates;
    this.#evaluation = options.evaluation;
  }

  attach(graphs: GraphPool): void {
    this.#graphs = graphs;
  }

  get graphs(): GraphPool {
    return this.#graphs!;
  }

  get gates(): GatePool | null {
    return this.#gates();
  }

  get evaluation(): EvaluationPool {
    return this.#evaluation;
  }

  get vitals(): ThreadVitals[] {
    return [
      { thread: 'front', ...vitalsOf(this.#front) },
      ...this.graphs.serving.map(({ name, beat }) => ({ thread: name, ...beat.vitals })),
      ...(this.gates?.vitals ?? []).map((vitals, at) => ({ thread: `gate-${at}`, ...vitals })),
      ...this.#evaluation.vitals.map(({ lane, vitals }) => ({ thread: `evaluation-${lane}`, ...vitals })),
    ];
  }

  close(): void {
    this.#stop();
  }
}
