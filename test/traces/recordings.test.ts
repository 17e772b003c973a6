import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Run } from 'langsmith';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import t from 'tap';
import { LIMITS } from '../../src/base/limits.js';
import { UNREADABLE_BODY } from '../../workers/graph/recording/http-body.js';
import { RunRecorder } from '../../workers/graph/recording/run-recorder.js';
import { unpackRecording } from '../../src/wire/runs/recording.js';
import { cli } from '../helpers/cli.js';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { projectOf } from '../helpers/project.js';
import { recordingOf } from '../helpers/recording.js';
import { testServer, type TestServer } from '../helpers/server.js';

const SECRET = 'planted-secret-5c1f0e77';
process.env['LANGSMITH_TRACING'] = 'false';

/** A model that streams, and a place to look things up. */
async function outside(t: { teardown(callback: () => unknown): void }, word: string): Promise<{ url: string }> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.url === '/lookup') {
        response.end(`found ${body}`);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream', 'set-cookie': `session=${SECRET}` });
      response.write('data: one\n\n');
      setTimeout(() => response.end(`data: ${(JSON.parse(body) as { prompt: string }).prompt} ${word}\n\n`), 20);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const { url } = await outside(t, SECRET);
const env = { OUTSIDE_API_KEY: SECRET };
const input = { url, prompts: ['a', 'b'], fails: false };

async function runOn(server: TestServer, more: object = {}): Promise<{ runId: string; threadId: string }> {
  const { thread_id: threadId } = await server.client.threads.create();
  const { run_id: runId } = await server.client.runs.create(threadId, 'outside', { input, ...more });
  await server.client.runs.join(threadId, runId);
  return { runId, threadId };
}

t.test('keeps what a run got from outside, without secrets', async (t) => {
  const config = projectOf(t, ['outside'], { traces: { record_calls: true }, env });
  const server = await testServer(t, { config });
  const { runId, threadId } = await runOn(server, {
    config: { configurable: { my_api_key: SECRET, user_name: 'ada' } },
  });
  const state = await server.client.threads.getState<{ answers: string[]; values: Record<string, unknown> }>(threadId);
  t.match(state.values.answers.slice().sort(), [
    /^200 found \{"look":"up"\}$/,
    `200 true data: one\n\ndata: a ${SECRET}\n\n`,
    `200 true data: one\n\ndata: b ${SECRET}\n\n`,
  ]);
  t.equal(state.values.values['isDate'], true);
  const recording = (await recordingOf(server, runId))!;
  t.match(recording, {
    run: { runId, threadId, graphId: 'outside', attempt: 1, headId: null, isStateless: false },
    outcome: { status: 'success', error: null },
    secretVariables: ['OUTSIDE_API_KEY'],
    isComplete: true,
  });
  const text = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString();
  t.same(
    recording.calls.map(({ lane, method, url: address, requestBody, status, chunks, isComplete }) => ({
      lane,
      call: `${method} ${address.replace(url, '')}`,
      sent: text(requestBody),
      status,
      got: chunks.map(([, bytes]) => text(bytes)).join(''),
      isComplete,
    })),
    [
      ...['a', 'b'].map((prompt, at) => ({
        lane: `ask#1#ask#__pregel_push/${at}`,
        call: 'POST /v1/chat?key=%5Bremoved%5D',
        sent: `{"prompt":"${prompt}","api_key":"[removed]"}`,
        status: 200,
        got: `data: one\n\ndata: ${prompt} [removed]\n\n`,
        isComplete: true,
      })),
      {
        lane: 'lookUp#2#lookUp#__pregel_pull/lookUp',
        call: 'POST /lookup',
        sent: '{"look":"up"}',
        status: 200,
        got: 'found {"look":"up"}',
        isComplete: true,
      },
    ],
  );
  t.equal(recording.memory.length, 1, 'a read of long-term memory');
  const values = state.values.values;
  const drawn = recording.values.randoms['draw#3#draw#__pregel_pull/draw']!;
  t.ok(drawn.includes(values['random'] as number));
  t.ok(drawn.some((one) => one instanceof Uint8Array && Buffer.from(one).toString('hex') === values['bytes']));
  const everything = inspect(
    { recording, texts: Object.values(recording.run).map((one) => (one instanceof Uint8Array ? text(one) : one)) },
    { depth: null, maxStringLength: null },
  );
  t.notMatch(everything, SECRET);
  t.match(everything, 'ada');
});

t.test('no planted secret is in the data folder of a recorded run that fails', async (t) => {
  const quiet = { ...input, url: (await outside(t, 'nothing')).url };
  const config = projectOf(t, ['outside'], { traces: { record_calls: 'on_error' }, env });
  const server = await testServer(t, { config });
  const good = await runOn(server, { input: quiet });
  const bad = await runOn(server, { input: { ...quiet, fails: true } });
  const recording = (await recordingOf(server, bad.runId))!;
  t.match(recording.outcome, { status: 'error', error: 'no luck' });
  t.equal(recording.calls.length, 3);
  t.equal(await recordingOf(server, good.runId), null, 'of failed runs only');
  await server.close(0);
  const file = readFileSync(join(server.dataFolder, 'data.mdb')).toString('latin1');
  t.ok(file.includes('no luck'));
  t.notOk(file.includes(SECRET));
});

t.test('deletes the recording with its thread', async (t) => {
  const config = projectOf(t, ['outside'], { traces: { record_calls: 1 }, env });
  const server = await testServer(t, { config });
  const { runId, threadId } = await runOn(server);
  t.ok(await recordingOf(server, runId));
  await server.client.threads.delete(threadId);
  const { clientOf } = await langsmithOf(server);
  await until(
    () => all(clientOf().listRuns({ traceId: runId })),
    (left: Run[]) => left.length === 0,
  );
  await server.close(0);
  const { code, stdout } = await cli(['doctor', '--store', '--data', server.dataFolder]);
  t.equal(code, 0, stdout);
});

t.test('keeps nothing without the setting', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['outside'], { traces: true, env }) });
  const { runId } = await runOn(server);
  t.equal(await recordingOf(server, runId), null);
});

t.test('keeps no more of an answer than a recording holds, and no more in all than a worker may', async (t) => {
  const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
  const job = { ...{ runId: 'r', threadId: 't' }, input: json({}), command: null, config: json({}), user: json({}) };
  const library = { langgraph: { getConfig: () => undefined } };
  const open = (): RunRecorder => new RunRecorder({ ...job, context: null } as never, library as never, 0);
  const piece = Buffer.alloc(1_024 * 1_024, 'x');
  const record = (recorder: RunRecorder): void => {
    const call = recorder.beginCall('GET', 'http://a/', Promise.resolve(UNREADABLE_BODY));
    // A shorter piece after one that did not fit must not leave a gap.
    if (call !== null)
      for (const size of [...Array.from({ length: 20 }, () => piece.byteLength), 1])
        recorder.addChunk(call, piece.subarray(0, size));
  };
  const heldBy = async (recorder: RunRecorder): Promise<{ bytes: number; isComplete: boolean }> => {
    const { calls, isComplete } = unpackRecording(await recorder.finish({ status: 'success', error: null }));
    const bytes = calls.flatMap(({ chunks }) => chunks).reduce((sum, [, chunk]) => sum + chunk.byteLength, 0);
    return { bytes, isComplete };
  };
  const all = Array.from({ length: 10 }, open);
  for (const recorder of all) record(recorder);
  const held = await Promise.all(all.map(heldBy));
  t.strictSame(held[0], { bytes: LIMITS.recordingBytesMax, isComplete: false });
  t.equal(
    held.reduce((sum, { bytes }) => sum + bytes, 0),
    LIMITS.recordingBytesPerThreadMax,
  );
  for (const recorder of all) recorder.release();
  const next = open();
  record(next);
  t.equal((await heldBy(next)).bytes, LIMITS.recordingBytesMax, 'ended runs make room');
});
