import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { dataFile } from '../../src/store/files/data-file.js';
import { upgradeFolder } from '../../src/store/files/upgrade.js';
import { cli } from '../helpers/cli.js';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

const SAVED = join(ROOT, 'test', 'store', 'saved', '0.1.0');
const expected = JSON.parse(readFileSync(join(SAVED, 'expected.json'), 'utf8')) as {
  threads: Record<string, unknown>;
  approval: string;
};
const threadIds = Object.keys(expected.threads);
const QUIET = { onBegin: () => undefined, onWritten: () => undefined };

function oldFolder(t: Test): string {
  const folder = temporaryFolder(t);
  for (const name of ['data.mdb', 'seal.key']) cpSync(join(SAVED, name), join(folder, name));
  chmodSync(join(folder, 'seal.key'), 0o600);
  return folder;
}

const before = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('before-upgrade-1-'));

t.test('upgrades a folder of format 1 once and keeps the old file', async (t) => {
  const folder = oldFolder(t);
  const told: unknown[] = [];
  const done = await upgradeFolder(folder, { onBegin: (...all) => told.push(all), onWritten: () => undefined });
  t.match(done, { from: 1, to: 4, records: Number });
  t.match(told, [[1, Number]]);
  t.ok(
    readFileSync(join(folder, before(folder)[0]!, 'data.mdb')).equals(readFileSync(join(SAVED, 'data.mdb'))),
    'not a byte of it is another',
  );
  t.equal(await upgradeFolder(folder, QUIET), null, 'nothing is left to do');
  t.equal(before(folder).length, 1);
  const looked = await cli(['doctor', '--store', '--data', folder, '--json']);
  t.match(JSON.parse(looked.stdout), { problems: 0, records: done!.records });
  t.notOk(existsSync(join(folder, 'lock')), 'the lock was given back');
});

t.test('ignores what an interrupted upgrade left behind', async (t) => {
  const folder = oldFolder(t);
  writeFileSync(`${dataFile(folder)}.upgrading`, 'half of a file');
  await upgradeFolder(folder, QUIET);
  t.notOk(existsSync(`${dataFile(folder)}.upgrading`));
  const { client } = await testServer(t, { dataFolder: folder });
  t.equal((await client.threads.get(threadIds[0]!)).thread_id, threadIds[0]);
});

t.test('upgrades the old file again', async (t) => {
  const folder = oldFolder(t);
  await upgradeFolder(folder, QUIET);
  cpSync(join(folder, before(folder)[0]!, 'data.mdb'), dataFile(folder));
  t.match(await upgradeFolder(folder, QUIET), { from: 1 });
  t.equal(before(folder).length, 2);
});

t.test('keeps a damaged record damaged and converts the others', async (t) => {
  const folder = oldFolder(t);
  const data = readFileSync(dataFile(folder));
  // Of the record of one thread, which names its owner.
  const text = '{"owner":"bob","graph_id"';
  let flipped = 0;
  for (let at = data.indexOf(text); at > 0; at = data.indexOf(text, at + 1), flipped += 1) data[at + 10]! ^= 1;
  t.ok(flipped > 0);
  writeFileSync(dataFile(folder), data);
  await upgradeFolder(folder, QUIET);
  const { code, stdout } = await cli(['doctor', '--store', '--data', folder, '--json']);
  t.equal(code, 1);
  const { findings } = JSON.parse(stdout) as { findings: { kind: string; place: string }[] };
  t.match(
    findings.filter(({ kind }) => kind === 'checksum'),
    [{ place: /^\["t",/ }],
    'it is named, and nothing else is',
  );
});

t.test('refuses to work on a stopped folder of an earlier release', async (t) => {
  const folder = oldFolder(t);
  for (const [args, code] of [
    [['doctor', '--store', '--data', folder], 2],
    [['compact', '--data', folder], 1],
    [['backup', join(folder, 'x.backup'), '--data', folder], 1],
  ] as const) {
    const said = await cli(args);
    t.equal(said.code, code, args[0]);
    t.match(
      said.stderr,
      /has format 1; this version reads format 4\. Start the server to upgrade the data folder/,
      args[0],
    );
  }
  t.ok(readFileSync(dataFile(folder)).equals(readFileSync(join(SAVED, 'data.mdb'))));
  t.strictSame(
    readdirSync(folder)
      .filter((name) => name !== 'data.mdb-lock')
      .sort(),
    ['data.mdb', 'seal.key'],
  );
});
