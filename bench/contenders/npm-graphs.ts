import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { readProject } from '../../src/config/config.js';
import { GRAPHS, ROOT } from './threadmill.js';

export interface NpmGraph {
  graphId: string;
  /** URL of the module. */
  module: string;
  exportName: string;
}

/**
 * The graphs of the benches as modules that import LangGraph as npm has it: what people run without a server. The
 * server has a copy of the same version, in which its build replaces slow code (packaging/package-script.ts).
 */
export async function buildNpmGraphs(): Promise<{ graphs: NpmGraph[]; remove(): void }> {
  const { graphs } = readProject(join(GRAPHS, 'langgraph.json'));
  // Within the repository, where Node finds its node_modules.
  const folder = mkdtempSync(join(ROOT, 'dist', 'npm-graphs-'));
  await build({
    entryPoints: Object.fromEntries(graphs.map(({ graphId, file }) => [graphId, file])),
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outExtension: { '.js': '.mjs' },
    outdir: folder,
  });
  return {
    graphs: graphs.map(({ graphId, exportName }) => ({
      graphId,
      module: pathToFileURL(join(folder, `${graphId}.mjs`)).href,
      exportName,
    })),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
