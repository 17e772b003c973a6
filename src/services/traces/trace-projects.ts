import { SERVER_CALLER } from '../../domain/caller.js';
import { jsonBytes } from '../../base/json/json.js';
import type { DraftCommit } from '../../store/read-your-writes.js';
import type { ExperimentRecord } from '../../store/evaluation/experiments.js';
import { visibleExperiments } from '../../store/evaluation/experiments.js';
import type { EvaluationContext } from '../evaluation/context.js';
import { newExperiment } from '../evaluation/experiments.js';

/** Which assistant a run was started with. */
export interface TracedAssistant {
  assistantId: string;
  graphId: string;
  name: string;
}

/** The projects that hold the traces of runs: one for each assistant. */
export class TraceProjects {
  readonly #evaluation: EvaluationContext;
  #known: Map<string, string> | null = null;

  constructor(evaluation: EvaluationContext) {
    this.#evaluation = evaluation;
  }

  /** Ids of projects by assistant. They are random, so that no client can create such a project first. */
  get #ids(): Map<string, string> {
    if (this.#known !== null) return this.#known;
    this.#known = new Map();
    for (const { assistantId, experimentId } of visibleExperiments(this.#evaluation.latest.store, SERVER_CALLER))
      if (assistantId !== undefined) this.#known.set(assistantId, experimentId);
    return this.#known;
  }

  /** The assistant's project. The commit creates it if it does not exist. */
  projectOf(plan: DraftCommit, { assistantId, graphId, name }: TracedAssistant): ExperimentRecord {
    const experiments = this.#evaluation.experiments.over(plan);
    const known = this.#ids.get(assistantId);
    const record = known === undefined ? undefined : experiments.get(SERVER_CALLER, known);
    if (record !== undefined) return record;
    const isTaken = (one: string): boolean =>
      experiments.idByName(one) !== undefined || this.#evaluation.reservedNames.has(one);
    const created = newExperiment(this.#evaluation, plan, {
      name:
        [name, `${name} (${assistantId})`].find((one) => !isTaken(one)) ?? `${name} (${this.#evaluation.ids.next()})`,
      extra: jsonBytes({ metadata: { assistant_id: assistantId, graph_id: graphId } }),
      assistantId,
    });
    experiments.put(plan, created, null);
    this.#ids.set(assistantId, created.experimentId);
    return created;
  }
}
