import { watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Editors write a file in several steps. Changes within this time are one change. */
const SETTLE_MS = 100;

/**
 * Calls `onChange` when one of the files changes, then watches the files that it returns. Watches folders instead of
 * files, because an editor that replaces a file would leave the watcher on the old one. Changes during `onChange` cause
 * one more call after it.
 */
export function watchFiles(files: readonly string[], onChange: () => Promise<string[]>): { close(): void } {
  let watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  let isRunning = false;
  let isOutdated = false;

  const run = async (): Promise<void> => {
    isOutdated = isRunning;
    if (isRunning) return;
    isRunning = true;
    try {
      do {
        isOutdated = false;
        const next = await onChange();
        if (closed) return;
        open(next);
      } while (isOutdated);
    } finally {
      isRunning = false;
    }
  };
  const open = (list: readonly string[]): void => {
    for (const watcher of watchers) watcher.close();
    const names = new Map<string, Set<string>>();
    for (const file of list) names.set(dirname(file), (names.get(dirname(file)) ?? new Set()).add(basename(file)));
    watchers = [...names].map(([folder, wanted]) =>
      watch(folder, (_event, name) => {
        if (name === null || !wanted.has(name)) return;
        if (timer !== null) clearTimeout(timer);
        timer = setTimeout(() => void run(), SETTLE_MS);
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
