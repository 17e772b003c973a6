import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atProcessEnd } from './process-end.js';
import { temporaryFolder } from './server.js';

let shared: string | null = null;

/**
 * A data folder for servers whose schemas are read. All of them in this process have one cache of schemas, because
 * reading them from the types of the examples takes 4 s of CPU.
 */
export function folderWithSchemaCache(t: { teardown(callback: () => unknown): void }): string {
  const folder = temporaryFolder(t);
  symlinkSync(sharedFolder(), join(folder, 'cache'), 'dir');
  return folder;
}

function sharedFolder(): string {
  if (shared !== null) return shared;
  const created = mkdtempSync(join(tmpdir(), 'threadmill-test-cache-'));
  atProcessEnd(() => rmSync(created, { recursive: true, force: true }));
  return (shared = created);
}
