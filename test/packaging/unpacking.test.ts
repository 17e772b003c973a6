import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { machine, type Machine } from './copied.js';

const CACHE = ['.cache', 'threadmill'];

/** The one folder that the program was unpacked to. */
function unpacked(cache: string): string {
  const names = readdirSync(cache);
  if (names.length !== 1) throw new Error(`${cache} has ${names.join(', ')}`);
  return join(cache, names[0]!);
}

const works = async ({ run }: Machine, env?: Record<string, string>): Promise<boolean> =>
  (await run(['--version'], env)).code === 0;

t.test('leaves one copy after two concurrent first starts', { timeout: 240_000 }, async (t) => {
  const one = await machine(t);
  const all = await Promise.all([1, 2, 3].map(() => one.run(['--version'])));
  t.strictSame(
    all.map(({ code, stderr }) => [code, stderr]),
    [
      [0, ''],
      [0, ''],
      [0, ''],
    ],
  );
  t.ok(existsSync(join(unpacked(join(one.home, ...CACHE)), 'dist/src/main.js')));
});

t.test('replaces a damaged or partial copy', { timeout: 240_000 }, async (t) => {
  const one = await machine(t);
  t.ok(await works(one));
  const cache = join(one.home, ...CACHE);
  const main = join(unpacked(cache), 'dist/src/main.js');
  const text = readFileSync(main, 'utf8');
  const damages: Record<string, () => void> = {
    'a file that is missing': () => rmSync(main),
    'a file that was cut off': () => truncateSync(main, 100),
    'other bytes of the same length': () => writeFileSync(main, `process.exit(9);${text.slice(16)}`),
    'a link in the place of a file': () => {
      writeFileSync(join(one.home, 'other.js'), text);
      rmSync(main);
      symlinkSync(join(one.home, 'other.js'), main);
    },
    'a file that others may write': () => chmodSync(main, 0o666),
    'a file in the place of the folder': () => {
      const folder = unpacked(cache);
      rmSync(folder, { recursive: true });
      writeFileSync(folder, '');
    },
  };
  for (const [what, damage] of Object.entries(damages)) {
    damage();
    t.ok(await works(one), what);
    t.equal(readFileSync(main, 'utf8'), text, what);
    unpacked(cache);
  }
  // As a start leaves it that was killed in the middle: long ago, and just now by another that still goes on.
  for (const [name, when] of [
    ['.new-old', new Date(0)],
    ['.new-now', new Date()],
  ] as const) {
    mkdirSync(join(cache, name));
    writeFileSync(join(cache, name, 'file'), '');
    utimesSync(join(cache, name), when, when);
  }
  rmSync(main);
  t.ok(await works(one));
  t.strictSame(
    readdirSync(cache).filter((name) => name.startsWith('.')),
    ['.new-now'],
  );
});

t.test('chooses the folder of the copy', { timeout: 240_000 }, async (t) => {
  const one = await machine(t);
  const named = join(one.home, 'named');
  t.ok(await works(one, { THREADMILL_CACHE: named, XDG_CACHE_HOME: join(one.home, 'xdg') }));
  unpacked(named);
  t.ok(await works(one, { XDG_CACHE_HOME: join(one.home, 'xdg') }));
  unpacked(join(one.home, 'xdg', 'threadmill'));
  t.ok(await works(one, { XDG_CACHE_HOME: 'xdg' }), 'a relative one counts as none');
  unpacked(join(one.home, ...CACHE));
  t.ok(await works(one, { HOME: join(one.home, 'nowhere') }));
  unpacked(join(one.temporary, `threadmill-${process.getuid!()}`));
  t.notOk(existsSync(join(one.project, 'xdg')));
  t.notOk(existsSync(join(one.home, 'nowhere')), 'a home that is not there stays so');
  t.match(await one.run(['--version'], { THREADMILL_CACHE: '/proc/nowhere' }), {
    code: 1,
    stdout: '',
    stderr: /\/proc\/nowhere: /,
  });
});

t.test('does not use a folder that others can write to', { timeout: 240_000 }, async (t) => {
  const one = await machine(t);
  const cache = join(one.home, ...CACHE);
  mkdirSync(cache, { recursive: true });
  chmodSync(cache, 0o770);
  t.ok(await works(one), 'the next one is');
  t.strictSame(readdirSync(cache), []);
  unpacked(join(one.temporary, `threadmill-${process.getuid!()}`));

  t.match(
    await one.run(['--version'], { THREADMILL_CACHE: cache }),
    { code: 1, stdout: '', stderr: /other users can write to it \(its mode is 770\)[^]*THREADMILL_CACHE/ },
    'the one that was named has no next',
  );
  chmodSync(cache, 0o700);
  chmodSync(join(one.home, '.cache'), 0o777);
  t.match(await one.run(['--version'], { THREADMILL_CACHE: cache }), {
    code: 1,
    stderr: /every user can write to .*\.cache/,
  });
  chmodSync(join(one.home, '.cache'), 0o700);
  t.match(await one.run(['--version'], { THREADMILL_CACHE: one.binary }), {
    code: 1,
    stderr: /EEXIST|is not a folder/,
  });
  // Only root can give a folder away.
  if (process.getuid!() === 0) {
    chownSync(cache, 4711, 4711);
    t.match(await one.run(['--version'], { THREADMILL_CACHE: cache }), {
      code: 1,
      stderr: /belongs to user 4711, not to 0/,
    });
    chownSync(cache, 0, 0);
  }
  t.ok(await works(one, { THREADMILL_CACHE: cache }));
});
