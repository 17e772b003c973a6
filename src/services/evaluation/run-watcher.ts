import type { DraftCommit } from '../../store/read-your-writes.js';
import type { RuleTrigger } from '../../store/evaluation/rules.js';

/** A stored change to a run: it has ended, or it got feedback. */
export interface StoredChange {
  runId: string;
  /** The list of its project. */
  list: number;
  trigger: RuleTrigger;
}

/** Learns of runs after they were stored. */
export interface RunWatcher {
  /** False: nothing needs to be reported. */
  readonly isWatching: boolean;
  /** Does not throw, and does not take long. */
  onStored(changes: readonly StoredChange[]): void;
  /** The commit deletes a project. */
  onProjectRemoved(commit: DraftCommit, experimentId: string): void;
}
