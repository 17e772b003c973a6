import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { forOlderGlibc, neededVersions } from '../../packaging/older-glibc.js';

const MODULES = join(import.meta.dirname, '../../../node_modules');
const NODE_20 = join(MODULES, 'uWebSockets.js/dist/bin/uws_linux_x64_115.node');

function binary(name: string): Buffer {
  return readFileSync(join(MODULES, 'uwebsockets', `uws_${name}.node`));
}

function versionsOf(library: Buffer): string[] {
  return neededVersions(library).map((one) => `${one.library} ${one.name}`);
}

t.test('the binaries for Node 24 load with glibc 2.36', async (t) => {
  for (const [machine, oldest] of [
    ['linux_x64_137', 'GLIBC_2.2.5'],
    ['linux_arm64_137', 'GLIBC_2.17'],
  ] as const) {
    const original = binary(machine);
    const changed = forOlderGlibc(original);
    t.ok(versionsOf(original).includes('libc.so.6 GLIBC_2.38'), machine);
    const expected = versionsOf(original).map((one) => one.replace('GLIBC_2.38', oldest));
    t.same(versionsOf(changed), expected, `${machine}: only that version is replaced`);
    t.ok(expected.includes('libc.so.6 GLIBC_2.36'));
    let bytes = 0;
    for (const [at, byte] of original.entries()) if (byte !== changed[at]) bytes += 1;
    t.equal(changed.length, original.length);
    t.ok(
      bytes <= 26,
      `${machine}: ${bytes} bytes differ: for each of three symbols at most six, for the version eight`,
    );
    t.equal(forOlderGlibc(changed), changed, 'nothing is left to change');
  }
});

t.test('what needs no newer glibc stays as it is', async (t) => {
  for (const original of [binary('darwin_x64_137'), binary('win32_x64_137'), readFileSync(NODE_20)])
    t.equal(forOlderGlibc(original), original);
});

t.test('refuses a library that needs other functions of glibc 2.38', async (t) => {
  const library = Buffer.from(binary('linux_x64_137'));
  const at = library.indexOf('\0__isoc23_strtol\0') + 1;
  library.write('strlcpy\0', at, 'latin1');
  t.throws(() => forOlderGlibc(library), { message: 'strlcpy needs GLIBC_2.38' });
});
