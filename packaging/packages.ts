import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Packages that graphs may import although their project has none: all that they export is kept, under their own names. */
export const OFFERED = [
  '@langchain/core',
  '@langchain/langgraph',
  '@langchain/langgraph-checkpoint',
  '@langchain/langgraph-sdk',
  'langchain',
  'zod',
];

/** Packages that load files of their own, addons, workers or programs: they stay as they are, with all that they depend on. */
export const WHOLE = ['esbuild', 'lmdb', 'msgpackr', 'pino', 'piscina', 'uWebSockets.js'];

/** Files that browsers ask for, by package. */
export const STATIC: Record<string, string[]> = {
  'swagger-ui-dist': [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'LICENSE',
    'NOTICE',
  ],
};

export interface PackageFile {
  /** Below the root of the repository: `node_modules/lmdb/index.js`. */
  path: string;
  executable: boolean;
}

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Folders of packages, below `root`, with those that they depend on; optional ones that are not installed are not there. */
export function closure(root: string, names: readonly string[], from = root, found = new Set<string>()): Set<string> {
  for (const name of names) {
    const folder = folderOf(root, name, from);
    if (folder === null || found.has(folder)) continue;
    found.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(join(root, folder));
    for (const one of Object.keys(dependencies))
      if (folderOf(root, one, join(root, folder)) === null && !(one in optionalDependencies))
        throw new Error(`${folder}/package.json: "${one}" is not installed`);
    closure(root, Object.keys({ ...dependencies, ...optionalDependencies }), join(root, folder), found);
  }
  return found;
}

/** What of a package runs on this very Node and machine. */
export function filesOf(root: string, folder: string): PackageFile[] {
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

const NOT_RUN =
  /^(test|tests|test-jest|benchmark|benchmarks|bench|docs|doc|examples?|scripts|src|dependencies|\.github|browser)\//;
/** The program beside it is what runs; this one would be a second copy of it. */
const SECOND_COPIES = new Set(['node_modules/esbuild/bin/esbuild']);

function isNeeded(folder: string, path: string): boolean {
  if (isExecutable(folder, path)) return true;
  if (path.endsWith('.node')) return isOfThisNode(path);
  return (
    !NOT_RUN.test(path) &&
    !/(^|\/)(test|tap|\.)[^/]*$/.test(path) &&
    !/\.min\.[cm]?js$/.test(path) &&
    !SECOND_COPIES.has(join(folder, path)) &&
    /(\.[cm]?js|\.json)$/.test(path)
  );
}

function isExecutable(folder: string, path: string): boolean {
  return folder.startsWith('node_modules/@esbuild/') && path === 'bin/esbuild';
}

function isOfThisNode(path: string): boolean {
  const abi = process.versions.modules;
  return (
    path.endsWith(`uws_${process.platform}_${process.arch}_${abi}.node`) ||
    path.endsWith(`.abi${abi}.glibc.node`) ||
    path.endsWith(`.${process.platform}-${process.arch}-gnu.node`)
  );
}
