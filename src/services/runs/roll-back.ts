import type { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';
import type { ThreadChange } from '../../store/threads/thread-changes.js';

/**
 * Undoes everything that a run or a state update wrote to its thread, newest change first, in slices. The caller must
 * hold the thread. `last` adds writes to the last slice. If there is more than one slice, the first one records the
 * change, so that the next start can continue after a crash. `named`: it is recorded already.
 */
export async function rollBack(
  { store, checkpoints, changes }: Stores,
  change: ThreadChange,
  named: boolean,
  last: (commit: Commit) => void,
): Promise<void> {
  for (const { commit, more } of checkpoints.undoRun(change.changeId)) {
    if (more) {
      if (!named) changes.begin(commit, change);
      named = true;
    } else {
      if (named) changes.end(commit, change);
      last(commit);
    }
    // The next slice is read from disk, so this one must be there.
    await store.write(commit);
  }
}
