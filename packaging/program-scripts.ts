import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { COMMON_OPTIONS, failOnImports, type Bundled } from './bundle.js';
import { SCRIPT_END, SCRIPT_START } from './cached-script.js';
import { optimizeScript } from './optimize-script.js';

/** Entry points of threads. `test/packaging/program.test.ts` compares them with what the pools start. */
export const THREAD_ENTRIES = [
  'app/serve',
  'auth/serve',
  'evaluation/serve',
  'graph/run-graph',
  'scrub/walk',
  'sign-in/serve',
  'snapshot/store-snapshot',
  'types/serve',
  'ui/build',
  'user-code/serve',
  'vector-search/serve',
  'webhook/serve',
].map((name) => `dist/workers/${name}.js`);

/**
 * Large modules that few processes need, by the name under which others import them with `import()`: scripts of their
 * own. They return plain values, because they do not share classes with the script that loads them.
 */
const SEPARATE_MODULES: Record<string, string> = {
  './read-types.js': 'dist/workers/types/read-types.js',
  './tracing.js': 'dist/src/server/tracing.js',
  '@pydantic/genai-prices': 'node_modules/@pydantic/genai-prices/dist/index.js',
};

/** Ending of a script. The module of the same name that loads it ends with `.cjs`. */
export const SCRIPT_ENDING = '.script';
/** Path of packaging/cached-script.ts in the bundle. */
export const SCRIPT_LOADER = 'cached-script.cjs';

/**
 * The commands and the entry of each thread, each as one script with all that it uses
 * (docs/decisions/0070-program-scripts.md). Paths are relative to `dist/program`. Without code caches, which
 * record-code-caches.ts writes.
 */
export async function bundleProgram(root: string): Promise<Bundled> {
  const files = new Map<string, Uint8Array>([[SCRIPT_LOADER, await bundleLoader()]]);
  const inputs = new Set<string>();
  for (const module of ['dist/src/cli/program.js', ...THREAD_ENTRIES, ...Object.values(SEPARATE_MODULES)]) {
    const path = pathInProgram(module);
    const { outputFiles, metafile } = await build({
      ...COMMON_OPTIONS,
      absWorkingDir: root,
      entryPoints: [module],
      outdir: '/script',
      format: 'cjs',
      // A script is read as Latin-1.
      charset: 'ascii',
      banner: { js: SCRIPT_START },
      footer: { js: SCRIPT_END },
      define: {
        'import.meta.dirname': '__dirname',
        'import.meta.filename': '__filename',
        'import.meta.url': '__filename',
      },
      plugins: [requiredModules(dirname(path)), importsOfUserCode(), ...COMMON_OPTIONS.plugins],
    });
    failOnImports(metafile);
    files.set(path + SCRIPT_ENDING, Buffer.from(optimizeScript(outputFiles[0]!.text)));
    files.set(`${path}.cjs`, Buffer.from(loaderOf(path)));
    for (const input of Object.keys(metafile.inputs)) inputs.add(input);
  }
  return { files, inputs: [...inputs] };
}

/** Path of a module without its ending: `workers/types/serve`, or `packages/@pydantic/genai-prices/dist/index`. */
function pathInProgram(module: string): string {
  return module
    .replace(/^dist\//, '')
    .replace(/^node_modules/, 'packages')
    .replace(/\.js$/, '');
}

/** The module that loads the script beside it. */
function loaderOf(path: string): string {
  const loader = relative(dirname(path), SCRIPT_LOADER);
  return `module.exports = require('${loader}').loadScript(__filename.replace(/\\.cjs$/, '${SCRIPT_ENDING}'));\n`;
}

async function bundleLoader(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'cached-script.js')],
    write: false,
    format: 'cjs',
    platform: 'node',
  });
  return outputFiles[0]!.contents;
}

/**
 * Turns `import()` of a separate module, and of one of Node, into `require()`. `folder`: that of the importing script.
 */
function requiredModules(folder: string): Plugin {
  const namespace = 'required-modules';
  return {
    name: namespace,
    setup(setup) {
      setup.onResolve({ filter: /.*/ }, ({ path, kind }) => {
        if (kind !== 'dynamic-import') return undefined;
        if (isBuiltin(path)) return { path, namespace };
        const module = SEPARATE_MODULES[path];
        return module === undefined
          ? undefined
          : { path: `./${relative(folder, pathInProgram(module))}.cjs`, namespace };
      });
      setup.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: `module.exports = require('${path}');` }));
      setup.onResolve({ filter: /\.cjs$/, namespace }, ({ path }) => ({ path, external: true }));
    },
  };
}

/** Turns `import()` of a module that is known only at run time into `importModule()` of packaging/cached-script.ts. */
function importsOfUserCode(): Plugin {
  return {
    name: 'imports-of-user-code',
    setup(setup) {
      setup.onLoad({ filter: /\/dist\/(src|workers)\/.*\.js$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replace(/\bimport\((?!['"])/g, 'importModule('),
      }));
    },
  };
}
