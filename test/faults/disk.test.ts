import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { nat, sample } from 'fast-check';
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { childServer, type ChildServer } from '../helpers/child-server.js';
import { cli } from '../helpers/cli.js';
import { fill } from '../helpers/filled.js';
import { configWith, ROOT, temporaryFolder } from '../helpers/server.js';
import { FAULTS_MS, roundsOf, seedOf, seeded } from './kill-points.js';

const PAGE_BYTES = 4_096;

/**
 * From now on no file of this process may grow beyond so many bytes: what it then writes fails, as on a full disk. The
 * soft limit, which may be raised again.
 */
function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`prlimit: ${stderr}`);
}

/**
 * Runs `steps` with a server whose disk has refused a commit. lmdb 3.5.6 writes its message about that past the end of
 * a buffer (mdb_page_flush in mdb.c), so the C library may end the process with SIGABRT at any later moment. Rejects as
 * `steps` does if the server lives or has ended otherwise.
 */
async function unlessAborted(server: ChildServer, steps: () => Promise<void>): Promise<void> {
  try {
    await steps();
  } catch (error) {
    const how = await Promise.race([server.exited, setTimeout(1_000, 'none', { ref: false })]);
    if (how !== 'SIGABRT') throw error;
  }
}

const putItem = ({ url }: ChildServer, key: string, chars: number): Promise<Response> =>
  fetch(`${url}/store/items`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ namespace: ['disk'], key, value: { text: key.repeat(chars) } }),
  });

t.test('on a full disk: keeps what was acknowledged, refuses writes and continues to read', async (t) => {
  const config = configWith(t, 'echo');
  const dataFolder = temporaryFolder(t);
  const server = await childServer(t, { dataFolder, config });
  const { threadIds } = await fill(server);
  const before = await server.client.threads.getState(threadIds[0]!);
  limitFiles(server.process.pid!, statSync(join(dataFolder, 'data.mdb')).size + 600_000);
  const stored: string[] = [];
  let refused: Response | null = null;
  await unlessAborted(server, async () => {
    for (let n = 0; n < 200 && refused === null; n += 1) {
      const key = String(n).padStart(4, '0');
      const answers = await Promise.all([putItem(server, `${key}a`, 2_000), putItem(server, `${key}b`, 10)]);
      for (const [at, answer] of answers.entries()) {
        if (answer.status < 300) stored.push(`${key}${'ab'[at]}`);
        else refused = answer;
      }
    }
    t.equal(refused!.status, 503);
    t.match(await refused!.json(), { detail: /^The data folder cannot be written: / });
    const create = await fetch(`${server.url}/threads`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    t.equal(create.status, 503);
    const run = await fetch(`${server.url}/threads/${threadIds[0]}/runs/wait`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ assistant_id: 'echo', input: { messages: [] } }),
    });
    t.equal(run.status, 503);
    const ok = await fetch(`${server.url}/ok`);
    t.equal(ok.status, 500);
    t.match(await ok.json(), { ok: false, detail: /cannot be written/ });
    t.match(await (await fetch(`${server.url}/metrics`)).text(), /^threadmill_store_failed 1$/m);
    t.strictSame(await server.client.threads.getState(threadIds[0]!), before, 'reads go on');
    t.match(server.stderr(), /The store has failed: no changes are accepted until the server is restarted/);
    t.equal(server.process.exitCode, null, 'it lives');
    // Room alone does not help: memory and disk may differ.
    limitFiles(server.process.pid!, 'unlimited');
    t.equal((await putItem(server, 'later', 1)).status, 503);
  });
  t.ok(stored.length > 5);
  t.match(await server.kill('SIGTERM'), /^(0|SIGABRT)$/, 'the server can be stopped');

  t.equal(
    (await cli(['doctor', '--store', '--data', dataFolder])).stdout.includes('no problems'),
    true,
    'the file is sound',
  );
  const again = await childServer(t, { dataFolder, config });
  for (const key of stored) {
    const answer = await fetch(`${again.url}/store/items?namespace=disk&key=${key}`);
    t.equal(answer.status, 200, key);
    t.equal(
      ((await answer.json()) as { value: { text: string } }).value.text,
      key.repeat(key.endsWith('a') ? 2_000 : 10),
    );
  }
  t.strictSame(await again.client.threads.getState(threadIds[0]!), before);
  t.equal((await putItem(again, 'after', 1)).status, 204);
  await again.client.runs.wait(threadIds[0]!, 'echo', { input: { messages: [{ type: 'human', content: 'on' }] } });
  await again.kill('SIGTERM');
});

t.test('acknowledges no running run on a read-only file system, and continues it after a restart', async (t) => {
  const config = configWith(t, 'ticker', 'echo');
  const dataFolder = temporaryFolder(t);
  const server = await childServer(t, { dataFolder, config });
  const { client } = server;
  const { thread_id: threadId } = await client.threads.create();
  const gate = join(dataFolder, 'gate');
  const waiting = fetch(`${server.url}/threads/${threadId}/runs/wait`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ assistant_id: 'ticker', input: { gate } }),
  });
  while (!existsSync(`${gate}.reached`)) await setTimeout(10);
  const [run] = await client.runs.list(threadId);
  const stream = fetch(`${server.url}/threads/${threadId}/runs/${run!.run_id}/stream`);
  const queued = await client.runs.create(threadId, 'echo', { input: { text: 'next' } });
  const text = (await stream).text();
  const broken = t.rejects(text, 'the stream does not end in order');
  // As EROFS: every write to a file fails.
  limitFiles(server.process.pid!, 1);
  writeFileSync(gate, '');
  await unlessAborted(server, async () => {
    const answer = await waiting;
    const body = await answer.text();
    t.ok(answer.status === 503 || /"__error__":{"error":"STORE_FAILED"/.test(body), `${answer.status} ${body}`);
    await broken;
    t.match(await client.runs.get(threadId, run!.run_id), { status: 'running' });
    t.match(
      await client.runs.get(threadId, queued.run_id),
      { status: 'pending' },
      'the next run of the thread has not started',
    );
    t.match(await client.threads.getState(threadId), { values: Object }, 'reads go on');
  });
  t.match(await server.kill('SIGTERM'), /^(0|SIGABRT)$/, 'the server can be stopped');

  const again = await childServer(t, { dataFolder, config });
  await again.client.runs.join(threadId, queued.run_id);
  t.match(await again.client.runs.get(threadId, run!.run_id), { status: 'success' });
  t.match(await again.client.runs.get(threadId, queued.run_id), { status: 'success' });
});

t.test('refuses to start on a full disk, and starts when there is space', async (t) => {
  const config = configWith(t, 'echo');
  const dataFolder = temporaryFolder(t);
  const first = await childServer(t, { dataFolder, config });
  const { threadIds } = await fill(first);
  await first.kill('SIGTERM');
  const { size } = statSync(join(dataFolder, 'data.mdb'));
  const before = readFileSync(join(dataFolder, 'data.mdb'));
  const child = spawn(
    'prlimit',
    [
      '--fsize=4096',
      process.execPath,
      join(ROOT, 'dist/src/main.js'),
      'serve',
      '--config',
      config,
      '--port',
      '0',
      '--data',
      join(dataFolder, 'new'),
    ],
    { env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  t.equal(signal, null, stderr);
  t.equal(code, 1);
  t.match(stderr, /cannot be written|cannot be used|EFBIG|ENOSPC/);
  t.notMatch(stderr, /^\s+at .*dist\/src/m, 'in words, not with a stack');
  t.ok(before.equals(readFileSync(join(dataFolder, 'data.mdb'))), 'another folder is none of its business');
  t.ok(size > 0);
  const again = await childServer(t, { dataFolder: join(dataFolder, 'new'), config });
  t.equal((await fetch(`${again.url}/threads/${threadIds[0]}`)).status, 404);
  await again.kill('SIGTERM');
});

t.test('refuses to start in a read-only data folder', async (t) => {
  const dataFolder = temporaryFolder(t);
  const config = configWith(t, 'echo');
  const server = await childServer(t, { dataFolder, config });
  await fill(server, 1);
  await server.kill('SIGTERM');
  const bytes = readFileSync(join(dataFolder, 'data.mdb'));
  for (const readable of [dirname(config), dataFolder]) chmodSync(readable, 0o555);
  chmodSync(join(dataFolder, 'data.mdb'), 0o444);
  // Whoever is root may write all the same.
  const nobody = process.getuid!() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(
    process.execPath,
    [join(ROOT, 'dist/src/main.js'), 'serve', '--config', config, '--port', '0', '--data', dataFolder],
    { ...nobody, env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  for (const readable of [dirname(config), dataFolder]) chmodSync(readable, 0o755);
  t.equal(code, 1);
  t.match(stderr, new RegExp(`The data folder cannot be written: .*${dataFolder}`));
  t.notMatch(stderr, /^\s+at /m);
  t.ok(bytes.equals(readFileSync(join(dataFolder, 'data.mdb'))));
});

/** What a server answers to everything that `fill` has made: status and body of each path. */
async function answers(
  { url }: ChildServer,
  paths: readonly string[],
): Promise<Map<string, { status: number; body: string } | null>> {
  const told = new Map<string, { status: number; body: string } | null>();
  for (const path of paths) {
    try {
      const answer = await fetch(url + path);
      told.set(path, { status: answer.status, body: await answer.text() });
    } catch {
      // It has ended, or the answer broke off.
      told.set(path, null);
    }
  }
  return told;
}

interface Original {
  config: string;
  bytes: Buffer;
  sealKey: Buffer;
  expected: Map<string, { status: number; body: string } | null>;
}

async function original(t: Test): Promise<Original> {
  const dataFolder = temporaryFolder(t);
  const config = configWith(t, 'echo');
  const server = await childServer(t, { dataFolder, config });
  const { threadIds } = await fill(server, 12);
  const datasets = (await (await fetch(`${server.url}/api/v1/datasets`)).json()) as { id: string }[];
  const paths = [
    ...threadIds.flatMap((threadId) => [
      `/threads/${threadId}`,
      `/threads/${threadId}/state`,
      `/threads/${threadId}/history`,
      `/threads/${threadId}/runs`,
    ]),
    ...threadIds.map((_, n) => `/store/items?namespace=notes.${n}&key=key`),
    ...datasets.flatMap(({ id }) => [`/api/v1/datasets/${id}`, `/api/v1/examples?dataset=${id}`]),
  ];
  // Reading through is what puts an item's end off; these have none.
  const expected = await answers(server, paths);
  t.ok([...expected.values()].every((answer) => answer?.status === 200));
  await server.kill('SIGTERM');
  return {
    config,
    bytes: readFileSync(join(dataFolder, 'data.mdb')),
    sealKey: readFileSync(join(dataFolder, 'seal.key')),
    expected,
  };
}

/**
 * A server over a damaged file serves what was stored or refuses; what it does not find, and what ends it, the doctor
 * names. Returns how it came out.
 */
async function serveDamaged(
  t: Test,
  { config, sealKey, expected }: Original,
  bytes: Buffer,
  what: string,
): Promise<string> {
  const dataFolder = join(temporaryFolder(t), 'data');
  mkdirSync(dataFolder);
  writeFileSync(join(dataFolder, 'data.mdb'), bytes);
  writeFileSync(join(dataFolder, 'seal.key'), sealKey);
  const { code, stdout, stderr } = await cli(['doctor', '--store', '--data', dataFolder]);
  t.ok(code === 0 || code === 1, `${what}: the doctor looked at it: ${code} ${stderr}`);
  let server: ChildServer;
  try {
    server = await childServer(t, { dataFolder, config });
  } catch (error) {
    const { message } = error as Error;
    t.match(message, /\(1\): .*(is damaged|has format)/s, `${what}: the start is refused in words`);
    t.equal(code, 1, `${what}: the doctor names it`);
    return 'refused';
  }
  const told = await answers(server, [...expected.keys()]);
  const known = new Set([...expected.values()].flatMap((answer) => leaves(answer!.body)));
  let result = 'same';
  for (const [path, answer] of told) {
    const right = expected.get(path)!;
    if (answer !== null && answer.status === 200 && answer.body === right!.body) continue;
    result = answer === null ? 'ended' : 'named';
    if (answer?.status === 404) result = 'missing';
    if (answer?.status === 200) result = 'shortened';
    if (answer?.status === 200)
      t.strictSame(madeUp(answer.body, known), [], `${what}: ${path} has nothing that was not stored`);
    else if (answer !== null && answer.status >= 500)
      t.match(answer.body, /damaged|Internal error/, `${what}: ${path}`);
    t.equal(
      code,
      1,
      `${what}: ${path} is not as it was (${answer?.status}), and the doctor names it: ${stdout.slice(0, 300)}`,
    );
  }
  const end = await server.kill('SIGTERM');
  if (end !== '0' && result !== 'ended') t.equal(code, 1, `${what}: it ended with ${end}, and the doctor knows why`);
  return result;
}

/** Texts and numbers of an answer. */
function leaves(body: string): string[] {
  const found: string[] = [];
  JSON.parse(body, (name, value: unknown) => {
    found.push(name);
    if (typeof value === 'string' || typeof value === 'number') found.push(String(value));
    return value;
  });
  return found;
}

/** What of an answer was never stored. */
function madeUp(body: string, known: ReadonlySet<string>): string[] {
  return leaves(body).filter((leaf) => !known.has(leaf));
}

const drawn = (max: number, count: number, salt: number): number[] =>
  sample(nat(max - 1), { seed: seedOf() * 1_000 + salt, numRuns: count });

t.test(
  `a file with a flipped bit is refused or served right, and the doctor names it (${seeded})`,
  { timeout: FAULTS_MS },
  async (t) => {
    const stored = await original(t);
    const count = roundsOf(6, 300);
    const pages = stored.bytes.length / PAGE_BYTES;
    // By turns anywhere, and in the first bytes of a page, where its structure is told.
    const places = drawn(stored.bytes.length, count, 1).map((at, n) =>
      n % 2 === 0 ? at : ((at % pages) | 0) * PAGE_BYTES + (at % 160),
    );
    const bits = drawn(8, count, 2);
    const results = new Map<string, number>();
    for (const [n, at] of places.entries()) {
      const bytes = Buffer.from(stored.bytes);
      bytes[at]! ^= 1 << bits[n]!;
      const result = await serveDamaged(
        t,
        stored,
        bytes,
        `bit ${bits[n]} of byte ${at} (page ${(at / PAGE_BYTES) | 0}, ${at % PAGE_BYTES})`,
      );
      results.set(result, (results.get(result) ?? 0) + 1);
    }
    t.comment(JSON.stringify(Object.fromEntries(results)));
  },
);

t.test(
  `a file that was cut off is refused, and never replaced by an empty one (${seeded})`,
  { timeout: FAULTS_MS },
  async (t) => {
    const stored = await original(t);
    for (const at of [0, 1, PAGE_BYTES, ...drawn(stored.bytes.length, roundsOf(2, 60), 3)]) {
      const dataFolder = temporaryFolder(t);
      writeFileSync(join(dataFolder, 'data.mdb'), stored.bytes.subarray(0, at));
      writeFileSync(join(dataFolder, 'seal.key'), stored.sealKey);
      const found = await childServer(t, { dataFolder, config: stored.config }).then(
        async (server) => {
          const told = await answers(server, [...stored.expected.keys()]);
          await server.kill();
          return [...told]
            .filter(([path, answer]) => answer?.body !== stored.expected.get(path)!.body)
            .map(([path]) => path);
        },
        (error: Error) => {
          t.match(error.message, /\(1\): The file .*data\.mdb is damaged: /, `cut after ${at} bytes`);
          return null;
        },
      );
      // Free pages at the end are missed by nobody.
      if (found !== null)
        t.strictSame(found, [], `cut after ${at} of ${stored.bytes.length} bytes it serves everything`);
      else t.equal(statSync(join(dataFolder, 'data.mdb')).size, at, 'the file was not changed');
    }
  },
);
