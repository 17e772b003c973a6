import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { OFFERED, WHOLE } from './packages.js';

export interface Bundled {
  /** By their places in the tree. */
  files: Map<string, Uint8Array>;
  /** Every file that went in, below the root of the repository. */
  inputs: string[];
}

type Conditions = string | { [condition: string]: Conditions };

/** Threads begin at these. */
const THREADS = [
  'app/serve',
  'user-code/serve',
  'evaluation/serve',
  'auth/serve',
  'graph/run-graph',
  'vector-search/serve',
  'scrub/walk',
  'types/serve',
  'ui/build',
  'webhook/serve',
];

/**
 * The program, its threads and every module that an offered package exports, each at the place that it was read from, with
 * what they share in `chunks/`. All are made in one go, so that the server, its workers and graphs have one copy of each class.
 */
export async function bundleProgram(root: string): Promise<Bundled> {
  const entries = [
    'dist/src/main.js',
    ...THREADS.map((name) => `dist/workers/${name}.js`),
    ...OFFERED.flatMap((name) =>
      [...exportsOf(root, name)].map(([, { module }]) => join('node_modules', name, module)),
    ),
  ];
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...new Set(entries)].map((path) => ({ in: `./${path}`, out: path.replace(/\.m?js$/, '') })),
    outdir: '/tree',
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: `node${process.versions.node}`,
    // ES modules before CommonJS, where a package from before "exports" has both.
    mainFields: ['module', 'main'],
    // Names stay: what is thrown is read by people, and some libraries go by the names of classes.
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: true,
    legalComments: 'none',
    logLevel: 'error',
    external: WHOLE.flatMap((name) => [name, `${name}/*`]),
    banner: {
      js: `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`,
    },
    plugins: [namesKept(), optionalOutside()],
  });
  return {
    files: new Map(outputFiles.map(({ path, contents }) => [path.slice('/tree/'.length), contents])),
    inputs: Object.keys(metafile.inputs),
  };
}

/** The entries of a package, for a tree that has only what `import` would load; `require` loads the same. */
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

/** What a package exports to `import`: module and declarations, below its folder. Patterns are not used by those that we offer. */
export function exportsOf(root: string, name: string): Map<string, { module: string; types: string | null }> {
  const { exports } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as {
    exports: Record<string, Conditions>;
  };
  const found = new Map<string, { module: string; types: string | null }>();
  for (const [key, conditions] of Object.entries(exports)) {
    const module = pick(conditions, ['import', 'default']);
    if (module === null || !/\.m?js$/.test(module) || IN_BROWSERS.test(module)) continue;
    if (key.includes('*')) throw new Error(`${name}/package.json: exports has the pattern "${key}"`);
    found.set(key, {
      module: module.slice(2),
      types: pick(conditions, ['import', 'types', 'default'], /\.d\.[cm]?ts$/)?.slice(2) ?? null,
    });
  }
  return found;
}

/** Entries for pages need React, which nothing on a server has. */
const IN_BROWSERS = /\/(react|react-ui)(\/|\.)|\/browser\.js$/;

/** In the order of the package's own conditions, as Node and the TypeScript compiler read them. */
function pick(conditions: Conditions, known: readonly string[], ending = /\.m?js$/): string | null {
  if (typeof conditions === 'string') return ending.test(conditions) ? conditions : null;
  for (const [condition, inner] of Object.entries(conditions)) {
    const found = known.includes(condition) ? pick(inner, known, ending) : null;
    if (found !== null) return found;
  }
  return null;
}

const ASKED = { resolved: true };

/** A package that is not installed is one that its importer can do without, or asks its user for: it says so when it is reached. */
function optionalOutside(): Plugin {
  return {
    name: 'optional-outside',
    setup(setup) {
      setup.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === ASKED || kind === 'entry-point') return undefined;
        const { errors } = await setup.resolve(path, { kind, importer, resolveDir, pluginData: ASKED });
        return errors.length === 0 ? undefined : { path, external: true };
      });
    },
  };
}

/** esbuild gives what `import()` loads of CommonJS a default export alone. Node gives it its names too, and our own code goes by them. */
function namesKept(): Plugin {
  return {
    name: 'names-kept',
    setup(setup) {
      setup.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer, resolveDir }) =>
        kind !== 'dynamic-import' ||
        !importer.startsWith(join(setup.initialOptions.absWorkingDir!, 'dist')) ||
        WHOLE.includes(path)
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
