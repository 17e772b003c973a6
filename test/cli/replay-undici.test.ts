import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Recording } from '../../src/wire/runs/recording.js';
import { cli } from '../helpers/cli.js';
import { until } from '../helpers/langsmith.js';
import { projectFolder } from '../helpers/project-folder.js';
import { recordingOf } from '../helpers/recording.js';
import { testServer } from '../helpers/server.js';

process.env['LANGSMITH_TRACING'] = 'false';
let requests = 0;
const model = createServer((request, response) => {
  requests += 1;
  const number = requests;
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    response.writeHead(200, { 'x-word': 'yes' });
    response.write(`${number}: `);
    // The run stops reading this answer. If it had an end, a busy machine could read that with the first piece.
    if (request.url === '/aborted') return;
    setTimeout(() => {
      if (request.url === '/broken') response.destroy();
      else response.end(`got ${body}`);
    }, 50);
  });
});
await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
t.teardown(() => {
  model.closeAllConnections();
  model.close();
});
const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}`;

const folder = projectFolder(t, ['undici']);
const server = await testServer(t, { config: join(folder, 'langgraph.json') });

async function run(version: string, prompt: string): Promise<{ runId: string; answers: Record<string, unknown> }> {
  const { thread_id: threadId } = await server.client.threads.create();
  const input = { url, version, prompt };
  const { run_id: runId } = await server.client.runs.create(threadId, 'undici', { input });
  const { answers } = (await server.client.runs.join(threadId, runId)) as { answers: Record<string, unknown> };
  return { runId, answers };
}

/** A recording may be stored after the end of its trace. */
const stored = async (runId: string): Promise<Recording> =>
  (await until(
    () => recordingOf(server, runId),
    (recording) => recording !== null,
  ))!;

const replay = (runId: string, ...flags: string[]): ReturnType<typeof cli> =>
  cli(['replay', runId, '--url', server.url, ...flags]);

for (const version of ['5', '6', '7']) {
  t.test(`records and replays requests of version ${version} of undici`, async (t) => {
    const { runId, answers } = await run(version, 'hello');
    const sent = 'got {"prompt":"hello"}';
    t.match(answers, {
      request: [200, 'yes', true, new RegExp(`^\\d+: ${sent}$`)],
      fetch: [200, 'yes', new RegExp(`^\\d+: ${sent}$`)],
      both: [/^\d+: got hello left$/, /^\d+: got hello right$/],
      pool: [/^\d+: got $/, /^\d+: got $/],
      own: /^\d+: got $/,
      stream: new RegExp(`^\\d+: ${sent}$`),
      'built-in': new RegExp(`^\\d+: ${sent}$`),
      aborted: 'AbortError',
      hung: /Error$/,
      refused: /ECONNREFUSED/,
    });
    const { calls } = await stored(runId);
    const text = (bytes: Uint8Array | null): string | null => bytes && Buffer.from(bytes).toString();
    const expected = [
      ['POST /request?key=%5Bremoved%5D', '{"prompt":"hello"}', 200, true],
      ['POST /fetch', '{"prompt":"hello"}', 200, true],
      ['PUT /both', 'hello left', 200, true],
      ['PUT /both', 'hello right', 200, true],
      ['POST /pool?side=left', '', 200, true],
      ['POST /pool?side=right', '', 200, true],
      ['GET /own', '', 200, true],
      ['POST /stream', null, 200, true],
      ['POST /built-in', '{"prompt":"hello"}', 200, true],
      ['GET /aborted', '', 200, false],
      ['POST /hung', null, null, false],
      ['GET /broken', '', 200, false],
      ['GET http://127.0.0.1:1/', '', null, false],
    ];
    if (version === '7') expected.push(['GET /dispatch', '', 200, true]);
    t.same(
      calls.map((call) => [
        `${call.method} ${call.url.replace(url, '')}`,
        text(call.requestBody),
        call.status,
        call.isComplete,
      ]),
      expected,
    );
    const [first] = calls;
    t.equal(first!.chunks.length, 2);
    const gaps = calls.map(({ chunks }) => (chunks[1]?.[0] ?? 0) - (chunks[0]?.[0] ?? 0));
    t.ok(Math.max(...gaps) >= 15, 'pieces have their timing');
    t.match(first!.headers, [['x-word', 'yes']]);
    t.equal(calls[9]!.error, null, 'the run has stopped reading');
    t.match(calls[11]!.error, /closed/);
    const before = requests;
    for (const flags of [[], ['--timing']]) {
      const { code, stdout, stderr } = await replay(runId, '--graph', folder, ...flags);
      t.equal(code, 0, stdout + stderr);
      // The one that is not sent to its end gets no answer.
      t.match(stdout, `${expected.length - 1} requests got the recorded answer.`);
    }
    t.equal(requests, before);
  });
}

t.test('keeps the requests of runs that execute at the same time apart', async (t) => {
  const runs = await Promise.all(['a', 'b', 'c'].map((prompt) => run('6', prompt)));
  for (const [at, { runId }] of runs.entries()) {
    const { calls } = await stored(runId);
    const bodies = calls.map(({ requestBody }) => Buffer.from(requestBody ?? []).toString()).filter(Boolean);
    const prompt = 'abc'[at]!;
    const asked = JSON.stringify({ prompt });
    t.same(bodies, [asked, asked, `${prompt} left`, `${prompt} right`, asked]);
  }
});

t.test('a request that was not recorded follows the policy', async (t) => {
  const changed = projectFolder(t, ['undici'], (code) =>
    code.replace('JSON.stringify({ prompt })', 'JSON.stringify({ question: prompt })'),
  );
  for (const version of ['6', '7']) {
    const { runId } = await run(version, 'hello');
    await stored(runId);
    const before = requests;
    const all = version === '7' ? 13 : 12;
    const refused = await replay(runId, '--graph', changed);
    t.match(refused, {
      code: 1,
      stdout: /POST \S+\/request\?key=\S+ was recorded with another body only: it was refused/,
    });
    const nearest = await replay(runId, '--graph', changed, '--unrecorded', 'nearest', '--json');
    t.equal(nearest.code, 0, nearest.stdout);
    t.match(JSON.parse(nearest.stdout), {
      answered: all,
      unrecorded: ['nearest', 'nearest', 'nearest'].map((answer) => ({ answer })),
      unused: [],
    });
    const stubs = join(changed, 'stubs.json');
    const body = { from: 'stub' };
    writeFileSync(stubs, JSON.stringify([{ method: 'POST', url: `${url}/`, headers: { 'x-word': 'no' }, body }]));
    const stub = await replay(runId, '--graph', changed, '--unrecorded', 'stub', '--stubs', stubs, '--json');
    const { differences } = JSON.parse(stub.stdout) as { differences: { after: { answers: object } }[] };
    t.match(differences[0]!.after.answers, {
      request: [200, 'no', true, '{"from":"stub"}'],
      fetch: [200, 'no', '{"from":"stub"}'],
    });
    t.equal(requests, before, 'no request has left the machine');
    const live = await replay(runId, '--graph', changed, '--unrecorded', 'live', '--json');
    t.match(JSON.parse(live.stdout), {
      answered: all - 3,
      unrecorded: ['live', 'live', 'live'].map((answer) => ({ answer })),
    });
    t.equal(requests, before + 3);
    t.match(live.stdout, /got \{\\\\?"question/, 'the changed body was sent');
  }
});
