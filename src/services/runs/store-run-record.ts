import { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';
import type { LiveRun } from './live.js';

/** Stores the run's record as it is now, with `extraWrites` in the same commit. Resolves when it is on disk. */
export function storeRunRecord(
  { runs, store }: Stores,
  run: LiveRun,
  extraWrites: (commit: Commit) => void = () => undefined,
): Promise<void> {
  const { record } = run;
  const commit = new Commit();
  runs.update(commit, record);
  extraWrites(commit);
  commit.onDurable(() => {
    run.stored = record;
  });
  return store.write(commit);
}
