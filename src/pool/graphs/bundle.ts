import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync, existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop, transform, type BuildResult, type Loader, type OnResolveArgs, type Plugin } from 'esbuild';
import { buildProblem } from '../../base/build-errors.js';
import { fail, ThreadmillError } from '../../base/errors.js';
import { PROGRAM_FOLDER, bundledModule, threadFile, workersFile } from '../../base/program-files.js';
import type { GraphSource } from '../../wire/user-code/graph-source.js';
import { codeHash } from './code-hash.js';

/** A graph in the configuration. */
export interface GraphEntry {
  graphId: string;
  /** Absolute path. */
  file: string;
  exportName: string;
}

export interface BundledGraphs {
  graphs: GraphSource[];
  /** URL of the module that re-exports LangGraph as the project resolves it. */
  library: string;
  /** Version of that LangGraph. Null if its package.json has none. */
  libraryVersion: string | null;
  /** All project files in the bundles, which `dev` watches. */
  files: string[];
}

/** Provides \`require\` and related functions for former CommonJS code. */
const BANNER = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`;

const ALREADY_RESOLVED = { resolved: true };

/**
 * Bundles the project's own files, JavaScript or TypeScript, into one module per graph. Packages stay outside,
 * as absolute URLs: the project's copy if it exists, otherwise the server's. Throws GRAPH_LOAD_FAILED with the
 * file and line of the problem.
 */
export async function bundleGraphs(
  entries: readonly GraphEntry[],
  root: string,
  cacheFolder: string,
): Promise<BundledGraphs> {
  const release = holdEsbuild();
  mkdirSync(cacheFolder, { recursive: true, mode: 0o700 });
  const files = new Set<string>();
  try {
    const [library, ...graphs] = await Promise.all([
      bundle(
        {
          stdin: {
            contents: readFileSync(workersFile('graph/packages.js'), 'utf8'),
            resolveDir: root,
            sourcefile: 'library.js',
          },
        },
        root,
        cacheFolder,
      ),
      ...entries.map(async (entry): Promise<GraphSource> => {
        if (!existsSync(entry.file))
          throw fail('GRAPH_LOAD_FAILED', {
            graphId: entry.graphId,
            file: entry.file,
            reason: 'the file does not exist',
          });
        try {
          const { url, hash, inputs } = await bundle({ entryPoints: [entry.file] }, root, cacheFolder);
          for (const input of inputs) files.add(input);
          return { graphId: entry.graphId, file: entry.file, module: url, exportName: entry.exportName, hash };
        } catch (error) {
          throw fail(
            'GRAPH_LOAD_FAILED',
            { graphId: entry.graphId, file: entry.file, reason: buildProblem(error) },
            error,
          );
        }
      }),
    ]);
    return {
      graphs,
      library: library.url,
      libraryVersion: versionOf('@langchain/langgraph', library.externals),
      files: [...files],
    };
  } finally {
    await release();
  }
}

/** A project module that is not a graph, and the error code for a failure to load it. */
interface OtherModule {
  /** Absolute path. */
  file: string;
  /** Path as configured, for messages. */
  path: string;
  code: 'APP_LOAD_FAILED' | 'AUTH_LOAD_FAILED' | 'EMBED_LOAD_FAILED';
}

/** Bundles such a module in the same way. Throws an error with its `code`. */
export async function bundleModule(
  { file, path, code }: OtherModule,
  root: string,
  cacheFolder: string,
): Promise<{ url: string; files: string[] }> {
  const release = holdEsbuild();
  mkdirSync(cacheFolder, { recursive: true, mode: 0o700 });
  try {
    if (!existsSync(file)) throw fail(code, { file: path, reason: 'the file does not exist' });
    const { url, inputs } = await bundle({ entryPoints: [file] }, root, cacheFolder);
    return { url, files: inputs };
  } catch (error) {
    throw error instanceof ThreadmillError ? error : fail(code, { file: path, reason: buildProblem(error) }, error);
  } finally {
    await release();
  }
}

let esbuildHolders = 0;

/**
 * esbuild keeps a child process for further builds; `dev` starts another one when a file changes. The last of those
 * that build at the same time ends it, because the builds of the others would never end otherwise.
 */
function holdEsbuild(): () => Promise<void> {
  esbuildHolders += 1;
  return async () => {
    esbuildHolders -= 1;
    if (esbuildHolders === 0) await stop();
  };
}

async function bundle(
  input: { stdin?: { contents: string; resolveDir: string; sourcefile: string }; entryPoints?: string[] },
  root: string,
  cacheFolder: string,
): Promise<{ url: string; hash: string; inputs: string[]; externals: string[] }> {
  const result: BuildResult<{ write: false; metafile: true }> = await build({
    ...input,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    keepNames: true,
    logLevel: 'silent',
    absWorkingDir: root,
    banner: { js: BANNER },
    outfile: join(cacheFolder, 'graph.mjs'),
    plugins: [externalPackages(), sourceLocations()],
  });
  const code = result.outputFiles[0]!.contents;
  const file = join(cacheFolder, `${createHash('sha256').update(code).digest('hex').slice(0, 24)}.mjs`);
  if (!existsSync(file)) {
    // Renamed into place, so that another starting process never reads a partial file.
    const partial = `${file}.${process.pid}`;
    writeFileSync(partial, code, { mode: 0o600 });
    renameSync(partial, file);
  }
  const externals = Object.values(result.metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external).map(({ path }) => path),
  );
  return {
    url: pathToFileURL(file).href,
    hash: codeHash(code, root, externals),
    inputs: Object.keys(result.metafile.inputs).map((path) => resolve(root, path)),
    externals,
  };
}

/** Version of a package that the bundle imports from outside. */
function versionOf(name: string, externals: readonly string[]): string | null {
  const folder = `/node_modules/${name}/`;
  const url = externals.find((path) => path.startsWith('file:') && path.includes(folder));
  if (url === undefined) return null;
  const file = join(fileURLToPath(url.slice(0, url.lastIndexOf(folder) + folder.length)), 'package.json');
  if (!existsSync(file)) return null;
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown };
  return typeof version === 'string' ? version : null;
}

/** Turns bare imports into absolute URLs. The project's own files are bundled. */
function externalPackages(): Plugin {
  return {
    name: 'external-packages',
    setup(setup) {
      setup.onResolve({ filter: /^[^./]/ }, async (args: OnResolveArgs) => {
        if (args.pluginData === ALREADY_RESOLVED || args.kind === 'entry-point' || isBuiltin(args.path))
          return undefined;
        const projectCopy = await setup.resolve(args.path, {
          kind: args.kind,
          resolveDir: args.resolveDir,
          pluginData: ALREADY_RESOLVED,
        });
        if (projectCopy.errors.length === 0) {
          return projectCopy.path.includes('/node_modules/')
            ? { path: importPath(projectCopy.path, args.kind), external: true }
            : { path: projectCopy.path };
        }
        const serverCopy = await setup.resolve(args.path, {
          kind: args.kind,
          resolveDir: PROGRAM_FOLDER,
          pluginData: ALREADY_RESOLVED,
        });
        return serverCopy.errors.length === 0
          ? { path: importPath(serverCopy.path, args.kind), external: true }
          : undefined;
      });
    },
  };
}

function importPath(path: string, kind: OnResolveArgs['kind']): string {
  return kind === 'require-call' || kind === 'require-resolve' ? path : pathToFileURL(bundledModule(path)).href;
}

const LOADERS: Record<string, Loader> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.jsx': 'jsx',
  '.js': 'jsx',
  '.mjs': 'js',
  '.cjs': 'js',
};
const LOCATION_EXPRESSIONS = /import\.meta\b|__dirname|__filename/;

/** Keeps `import.meta.url` and `__dirname` pointing to the source file instead of the bundle. */
function sourceLocations(): Plugin {
  return {
    name: 'source-locations',
    setup(setup) {
      setup.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async ({ path }) => {
        const source = readFileSync(path, 'utf8');
        if (!LOCATION_EXPRESSIONS.test(source)) return undefined;
        const { code } = await transform(source, {
          loader: LOADERS[extname(path)] ?? 'js',
          sourcefile: path,
          sourcemap: 'inline',
          define: {
            'import.meta.url': JSON.stringify(pathToFileURL(path).href),
            'import.meta.dirname': JSON.stringify(dirname(path)),
            'import.meta.filename': JSON.stringify(path),
            __dirname: JSON.stringify(dirname(path)),
            __filename: JSON.stringify(path),
          },
        });
        return { contents: code, loader: 'js', resolveDir: dirname(path) };
      });
    },
  };
}

/** Path of the graph worker's entry file. */
export function workerFile(): string {
  return threadFile('graph/run-graph.js');
}

/** The graph that `threadmill doctor` runs in place of the project's graphs. */
export function walkGraphFile(): string {
  return workersFile('graph/walk-graph.js');
}
