import { readFileSync, writeFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { dataFile } from '../../src/store/files/data-file.js';
import { Commit, Store } from '../../src/store/store.js';
import { LIMITS } from '../../src/base/limits.js';
import { PageFile } from '../../src/store/files/page-file.js';
import { walkEntries } from '../../src/store/files/page-walk.js';
import { childServer, type ChildServer } from '../helpers/child-server.js';
import { cli } from '../helpers/cli.js';
import { temporaryFolder } from '../helpers/server.js';
import { FAULTS_MS } from './kill-points.js';

const PAGE_BYTES = 4_096;

/** A data file of more pages than a start looks at. Returns the folder, and a leaf in its middle. */
async function largeFolder(t: Test): Promise<{ folder: string; leaf: number }> {
  const folder = temporaryFolder(t);
  const store = Store.open(folder);
  for (let n = 0; n < LIMITS.startPagesMax * 1.2;) {
    const commit = new Commit();
    // Two to a page.
    for (const end = n + 1_000; n < end; n += 1)
      for (const half of [1, 2])
        commit.put(['i', 'nobody', `${String(n).padStart(6, '0')}-${half}`], Buffer.alloc(1_900, n));
    await store.write(commit);
  }
  await store.close();
  const pages = PageFile.open(dataFile(folder))!;
  const places = [
    ...walkEntries(pages, {
      values: false,
      onDamage: (damage) => {
        throw pages.damageError(damage);
      },
    }),
  ].map(({ place }) => place);
  pages.close();
  return { folder, leaf: Number(places[places.length >> 1]!.split(' ')[1]) };
}

async function accepts({ url }: ChildServer): Promise<boolean> {
  const answer = await fetch(`${url}/threads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const text = await answer.text();
  if (answer.status !== 200) t.match(text, /is damaged: page \d+/, 'it says what is wrong');
  return answer.status === 200;
}

t.test('finds a damaged page of a large file while it serves', { timeout: FAULTS_MS }, async (t) => {
  const { folder, leaf } = await largeFolder(t);
  const bytes = readFileSync(dataFile(folder));
  // Where the first record of the page stands: far behind its end.
  bytes.writeUInt16LE(0xfff0, leaf * PAGE_BYTES + 24);
  writeFileSync(dataFile(folder), bytes);
  const server = await childServer(t, { dataFolder: folder });
  while (await accepts(server))
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  const { code, stdout } = await cli(['doctor', '--store', '--data', folder]);
  t.equal(code, 2, 'the doctor leaves it to the server that uses it');
  t.equal(stdout, '');
  t.equal(server.process.exitCode, null, 'it is still there to say so');
  t.match(await server.kill('SIGTERM'), /^[01]$/, 'and no signal ended it');
  t.match(await cli(['doctor', '--store', '--data', folder]), { code: 1, stdout: new RegExp(`page ${leaf}`) });
});

t.test('checks all pages of a sound file during writes', { timeout: FAULTS_MS }, async (t) => {
  const { folder } = await largeFolder(t);
  const server = await childServer(t, { dataFolder: folder, env: { LOG_LEVEL: 'info' } });
  for (let n = 0; n < 200; n += 1) t.ok(await accepts(server));
  while (!server.stderr().includes('all pages of the data file are sound'))
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  t.ok(await accepts(server));
  t.equal(await server.kill('SIGTERM'), '0');
});
