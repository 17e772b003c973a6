import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync, existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop, transform, type BuildResult, type Loader, type OnResolveArgs, type Plugin } from 'esbuild';
import { buildProblem } from '../../base/build-problem.js';
import { fail, ThreadmillError } from '../../base/errors.js';
import { OUR_FOLDER, workersFile } from '../../base/places.js';
import type { GraphSource } from '../../wire/user-code/graph-source.js';

/** A graph as the configuration names it. */
export interface GraphEntry {
  graphId: string;
  /** Absolute. */
  file: string;
  exportName: string;
}

export interface BundledGraphs {
  graphs: GraphSource[];
  /** URL of the module that re-exports LangGraph as the project resolves it. */
  library: string;
  /** Version of that LangGraph; null when its package does not say. */
  libraryVersion: string | null;
  /** Every file of the user's own that went in: what `dev` watches. */
  files: string[];
}

/** Makes \`require\` and its kin work in what was CommonJS. */
const BANNER = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`;

const SKIP = { resolved: true };

/**
 * Bundles the user's own files, JavaScript or TypeScript, into one module a graph; packages stay outside, as absolute URLs:
 * the user's copy where there is one, ours otherwise. Throws GRAPH_LOAD_FAILED with the file and line of what is wrong.
 */
export async function bundleGraphs(
  entries: readonly GraphEntry[],
  root: string,
  cacheFolder: string,
): Promise<BundledGraphs> {
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
          const { url, inputs } = await bundle({ entryPoints: [entry.file] }, root, cacheFolder);
          for (const input of inputs) files.add(input);
          return { graphId: entry.graphId, file: entry.file, module: url, exportName: entry.exportName };
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
      libraryVersion: versionOf('@langchain/langgraph', library.outside),
      files: [...files],
    };
  } finally {
    // esbuild keeps a child process for further builds; `dev` starts another when a file changes.
    await stop();
  }
}

/** A module of the project's that is no graph, and the error that says that it does not load. */
interface OtherModule {
  /** Absolute. */
  file: string;
  /** As it was written, for messages. */
  path: string;
  code: 'APP_LOAD_FAILED' | 'AUTH_LOAD_FAILED' | 'EMBED_LOAD_FAILED';
}

/** Bundles a module that is no graph in the same way. Throws what its `code` says. */
export async function bundleModule(
  { file, path, code }: OtherModule,
  root: string,
  cacheFolder: string,
): Promise<{ url: string; files: string[] }> {
  mkdirSync(cacheFolder, { recursive: true, mode: 0o700 });
  try {
    if (!existsSync(file)) throw fail(code, { file: path, reason: 'the file does not exist' });
    const { url, inputs } = await bundle({ entryPoints: [file] }, root, cacheFolder);
    return { url, files: inputs };
  } catch (error) {
    throw error instanceof ThreadmillError ? error : fail(code, { file: path, reason: buildProblem(error) }, error);
  } finally {
    await stop();
  }
}

async function bundle(
  input: { stdin?: { contents: string; resolveDir: string; sourcefile: string }; entryPoints?: string[] },
  root: string,
  cacheFolder: string,
): Promise<{ url: string; inputs: string[]; outside: string[] }> {
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
    plugins: [packagesOutside(), ownPlaces()],
  });
  const code = result.outputFiles[0]!.contents;
  const file = join(cacheFolder, `${createHash('sha256').update(code).digest('hex').slice(0, 24)}.mjs`);
  if (!existsSync(file)) {
    // Renamed into place: another process that starts now reads a whole file or none.
    const partial = `${file}.${process.pid}`;
    writeFileSync(partial, code, { mode: 0o600 });
    renameSync(partial, file);
  }
  return {
    url: pathToFileURL(file).href,
    inputs: Object.keys(result.metafile.inputs).map((path) => resolve(root, path)),
    outside: Object.values(result.metafile.outputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external).map(({ path }) => path),
    ),
  };
}

/** Of a package that the bundle imports from outside. */
function versionOf(name: string, outside: readonly string[]): string | null {
  const folder = `/node_modules/${name}/`;
  const url = outside.find((path) => path.startsWith('file:') && path.includes(folder));
  if (url === undefined) return null;
  const file = join(fileURLToPath(url.slice(0, url.lastIndexOf(folder) + folder.length)), 'package.json');
  if (!existsSync(file)) return null;
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown };
  return typeof version === 'string' ? version : null;
}

/** Bare imports become absolute URLs; the user's own files are bundled. */
function packagesOutside(): Plugin {
  return {
    name: 'packages-outside',
    setup(setup) {
      setup.onResolve({ filter: /^[^./]/ }, async (args: OnResolveArgs) => {
        if (args.pluginData === SKIP || args.kind === 'entry-point' || isBuiltin(args.path)) return undefined;
        const mine = await setup.resolve(args.path, { kind: args.kind, resolveDir: args.resolveDir, pluginData: SKIP });
        if (mine.errors.length === 0) {
          return mine.path.includes('/node_modules/')
            ? { path: outside(mine.path, args.kind), external: true }
            : { path: mine.path };
        }
        const ours = await setup.resolve(args.path, { kind: args.kind, resolveDir: OUR_FOLDER, pluginData: SKIP });
        return ours.errors.length === 0 ? { path: outside(ours.path, args.kind), external: true } : undefined;
      });
    },
  };
}

function outside(path: string, kind: OnResolveArgs['kind']): string {
  return kind === 'require-call' || kind === 'require-resolve' ? path : pathToFileURL(path).href;
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
const PLACE_WORDS = /import\.meta\b|__dirname|__filename/;

/** `import.meta.url` and `__dirname` keep saying where the source file lies, not where the bundle does. */
function ownPlaces(): Plugin {
  return {
    name: 'own-places',
    setup(setup) {
      setup.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async ({ path }) => {
        const source = readFileSync(path, 'utf8');
        if (!PLACE_WORDS.test(source)) return undefined;
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

/** The file that a graph worker runs; the pool knows workers by file, not by import. */
export function workerFile(): string {
  return workersFile('graph/run-graph.js');
}

/** The graph that `threadmill doctor` runs in the place of a project's own. */
export function walkGraphFile(): string {
  return workersFile('graph/walk-graph.js');
}
