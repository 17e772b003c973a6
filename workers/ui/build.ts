/**
 * Entry point of the thread that builds UI components for a page. It ends when all are built. The project's own
 * plugins run in it.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop, type Plugin } from 'esbuild';
import { buildProblem } from '../../src/base/build-errors.js';
import { scriptName } from '../../src/domain/ui-script.js';
import type { UiBuildResult, UiTask } from '../../src/wire/user-code/ui.js';

/**
 * Modules that the page provides, like the SDK's `LoadExternalComponent`, so that page and components share one
 * React.
 */
const PAGE_MODULES = [
  'react',
  'react-dom',
  'react/jsx-runtime',
  '@langchain/langgraph-sdk/react',
  '@langchain/langgraph-sdk/react-ui',
];

/** The script's entry. The page calls `render` after loading it, which finds the component and its target element. */
const ENTRY = (file: string): string => `
import components from ${JSON.stringify(file)};
export function render(name, rootId) {
  const component = components[name];
  if (component === undefined) throw new Error('there is no component "' + name + '". The components are: ' + Object.keys(components).join(', '));
  const target = document.createElement('div');
  document.getElementById(rootId).shadowRoot.appendChild(target);
  globalThis[Symbol.for('LGUI_EXT_STORE')].respond(rootId, component, target);
}
`;

export default async function buildUi({ name, file, root, shared }: UiTask): Promise<UiBuildResult> {
  try {
    if (!existsSync(file)) return { ok: false, reason: 'the file does not exist' };
    const result = await build({
      stdin: { contents: ENTRY(file), resolveDir: root, sourcefile: 'entrypoint.tsx', loader: 'tsx' },
      bundle: true,
      write: false,
      metafile: true,
      minify: true,
      format: 'iife',
      globalName: scriptName(name),
      platform: 'browser',
      target: 'es2020',
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      loader: {
        '.png': 'dataurl',
        '.jpg': 'dataurl',
        '.gif': 'dataurl',
        '.webp': 'dataurl',
        '.svg': 'dataurl',
        '.woff': 'dataurl',
        '.woff2': 'dataurl',
        '.ttf': 'dataurl',
      },
      logLevel: 'silent',
      absWorkingDir: root,
      outfile: join(root, 'entrypoint.js'),
      plugins: [pageModules([...PAGE_MODULES, ...shared]), ...(await tailwindPlugins(root))],
    });
    return {
      ok: true,
      files: result.outputFiles.map(({ path, contents }) => ({ name: basename(path), bytes: contents })),
      inputs: Object.keys(result.metafile.inputs)
        .map((path) => resolve(root, path))
        .filter((path) => existsSync(path) && !path.includes('/node_modules/')),
    };
  } catch (error) {
    return { ok: false, reason: buildProblem(error) };
  } finally {
    await stop();
  }
}

function pageModules(names: readonly string[]): Plugin {
  return {
    name: 'from-page',
    setup(setup) {
      setup.onResolve({ filter: /^[^./]/ }, ({ path }) =>
        names.includes(path) ? { path, namespace: 'from-page' } : undefined,
      );
      setup.onLoad({ filter: /.*/, namespace: 'from-page' }, ({ path }) => ({
        contents: `module.exports = globalThis[Symbol.for('LGUI_REQUIRE')](${JSON.stringify(path)});`,
        loader: 'js',
      }));
    },
  };
}

const TAILWIND = 'esbuild-plugin-tailwindcss';

/** Adds Tailwind if the project has the esbuild plugin. Otherwise, style sheets that need it get an error message. */
async function tailwindPlugins(root: string): Promise<Plugin[]> {
  let found: string;
  try {
    found = createRequire(join(root, 'package.json')).resolve(TAILWIND);
  } catch {
    return [
      {
        name: 'no-tailwind',
        setup(setup) {
          setup.onResolve({ filter: /^tailwindcss($|\/)/ }, ({ kind }) =>
            kind === 'import-rule'
              ? {
                  errors: [
                    { text: `Tailwind needs the package "${TAILWIND}". Install it with: npm install ${TAILWIND}` },
                  ],
                }
              : undefined,
          );
        },
      },
    ];
  }
  const plugin = (await import(pathToFileURL(found).href)) as { default: (() => Plugin) | { default: () => Plugin } };
  return [typeof plugin.default === 'function' ? plugin.default() : plugin.default.default()];
}
