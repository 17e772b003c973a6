import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { WebSocket } from 'ws';
import { readProject } from '../../src/config/config.js';
import { createKey } from '../../src/store/access/api-keys.js';
import { cli } from '../helpers/cli.js';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { freePort } from '../helpers/ports.js';
import { projectFolder } from '../helpers/project-folder.js';
import { ROOT, temporaryFolder, testServer, WITHOUT_TYPES } from '../helpers/server.js';

process.env['LANGSMITH_TRACING'] = 'false';
let requests = 0;
const model = createServer((request, response) => {
  requests += 1;
  request.resume();
  request.on('end', () => {
    response.write(`answer ${requests} `);
    setTimeout(() => response.end('of the model'), 5);
  });
});
await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
t.teardown(() => {
  model.closeAllConnections();
  model.close();
});
const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}`;

const graphs = ['outside', 'approval'];
const folder = projectFolder(t, graphs);
const server = await testServer(t, { config: join(folder, 'langgraph.json'), env: { OUTSIDE_API_KEY: 'a-real-key' } });
const { clientOf } = await langsmithOf(server);

async function run(graphId: string, body: object, threadId?: string): Promise<{ runId: string; threadId: string }> {
  const on = threadId ?? (await server.client.threads.create()).thread_id;
  const { run_id: runId } = await server.client.runs.create(on, graphId, body as never);
  await server.client.runs.join(on, runId);
  await until(
    () => all(clientOf().listRuns({ traceId: runId, isRoot: true })),
    ([root]) => root?.end_time != null,
  );
  return { runId, threadId: on };
}

const replay = (runId: string, ...flags: string[]): ReturnType<typeof cli> =>
  cli(['replay', runId, '--url', server.url, ...flags]);

const input = { url, prompts: ['a', 'b'], fails: false };
const { runId } = await run('outside', { input });

t.test('the same code gets the same answers, times, ids and items, without a request', async (t) => {
  const before = requests;
  const { code, stdout, stderr } = await replay(runId, '--graph', folder);
  t.equal(
    stdout,
    `Run ${runId} of the graph "outside", replayed.\nAll 5 steps are equal.\n\n3 requests got the recorded answer.\n`,
  );
  t.equal(code, 0, stderr);
  t.equal(requests, before);
});

t.test('changed code is compared step by step', async (t) => {
  const changed = projectFolder(t, graphs, (code) =>
    code.replace("'content-type': 'application/json'", "'x-new': '1'").replace('isDate: new', 'isNew: 1, isDate: new'),
  );
  const { code, stdout } = await replay(runId, '--graph', changed);
  t.equal(code, 1);
  t.match(stdout, /^3 equal steps, 2 differences\.$/m);
  t.match(
    stdout,
    /^First difference: outside > draw \(chain\): other outputs\n {2}- \{"values":.*\n {2}\+ \{"values":.*"isNew":1/m,
  );
  t.match(stdout, /^Further differences:\n {2}outside \(chain\): other outputs$/m);
});

t.test('a request that was not recorded follows the policy', async (t) => {
  const changed = projectFolder(t, graphs, (code) =>
    code.replace('JSON.stringify({ prompt,', 'JSON.stringify({ question: 1, prompt,'),
  );
  const before = requests;
  const refused = await replay(runId, '--graph', changed);
  t.equal(refused.code, 1);
  t.match(refused.stdout, /POST http:\S+\/v1\/chat\?key=\S+ was recorded with another body only: it was refused\./);
  t.match(refused.stdout, /outside > ask \(chain\): other error/);
  const nearest = await replay(runId, '--graph', changed, '--unrecorded', 'nearest', '--json');
  t.equal(nearest.code, 0, 'it gets what the recorded run got');
  t.match(JSON.parse(nearest.stdout), {
    status: 'success',
    answered: 3,
    unrecorded: [{ answer: 'nearest' }, { answer: 'nearest' }],
    unused: [],
  });
  const stubs = join(changed, 'stubs.json');
  writeFileSync(stubs, JSON.stringify([{ method: 'POST', url: `${url}/v1/`, body: { from: 'stub' } }]));
  const stub = await replay(runId, '--graph', changed, '--unrecorded', 'stub', '--stubs', stubs, '--json');
  t.ok(stub.stdout.includes(JSON.stringify('200 true {"from":"stub"}').slice(1, -1).replaceAll('\\', '\\')));
  t.equal(requests, before, 'no request has left the machine');
  const live = await replay(runId, '--graph', changed, '--unrecorded', 'live', '--json');
  t.equal(requests, before + 2);
  t.match(JSON.parse(live.stdout), { unrecorded: [{ answer: 'live' }, { answer: 'live' }], answered: 1 });
});

t.test('a graph that tries reaches neither the network nor a process', async (t) => {
  const escape = projectFolder(t, graphs, (code) =>
    code
      .replace('/** Depends on the clock', `${ESCAPES}\n/** Depends on the clock`)
      .replace('isDate: new', 'escapes: await escapes(), isDate: new'),
  );
  const before = requests;
  const { stdout } = await replay(runId, '--graph', escape, '--json');
  const { differences, unrecorded } = JSON.parse(stdout) as {
    differences: { after: { values: { escapes: Record<string, string> } } }[];
    unrecorded: { url: string }[];
  };
  const { escapes } = differences[0]!.after.values;
  for (const [way, outcome] of Object.entries(escapes)) t.match(outcome, /OutsideRefusedError|refused/, way);
  t.equal(Object.keys(escapes).length, 14);
  t.ok(unrecorded.length >= 12, 'each is in the report');
  t.equal(requests, before);
});

/** Ways out of a graph worker. Each ends with the error that it met. */
const ESCAPES = `
async function escapes(): Promise<Record<string, string>> {
  const port = ${new URL(url).port};
  const net = await import('node:net');
  const ways: Record<string, () => unknown> = {
    fetch: () => fetch('http://127.0.0.1:' + port),
    http: async () => {
      const { get } = await import('node:http');
      return new Promise((resolve, reject) => get('http://127.0.0.1:' + port, resolve).on('error', reject));
    },
    net: () => new Promise((resolve, reject) => net.connect(port, '127.0.0.1', () => resolve(1)).on('error', reject)),
    socket: () => new Promise((resolve, reject) => new net.Socket().connect({ port }, () => resolve(1)).on('error', reject)),
    tls: async () => {
      const tls = await import('node:tls');
      return new Promise((resolve, reject) => tls.connect({ port }, () => resolve(1)).on('error', reject));
    },
    http2: async () => {
      const http2 = await import('node:http2');
      return new Promise((resolve, reject) =>
        http2.connect('http://127.0.0.1:' + port).on('error', reject).request().on('response', resolve).on('error', reject));
    },
    listen: () => net.createServer().listen(0),
    dgram: async () => (await import('node:dgram')).createSocket('udp4').send('x', port, '127.0.0.1'),
    dns: async () => (await import('node:dns')).promises.lookup('example.com'),
    spawn: async () => (await import('node:child_process')).spawn('true'),
    execSync: async () => (await import('node:child_process')).execSync('true'),
    worker: async () => new (await import('node:worker_threads')).Worker('1', { eval: true }),
    binding: () => (process as any).binding('tcp_wrap'),
    websocket: () => new Promise((resolve, reject) => {
      if (typeof WebSocket === 'undefined') throw new Error('refused: this version of Node has none');
      const socket = new WebSocket('ws://127.0.0.1:' + port);
      socket.onopen = resolve;
      socket.onerror = (event: any) => reject(new Error('refused ' + (event.error?.message ?? '')));
    }),
  };
  const outcomes: Record<string, string> = {};
  for (const [name, way] of Object.entries(ways)) {
    try {
      await way();
      outcomes[name] = 'done';
    } catch (error: any) {
      outcomes[name] = [error.name, error.cause?.name, error.message].join(' ');
    }
  }
  return outcomes;
}`;

t.test('a resumed run starts from where its thread stood', async (t) => {
  const first = await run('approval', { input: {} });
  const second = await run('approval', { command: { resume: 'yes' } }, first.threadId);
  await run('approval', { input: {} }, first.threadId);
  for (const { runId: one } of [first, second]) {
    const { code, stdout, stderr } = await replay(one, '--graph', folder);
    t.equal(code, 0, stdout + stderr);
  }
});

t.test('a run can start from an earlier checkpoint of its thread', async (t) => {
  const { threadId, runId: one } = await run('approval', { input: {} });
  const [newest] = await server.client.threads.getHistory(threadId);
  const { stdout } = await replay(one, '--graph', folder, '--from', newest!.checkpoint.checkpoint_id!, '--json');
  t.match(stdout, /"after":\{"answers":\["before","before"\]/, 'it begins on top of what was there');
  const unknown = await replay(one, '--graph', folder, '--from', '1f000000-0000-6000-8000-000000000000');
  t.equal(unknown.code, 3);
  t.match(unknown.stderr, /does not have the checkpoint 1f000000-\S+ any more/);
});

t.test('runs without a thread can be replayed, also those that are kept in memory only', async (t) => {
  const background = await server.client.runs.create(null, 'outside', { input });
  await server.client.runs.join(background.thread_id, background.run_id);
  const response = await server.post('/runs/wait', { assistant_id: 'outside', input });
  await response.text();
  const waited = response.headers.get('content-location')!.split('/').at(-1)!;
  for (const one of [background.run_id, waited]) {
    await until(
      () => all(clientOf().listRuns({ traceId: one, isRoot: true })),
      ([root]) => root?.end_time != null,
    );
    const { code, stdout, stderr } = await replay(one, '--graph', folder);
    t.equal(code, 0, stdout + stderr);
  }
});

t.test('uploads the trace of the replay beside that of the run', async (t) => {
  const { code, stdout, stderr } = await replay(runId, '--graph', folder, '--upload');
  t.equal(code, 0, stderr);
  const [, traceId] = /traces\/compare\?left=\S+&right=(\S+)/.exec(stdout)!;
  const steps = await until(
    () => all(clientOf().listRuns({ traceId: traceId! })),
    (found) => found.length === 5,
  );
  t.match(
    steps.find((step) => step.parent_run_id == null),
    { name: 'outside', extra: { metadata: { replay_of: runId } } },
  );
});

t.test('says why a run cannot be replayed', async (t) => {
  const none = await replay('01a21c52-0000-7000-8000-000000000000', '--graph', folder);
  t.match(none, { code: 3, stderr: /has no trace of the run/ });
  const other = await replay(runId, '--graph', projectFolder(t, ['approval']));
  t.match(other, { code: 3, stderr: /is of the graph "outside", which \S+ does not have \(it has: approval\)/ });
  const missing = await replay(runId, '--graph', join(folder, 'nowhere'));
  t.match(missing, { code: 3, stderr: /nowhere: the file does not exist/ });
  const stubs = join(temporaryFolder(t), 'stubs.json');
  for (const [text, problem] of [
    ['{', /cannot be read/],
    ['{}', /must be a list/],
    ['[{"url":""}]', /answer 0\.url: must be an address/],
    ['[{"url":"http://a","status":1}]', /answer 0\.status: must be a number/],
    ['[{"url":"http://a","headers":[]}]', /answer 0\.headers: must be an object/],
  ] as const) {
    writeFileSync(stubs, text);
    t.match(await replay(runId, '--unrecorded', 'stub', '--stubs', stubs), { code: 3, stderr: problem });
  }
  t.match(await replay(runId, '--unrecorded', 'stub'), { code: 3, stderr: /--stubs: is needed/ });
  t.match(await replay(runId, '--unrecorded', 'ask'), {
    code: 3,
    stderr: /Allowed choices are refuse, nearest, stub, live/,
  });
});

t.test('executes kept versions of the code, and finds the one since which a run gives its result', async (t) => {
  const place = projectFolder(t, ['sums']);
  const [config, file] = ['langgraph.json', 'sums.ts'].map((name) => join(place, name)) as [string, string];
  const right = readFileSync(file, 'utf8');
  const wrong = right.replace('sum + Number(one)', 'sum - Number(one)');
  const own = await testServer(t, { config, env: WITHOUT_TYPES });
  const ask = async (): Promise<string> => {
    const { thread_id: threadId } = await own.client.threads.create();
    const { run_id: one } = await own.client.runs.create(threadId, 'sums', { input: { question: '1 + 2' } });
    await own.client.runs.join(threadId, one);
    return one;
  };
  const runs = [await ask()];
  for (const code of [wrong, `${wrong}// The same in other words.\nexport const more = 1;\n`]) {
    writeFileSync(file, code);
    await own.reload(readProject(config, {}));
    runs.push(await ask());
  }
  const flags = ['--url', own.url, '--graph', place];
  const {
    graphs: [listed],
  } = (await (await own.get('/server/code')).json()) as {
    graphs: { versions: { version: string; first_used_at: string }[] }[];
  };
  const versions = listed!.versions.sort((a, b) => (a.first_used_at < b.first_used_at ? -1 : 1));
  t.equal(versions.length, 3);
  await until(
    async () => cli(['replay', runs[2]!, ...flags, '--code', 'recorded']),
    ({ code }) => code === 0,
  );
  const older = await cli(['replay', runs[2]!, ...flags, '--code', versions[0]!.version]);
  t.match(older, {
    code: 1,
    stdout: /sums > add \(chain\): other outputs\n {2}- \{"answer":"-3"\}\n {2}\+ \{"answer":"3"\}/,
  });
  const found = await cli(['since', runs[2]!, ...flags]);
  t.equal(found.code, 0, found.stderr);
  t.match(
    found.stdout,
    new RegExp(`Since version ${versions[1]!.version}, first used at .* With ${versions[0]!.version} before it:`),
  );
  t.match(
    found.stdout,
    /First difference: sums > add \(chain\): other outputs\n {2}- \{"answer":"3"\}\n {2}\+ \{"answer":"-3"\}/,
  );
  const json = JSON.parse((await cli(['since', runs[2]!, ...flags, '--json'])).stdout) as Record<string, unknown>;
  t.match(json, {
    before: versions[0]!.version,
    since: versions[1]!.version,
    change: { node: 'add', field: 'outputs' },
  });
  t.match(await cli(['since', runs[0]!, ...flags]), {
    code: 1,
    stdout: /All versions that are kept give the result of the run/,
  });
  t.match(await cli(['replay', runs[0]!, ...flags, '--code', 'abcdefabcdef']), {
    code: 3,
    stderr: /does not keep the code version abcdefabcdef/,
  });
});

t.test('waits for a debugger, which stops before the first step', async (t) => {
  const port = await freePort();
  const main = join(ROOT, 'dist', 'src', 'main.js');
  const child = spawn(
    process.execPath,
    [main, 'replay', runId, '--url', server.url, '--graph', folder, `--inspect-brk=${port}`],
    {
      env: { ...process.env, LANGSMITH_TRACING: 'false' },
    },
  );
  t.teardown(() => child.kill('SIGKILL'));
  let errors = '';
  const ended = once(child, 'exit') as Promise<[code: number | null]>;
  const listening = new Promise<string>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
      const found = /Debugger listening on (ws:\S+)\n/.exec(errors);
      if (found !== null) resolve(found[1]!);
    });
  });
  const address = await Promise.race([listening, ended.then(() => Promise.reject(new Error(errors)))]);
  const socket = new WebSocket(address);
  await new Promise((resolve) => socket.once('open', resolve));
  let requests = 0;
  const send = (method: string): void => socket.send(JSON.stringify({ id: requests++, method }));
  const paused = new Promise<string>((resolve) => {
    socket.on('message', (text: Buffer) => {
      const { method, params } = JSON.parse(text.toString()) as {
        method?: string;
        params?: { callFrames: { functionName: string }[] };
      };
      if (method === 'Debugger.paused') resolve(params!.callFrames[0]!.functionName);
      // Node listens before it waits, and a request to go on that it gets in between is lost.
      if (method === 'NodeRuntime.waitingForDebugger') send('Runtime.runIfWaitingForDebugger');
    });
  });
  ['Runtime.enable', 'Debugger.enable', 'NodeRuntime.enable'].forEach(send);
  t.equal(await Promise.race([paused, ended]), 'stopBeforeGraph', errors);
  send('Debugger.resume');
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  t.match(output.toString(), /^Run \S+ of the graph "outside", replayed\.\nAll 5 steps are equal\.$/m);
  // Like node --inspect-brk, it ends when the debugger has left.
  socket.close();
  t.strictSame((await ended)[0], 0, errors);
});

t.test('reads only what the key of the caller may read', async (t) => {
  const dataFolder = temporaryFolder(t);
  const keyWith = (...scopes: string[]): string => createKey(dataFolder, { name: scopes.join(' '), scopes }).text;
  const keys = {
    all: keyWith('*'),
    traces: keyWith('experiments:read', 'experiments:search'),
    reader: keyWith('read'),
  };
  const place = projectFolder(t, ['sums']);
  const own = await testServer(t, { config: join(place, 'langgraph.json'), env: WITHOUT_TYPES, dataFolder });
  const send = async (path: string, body: object): Promise<Record<string, string>> =>
    (await (await own.post(path, body, { headers: { 'x-api-key': keys.all } })).json()) as Record<string, string>;
  const { thread_id: threadId } = await send('/threads', {});
  const run = await send(`/threads/${threadId}/runs`, { assistant_id: 'sums', input: { question: '1 + 2' } });
  const replayWith = (key: string, ...more: string[]): ReturnType<typeof cli> =>
    cli(['replay', run['run_id']!, '--url', own.url, '--graph', place, '--api-key', key, ...more]);
  await until(
    () => replayWith(keys.all),
    ({ code }) => code === 0,
  );
  t.match(await replayWith(keys.traces), { code: 3, stderr: /threads:read/ }, 'a thread needs its own scope');
  t.match(await replayWith(keys.reader), { code: 0 }, 'reading is enough');
  t.match(await replayWith(keys.reader, '--code', 'recorded'), { code: 3, stderr: /server:code/ }, 'but not for code');
  t.match(await replayWith('wrong'), { code: 3, stderr: /\S/ });
});
