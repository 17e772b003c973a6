import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atProcessEnd } from './process-end.js';
import { temporaryFolder, testServer, type TestServer } from './server.js';

let cacheFolder: string | null = null;

/**
 * A server whose pages show schemas of graphs. All of them in this process have one cache of schemas, because reading
 * them from the types of the examples takes 4 s of CPU, and much longer than the default limit on a busy machine.
 */
export function schemaServer(t: { teardown(callback: () => unknown): void }, config: string): Promise<TestServer> {
  const dataFolder = temporaryFolder(t);
  symlinkSync((cacheFolder ??= sharedFolder()), join(dataFolder, 'cache'), 'dir');
  return testServer(t, { config, dataFolder, env: { LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS: '120000' } });
}

function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'threadmill-test-cache-'));
  atProcessEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
