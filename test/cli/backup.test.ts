import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createKey, listKeys } from '../../src/store/access/api-keys.js';
import { childServer } from '../helpers/child-server.js';
import { cli } from '../helpers/cli.js';
import { fill, shown } from '../helpers/filled.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo');
const server = await testServer(t, { config });
const { threadIds } = await fill(server);
/** What the server shows of the threads, the items and the experiment, which no test changes. */
const before = await shown(server, threadIds);
/** A backup of a stopped server. */
let backup: Buffer;

t.test('backs up a running server during writes and restores the same data', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'one.backup');
  const stopping = new AbortController();
  let written = 0;
  const writer = (async () => {
    for (; !stopping.signal.aborted; written += 1) await server.client.threads.create({ metadata: { later: written } });
  })();
  const said = await cli(['backup', file, '--url', server.url]);
  stopping.abort();
  await writer;
  t.equal(said.code, 0, said.stderr);
  t.match(said.stderr, /one\.backup: \d+ records, /);
  t.ok(written > 0);
  t.strictSame(readdirSync(folder), ['one.backup'], 'nothing beside it');
  t.equal(statSync(file).mode & 0o777, 0o600);

  const target = join(folder, 'data');
  const restored = await cli(['restore', file, '--data', target]);
  t.equal(restored.code, 0, restored.stderr);
  t.match(restored.stderr, /The sealing key is missing/);
  const second = await testServer(t, { config, dataFolder: target });
  t.equal(await shown(second, threadIds), before);
  const later = await second.client.threads.search({ limit: 1_000 });
  const numbers = later
    .flatMap(({ metadata }) =>
      (metadata as { later?: number }).later === undefined ? [] : [(metadata as { later: number }).later],
    )
    .toSorted((a, b) => a - b);
  t.strictSame(
    numbers,
    numbers.map((_, at) => at),
    'what was written meanwhile is there up to one moment, without a gap',
  );
  await second.client.runs.wait(threadIds[0]!, 'echo', { input: { messages: [{ type: 'human', content: 'and on' }] } });
});

t.test('shows when the last backup was made', async (t) => {
  const last = async (): Promise<{ made_at: string; bytes: number } | null> =>
    ((await (await server.get('/server/backup')).json()) as { last: { made_at: string; bytes: number } | null }).last;
  const earlier = await last();
  t.ok(earlier !== null, 'by the test before');
  const startedMs = Date.now();
  const bytes = (await (await server.get('/backup')).arrayBuffer()).byteLength;
  const { made_at: madeAt, bytes: shown } = (await last())!;
  t.equal(shown, bytes);
  t.ok(Date.parse(madeAt) >= startedMs && Date.parse(madeAt) <= Date.now(), madeAt);
  await fetch(`${server.url}/backup`, { method: 'HEAD' });
  t.equal((await last())!.made_at, madeAt, 'only a whole one counts');
  const empty = await testServer(t, { config });
  t.same(await (await empty.get('/server/backup')).json(), { last: null, schedule: null });
});

t.test('backs up the folder of a stopped server with its keys', async (t) => {
  const dataFolder = temporaryFolder(t);
  const first = await testServer(t, { config, dataFolder });
  const { threadIds } = await fill(first);
  const before = await shown(first, threadIds);
  const folder = temporaryFolder(t);
  const file = join(folder, 'a.backup');

  const running = await cli(['backup', file, '--data', dataFolder]);
  t.equal(running.code, 1);
  t.match(running.stderr, /is in use by another threadmill process.*--url/);
  t.notOk(existsSync(file));
  await first.close();

  const { key, text } = createKey(dataFolder, { name: 'app' });
  t.equal((await cli(['backup', file, '--data', dataFolder])).code, 0);
  t.notOk(existsSync(join(dataFolder, 'lock')), 'the lock is given back');
  backup = readFileSync(file);
  t.notOk(backup.includes(readFileSync(join(dataFolder, 'seal.key'))), 'the sealing key is not in it');
  const again = await cli(['backup', file, '--data', dataFolder]);
  t.equal(again.code, 1);
  t.match(again.stderr, /the file already exists/);
  t.equal((await cli(['backup', file, '--data', dataFolder, '--force'])).code, 0);

  const target = temporaryFolder(t);
  copyFileSync(join(dataFolder, 'seal.key'), join(target, 'seal.key'));
  const restored = await cli(['restore', file, '--data', target]);
  t.equal(restored.code, 0, restored.stderr);
  t.notMatch(restored.stderr, /sealing key/);
  t.match(restored.stderr, /and 1 API keys from/);
  t.strictSame(
    listKeys(target, () => undefined).map(({ keyId, name }) => [keyId, name]),
    [[key.keyId, 'app']],
  );
  const second = await testServer(t, { config, dataFolder: target });
  t.equal((await second.post('/threads/search', {})).status, 401, 'it asks for keys as before');
  t.equal(
    (
      await second.post(
        '/threads/search',
        {},
        { headers: { 'x-api-key': text, 'content-type': 'application/json' }, body: '{}' },
      )
    ).status,
    200,
  );
  await second.close();
  rmSync(join(target, 'keys'), { recursive: true });
  t.equal(await shown(await testServer(t, { config, dataFolder: target }), threadIds), before);
});

t.test('gives a backup only to a full key or one with the backup scope', async (t) => {
  const texts = new Map<string, string>();
  const dataFolder = temporaryFolder(t);
  for (const [name, scopes] of [
    ['all', undefined],
    ['backup', ['server:backup']],
    ['read', ['read']],
    ['metrics', ['metrics:read']],
    ['threads', ['threads', '*:read']],
  ] as const) {
    texts.set(name, createKey(dataFolder, { name, scopes: scopes === undefined ? undefined : [...scopes] }).text);
  }
  const server = await testServer(t, { config, dataFolder });
  const status = async (name: string): Promise<number> =>
    (await server.get('/backup', { headers: { 'x-api-key': texts.get(name) ?? '' } })).status;
  t.equal(await status('all'), 200);
  t.equal(await status('backup'), 200);
  for (const name of ['read', 'metrics', 'threads']) t.equal(await status(name), 403, name);
  t.equal(await status('nobody'), 401);
  const said = await cli([
    'backup',
    join(temporaryFolder(t), 'x'),
    '--url',
    server.url,
    '--api-key',
    texts.get('read')!,
  ]);
  t.equal(said.code, 1);
  t.match(said.stderr, /no scope for server:backup/);
});

t.test('refuses a damaged, truncated or foreign backup by name and creates nothing', async (t) => {
  const folder = temporaryFolder(t);
  const flipped = (at: number): Buffer => {
    const bytes = Buffer.from(backup);
    bytes[at]! ^= 0x10;
    return bytes;
  };
  const cases: [name: string, bytes: Buffer, reason: RegExp][] = [
    ['a bit in the middle', flipped(backup.length >> 1), /a block does not match its checksum \(after byte \d+\)/],
    ['a bit in the first line', flipped(3), /does not begin like a backup/],
    ['cut off', backup.subarray(0, backup.length - 1), /it is not complete: its end is missing/],
    ['cut off between blocks', backup.subarray(0, 20), /it is not complete/],
    ['something behind it', Buffer.concat([backup, Buffer.from('12345678')]), /there is more data after its end/],
    ['another file', Buffer.from('{"kind": "experiment"}\n'), /does not begin like a backup/],
    ['an empty file', Buffer.alloc(0), /it is not complete/],
  ];
  for (const [name, bytes, reason] of cases) {
    writeFileSync(join(folder, 'bad'), bytes);
    const said = await cli(['restore', join(folder, 'bad'), '--data', join(folder, 'target')]);
    t.equal(said.code, 1, name);
    t.match(said.stderr, reason, name);
    t.notOk(existsSync(join(folder, 'target')), `${name}: nothing was made`);
  }
});

t.test('leaves a folder with data alone, and keeps its data aside with --force', async (t) => {
  const newFolder = temporaryFolder(t);
  const file = join(temporaryFolder(t), 'b');
  t.equal((await cli(['backup', file, '--url', server.url])).code, 0);

  const locked = await cli(['restore', file, '--data', server.dataFolder, '--force']);
  t.equal(locked.code, 1);
  t.match(locked.stderr, /is in use by another threadmill process/);

  const other = await testServer(t, { config, dataFolder: newFolder });
  const second = await fill(other, 1);
  const theirs = await shown(other, second.threadIds);
  await other.close();
  const key = createKey(newFolder, { name: 'theirs' });
  const refused = await cli(['restore', file, '--data', newFolder]);
  t.equal(refused.code, 1);
  t.match(refused.stderr, /is not empty: it contains data\.mdb, keys/);
  const forced = await cli(['restore', file, '--data', newFolder, '--force']);
  t.equal(forced.code, 0, forced.stderr);
  const [, aside] = /The previous content is in (.*)\.$/m.exec(forced.stderr)!;
  t.strictSame(
    listKeys(newFolder, () => undefined),
    [],
    'keys of before are no keys of the restored data',
  );
  t.equal(await shown(await testServer(t, { config, dataFolder: newFolder }), threadIds), before);
  t.strictSame(
    listKeys(aside!, () => undefined).map(({ keyId }) => keyId),
    [key.key.keyId],
  );
  const kept = temporaryFolder(t);
  mkdirSync(kept, { recursive: true });
  copyFileSync(join(aside!, 'data.mdb'), join(kept, 'data.mdb'));
  t.equal(await shown(await testServer(t, { config, dataFolder: kept }), second.threadIds), theirs);
});

t.test('leaves no file when the server ends during a backup', async (t) => {
  const server = await childServer(t, { dataFolder: temporaryFolder(t), config });
  // Enough for several parts, of which the socket has not taken all.
  for (let n = 0; n < 40; n += 1)
    await server.client.store.putItem(['large'], String(n), { text: 'x'.repeat(500_000) });
  const answer = await fetch(`${server.url}/backup`);
  const reader = answer.body!.getReader();
  await reader.read();
  const folder = temporaryFolder(t);
  const command = cli(['backup', join(folder, 'cut'), '--url', server.url]);
  await new Promise<void>((resolve) => {
    const look = setInterval(() => {
      if ((statSync(join(folder, 'cut.part'), { throwIfNoEntry: false })?.size ?? 0) === 0) return;
      clearInterval(look);
      resolve();
    }, 1);
  });
  await server.kill();
  const said = await command;
  await reader.cancel().catch(() => undefined);
  if (said.code === 0) t.ok(existsSync(join(folder, 'cut')), 'it was done before the server ended');
  else t.strictSame(readdirSync(folder), [], said.stderr);
});
