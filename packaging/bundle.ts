import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { GRAPH_PACKAGES, UNBUNDLED_PACKAGES } from './packages.js';

export interface Bundled {
  /** Contents by their paths in the tree. */
  files: Map<string, Uint8Array>;
  /** Paths of all source files, relative to the root of the repository. */
  inputs: string[];
}

type Conditions = string | { [condition: string]: Conditions };

/** Entry points of threads. `test/packaging/program.test.ts` compares them with what the pools start. */
export const THREAD_ENTRIES = [
  'app/serve',
  'auth/serve',
  'evaluation/serve',
  'graph/run-graph',
  'scrub/walk',
  'snapshot/store-snapshot',
  'types/serve',
  'ui/build',
  'user-code/serve',
  'vector-search/serve',
  'webhook/serve',
].map((name) => `dist/workers/${name}.js`);

/** Options of every bundle. */
export const COMMON_OPTIONS = {
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  target: `node${process.versions.node}`,
  // Prefers ES modules in packages that have both forms and no "exports".
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'error',
  external: UNBUNDLED_PACKAGES.flatMap((name) => [name, `${name}/*`]),
  plugins: [keepMissingExternal()],
} as const satisfies BuildOptions;

/** Every module that graphs may import, relative to `root`. */
export function graphModules(root: string): string[] {
  return GRAPH_PACKAGES.flatMap((name) =>
    [...exportsOf(root, name).values()].map(({ module }) => join('node_modules', name, module)),
  );
}

/**
 * Bundles these modules. Each output has the path of its source, relative to `base`, and shared code is in `chunks/`.
 * One build makes all of them, so that they share one copy of each class.
 */
export async function bundleModules(root: string, entries: readonly string[], base = ''): Promise<Bundled> {
  const { outputFiles, metafile } = await build({
    ...COMMON_OPTIONS,
    absWorkingDir: root,
    entryPoints: [...new Set(entries)].map((path) => ({
      in: `./${path}`,
      out: relative(base, path).replace(/\.m?js$/, ''),
    })),
    outdir: '/tree',
    chunkNames: 'chunks/[hash]',
    splitting: true,
    format: 'esm',
    banner: {
      js: `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`,
    },
    plugins: [keepCommonJsNames(), ...COMMON_OPTIONS.plugins],
  });
  return {
    files: new Map(outputFiles.map(({ path, contents }) => [path.slice('/tree/'.length), contents])),
    inputs: Object.keys(metafile.inputs),
  };
}

/** The names that each of these modules exports. */
export async function namesOf(root: string, modules: readonly string[]): Promise<Map<string, string[]>> {
  const { metafile } = await build({
    ...COMMON_OPTIONS,
    absWorkingDir: root,
    entryPoints: modules.map((path) => ({ in: `./${path}`, out: path })),
    outdir: '/tree',
    splitting: true,
    format: 'esm',
  });
  return new Map(
    Object.values(metafile.outputs).flatMap(({ entryPoint, exports }): [string, string[]][] =>
      entryPoint === undefined ? [] : [[entryPoint, exports]],
    ),
  );
}

/** A package.json for a tree that has only the modules for `import`. `require` loads the same ones. */
export function packageJson(root: string, name: string): string {
  const { version, license, type } = JSON.parse(
    readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
  ) as { version: string; license: string; type?: string };
  const entries = [...exportsOf(root, name)].map(([key, { types, module }]) => [
    key,
    { ...(types === null ? {} : { types: `./${types}` }), default: `./${module}` },
  ]);
  return JSON.stringify({
    name,
    version,
    license,
    type,
    exports: { './package.json': './package.json', ...(Object.fromEntries(entries) as object) },
  });
}

/**
 * The exports of a package for `import`: module and declarations, relative to its folder. Throws for patterns, which
 * the bundled packages do not use.
 */
export function exportsOf(root: string, name: string): Map<string, { module: string; types: string | null }> {
  const { exports } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as {
    exports: Record<string, Conditions>;
  };
  const found = new Map<string, { module: string; types: string | null }>();
  for (const [key, conditions] of Object.entries(exports)) {
    const module = pickExport(conditions, ['import', 'default']);
    if (module === null || !/\.m?js$/.test(module) || BROWSER_MODULE.test(module)) continue;
    if (key.includes('*')) throw new Error(`${name}/package.json: exports has the pattern "${key}"`);
    found.set(key, {
      module: module.slice(2),
      types: pickExport(conditions, ['import', 'types', 'default'], /\.d\.[cm]?ts$/)?.slice(2) ?? null,
    });
  }
  return found;
}

/** Modules for browsers. They need React, which a server does not have. */
const BROWSER_MODULE = /\/(react|react-ui)(\/|\.)|\/browser\.js$/;

/** The first matching condition in the order of the package, as in Node and the TypeScript compiler. */
function pickExport(conditions: Conditions, known: readonly string[], ending = /\.m?js$/): string | null {
  if (typeof conditions === 'string') return ending.test(conditions) ? conditions : null;
  for (const [condition, inner] of Object.entries(conditions)) {
    const found = known.includes(condition) ? pickExport(inner, known, ending) : null;
    if (found !== null) return found;
  }
  return null;
}

const ALREADY_RESOLVED = { resolved: true };

/**
 * Keeps imports of packages that are not installed. Such packages are optional, and the importer handles their
 * absence.
 */
function keepMissingExternal(): Plugin {
  return {
    name: 'optional-outside',
    setup(setup) {
      setup.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === ALREADY_RESOLVED || kind === 'entry-point') return undefined;
        const { errors } = await setup.resolve(path, { kind, importer, resolveDir, pluginData: ALREADY_RESOLVED });
        return errors.length === 0 ? undefined : { path, external: true };
      });
    },
  };
}

/**
 * Adds named exports to CommonJS modules loaded by `import()`. Node has them, and esbuild only has the default
 * export.
 */
function keepCommonJsNames(): Plugin {
  return {
    name: 'names-kept',
    setup(setup) {
      setup.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer, resolveDir }) =>
        kind !== 'dynamic-import' ||
        !importer.startsWith(join(setup.initialOptions.absWorkingDir!, 'dist')) ||
        UNBUNDLED_PACKAGES.includes(path)
          ? undefined
          : { path, namespace: 'names-kept', pluginData: resolveDir },
      );
      setup.onLoad({ filter: /.*/, namespace: 'names-kept' }, async ({ path, pluginData }) => {
        const names = Object.keys((await import(path)) as object).filter(
          (name) => name !== 'default' && /^\w+$/.test(name),
        );
        return {
          contents: `import * as all from ${JSON.stringify(path)}; export const { ${names.join(', ')} } = all;`,
          resolveDir: pluginData as string,
        };
      });
    },
  };
}
