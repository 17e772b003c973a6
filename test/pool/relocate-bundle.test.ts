import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { bundleGraphs, cacheModule } from '../../src/pool/graphs/bundle.js';
import { importedModules, relocateBundle, type PackageProblem } from '../../src/pool/graphs/relocate-bundle.js';
import type { CodeVersion } from '../../src/store/code-versions.js';
import { temporaryFolder } from '../helpers/server.js';

const SOURCE = `import { END } from '@langchain/langgraph';
import { word } from 'words';
import { deep } from './lib/deep.js';
export const end = END;
export const told = word;
export const places = [import.meta.url, import.meta.dirname, import.meta.filename];
export const fail = () => deep();
`;

const DEEP = `export const deep = () => {
  throw new Error('from deep');
};
`;

function install(root: string, name: string, version: string): void {
  const folder = join(root, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, type: 'module', exports: './index.js' }));
  writeFileSync(join(folder, 'index.js'), `export const word = '${version} in ${root.split('/').at(-1)}';`);
}

/** A project whose path has a space and a letter outside of ASCII. */
function projectIn(t: Test, name: string): string {
  const root = join(temporaryFolder(t), name);
  mkdirSync(join(root, 'lib'), { recursive: true });
  writeFileSync(join(root, 'agent.ts'), SOURCE);
  writeFileSync(join(root, 'lib', 'deep.ts'), DEEP);
  install(root, 'words', '1.0.0');
  return root;
}

async function versionOf(root: string): Promise<CodeVersion> {
  const entry = { graphId: 'agent', file: join(root, 'agent.ts'), exportName: 'graph' };
  const { graphs, imports, libraryVersion } = await bundleGraphs([entry], root, join(root, 'cache'));
  const { module, hash } = graphs[0]!;
  const path = fileURLToPath(module);
  return {
    hash,
    graphs: [{ graphId: 'agent', file: 'agent.ts', exportName: 'graph' }],
    root,
    folder: dirname(path),
    imports: importedModules(imports.get(module)!),
    packages: [],
    libraryVersion,
    firstUsedMs: 0,
    lastUsedMs: 0,
    bytes: 0,
    bundle: readFileSync(path),
  };
}

async function load(version: CodeVersion, root: string): Promise<{ module: Loaded; problems: PackageProblem[] }> {
  const { code, problems } = relocateBundle(version, root);
  const module = (await import(cacheModule(code, join(root, 'elsewhere')))) as Loaded;
  return { module, problems };
}

function stackOf(fails: () => never): string {
  try {
    return fails();
  } catch (error) {
    return (error as Error).stack!;
  }
}

interface Loaded {
  end: string;
  told: string;
  places: string[];
  fail: () => never;
}

t.test('runs a bundle in a copy of the project, in another folder', async (t) => {
  const first = projectIn(t, 'the café');
  const version = await versionOf(first);
  const second = join(temporaryFolder(t), 'the café', 'moved');
  cpSync(first, second, { recursive: true });
  install(second, 'words', '1.0.0');
  rmSync(first, { recursive: true });
  const { module, problems } = await load(version, second);
  t.same(problems, []);
  t.equal(module.end, '__end__');
  t.equal(module.told, '1.0.0 in moved', 'the package of the other project');
  const file = join(second, 'agent.ts');
  t.same(module.places, [pathToFileURL(file).href, second, file]);
  process.setSourceMapsEnabled(true);
  t.teardown(() => process.setSourceMapsEnabled(false));
  t.match(stackOf(module.fail), `${join(second, 'lib', 'deep.ts')}:2`, 'errors name the source');
});

t.test('leaves a bundle as it is where it was made', async (t) => {
  const root = projectIn(t, 'here');
  const { module, problems } = await load(await versionOf(root), root);
  t.same(problems, []);
  t.same(module.told, '1.0.0 in here');
  t.same(module.places[1], root);
});

t.test('reports packages that are missing or have another version', async (t) => {
  const root = projectIn(t, 'changed');
  const version = await versionOf(root);
  install(root, 'words', '2.0.0');
  const { module, problems } = await load(version, root);
  t.same(problems, [{ name: 'words', wanted: '1.0.0', found: '2.0.0' }]);
  t.equal(module.told, '2.0.0 in changed');
  rmSync(join(root, 'node_modules'), { recursive: true });
  t.same(relocateBundle(version, root).problems, [{ name: 'words', wanted: '1.0.0', found: null }]);
});
