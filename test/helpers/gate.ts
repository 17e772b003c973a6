import { existsSync, watch, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';

/** Holds a run of the graph `gate`: pass `file` as its input's `gate`, await `reached`, then `open()`. */
export class Gate {
  readonly file: string;

  constructor(folder: string) {
    this.file = join(folder, `gate-${randomUUID()}`);
  }

  /** Resolves when a run waits here. */
  reached(): Promise<void> {
    return fileCreated(`${this.file}.reached`);
  }

  open(): void {
    writeFileSync(this.file, '');
  }
}

export function fileCreated(file: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(file));
    const look = (): void => {
      if (!existsSync(file)) return;
      watcher.close();
      resolve();
    };
    watcher.on('change', (_kind, name) => {
      if (name === basename(file)) look();
    });
    look();
  });
}
