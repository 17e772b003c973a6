import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import type { EvaluationRun } from '../../wire/evaluation/evaluation-run.js';
import type { ExperimentRecord } from '../../store/evaluation/experiments.js';
import type { RunChange } from '../../wire/evaluation/ingest.js';
import type { EvaluationContext } from './context.js';
import { newExperiment } from './experiments.js';
import { stampExtra } from './extra.js';
import type { ListChanges } from './list-changes.js';
import { listForTrace } from './project-lists.js';

/** Project of runs that name none (evaluation-api.md, 4.3). */
export const DEFAULT_PROJECT = 'default';

/** Finds the lists for the runs of one commit. */
export class RunPlacement {
  readonly #evaluation: EvaluationContext;
  readonly #caller: Caller;
  readonly #changes: ListChanges;
  /** Most runs of a commit are of the same project. */
  readonly #byName = new Map<string, ExperimentRecord>();

  constructor(evaluation: EvaluationContext, caller: Caller, changes: ListChanges) {
    this.#evaluation = evaluation;
    this.#caller = caller;
    this.#changes = changes;
  }

  /**
   * The list of the project that the change names, else of that of the run or its trace. `known` is the stored run.
   * Throws EXPERIMENT_NOT_FOUND.
   */
  listOf(
    { runId, traceId, sessionId, sessionName, defaultProject }: RunChange,
    known: { list: number; run: EvaluationRun } | undefined,
  ): number {
    const present = known?.list ?? (traceId === null ? null : this.#changes.listOfTrace(traceId));
    const found =
      this.#namedProject(sessionId, sessionName) ??
      (present === null ? undefined : this.#projectOfList(present)) ??
      this.#projectByName(defaultProject ?? DEFAULT_PROJECT);
    const trace = traceId ?? known?.run.traceId ?? runId;
    const { list, project } = listForTrace(this.#evaluation, this.#changes, found, trace);
    this.#byName.set(project.name, project);
    return list;
  }

  /** Null if the change names none. */
  #namedProject(sessionId: string | null, sessionName: string | null): ExperimentRecord | null {
    if (sessionId === null) return sessionName === null ? null : this.#projectByName(sessionName);
    const experiment = this.#experiments.get(this.#caller, sessionId);
    if (experiment === undefined) throw fail('EXPERIMENT_NOT_FOUND', { experimentId: sessionId });
    return experiment;
  }

  #projectByName(name: string): ExperimentRecord {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const project = this.#openProject(name);
    this.#byName.set(name, project);
    return project;
  }

  /** A project is created with its first run. */
  #openProject(name: string): ExperimentRecord {
    const experiments = this.#experiments;
    const id = experiments.idByName(name);
    if (id === undefined) {
      const { plan } = this.#changes;
      const created = newExperiment(this.#evaluation, plan, { name, extra: stampExtra(this.#caller, null) });
      experiments.put(plan, created, null);
      return created;
    }
    const project = experiments.get(this.#caller, id);
    if (project !== undefined) return project;
    // Project names are unique. If another caller owns the default project, this caller gets its own one.
    if (name === DEFAULT_PROJECT) return this.#projectByName(`${DEFAULT_PROJECT} (${this.#caller.identity})`);
    throw fail('EXPERIMENT_NOT_FOUND', { experimentId: id });
  }

  #projectOfList(list: number): ExperimentRecord | undefined {
    const id = this.#changes.experimentIdOf(list);
    return id === undefined ? undefined : this.#experiments.get(this.#caller, id);
  }

  get #experiments(): EvaluationContext['experiments'] {
    return this.#evaluation.experiments.over(this.#changes.plan);
  }
}
