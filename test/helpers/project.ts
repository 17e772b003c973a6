import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { ROOT, temporaryFolder } from './server.js';

/** A langgraph.json of its own over the test graphs that are named; its path. */
export function projectOf(t: Test, graphs: readonly string[], more: Record<string, unknown>): string {
  const file = join(temporaryFolder(t), 'langgraph.json');
  writeFileSync(
    file,
    JSON.stringify({
      graphs: Object.fromEntries(graphs.map((name) => [name, join(ROOT, 'test', 'graphs', `${name}.ts:graph`)])),
      ...more,
    }),
  );
  return file;
}
