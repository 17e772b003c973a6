import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DECLARATIONS } from '../src/base/places.js';
import type { TreeFile } from './archive.js';
import { bundleProgram, packageJson } from './bundle.js';
import { declarations } from './declarations.js';
import { thirdParty } from './licences.js';
import { closure, filesOf, manifestOf, OFFERED, STATIC, WHOLE } from './packages.js';

/** Compiled files that are bundled only when they are used, by src/pool/graphs/bundle.ts. */
const SOURCES = ['dist/workers/graph/packages.js', 'dist/workers/graph/walk-graph.js'];

/**
 * All files of the single executable by their paths, in the shape of the repository: what the program looks for beside itself
 * (src/base/places.ts), and what Node and esbuild look for in `node_modules`, is where they look.
 */
export async function programTree(root: string): Promise<Map<string, TreeFile>> {
  const tree = new Map<string, TreeFile>();
  const copy = (path: string, executable = false): unknown =>
    tree.set(path, { bytes: readFileSync(join(root, path)), executable });
  const write = (path: string, text: string): unknown =>
    tree.set(path, { bytes: Buffer.from(text), executable: false });

  const { files, inputs } = await bundleProgram(root);
  for (const [path, bytes] of files) tree.set(path, { bytes, executable: false });
  for (const path of [...SOURCES, ...below(root, 'examples'), ...below(root, 'templates'), 'LICENSE']) copy(path);
  write(DECLARATIONS, JSON.stringify(declarations(root)));
  for (const name of OFFERED) write(`node_modules/${name}/package.json`, packageJson(root, name));
  for (const folder of closure(root, WHOLE))
    for (const { path, executable } of filesOf(root, folder)) copy(path, executable);
  for (const [name, wanted] of Object.entries(STATIC)) {
    for (const file of wanted)
      tree.set(`dist/static/${name}/${file}`, {
        bytes: readFileSync(join(root, 'node_modules', name, file)),
        executable: false,
      });
  }
  // What a build has put there besides.
  if (existsSync(join(root, 'dist/static'))) for (const path of below(root, 'dist/static')) copy(path);

  // As far as the program reads it: what it needs of Node, and the versions it was made of.
  const { name, version, type, license, engines, dependencies } = manifestOf(root) as unknown as Record<
    string,
    unknown
  >;
  write('package.json', JSON.stringify({ name, version, type, license, engines, dependencies }));
  write(
    'THIRD-PARTY.txt',
    thirdParty(
      root,
      [...inputs, ...tree.keys(), ...Object.keys(STATIC).map((one) => `node_modules/${one}/package.json`)],
      { node: true },
    ),
  );
  return tree;
}

function below(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^\.|\.(lock|mdb)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/(^|\/)(\.threadmill|node_modules)\//.test(path));
}
