import type { AskPool } from '../pool/user-code/call-pool.js';
import type { EvaluationPool } from '../pool/evaluation-pool.js';
import type { GatePool } from '../pool/user-code/auth-pool.js';
import type { GraphPool } from '../pool/graphs/graph-pool.js';
import { sharedVitals, startBeating, vitalsOf, type Vitals } from '../wire/vitals.js';

/** A thread of the server, under a name that stays when it is replaced. */
export interface ThreadVitals extends Vitals {
  thread: string;
}

/** Threads that answer asks. */
type Asked = Pick<AskPool<never, never, never>, 'vitals'>;

/** The threads of this process and how they are. Only read when somebody asks. */
export class Machine {
  readonly #front = sharedVitals();
  readonly #stop = startBeating(this.#front);
  readonly #gates: () => GatePool | null;
  readonly #evaluation: EvaluationPool;
  #graphs: GraphPool | null = null;
  #asked: Readonly<Record<string, Asked>> = {};

  constructor(options: { gates: () => GatePool | null; evaluation: EvaluationPool }) {
    this.#gates = options.gates;
    this.#evaluation = options.evaluation;
  }

  attach(graphs: GraphPool, asked: Readonly<Record<string, Asked>>): void {
    this.#graphs = graphs;
    this.#asked = asked;
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
      ...Object.entries(this.#asked).flatMap(([name, pool]) =>
        pool.vitals.map((vitals) => ({ thread: name, ...vitals })),
      ),
      ...this.#evaluation.vitals.map(({ lane, vitals }) => ({ thread: `evaluation-${lane}`, ...vitals })),
    ];
  }

  close(): void {
    this.#stop();
  }
}
