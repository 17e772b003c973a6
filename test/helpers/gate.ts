import { existsSync, watch, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Client } from '@langchain/langgraph-sdk';

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

/**
 * Resolves when the stored status of a run is no longer `pending`. A graph may begin before the disk has the status.
 */
export async function untilStarted(client: Client, threadId: string, runId: string): Promise<void> {
  while ((await client.runs.get(threadId, runId)).status === 'pending') await setTimeout(5);
}
