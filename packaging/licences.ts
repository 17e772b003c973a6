import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that lie deeper in a package than beside its package.json. */
const DEEPER: Record<string, string[]> = {
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

/** The licences of all packages that the files are from (paths below `root`), and with `node` that of Node itself: the text of THIRD-PARTY.txt. */
export function thirdParty(root: string, files: Iterable<string>, { node }: { node: boolean }): string {
  const folders = new Set<string>();
  for (const path of files) {
    const folder = packageOf(root, path);
    if (folder !== null) folders.add(folder);
  }
  const texts = (name: string): string => readFileSync(join(root, 'packaging', 'licences', name), 'utf8').trim();
  return (
    [
      'What Threadmill is made of besides its own code, and under which terms each part may be passed on.',
      ...(node
        ? [
            `Node.js ${process.versions.node}\n\n${texts('node.txt')}`,
            texts('native.txt'),
            `BoringSSL (in uWebSockets.js)\n\n${texts('boringssl.txt')}`,
          ]
        : []),
      ...[...folders].toSorted().map((folder) => licenceOf(root, folder)),
    ].join(`\n\n${'='.repeat(78)}\n\n`) + '\n'
  );
}

function packageOf(root: string, path: string): string | null {
  // The innermost one; esbuild writes a word before modules that it has emptied.
  const folder = /^(?:\(disabled\):)?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  if (folder === undefined) return null;
  // Some carry copies of others below themselves, without their package.json: those come under the licence of the carrier.
  return existsSync(join(root, folder, 'package.json'))
    ? folder
    : packageOf(root, folder.slice(0, folder.lastIndexOf('/node_modules/')));
}

function licenceOf(root: string, folder: string): string {
  const { name, version, license, author, repository } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  ) as Manifest;
  const files = [
    ...readdirSync(join(root, folder))
      .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
      .toSorted(),
    ...(DEEPER[name] ?? []),
  ];
  if (license === undefined && files.length === 0) throw new Error(`${folder}: no licence is named`);
  const by = typeof author === 'string' ? author : author?.name;
  const from = typeof repository === 'string' ? repository : repository?.url;
  const texts = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
  const said =
    files.length > 0
      ? ''
      : `\n\nThe package has no text of its licence. It is by ${by ?? 'its contributors'}${from === undefined ? '' : ` (${from})`}.`;
  return `${name} ${version} (${license ?? 'see below'})${said}${texts.map((text) => `\n\n${text}`).join('')}`;
}
