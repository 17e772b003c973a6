import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Packages that graphs may import even if their project does not have them. All their exports are included. */
export const GRAPH_PACKAGES = [
  '@langchain/core',
  '@langchain/langgraph',
  '@langchain/langgraph-checkpoint',
  '@langchain/langgraph-sdk',
  'langchain',
  'zod',
];

/** Packages that load files, add-ons, workers or programs of their own. They are copied with their dependencies. */
export const UNBUNDLED_PACKAGES = ['esbuild', 'lmdb', 'msgpackr', 'pino', 'piscina'];

/** Files that are served to browsers, by package. */
export const BROWSER_FILES: Record<string, string[]> = {
  'swagger-ui-dist': [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'LICENSE',
    'NOTICE',
  ],
};

export interface PackageFile {
  /** Relative to the root of the repository: `node_modules/lmdb/index.js`. */
  path: string;
  executable: boolean;
}

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/**
 * Folders of packages and of all their dependencies, relative to `root`. Optional dependencies that are not installed
 * are left out. Throws if another dependency is missing.
 */
export function withDependencies(
  root: string,
  names: readonly string[],
  from = root,
  found = new Set<string>(),
): Set<string> {
  for (const name of names) {
    const folder = folderOf(root, name, from);
    if (folder === null || found.has(folder)) continue;
    found.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(join(root, folder));
    for (const one of Object.keys(dependencies))
      if (folderOf(root, one, join(root, folder)) === null && !(one in optionalDependencies))
        throw new Error(`${folder}/package.json: "${one}" is not installed`);
    withDependencies(root, Object.keys({ ...dependencies, ...optionalDependencies }), join(root, folder), found);
  }
  return found;
}

/** The files of a package that this Node needs on this machine. */
export function neededFilesOf(root: string, folder: string): PackageFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(root, folder), join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('node_modules/') && isNeeded(folder, path))
    .map((path) => ({ path: join(folder, path), executable: isExecutable(folder, path) }));
}

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

function folderOf(root: string, name: string, from: string): string | null {
  for (let at = from; at.length >= root.length; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules', name, 'package.json')))
      return relative(root, join(at, 'node_modules', name));
  }
  return null;
}

const UNUSED_FOLDERS =
  /^(test|tests|test-jest|benchmark|benchmarks|bench|docs|doc|examples?|scripts|src|dependencies|\.github|browser)\//;
/** A second copy of a program that is already included. */
const DUPLICATES = new Set(['node_modules/esbuild/bin/esbuild']);

function isNeeded(folder: string, path: string): boolean {
  if (isExecutable(folder, path)) return true;
  if (path.endsWith('.node')) return isForThisNode(path);
  return (
    !UNUSED_FOLDERS.test(path) &&
    !/(^|\/)(test|tap|\.)[^/]*$/.test(path) &&
    !/\.min\.[cm]?js$/.test(path) &&
    !DUPLICATES.has(join(folder, path)) &&
    /(\.[cm]?js|\.json)$/.test(path)
  );
}

function isExecutable(folder: string, path: string): boolean {
  return folder.startsWith('node_modules/@esbuild/') && path === 'bin/esbuild';
}

function isForThisNode(path: string): boolean {
  const abi = process.versions.modules;
  return path.endsWith(`.abi${abi}.glibc.node`) || path.endsWith(`.${process.platform}-${process.arch}-gnu.node`);
}
