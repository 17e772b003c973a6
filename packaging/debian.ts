/**
 * `make deb`: builds a Debian package with the single executable, its service and its documentation,
 * dist/threadmill_<version>_<machine>.deb.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BINARY } from './build.js';
import { manifestOf } from './packages.js';

const ROOT = join(import.meta.dirname, '..', '..');
const DEBIAN_ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

/** System libraries that the native add-ons need (`objdump -T`, GLIBC_ and GLIBCXX_ versions). */
const DEPENDS = 'libc6 (>= 2.34), libgcc-s1, libstdc++6 (>= 11)';

/** Writes the package with the given executable and licence texts to a folder. Returns the path of the package. */
export function buildDebian(binary: string, thirdParty: string, folder: string): string {
  const { version, description } = manifestOf(ROOT) as ReturnType<typeof manifestOf> & { description: string };
  const machine = DEBIAN_ARCHITECTURES[process.arch];
  if (machine === undefined)
    throw new Error(`There is no Debian architecture for "${process.arch}". Add it to DEBIAN_ARCHITECTURES.`);
  const root = mkdtempSync(join(tmpdir(), 'threadmill-deb-'));
  try {
    const put = (path: string, bytes: Uint8Array | string, mode = 0o644): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), bytes);
      chmodSync(join(root, path), mode);
    };
    const source = (path: string): Buffer => readFileSync(join(ROOT, path));

    put('usr/bin/threadmill', readFileSync(binary), 0o755);
    put('usr/lib/systemd/system/threadmill.service', source('packaging/threadmill.service'));
    put('etc/threadmill/langgraph.json', source('packaging/debian/langgraph.json'));
    // The file will contain keys and secrets, and only systemd reads it.
    put('etc/threadmill/environment', source('packaging/debian/environment'), 0o600);
    const documents = 'usr/share/doc/threadmill';
    put(`${documents}/copyright`, `${source('LICENSE').toString()}\n${thirdParty}`);
    put(`${documents}/changelog.gz`, gzipSync(source('CHANGELOG.md'), { level: 9 }));
    put(`${documents}/README.md.gz`, gzipSync(source('README.md'), { level: 9 }));
    put(`${documents}/install.md`, source('docs/install.md'));
    for (const name of ['echo', 'tools-agent'])
      cpSync(join(ROOT, 'examples', name), join(root, documents, 'examples', name), { recursive: true });

    const files = filesBelow(root);
    put(
      'DEBIAN/md5sums',
      files
        .filter((path) => !path.startsWith('etc/'))
        .map(
          (path) =>
            `${createHash('md5')
              .update(readFileSync(join(root, path)))
              .digest('hex')}  ${path}\n`,
        )
        .join(''),
    );
    put(
      'DEBIAN/conffiles',
      files
        .filter((path) => path.startsWith('etc/'))
        .map((path) => `/${path}\n`)
        .join(''),
    );
    put(
      'DEBIAN/control',
      `Package: threadmill
Version: ${version}
Architecture: ${machine}
Maintainer: The Threadmill maintainers <threadmill@localhost>
Installed-Size: ${Math.ceil(files.reduce((sum, path) => sum + statSync(join(root, path)).size, 0) / 1024)}
Depends: ${DEPENDS}
Section: net
Priority: optional
Description: server for LangGraph graphs
 ${description}
 One executable that includes Node.js, and a systemd service that is not
 started automatically.
`,
    );
    for (const script of ['postinst', 'prerm', 'postrm'])
      put(`DEBIAN/${script}`, source(`packaging/debian/${script}`), 0o755);
    for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }))
      if (statSync(join(root, path)).isDirectory()) chmodSync(join(root, path), 0o755);
    chmodSync(root, 0o755);

    const file = join(folder, `threadmill_${version}_${machine}.deb`);
    execFileSync('dpkg-deb', ['--root-owner-group', '-z3', '--build', root, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return file;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(root, path)).isFile())
    .toSorted();
}

if (import.meta.filename === process.argv[1]) {
  const binary = join(ROOT, 'dist', BINARY);
  if (!existsSync(binary)) throw new Error(`${binary} does not exist. Run "make binary" first.`);
  const file = buildDebian(binary, readFileSync(join(ROOT, 'dist/THIRD-PARTY.txt'), 'utf8'), join(ROOT, 'dist'));
  process.stdout.write(`${file.slice(ROOT.length + 1)}: ${(statSync(file).size / 1e6).toFixed(1)} MB\n`);
}
