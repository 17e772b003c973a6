import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { COMMON_OPTIONS, failOnImports, graphModules, namesOf, writeFiles, type Bundled } from './bundle.js';
import { codeCacheFile, SCRIPT_END, SCRIPT_START } from './cached-script.js';
import { optimizeScript } from './optimize-script.js';
import { replaceModules } from './library/replace-modules.js';

/** Folder of the script below the root of the tree. */
const FOLDER = 'chunks';
const SCRIPT = `${FOLDER}/graph-packages.cjs`;
const LOADER = `${FOLDER}/graph-packages.js`;

/**
 * Every module that graphs may import, in one script with its code cache: a worker thread loads LangGraph from it with
 * a quarter of the CPU time that it needs for ES modules (docs/decisions/0066-code-cache.md). At the path of each
 * module is an ES module with the same exports.
 */
export async function bundlePackages(root: string): Promise<Bundled> {
  const modules = [...new Set(graphModules(root))];
  const { outputFiles, metafile } = await build({
    ...COMMON_OPTIONS,
    plugins: [...COMMON_OPTIONS.plugins, replaceModules()],
    absWorkingDir: root,
    stdin: {
      contents: modules.map((path) => `exports[${JSON.stringify(path)}] = () => require("./${path}");`).join('\n'),
      resolveDir: root,
    },
    format: 'cjs',
    // A script is read as Latin-1.
    charset: 'ascii',
    keepNames: true,
    banner: { js: SCRIPT_START },
    footer: { js: SCRIPT_END },
  });
  failOnImports(metafile);
  const files = new Map<string, Uint8Array>([
    [SCRIPT, Buffer.from(optimizeScript(outputFiles[0]!.text))],
    [`${FOLDER}/cached-script.js`, readFileSync(join(import.meta.dirname, 'cached-script.js'))],
    [
      LOADER,
      Buffer.from(
        `import { join } from 'node:path';\nimport { loadScript } from './cached-script.js';\n` +
          `export const modules = loadScript(join(import.meta.dirname, 'graph-packages.cjs'));\n`,
      ),
    ],
  ]);
  for (const [path, names] of await namesOf(root, modules)) files.set(path, Buffer.from(reexport(path, names)));
  files.set(codeCacheFile(SCRIPT), createCodeCache(files));
  return { files, inputs: Object.keys(metafile.inputs) };
}

/** The ES module at `path`. Local names are numbers, because exports can have reserved words as names. */
function reexport(path: string, names: readonly string[]): string {
  const loader = relative(dirname(path), LOADER);
  const locals = names.map((name, index) => `${JSON.stringify(name)}: _${index}`);
  return [
    `import { modules } from ${JSON.stringify(loader.startsWith('.') ? loader : `./${loader}`)};`,
    `const { ${locals.join(', ')} } = modules[${JSON.stringify(path)}]();`,
    `export { ${names.map((name, index) => `_${index} as ${name}`).join(', ')} };`,
    '',
  ].join('\n');
}

/** The code cache, from a process that has loaded LangGraph and run a graph. */
function createCodeCache(files: Bundled['files']): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'threadmill-packages-'));
  try {
    writeFiles(folder, files);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    execFileSync(process.execPath, [join(import.meta.dirname, 'write-code-cache.js'), folder, SCRIPT], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return readFileSync(join(folder, codeCacheFile(SCRIPT)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
