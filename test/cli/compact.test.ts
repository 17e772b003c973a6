import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Commit, Store } from '../../src/store/store.js';
import { keys } from '../../src/store/keys.js';
import { PageFile } from '../../src/store/files/page-file.js';
import { verifiedEntries } from '../../src/store/files/page-walk.js';
import { cli } from '../helpers/cli.js';
import { fill, shown } from '../helpers/filled.js';
import { configWith, ROOT, temporaryFolder, testServer } from '../helpers/server.js';

/** Over every record of the file, in order; throws when its pages are not sound. */
function digest(folder: string): string {
  const pages = PageFile.open(join(folder, 'data.mdb'))!;
  const hash = createHash('sha256');
  for (const { key, value } of verifiedEntries(pages)) hash.update(key).update(value);
  pages.close();
  return hash.digest('hex');
}

t.test('removes deleted data from the file and keeps everything else', async (t) => {
  const config = configWith(t, 'echo');
  const dataFolder = temporaryFolder(t);
  const server = await testServer(t, { config, dataFolder });
  const { threadIds, texts } = await fill(server, 8);
  const [gone, kept] = [threadIds.filter((_, at) => at % 2 === 0), threadIds.filter((_, at) => at % 2 === 1)];
  for (const threadId of gone) await server.client.threads.delete(threadId);
  for (let n = 0; n < 8; n += 2) await server.client.store.deleteItem(['notes', String(n)], 'key');
  const before = await shown(server, kept);

  const running = await cli(['compact', '--data', dataFolder]);
  t.equal(running.code, 1);
  t.match(running.stderr, /is in use by another threadmill process/);
  await server.close(1_000);

  const file = join(dataFolder, 'data.mdb');
  const found = (): string[] => texts.filter((text) => readFileSync(file).includes(text));
  const [deleted, left] = [texts.filter((_, at) => at % 4 < 2), texts.filter((_, at) => at % 4 >= 2)];
  t.strictSame(
    left.filter((text) => !found().includes(text)),
    [],
    'what is there is found in the file by its text',
  );
  // What a server deletes may be written over by what comes after it; this is deleted last.
  const last = 'the last that was deleted '.repeat(1_000);
  const store = Store.open(dataFolder);
  for (const change of [
    (commit: Commit) => commit.put(keys.content('nobody', 'x'), Buffer.from(last)),
    (commit: Commit) => commit.remove(keys.content('nobody', 'x')),
  ]) {
    const commit = new Commit();
    change(commit);
    await store.write(commit);
  }
  await store.close();
  t.ok(readFileSync(file).includes('the last that was deleted'), 'a delete alone leaves bytes in the file');
  const bytesBefore = statSync(file).size;
  const said = await cli(['compact', '--data', dataFolder]);
  t.equal(said.code, 0, said.stderr);
  t.strictSame(found(), left, 'only what is there is in the file');
  t.strictSame(
    [...deleted, 'the last that was deleted'].filter((text) => readFileSync(file).includes(text)),
    [],
  );
  const bytesAfter = statSync(file).size;
  t.ok(bytesAfter < bytesBefore);
  t.match(said.stdout, new RegExp(`^${bytesBefore} bytes before .* ${bytesAfter} after .* records\\.\n$`));
  t.equal(said.stderr, '', 'nothing waits to be removed');
  t.strictSame(
    readdirSync(dataFolder).filter((name) => /compacting|lock/.test(name)),
    [],
    'nothing is left beside it',
  );

  const { bytes_before: once, bytes_after: twice } = JSON.parse(
    (await cli(['compact', '--data', dataFolder, '--json'])).stdout,
  ) as Record<string, number>;
  t.equal(once, bytesAfter);
  t.equal(twice, bytesAfter, 'what is compact stays as it is');
  const again = await testServer(t, { config, dataFolder });
  t.equal(await shown(again, kept), before);
});

t.test('leaves the old or the new file when it is killed', { timeout: 280_000 }, async (t) => {
  const folder = temporaryFolder(t);
  const store = Store.open(folder);
  const write = async (change: (commit: Commit, n: number) => void): Promise<void> => {
    for (let from = 0; from < 30_000; from += 3_000) {
      const commit = new Commit();
      for (let n = from; n < from + 3_000; n += 1) change(commit, n);
      await store.write(commit);
    }
  };
  await write((commit, n) =>
    commit.put(keys.content('uid', `${n}`.padStart(6, '0')), Buffer.alloc(n % 100 === 0 ? 20_000 : 600, n)),
  );
  await write((commit, n) => {
    if (n % 3 === 0) commit.remove(keys.content('uid', `${n}`.padStart(6, '0')));
  });
  await store.close();
  const [file, aside] = [join(folder, 'data.mdb'), join(folder, 'data.mdb.compacting')];
  const [expected, whole] = [digest(folder), statSync(file).size];
  const kills = new Set<string>();
  for (const share of [0, 0.2, 0.5]) {
    const child = spawn(process.execPath, [join(ROOT, 'dist/src/main.js'), 'compact', '--data', folder], {
      stdio: 'ignore',
    });
    const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
    const look = setInterval(() => {
      // The file disappears when it takes the old one's place.
      const written = statSync(aside, { throwIfNoEntry: false })?.size ?? -1;
      if (written >= share * whole) child.kill('SIGKILL');
    }, 1);
    const [, signal] = await exited;
    clearInterval(look);
    kills.add(String(signal));
    t.equal(digest(folder), expected, `killed when ${share} of it was written (${signal ?? 'it was done before'})`);
    if (signal !== null) t.equal(statSync(file).size, whole, 'the old file stands');
  }
  t.ok(kills.has('SIGKILL'), 'it was killed');
  const said = await cli(['compact', '--data', folder]);
  t.equal(said.code, 0, said.stderr);
  t.equal(digest(folder), expected);
  t.ok(statSync(file).size < whole * 0.8);
  t.notOk(existsSync(aside));
});

t.test('refuses a damaged file and leaves it unchanged', async (t) => {
  const folder = temporaryFolder(t);
  const store = Store.open(folder);
  const commit = new Commit();
  for (let n = 0; n < 500; n += 1)
    commit.put(keys.content('uid', `${n}`.padStart(6, '0')), Buffer.from(`value of ${n} `.repeat(20)));
  await store.write(commit);
  await store.close();
  const file = join(folder, 'data.mdb');
  const bytes = readFileSync(file);
  bytes[bytes.indexOf('value of 250 ') + 3]! ^= 1;
  writeFileSync(file, bytes);
  const said = await cli(['compact', '--data', folder]);
  t.equal(said.code, 1);
  t.match(said.stderr, /A stored record is damaged and was not used: \["i","uid","000250"\]/);
  t.ok(readFileSync(file).equals(bytes), 'the file is what it was');
  t.strictSame(
    readdirSync(folder).filter((name) => name.includes('compacting')),
    [],
  );
  t.strictSame((await cli(['compact', '--data', join(folder, 'none')])).code, 1);
  t.notOk(existsSync(join(folder, 'none')), 'no folder was made');
});
