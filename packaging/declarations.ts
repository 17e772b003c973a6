import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ts } from '@ts-morph/common';
import { exportsOf } from './bundle.js';
import { GRAPH_PACKAGES } from './packages.js';

/**
 * Collects the type declarations of the packages that graphs may import, with their imports. The schemas of graphs are
 * derived from them (docs/decisions/0019-schemas.md). Returns texts by path relative to the root, including the
 * package.json files.
 */
export function collectDeclarations(root: string): Record<string, string> {
  const entries = GRAPH_PACKAGES.flatMap((name) =>
    [...exportsOf(root, name).values()].flatMap(({ types }) =>
      types === null ? [] : [join(root, 'node_modules', name, types)],
    ),
  );
  const program = ts.createProgram(
    entries.filter((file) => existsSync(file)),
    {
      // The same options as in workers/types/program.ts.
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      noLib: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    },
  );
  const files = program
    .getSourceFiles()
    .map(({ fileName }) => relative(root, fileName))
    .filter((path) => path.startsWith('node_modules/') && !path.startsWith('node_modules/@types/node/'));
  const manifests = new Set(files.map((path) => manifestOf(root, path)));
  return Object.fromEntries([...files, ...manifests].map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

function manifestOf(root: string, path: string): string {
  for (let folder = dirname(path); folder !== 'node_modules'; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (
      existsSync(join(root, file)) &&
      (JSON.parse(readFileSync(join(root, file), 'utf8')) as { version?: unknown }).version !== undefined
    )
      return file;
  }
  throw new Error(`${path} does not belong to a package.`);
}
