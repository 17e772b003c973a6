import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync, existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop, transform, type Loader, type OnResolveArgs, type Plugin, type StdinOptions } from 'esbuild';
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
  /** What the graphs' modules import: URLs and, for `require`, paths. By the URL of the module. */
  imports: ReadonlyMap<string, readonly string[]>;
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
  const target = { root, cacheFolder };
  try {
    for (const entry of entries) if (!existsSync(entry.file)) throw loadFailure(entry, 'the file does not exist');
    const library = {
      contents: readFileSync(workersFile('graph/packages.js'), 'utf8'),
      resolveDir: root,
      sourcefile: 'library.js',
    };
    const graphFiles = entries.map(({ file }) => file);
    const bundles = await bundle({ stdin: library, files: graphFiles }, target).catch(async (error: unknown) => {
      // Alone, to know which of them fails.
      for (const entry of entries)
        await bundle({ files: [entry.file] }, target).catch((failure: unknown) => {
          throw loadFailure(entry, buildProblem(failure), failure);
        });
      throw error;
    });
    const { url, externals } = bundles.get(library.sourcefile)!;
    return {
      graphs: entries.map(({ graphId, file, exportName }) => {
        const bundled = bundles.get(file)!;
        return { graphId, file, module: bundled.url, exportName, hash: bundled.hash };
      }),
      library: url,
      libraryVersion: versionOf('@langchain/langgraph', externals),
      files: [...new Set(graphFiles.flatMap((file) => bundles.get(file)!.inputs))],
      imports: new Map(graphFiles.map((file) => [bundles.get(file)!.url, bundles.get(file)!.externals])),
    };
  } finally {
    await release();
  }
}

function loadFailure({ graphId, file }: GraphEntry, reason: string, cause?: unknown): ThreadmillError {
  return fail('GRAPH_LOAD_FAILED', { graphId, file, reason }, cause);
}

/** A project module that is not a graph, and the error code for a failure to load it. */
interface OtherModule {
  /** Absolute path. */
  file: string;
  /** Path as configured, for messages. */
  path: string;
  code:
    | 'APP_LOAD_FAILED'
    | 'AUTH_LOAD_FAILED'
    | 'EMBED_LOAD_FAILED'
    | 'EVALUATOR_LOAD_FAILED'
    | 'HIDE_FUNCTION_LOAD_FAILED';
}

/** Bundles such a module in the same way. Throws an error with its `code`. */
export async function bundleModule(
  { file, path, code }: OtherModule,
  root: string,
  cacheFolder: string,
): Promise<{ url: string; files: string[] }> {
  const release = holdEsbuild();
  try {
    if (!existsSync(file)) throw fail(code, { file: path, reason: 'the file does not exist' });
    const bundles = await bundle({ files: [file] }, { root, cacheFolder });
    const { url, inputs } = bundles.get(file)!;
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
export function holdEsbuild(): () => Promise<void> {
  esbuildHolders += 1;
  return async () => {
    esbuildHolders -= 1;
    if (esbuildHolders === 0) await stop();
  };
}

interface Bundle {
  url: string;
  /** See codeHash. */
  hash: string;
  /** Absolute paths of the project's files in it. */
  inputs: string[];
  /** URLs of the packages that it imports. */
  externals: string[];
}

/**
 * One bundle for each file, by its path, and for `stdin`, by its `sourcefile`. All in one build, which reads a file
 * that several graphs import once.
 */
async function bundle(
  { stdin, files }: { stdin?: StdinOptions & { sourcefile: string }; files: readonly string[] },
  { root, cacheFolder }: { root: string; cacheFolder: string },
): Promise<Map<string, Bundle>> {
  const distinct = [...new Set(files)];
  const { outputFiles, metafile } = await build({
    ...(stdin === undefined ? {} : { stdin }),
    entryPoints: distinct.map((file, index) => ({ in: file, out: String(index) })),
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
    outdir: cacheFolder,
    plugins: [externalPackages(), sourceLocations()],
  });
  const built = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  return new Map(
    outputFiles.map(({ path, contents }) => {
      const name = basename(path);
      const { inputs, imports } = built.get(name)!;
      const externals = imports.filter(({ external }) => external).map((one) => one.path);
      return [
        name === 'stdin.js' ? stdin!.sourcefile : distinct[Number.parseInt(name, 10)]!,
        {
          url: cacheModule(contents, cacheFolder),
          hash: codeHash(contents, root, externals),
          inputs: Object.keys(inputs).map((input) => resolve(root, input)),
          externals,
        },
      ];
    }),
  );
}

/** Writes a module to the cache under a name that its content gives, and returns its URL. */
export function cacheModule(code: Uint8Array, cacheFolder: string): string {
  const file = join(cacheFolder, `${createHash('sha256').update(code).digest('hex').slice(0, 24)}.mjs`);
  if (!existsSync(file)) {
    mkdirSync(cacheFolder, { recursive: true, mode: 0o700 });
    // Renamed into place, so that another starting process never reads a partial file.
    const partial = `${file}.${process.pid}`;
    writeFileSync(partial, code, { mode: 0o600 });
    renameSync(partial, file);
  }
  return pathToFileURL(file).href;
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
  return threadFile('graph/run-graph');
}

/** The graph that `threadmill doctor` runs in place of the project's graphs. */
export function walkGraphFile(): string {
  return workersFile('graph/walk-graph.js');
}
