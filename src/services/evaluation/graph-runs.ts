import type { Caller } from '../../domain/caller.js';
import type { RunThread } from '../../store/evaluation/feedback.js';

/** What evaluation results ask about runs of graphs, which have threads and no experiments. */
export interface GraphRuns {
  /** The thread of a run, for a caller who sees it; null when there is no such run. */
  threadOf(caller: Caller, runId: string): RunThread | null;
  /**
   * Feedback on a graph's run goes with the trace of the same id. Not where a handler tells users apart: whoever sends a
   * trace chooses its id, and must not draw what others said of their own runs into a project of theirs.
   */
  follows(): boolean;
}

export const NO_GRAPH_RUNS: GraphRuns = { threadOf: () => null, follows: () => true };
