import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { BUNDLED_PROGRAM, DECLARATIONS, NATIVE, uwsBinary } from '../src/base/program-files.js';
import type { TreeFile } from './archive.js';
import { packageJson } from './bundle.js';
import { collectDeclarations } from './declarations.js';
import { thirdPartyText } from './licences.js';
import { nativeFiles } from './native.js';
import { bundlePackages } from './package-script.js';
import { bundleProgram } from './program-scripts.js';
import {
  withDependencies,
  neededFilesOf,
  manifestOf,
  GRAPH_PACKAGES,
  BROWSER_FILES,
  UNBUNDLED_PACKAGES,
} from './packages.js';

/** Compiled files that start the bundled program, and those that src/pool/graphs/bundle.ts bundles at run time. */
const UNBUNDLED_FILES = [
  'dist/src/main.js',
  'dist/src/base/program-files.js',
  'dist/src/base/v8-flags.js',
  'dist/workers/graph/packages.js',
  'dist/workers/graph/walk-graph.js',
];

/**
 * All files of the single executable by path. The layout is that of the repository, so that the program finds its files
 * (its folders are in src/base), and Node and esbuild find packages in `node_modules`.
 */
export async function programTree(root: string): Promise<Map<string, TreeFile>> {
  const tree = new Map<string, TreeFile>();
  const copy = (path: string, executable = false): unknown =>
    tree.set(path, { bytes: readFileSync(join(root, path)), executable });
  const write = (path: string, text: string): unknown =>
    tree.set(path, { bytes: Buffer.from(text), executable: false });

  const native = nativeFiles(root, (name) => name === basename(uwsBinary()));
  for (const { name, bytes } of native) tree.set(join(NATIVE, name), { bytes, executable: false });
  // Their code caches are those of the build, which was made by this Node.
  const program = await bundleProgram(root);
  const packages = await bundlePackages(root);
  for (const [path, bytes] of packages.files) tree.set(path, { bytes, executable: false });
  for (const path of [
    ...UNBUNDLED_FILES,
    ...['examples', 'templates', BUNDLED_PROGRAM].flatMap((folder) => filesBelow(root, folder)),
    'LICENSE',
  ])
    copy(path);
  write(DECLARATIONS, JSON.stringify(collectDeclarations(root)));
  for (const name of GRAPH_PACKAGES) write(`node_modules/${name}/package.json`, packageJson(root, name));
  for (const folder of withDependencies(root, UNBUNDLED_PACKAGES))
    for (const { path, executable } of neededFilesOf(root, folder)) copy(path, executable);
  for (const [name, wanted] of Object.entries(BROWSER_FILES)) {
    for (const file of wanted)
      tree.set(`dist/static/${name}/${file}`, {
        bytes: readFileSync(join(root, 'node_modules', name, file)),
        executable: false,
      });
  }
  // Other files that the build has written there.
  if (existsSync(join(root, 'dist/static'))) for (const path of filesBelow(root, 'dist/static')) copy(path);

  // Only the fields that the program reads.
  const { name, version, type, license, engines, dependencies } = manifestOf(root) as unknown as Record<
    string,
    unknown
  >;
  write('package.json', JSON.stringify({ name, version, type, license, engines, dependencies }));
  write(
    'THIRD-PARTY.txt',
    thirdPartyText(
      root,
      [
        ...program.inputs,
        ...packages.inputs,
        ...tree.keys(),
        ...native.map(({ path }) => path),
        ...Object.keys(BROWSER_FILES).map((one) => `node_modules/${one}/package.json`),
      ],
      { node: true },
    ),
  );
  return tree;
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^\.|\.(lock|mdb)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/(^|\/)(\.threadmill|node_modules)\//.test(path));
}
