import type { DraftCommit } from '../../store/read-your-writes.js';
import type { RuleTrigger } from '../../store/evaluation/rules.js';

/** What a commit has stored of a run: its end, or feedback on it. */
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
