import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { GRAPH_PACKAGES, UNBUNDLED_PACKAGES } from './packages.js';

export interface Bundled {
  /** Contents by their paths in the tree. */
  files: Map<string, Uint8Array>;
  /** Paths of all source files, relative to the root of the repository. */
  inputs: string[];
}

type Conditions = string | { [condition: string]: Conditions };

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

/** Writes the files below `folder`. */
export function writeFiles(folder: string, files: Bundled['files']): void {
  for (const [path, contents] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
}

/** Throws if the bundle imports a package at run time, which a script with a code cache cannot do. */
export function failOnImports({ outputs }: Metafile): void {
  for (const { imports } of Object.values(outputs))
    for (const { kind, path } of imports)
      if (kind === 'dynamic-import') throw new Error(`import("${path}"): a cached script cannot import at run time.`);
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
