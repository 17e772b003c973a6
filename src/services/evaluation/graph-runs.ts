import type { Caller } from '../../domain/caller.js';
import type { RunThread } from '../../store/evaluation/feedback.js';

/** Queries about runs of graphs, which have threads instead of experiments. */
export interface GraphRunLookup {
  /** The thread of a run. Null if the caller sees no such run. */
  threadOf(caller: Caller, runId: string): RunThread | null;
  /**
   * True if feedback on a graph's run also belongs to the trace with the same id. False if a handler identifies
   * users: the sender of a trace chooses its id, and must not pull other users' feedback into its own project.
   */
  feedbackFollowsTrace(): boolean;
}
