import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Where the program's own files stand: the repository, the npm package, or what the single executable has unpacked
 * (docs/decisions/0034-single-executable.md). All three have the same shape below the folder with our package.json, but
 * code may lie in another file of it than it was written in, so nothing else goes by its own place.
 */
const ROOT = rootFrom(import.meta.dirname);

/** From package.json. */
export const VERSION: string = packageIn(ROOT)!.version;

/** Folder whose `node_modules` has our own copies of packages, for what a project has none of. */
export const OUR_FOLDER = ROOT;

/** A compiled file below `workers/`, such as `graph/run-graph.js`; the pool knows workers by file, not by import. */
export function workersFile(name: string): string {
  return join(ROOT, 'dist', 'workers', name);
}

/** A file that is sent to browsers as it is: of `dist/static/<package>` where a build has put it there, else of the npm package. */
export function staticFile(packageName: string, name: string): string {
  const built = join(ROOT, 'dist', 'static', packageName, name);
  return existsSync(built)
    ? built
    : join(dirname(createRequire(join(ROOT, 'package.json')).resolve(`${packageName}/package.json`)), name);
}

/** Where a build puts the declarations of our own packages, below the folder, so that it has one file instead of hundreds. */
export const DECLARATIONS = 'dist/declarations.json';

/** The declarations that a build has put in one file, by their paths; none where `node_modules` has them. */
export function packedDeclarations(): Map<string, string> {
  const file = join(ROOT, DECLARATIONS);
  if (!existsSync(file)) return new Map();
  const packed = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return new Map(Object.entries(packed).map(([path, text]) => [join(ROOT, path), text]));
}

/** langgraph.json of the example graphs. */
export const EXAMPLES = join(ROOT, 'examples', 'langgraph.json');

function rootFrom(folder: string): string {
  if (packageIn(folder)?.name === 'threadmill') return folder;
  const above = dirname(folder);
  if (above === folder)
    throw new Error(
      `${import.meta.filename} is not in a folder of Threadmill's own: no package.json above it has that name.`,
    );
  return rootFrom(above);
}

function packageIn(folder: string): { name: string; version: string } | null {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string }) : null;
}
