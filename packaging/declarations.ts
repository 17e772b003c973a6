import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ts } from '@ts-morph/common';
import { exportsOf } from './bundle.js';
import { OFFERED } from './packages.js';

/**
 * Declarations of the packages that are offered, with those that they import: the schemas of a graph come of them
 * (docs/decisions/0019-schemas.md). Texts by their paths below the root, with each package.json that says where they are.
 */
export function declarations(root: string): Record<string, string> {
  const entries = OFFERED.flatMap((name) =>
    [...exportsOf(root, name).values()].flatMap(({ types }) =>
      types === null ? [] : [join(root, 'node_modules', name, types)],
    ),
  );
  const program = ts.createProgram(
    entries.filter((file) => existsSync(file)),
    {
      // As workers/types/program.ts reads them.
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
  throw new Error(`${path} is in no package`);
}
