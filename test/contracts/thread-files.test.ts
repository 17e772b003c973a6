import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { pack } from '../../src/wire/codec.js';
import { cli } from '../helpers/cli.js';
import { configWith, ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const human = (content: string): { messages: unknown[] } => ({ messages: [{ type: 'human', content }] });

/** Content in the compressed form, which says that it has `length` bytes. */
function compressedAs(content: Uint8Array, length = content.byteLength): Buffer {
  const head = Buffer.from([0xc1, 0, 0, 0]);
  head.writeUIntLE(length, 1, 3);
  return Buffer.concat([head, deflateRawSync(content)]);
}

/** A thread with turns of two kinds, one resumable, and what JSON has that JavaScript has not. */
async function talked(server: TestServer): Promise<string> {
  const answer = await server.post(
    '/threads',
    '{"metadata":{"owner":"ada","big":12345678901234567890,"zero":-0,"__proto__":{"a":1}}}',
  );
  const { thread_id: threadId } = (await answer.json()) as { thread_id: string };
  for (let n = 0; n < 5; n += 1)
    await server.client.runs.wait(threadId, 'chat', { input: human(`turn ${n} ${'long '.repeat(n * 50)}`) });
  const extra = await server.post(
    `/threads/${threadId}/runs/wait`,
    '{"assistant_id":"chat","input":{"messages":[{"role":"human","content":"odd","additional_kwargs":{"zero":-0,"big":12345678901234567890,"__proto__":{"x":1}}}]},"metadata":{"huge":12345678901234567890,"__proto__":{"y":-0}}}',
  );
  if (!extra.ok) throw new Error(await extra.text());
  for await (const _ of server.client.runs.stream(threadId, 'chat', {
    input: human('resumable'),
    streamResumable: true,
    streamMode: 'updates',
  }));
  return threadId;
}

const text = async (server: TestServer, path: string): Promise<string> => (await server.get(path)).text();
const paths = (threadId: string): string[] =>
  ['state', 'history', 'runs'].map((what) => `/threads/${threadId}/${what}`);

async function exported(t: Test, server: TestServer, threadId: string): Promise<string> {
  const file = join(temporaryFolder(t), 'thread.jsonl');
  const said = await cli(['threads', 'export', threadId, file, '--url', server.url]);
  t.equal(said.code, 0, said.stderr);
  return file;
}

t.test('moves a thread with all its data to another server, where it continues', async (t) => {
  const config = configWith(t, 'chat');
  const [one, two] = [await testServer(t, { config }), await testServer(t, { config })];
  const threadId = await talked(one);
  const file = await exported(t, one, threadId);
  t.match(readFileSync(file, 'utf8'), /^\{"threadmill":"thread","format":2,.*\n/);
  const said = await cli(['threads', 'import', file, '--url', two.url]);
  t.equal(said.stdout, `${threadId}\n`, said.stderr);
  for (const path of paths(threadId)) t.equal(await text(two, path), await text(one, path), `${path}, byte for byte`);
  const thread = (server: TestServer): Promise<string> => text(server, `/threads/${threadId}`);
  t.match(await thread(one), /"__proto__"/);
  t.equal(await thread(two), await thread(one));
  const [first] = await one.client.runs.list(threadId);
  const replay = async ({ client }: TestServer): Promise<unknown[]> => {
    const events: unknown[] = [];
    for await (const event of client.runs.joinStream(threadId, first!.run_id, { lastEventId: '-1' }))
      events.push(event);
    return events;
  };
  const events = await replay(one);
  t.ok(events.length > 1);
  t.strictSame(await replay(two), events, 'events of a resumable run are replayed');
  t.strictSame(
    (await two.client.threads.search({ metadata: { owner: 'ada' } })).map((found) => found.thread_id),
    [threadId],
  );
  const lengthOf = async ({ client }: TestServer): Promise<number> =>
    ((await client.threads.getState(threadId)).values as { messages: unknown[] }).messages.length;
  const before = await lengthOf(two);
  await two.client.runs.wait(threadId, 'chat', { input: human('and on') });
  t.ok((await lengthOf(two)) > before);
  t.equal(await lengthOf(one), before, 'the first one stays as it was');
  await two.client.threads.delete(threadId);
  await two.close(1_000);
  const doctor = await cli(['doctor', '--store', '--data', two.dataFolder]);
  t.equal(doctor.code, 0, doctor.stdout);
});

t.test('imports a file of release 0.2.0, whose thread waits for an answer', async (t) => {
  const file = join(ROOT, 'test', 'store', 'saved-threads', 'format-1.jsonl');
  const { url, client } = await testServer(t, { config: configWith(t, 'approval') });
  for (const flags of [[], ['--new-id']]) {
    const said = await cli(['threads', 'import', file, ...flags, '--url', url]);
    const threadId = said.stdout.trim();
    const state = await client.threads.getState(threadId);
    t.match(state.tasks, [{ name: 'ask', interrupts: [{ value: 'first question' }] }], said.stderr);
    t.equal((await client.threads.getHistory(threadId)).length, 3);
    t.match(await client.runs.wait(threadId, 'approval', { command: { resume: 'A' } }), {
      __interrupt__: [{ value: 'second question' }],
    });
  }
});

t.test('refuses an id in use, or imports under a new id', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'chat') });
  const threadId = await talked(server);
  const file = await exported(t, server, threadId);
  const taken = await cli(['threads', 'import', file, '--url', server.url]);
  t.equal(taken.code, 1);
  t.match(taken.stderr, /Thread already exists/);
  const said = await cli(['threads', 'import', file, '--url', server.url, '--new-id', '--json']);
  t.equal(said.code, 0, said.stderr);
  const { thread_id: newId } = JSON.parse(said.stdout) as { thread_id: string };
  t.not(newId, threadId);
  const values = async (id: string): Promise<string> =>
    JSON.stringify(
      (await server.client.threads.getHistory(id, { limit: 100 })).map((state) => [
        state.values,
        state.next,
        state.checkpoint.checkpoint_id,
      ]),
    );
  t.equal(await values(newId), await values(threadId));
  const runs = async (id: string): Promise<string[]> =>
    (await server.client.runs.list(id)).map(({ run_id: runId }) => runId);
  t.equal((await runs(newId)).length, (await runs(threadId)).length);
  t.notOk(
    (await runs(newId)).some((runId) => JSON.stringify(readFileSync(file, 'utf8')).includes(runId)),
    'runs have ids of their own',
  );
  const before = await values(threadId);
  await server.client.runs.wait(newId, 'chat', { input: human('apart') });
  t.equal(await values(threadId), before, 'each goes its own way');
  await server.client.threads.delete(threadId);
  const state = await server.client.threads.getState(newId);
  t.ok((state.values as { messages: unknown[] }).messages.length > 0);
  await server.close(1_000);
  const doctor = await cli(['doctor', '--store', '--data', server.dataFolder]);
  t.equal(doctor.code, 0, doctor.stdout);
});

t.test('refuses an incomplete file by its line and leaves nothing', async (t) => {
  const config = configWith(t, 'chat');
  const [one, two] = [await testServer(t, { config }), await testServer(t, { config })];
  const file = await exported(t, one, await talked(one));
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const joined = (some: readonly string[]): string => `${some.join('\n')}\n`;
  const without = (at: number): string => joined(lines.filter((_, n) => n !== at));
  const cases: [string, string, RegExp][] = [
    ['cut off', joined(lines.slice(0, -1)), /the file is not complete: its end is missing/],
    ['cut off in a line', joined(lines).slice(0, -5), /line \d+: the file ends in the middle of this line/],
    ['a line is missing', without(2), /line \d+: the checksum of the lines before it does not match/],
    ['a letter is another one', joined(lines).replace('"value":"', '"value":"A'), /line \d+: /],
    ['another file', '{"kind":"experiment"}\n', /line 1: this is not a thread/],
    [
      'a later format',
      joined([lines[0]!.replace('"format":2', '"format":3'), ...lines.slice(1)]),
      /line 1: it has format 3; this version reads formats 1 and 2/,
    ],
    ['no JSON', 'nothing\n', /line 1: it is not JSON/],
    ['nothing', '', /the file is not complete/],
    [
      'a key of something else',
      joined([lines[0]!, '{"state":"t","key":["x"],"value":""}']),
      /line 2: its key is not a key of a thread/,
    ],
    [
      'a run that goes on',
      joined([lines[0]!, lines.find((line) => line.startsWith('{"run"'))!.replace('"success"', '"running"')]),
      /line 2: it is not an ended run/,
    ],
  ];
  const bytes = Buffer.alloc(3_000, 'a');
  const compressed: [string, Buffer, RegExp][] = [
    ['content with damage', Buffer.from([0xc1, 9, 0, 0, 1, 2, 3]), /line 2: /],
    ['content that is longer than it says', compressedAs(bytes, 300), /line 2: /],
    ['content that is too long', compressedAs(bytes, 0xffffff), /line 2: .*16777215 bytes/],
    ['a compressed chunk', compressedAs(pack(['chunk', 0, bytes])), /line 2: .*[Oo]nly items/],
  ];
  for (const [name, value, reason] of compressed) {
    const line = JSON.stringify({ state: 'i', key: ['a'.repeat(22)], value: value.toString('base64') });
    cases.push([name, joined([lines[0]!, line]), reason]);
  }
  for (const [name, body, reason] of cases) {
    const answer = await two.post('/threads/import', body);
    t.equal(answer.status, 422, name);
    t.match(((await answer.json()) as { detail: string }).detail, reason, name);
  }
  writeFileSync(file, 'nothing\n');
  const said = await cli(['threads', 'import', file, '--url', two.url]);
  t.equal(said.code, 1);
  t.match(said.stderr, /line 1: it is not JSON/);
  t.strictSame(await two.client.threads.search(), []);
  const none = await cli([
    'threads',
    'export',
    '00000000-0000-4000-8000-000000000000',
    join(temporaryFolder(t), 'x'),
    '--url',
    two.url,
  ]);
  t.equal(none.code, 1);
  t.match(none.stderr, /not found/);
  t.notOk(existsSync(join(temporaryFolder(t), 'x')));
});

t.test('lets readers of a thread export it, and only operators import', async (t) => {
  const dataFolder = temporaryFolder(t);
  const key = (name: string, scopes?: string[]): Record<string, string> => ({
    'x-api-key': createKey(dataFolder, { name, scopes }).text,
  });
  const [all, read, threads, importing] = [
    key('all'),
    key('read', ['read']),
    key('threads', ['threads']),
    key('import', ['server:import']),
  ];
  const server = await testServer(t, { config: configWith(t, 'chat'), dataFolder });
  const answer = await fetch(`${server.url}/threads`, {
    method: 'POST',
    headers: { ...all, 'content-type': 'application/json' },
    body: '{}',
  });
  const { thread_id: threadId } = (await answer.json()) as { thread_id: string };
  const file = await (await server.get(`/threads/${threadId}/export`, { headers: read })).text();
  t.match(file, /"end"/);
  t.equal((await server.get(`/threads/${threadId}/export`, { headers: importing })).status, 403);
  t.equal((await server.get(`/threads/${threadId}/export`)).status, 401);
  const status = async (headers: Record<string, string>): Promise<number> =>
    (
      await fetch(`${server.url}/threads/import?new_id=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson', ...headers },
        body: file,
      })
    ).status;
  t.equal(await status(all), 200);
  t.equal(await status(importing), 200);
  for (const headers of [read, threads]) t.equal(await status(headers), 403);
  t.equal(await status({}), 401);
});
