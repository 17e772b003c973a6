import type { ExperimentStart } from '../../../schemas/compiled/types.js';
import type { Caller } from '../../domain/caller.js';
import type { EvaluatorKind } from '../../wire/evaluation/evaluators.js';
import type { ExperimentJobRecord } from '../../store/evaluation/experiment-jobs.js';

/** Experiments that the server runs. They go on after a restart, or on the next owner of a cluster. */
export interface ExperimentRunner {
  /** The evaluators of langgraph.json; `dev` replaces them. */
  evaluators: readonly EvaluatorKind[];
  /**
   * Creates an experiment and starts its runs. Throws DATASET_NOT_FOUND, RUN_ASSISTANT_NOT_FOUND, EXPERIMENT_EXISTS,
   * EXPERIMENTS_LIMITED, and INVALID_REQUEST for an evaluator that does not exist or does not load.
   */
  start(caller: Caller, body: ExperimentStart): Promise<ExperimentJobRecord>;
  /** The job with its present counts. Throws EXPERIMENT_NOT_FOUND, EXPERIMENT_NOT_RUN_HERE. */
  get(caller: Caller, experimentId: string): ExperimentJobRecord;
  /** Cancels a job; its stored runs stay. Resolves when it has ended. Throws what `get` throws. */
  cancel(caller: Caller, experimentId: string): Promise<ExperimentJobRecord>;
  /** Continues the jobs of an earlier process. */
  recover(): void;
  /** Stops all jobs; they go on after the next start. */
  close(): Promise<void>;
}
