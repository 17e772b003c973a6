import type { Commit } from '../../store/env.js';
import type { Stores } from '../../store/stores.js';
import type { ThreadChange } from '../../store/threads/thread-changes.js';

/**
 * Undoes all that a run or an edit wrote to its thread, newest change first, in slices that others are answered in between; the
 * thread must be held. `last` goes with the last slice. Unless it is one slice, the change is named in the store with the first
 * one, so that start-up goes on where a crash cut it off; `named`: it is already.
 */
export async function rollBack(
  { store, checkpoints, changes }: Stores,
  change: ThreadChange,
  named: boolean,
  last: (commit: Commit) => void,
): Promise<void> {
  for (const { commit, more } of checkpoints.undone(change.changeId)) {
    if (more) {
      if (!named) changes.begin(commit, change);
      named = true;
    } else {
      if (named) changes.end(commit, change);
      last(commit);
    }
    // The next slice is read from the disk.
    await store.write(commit);
  }
}
