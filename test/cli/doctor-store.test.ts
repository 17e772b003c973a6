import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { CHECKS } from '../../src/store/files/check/check-store.js';
import { Commit, Store } from '../../src/store/store.js';
import { FORMAT_VERSION, keys, type Key } from '../../src/store/keys.js';
import { encodeRecord } from '../../src/store/record-codec.js';
import { pack, unpack } from '../../src/wire/codec.js';
import { cli } from '../helpers/cli.js';
import { filledFolder } from '../helpers/filled.js';
import { configWith, ROOT, testServer } from '../helpers/server.js';

interface Told {
  records: number;
  problems: number;
  findings: { kind: string; place: string; problem: string }[];
}

async function doctor(folder: string): Promise<{ code: number; told: Told }> {
  const { code, stdout, stderr } = await cli(['doctor', '--store', '--data', folder, '--json']);
  if (stdout === '') throw new Error(stderr);
  return { code, told: JSON.parse(stdout) as Told };
}

t.test('has a check for every kind of key', (t) => {
  const table = [...readFileSync(join(ROOT, 'src/store/keys.ts'), 'utf8').matchAll(/^ \* \| `\['([^']+)'/gm)].map(
    ([, kind]) => kind!,
  );
  t.ok(table.length > 50);
  t.strictSame(Object.keys(CHECKS).toSorted(), [...new Set(table)].toSorted());
  t.end();
});

t.test('finds nothing in a sound folder and writes nothing', async (t) => {
  const { folder } = await filledFolder(t);
  const state = (): string =>
    JSON.stringify(
      readdirSync(folder).map((name) => [
        name,
        statSync(join(folder, name)).mtimeMs,
        statSync(join(folder, name)).size,
      ]),
    );
  const before = state();
  const { code, stdout, stderr } = await cli(['doctor', '--store', '--data', folder]);
  t.equal(code, 0, stderr);
  t.match(stdout, /^\d+ records, no problems\.\n$/);
  t.equal(state(), before);
});

t.test('names damaged records by their keys', async (t) => {
  const { folder, threadIds } = await filledFolder(t);
  const [first, second, third] = threadIds as [string, string, string];
  const store = Store.open(folder);
  const uidOf = (threadId: string): string => unpack<{ uid: string }>(store.get(keys.thread(threadId))!).uid;
  const keyUnder = (...prefix: Key): Key => [...store.keys({ prefix, limit: 1 })][0]!;
  const commit = new Commit();
  // A thread whose record is gone, but not what belongs to it.
  commit.remove(keys.thread(first));
  // An item that a checkpoint refers to.
  const content = keyUnder('i', uidOf(second));
  commit.remove(content);
  // A record under the key of another one.
  const thirdRecord = store.get(keys.thread(third))!;
  commit.put(keys.thread('00000000-0000-4000-8000-000000000000'), Buffer.from(thirdRecord));
  // An index entry too few, and one too many.
  const entry = [...store.keys({ prefix: ['ti', '*'] })].find((key) => key.at(-1) === third)!;
  commit.remove(entry);
  const extra: Key = ['mu', 'nobody', 'notes', 5, 'x'];
  commit.put(extra, pack(keys.item('nobody', 'notes', 'x')));
  // A part of an attachment.
  const chunk = keyUnder('B');
  commit.remove(chunk);
  // A name of a dataset that leads nowhere.
  commit.remove(keyUnder('D'));
  // No record at all.
  const run = [...store.keys({ prefix: ['r'] })].at(-1)!;
  commit.put(run, Buffer.from([0x9c, 0x01]));
  commit.put(['zz', 'unknown'], Buffer.from('x'));
  // A sample of the history that does not begin with its minute, beside a sound one.
  const [sound, late] = [keys.history(60, 120_000), keys.history(60, 121_000)];
  for (const key of [sound, late]) commit.put(key, pack([1]));
  // The index entry of a run with another bit in its key, which no request looks for.
  const damaged = keys.evaluationRun('01a228d0-06a4-7031-b199-2ae076c56761');
  const recordOfRun = encodeRecord(keys.evaluationRun('01a228d0-06a4-7031-b199-2ae076c56760'), pack([2, 0, 0]));
  await store.write(commit);
  await store.writeRecords([[damaged, recordOfRun]]);
  await store.close();
  const { code, told } = await doctor(folder);
  t.equal(code, 1);
  t.equal(told.problems, told.findings.length);
  const has = (kind: string, place: Key | RegExp, problem: RegExp): void => {
    const found = told.findings.some(
      (one) =>
        one.kind === kind &&
        (Array.isArray(place) ? one.place === JSON.stringify(place) : place.test(one.place)) &&
        problem.test(one.problem),
    );
    t.ok(found, `${kind} ${String(place)} ${problem.source}`);
  };
  has('reference', /^\["c",/, /the thread with the inner id .* does not exist/);
  has('index', /^\["ti","\*"/, new RegExp(`refers to \\["t","${first}"\\], which does not exist`));
  has('reference', /^\["(c|w)",/, new RegExp(`content ${String(content[2]).replace(/[-]/g, '\\-')} does not exist`));
  has('reference', /^\["R",/, new RegExp(`\\["B",${chunk.slice(1).join(',')}\\] of attachment "file" does not exist`));
  has('form', keys.thread('00000000-0000-4000-8000-000000000000'), new RegExp(`it is thread ${third}`));
  has('index', keys.thread(third), /\["ti","\*".* is missing/);
  has('index', extra, /which does not exist/);
  has('checksum', damaged, /./);
  has('index', /^\["DN",/, /which does not exist/);
  has('form', run, /it cannot be read/);
  has('form', late, /no sample of the history has this time/);
  t.notOk(told.findings.some(({ place }) => place === JSON.stringify(sound)));
  has('form', ['zz', 'unknown'], /does not write such a key/);
  const text = await cli(['doctor', '--store', '--data', folder]);
  t.equal(text.code, 1);
  t.match(text.stdout, /^\d+ × form: /m);
  t.match(text.stdout, /^\d+ records, \d+ problems?\./m);
});

t.test('names a flipped bit by its key when in a value, by its page when in the structure', async (t) => {
  const { folder } = await filledFolder(t);
  const file = join(folder, 'data.mdb');
  const whole = readFileSync(file);
  const flip = (places: readonly number[], bit = 1): void => {
    const bytes = Buffer.from(whole);
    for (const at of places) bytes[at]! ^= bit;
    writeFileSync(file, bytes);
  };
  // Old pages that are free by now may have it as well: which one is in use is the tree's affair.
  const placesOf = (bytes: Buffer): number[] => {
    const found: number[] = [];
    for (let at = whole.indexOf(bytes); at >= 0; at = whole.indexOf(bytes, at + 1)) found.push(at);
    t.ok(found.length > 0);
    return found;
  };
  flip(placesOf(Buffer.from('"note 1"')).map((at) => at + 2));
  const value = await doctor(folder);
  t.equal(value.code, 1);
  t.match(
    value.told.findings.map(({ kind, place }) => `${kind} ${place}`),
    [/^checksum \["mi",/],
  );
  // '2' becomes '3': no newer version wrote that.
  const format = keys.meta('format');
  const record = encodeRecord(format, Buffer.from(String(FORMAT_VERSION)));
  flip(placesOf(record).map((at) => at + record.length - 1));
  t.match((await doctor(folder)).told.findings, [{ kind: 'checksum', place: JSON.stringify(format) }]);
  t.throws(() => Store.open(folder), { code: 'STORE_DAMAGED' });
  // Kind of a page in the tree: byte 18 of its head. Every one that is found this way is in use or an old copy.
  const pages = Array.from({ length: whole.length / 4_096 }, (_, page) => page).filter(
    (page) => page > 1 && [1, 2].includes(whole.readUInt16LE(page * 4_096 + 18)),
  );
  let named = 0;
  for (const page of pages.slice(0, 12)) {
    flip([page * 4_096 + 18], 8);
    const { code, told } = await doctor(folder);
    if (code === 0) continue;
    named += 1;
    t.ok(
      told.findings.some(
        ({ kind, place, problem }) => kind === 'file' && place === `page ${page}` && /type/.test(problem),
      ),
      `page ${page}`,
    );
  }
  t.ok(named > 0);
  writeFileSync(file, whole.subarray(0, whole.length >> 1));
  const cut = await doctor(folder);
  t.equal(cut.code, 1);
  t.match(cut.told.findings.map(({ problem }) => problem).join(), /ends before|cut off/);
  writeFileSync(file, 'this is something else altogether, and long enough to be looked at');
  const other = await doctor(folder);
  t.equal(other.code, 1);
  t.match(other.told.findings, [{ kind: 'file', place: 'head', problem: /does not begin as a data file/ }]);
});

t.test('refuses a folder that is in use or does not exist', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const running = await cli(['doctor', '--store', '--data', server.dataFolder]);
  t.equal(running.code, 2);
  t.match(running.stderr, /a server is using/);
  const none = await cli(['doctor', '--store', '--data', join(server.dataFolder, 'none')]);
  t.equal(none.code, 2);
  t.match(none.stderr, /does not exist/);
});
