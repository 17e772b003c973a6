import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, temporaryFolder } from './server.js';

interface Test {
  teardown(callback: () => unknown): void;
}

/** A folder with a langgraph.json and copies of some of the test graphs, whose code `change` may change. */
export function projectFolder(
  t: Test,
  graphIds: readonly string[],
  change: (code: string, graphId: string) => string = (code) => code,
  more: Record<string, unknown> = { traces: { record_calls: true } },
): string {
  const folder = temporaryFolder(t);
  for (const graphId of graphIds) {
    const file = join(folder, `${graphId}.ts`);
    cpSync(join(ROOT, 'test', 'graphs', `${graphId}.ts`), file);
    writeFileSync(file, change(readFileSync(file, 'utf8'), graphId));
  }
  const graphs = Object.fromEntries(graphIds.map((graphId) => [graphId, `./${graphId}.ts:graph`]));
  writeFileSync(join(folder, 'langgraph.json'), JSON.stringify({ graphs, ...more }));
  return folder;
}
