import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licence files that are not next to the package.json of their package. */
const NESTED_LICENCES: Record<string, string[]> = {
  lmdb: [
    'dependencies/lmdb/libraries/liblmdb/LICENSE',
    'dependencies/lmdb/libraries/liblmdb/COPYRIGHT',
    'dependencies/lz4/lib/LICENSE',
  ],
};

interface Manifest {
  name: string;
  version: string;
  license?: string;
  author?: string | { name?: string };
  repository?: string | { url?: string };
}

/**
 * The text of THIRD-PARTY.txt: the licences of all packages to which the files belong (paths relative to `root`). With
 * `node` it includes those of Node and of the native add-ons.
 */
export function thirdPartyText(root: string, files: Iterable<string>, { node }: { node: boolean }): string {
  const folders = new Set<string>();
  for (const path of files) {
    const folder = packageOf(root, path);
    if (folder !== null) folders.add(folder);
  }
  const texts = (name: string): string => readFileSync(join(root, 'packaging', 'licences', name), 'utf8').trim();
  return (
    [
      'Third-party software in Threadmill, and the licence of each part.',
      ...(node
        ? [
            `Node.js ${process.versions.node}\n\n${texts('node.txt')}`,
            texts('native.txt'),
            `BoringSSL (in uWebSockets.js)\n\n${texts('boringssl.txt')}`,
          ]
        : []),
      ...[...folders].toSorted().map((folder) => licenceText(root, folder)),
    ].join(`\n\n${'='.repeat(78)}\n\n`) + '\n'
  );
}

function packageOf(root: string, path: string): string | null {
  // The innermost package. esbuild marks modules that it has emptied with "(disabled):".
  const folder = /^(?:\(disabled\):)?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  if (folder === undefined) return null;
  // Some packages contain copies of others without a package.json. These have the licence of the outer package.
  return existsSync(join(root, folder, 'package.json'))
    ? folder
    : packageOf(root, folder.slice(0, folder.lastIndexOf('/node_modules/')));
}

function licenceText(root: string, folder: string): string {
  const { name, version, license, author, repository } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  ) as Manifest;
  const files = [
    ...readdirSync(join(root, folder))
      .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
      .toSorted(),
    ...(NESTED_LICENCES[name] ?? []),
  ];
  if (license === undefined && files.length === 0) throw new Error(`${folder} names no licence.`);
  const authorName = typeof author === 'string' ? author : author?.name;
  const repositoryUrl = typeof repository === 'string' ? repository : repository?.url;
  const texts = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
  const note =
    files.length > 0
      ? ''
      : `\n\nThe package has no licence text. Author: ${authorName ?? 'its contributors'}${repositoryUrl === undefined ? '' : ` (${repositoryUrl})`}.`;
  return `${name} ${version} (${license ?? 'see below'})${note}${texts.map((text) => `\n\n${text}`).join('')}`;
}
