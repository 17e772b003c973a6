import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Folder of the program's own files: the repository, the npm package, or the unpacked single executable
 * (docs/decisions/0034-single-executable.md). All three have the same layout below the folder with package.json. A
 * bundler may move code to another file, so no other module derives paths from its own location.
 */
const ROOT = rootFrom(import.meta.dirname);

/** From package.json. */
export const VERSION: string = packageIn(ROOT)!.version;

/** The program's entry file. */
export const MAIN_FILE = join(ROOT, 'dist', 'src', 'main.js');

/** Folder whose `node_modules` has the server's copies of packages, for packages that a project does not install. */
export const PROGRAM_FOLDER = ROOT;

/** Folder of the bundled program (packaging/program.ts), whose few scripts load in a fraction of the time. */
export const BUNDLED_PROGRAM = 'dist/program';

/**
 * Path of the file from which a thread starts: that of an entry below `workers/`, such as `graph/run-graph`, in its
 * bundled form if there is one.
 */
export function threadFile(name: string): string {
  const isBundled = import.meta.dirname.startsWith(join(ROOT, BUNDLED_PROGRAM));
  const usesBundle = isBundled || bundledProgramModule('cli/program') !== null;
  return usesBundle
    ? join(ROOT, BUNDLED_PROGRAM, 'workers', `${name}.cjs`)
    : join(ROOT, 'dist', 'workers', `${name}.js`);
}

/** Path of another compiled file below `workers/`, which is not a thread's entry. */
export function workersFile(name: string): string {
  return join(ROOT, 'dist', 'workers', name);
}

/**
 * The bundled form of a compiled module of the program, such as `cli/program`: a CommonJS module. Null if a build has
 * not written it, or has compiled something since.
 */
export function bundledProgramModule(name: string): string | null {
  const file = join(ROOT, BUNDLED_PROGRAM, 'src', `${name}.cjs`);
  const bundledAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  // A package that is installed has no record of the compiler.
  const compiledAt = statSync(join(ROOT, 'dist', 'tsconfig.tsbuildinfo'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return bundledAt === undefined || bundledAt < compiledAt ? null : file;
}

/**
 * A file served to browsers unchanged: from `dist/static/<package>` if a build put it there, else from the npm
 * package.
 */
export function staticFile(packageName: string, name: string): string {
  const built = join(ROOT, 'dist', 'static', packageName, name);
  return existsSync(built)
    ? built
    : join(dirname(createRequire(join(ROOT, 'package.json')).resolve(`${packageName}/package.json`)), name);
}

/**
 * Folder with bundled copies of the packages that graphs may import (packaging/graph-packages.ts). A worker loads
 * LangGraph from them in half the time, because they have fewer modules.
 */
export const BUNDLED_PACKAGES = 'dist/packages';

/** The bundled copy of a module of the server's own packages if a build has written one, else the module itself. */
export function bundledModule(path: string): string {
  if (!path.startsWith(join(ROOT, 'node_modules'))) return path;
  const copy = join(ROOT, BUNDLED_PACKAGES, path.slice(ROOT.length));
  return existsSync(copy) ? copy : path;
}

/** Folder of the native add-ons that the npm package contains (packaging/native.ts). */
export const NATIVE = 'dist/native';

/** Path of the binary of uWebSockets.js for this machine and this version of Node. It may not exist. */
export function uwsBinary(): string {
  return join(ROOT, NATIVE, `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`);
}

/** File with the type declarations of the server's own packages, which a build writes instead of hundreds of files. */
export const DECLARATIONS = 'dist/declarations.json';

/** Declarations from that file, by path. Empty when `node_modules` has them instead. */
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
      `${import.meta.filename} is not inside a Threadmill folder: ` +
        'no parent folder has a package.json with the name "threadmill".',
    );
  return rootFrom(above);
}

function packageIn(folder: string): { name: string; version: string } | null {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string }) : null;
}
