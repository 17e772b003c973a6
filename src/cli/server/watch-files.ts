import { watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Editors write a file in several steps. */
const SETTLE_MS = 100;

/**
 * Calls `changed` when one of the files changes; what it returns is watched from then on. Folders are watched, not files:
 * an editor that replaces a file would leave a watch on the old one.
 */
export function watchFiles(files: readonly string[], changed: () => Promise<string[]>): { close(): void } {
  let watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  const open = (list: readonly string[]): void => {
    for (const watcher of watchers) watcher.close();
    const names = new Map<string, Set<string>>();
    for (const file of list) names.set(dirname(file), (names.get(dirname(file)) ?? new Set()).add(basename(file)));
    watchers = [...names].map(([folder, wanted]) =>
      watch(folder, (_event, name) => {
        if (name === null || !wanted.has(name)) return;
        if (timer !== null) clearTimeout(timer);
        timer = setTimeout(() => {
          void changed().then((next) => {
            if (!closed) open(next);
          });
        }, SETTLE_MS);
      }),
    );
  };
  open(files);
  return {
    close() {
      closed = true;
      for (const watcher of watchers) watcher.close();
      if (timer !== null) clearTimeout(timer);
    },
  };
}
