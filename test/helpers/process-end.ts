import t from 'tap';

type Cleanup = () => unknown;

/** Null while the process runs a single file, whose end is that of the process. */
let cleanups: Cleanup[] | null = null;

/** Registers cleanup of what all files of a process share. */
export function atProcessEnd(cleanup: Cleanup): void {
  if (cleanups === null) t.teardown(cleanup);
  else cleanups.push(cleanup);
}

/** Delays cleanup until the returned function is called, which cleans up in reverse order as tap does. */
export function delayCleanup(): () => Promise<void> {
  const delayed: Cleanup[] = (cleanups = []);
  return async () => {
    for (const cleanup of delayed.reverse()) await cleanup();
  };
}
