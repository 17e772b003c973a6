import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { parseLevels } from '../../src/base/log/levels.js';
import { withoutSecrets } from '../../src/base/log/secrets.js';
import { readLog } from '../../src/config/log.js';
import { childServer } from '../helpers/child-server.js';
import { projectOf } from '../helpers/project.js';
import { configWith, ROOT, temporaryFolder } from '../helpers/server.js';

const ECHO = configWith(t, 'echo');

interface Line {
  level: number;
  module: string;
  msg: string;
  [name: string]: unknown;
}

/** For the text of a program. */
const module = (file: string): string => JSON.stringify(pathToFileURL(join(ROOT, 'dist/src', file)).href);

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

t.test('parses levels by module, and names invalid ones', (t) => {
  const levels = (text: string): unknown => {
    const { base, modules } = parseLevels(text, (problem) => new Error(problem));
    return [base, Object.fromEntries(modules)];
  };
  t.strictSame(levels(''), ['info', {}]);
  t.strictSame(levels('WARNING'), ['warn', {}]);
  t.strictSame(levels('http=warn, error ,runs=Debug'), ['error', { http: 'warn', runs: 'debug' }]);
  t.throws(() => levels('loud'), /must be one of trace, .*got "loud"/);
  t.throws(() => levels('http=loud'), /got "http=loud"/);
  t.throws(() => levels('htp=warn'), /unknown module "htp"; the modules are app, auth/);
  t.throws(() => levels('info,warn'), /two base levels/);
  t.throws(() => levels('http=info,http=warn'), /has the module "http" twice/);
  t.strictSame(
    [readLog({}, true).pretty, readLog({}, false).pretty, readLog({ NO_COLOR: '1' }, true).pretty],
    [{ color: true }, null, { color: false }],
  );
  t.strictSame(
    [
      readLog({ LOG_JSON: 'true' }, true).pretty,
      readLog({ LOG_JSON: 'false' }, false).pretty,
      readLog({ LOG_JSON: '0', LOG_COLOR: 'on' }, false).pretty,
    ],
    [null, { color: false }, { color: true }],
  );
  t.throws(() => readLog({ LOG_JSON: 'perhaps' }), /LOG_JSON.*"perhaps"/s);
  t.end();
});

t.test('removes secrets from a text and keeps the rest', (t) => {
  const hidden = [
    'Bearer abc.def-123',
    '{"authorization":"Bearer abc def"}',
    '{\\"x-api-key\\":\\"abc123\\"}',
    'cookie: a=abc123; b=def',
    'GET https://ada:abc123@example.com/x failed',
    'https://example.com/?api_key=abc123&x=1',
    'password=abc123',
    'tm_abc123def456',
    'whsec_abc123==',
    'sk-abc123def',
    '/feedback/tokens/abc123',
    '/api/v1/attachments/abc123.def456',
    '/api/v1/public/abcdef01-2345-4789-8abc-def012345678/datasets',
    '/console/public/abcdef01-2345-4789-8abc-def012345678?kind=d',
    'client_secret: none, secret: "abc123"',
    'refresh_token=abc123',
  ];
  for (const text of hidden) t.notMatch(withoutSecrets(text), /abc|def(?!ault)/, text);
  t.equal(
    withoutSecrets('GET https://ada:abc123@example.com/?token=x1y2&page=3'),
    'GET https://[redacted]@example.com/?token=[redacted]&page=3',
  );
  for (const text of [
    '2,000 tokens in 3 s',
    'task-12345678 of the bearer',
    'http://127.0.0.1:8123/threads/1@2',
    '/feedback/tokens',
    '/public/style.css',
  ])
    t.equal(withoutSecrets(text), text);
  t.end();
});

t.test('logs one line for every run at its end', async (t) => {
  const server = await childServer(t, {
    dataFolder: temporaryFolder(t),
    config: configWith(t, 'echo', 'trouble', 'ticker'),
    env: { LOG_LEVEL: 'info' },
  });
  const { thread_id: threadId } = await server.client.threads.create();
  for await (const _event of server.client.runs.stream(threadId, 'echo', {
    input: { text: 'hello' },
    streamMode: ['values', 'updates'],
  }));
  await t.rejects(server.client.runs.wait(threadId, 'trouble', { input: { do: 'throw' } }));
  await server.client.runs.wait(null, 'trouble', {
    input: { do: 'exit-once', file: join(temporaryFolder(t), 'once') },
  });
  await server.kill('SIGTERM');
  const runs = linesOf(server.stderr()).filter(({ msg }) => msg === 'run');
  t.equal(runs.length, 3);
  t.match(runs[0], {
    level: 30,
    module: 'runs',
    threadId,
    runId: /^[0-9a-f-]{36}$/,
    assistantId: /^[0-9a-f-]{36}$/,
    graphId: 'echo',
    caller: 'local',
    status: 'success',
    attempts: 1,
    queueMs: Number,
    runMs: Number,
  });
  t.ok((runs[0]!['events'] as number) >= 3, 'metadata, values, updates');
  t.match(runs[1], { level: 40, threadId, graphId: 'trouble', status: 'error', error: 'CustomError' });
  t.notMatch(runs[1], { message: /./ });
  t.match(runs[2], { status: 'success', graphId: 'trouble' });
  t.ok((runs[2]!['queueMs'] as number) >= 0 && (runs[2]!['runMs'] as number) > 0);
  const requests = linesOf(server.stderr()).filter(({ msg }) => msg === 'request');
  const streamed = requests.find(({ route }) => route === '/threads/:thread_id/runs/stream');
  t.match(streamed, { module: 'http', threadId, runId: runs[0]!['runId'], assistant: 'echo' });
  t.ok((streamed!['bytes'] as number) > 200, 'the bytes of the stream');
});

t.test('applies levels by module', async (t) => {
  const server = await childServer(t, {
    dataFolder: temporaryFolder(t),
    config: ECHO,
    env: { LOG_LEVEL: 'runs=warn,http=debug' },
  });
  await server.client.runs.wait(null, 'echo', { input: { text: 'hello' } });
  await (await fetch(`${server.url}/ok`)).text();
  await server.kill('SIGTERM');
  t.strictSame(
    linesOf(server.stderr()).map(({ module, msg }) => [module, msg]),
    [
      ['http', 'request'],
      ['http', 'request'],
    ],
  );
});

t.test('logs no secret, wherever it is sent and whatever fails', { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'graph.mjs'),
    `
    import { StateGraph, Annotation, START, END } from '@langchain/langgraph';
    const State = Annotation.Root({ text: Annotation() });
    export const graph = new StateGraph(State).addNode('fail', () => { const error = new Error('Authorization: Bearer hush-graph'); error.name = 'E?token=hush-name'; error.config = { headers: { cookie: 'hush-config' } }; throw error; }).addEdge(START, 'fail').addEdge('fail', END).compile();
  `,
  );
  writeFileSync(
    join(folder, 'auth.mjs'),
    `
    import { Auth } from '@langchain/langgraph-sdk/auth';
    export const auth = new Auth().authenticate((request) => {
      if (request.headers.get('authorization') === 'Bearer hush-good') return { identity: 'ada', permissions: [], mail_secret: 'hush-user' };
      const error = new Error('no answer from https://id:hush-login@id.example/?api_key=hush-query with x-api-key: hush-header');
      error.config = { headers: { Authorization: 'hush-config' } };
      throw error;
    });
  `,
  );
  writeFileSync(
    join(folder, 'app.mjs'),
    `export const app = { fetch(request) { const { pathname } = new URL(request.url); if (pathname === '/own') throw new Error('cookie: hush-app'); return new Response('not found', { status: 404 }); } };`,
  );
  const config = join(folder, 'langgraph.json');
  writeFileSync(
    config,
    JSON.stringify({
      graphs: { agent: './graph.mjs:graph' },
      auth: { path: './auth.mjs:auth' },
      http: { app: './app.mjs:app', logging_headers: { includes: ['*'] } },
    }),
  );
  const hook = createServer((_request, answer) => answer.writeHead(500).end('hush-answer'));
  hook.listen(0, '127.0.0.1');
  await once(hook, 'listening');
  t.teardown(() => hook.close());
  const { port } = hook.address() as AddressInfo;
  const server = await childServer(t, {
    dataFolder: join(folder, 'data'),
    config,
    env: {
      LOG_LEVEL: 'trace',
      THREADMILL_API_KEYS: 'ci=hush-key-of-the-environment',
      THREADMILL_WEBHOOK_SECRET: `whsec_${Buffer.from('hush-hush-hush-hush-hush').toString('base64')}`,
      THREADMILL_SEAL_KEY: 'hush-seal-hush-seal-hush-seal-hush-seal',
      THREADMILL_WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1',
      THREADMILL_WEBHOOK_RETRY_SECS: '0.05',
    },
  });
  const secretive = {
    authorization: 'Bearer hush-good',
    cookie: 'session=hush-cookie',
    'x-api-key': 'hush-key',
    'proxy-authorization': 'hush-proxy',
    'x-service-key': 'hush-service',
    'x-forwarded-uri': '/?token=hush-forwarded',
    'content-type': 'application/json',
  };
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = secretive,
  ): Promise<number> => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await answer.text();
    return answer.status;
  };
  const run = {
    assistant_id: 'agent',
    input: { text: 'hush-input' },
    metadata: { token: 'hush-metadata' },
    config: { configurable: { api_key: 'hush-configurable' } },
    webhook: `http://127.0.0.1:${port}/hush-path-of-the-hook?token=hush-hook`,
  };
  await ask('POST', '/runs/wait?token=hush-query', run);
  await ask('POST', '/threads?api_key=hush-query', { metadata: { password: 'hush-metadata' } });
  await ask('POST', '/runs/wait', { ...run, assistant_id: 'token=hush-assistant' });
  t.equal(
    await ask('POST', '/runs/wait', run, { ...secretive, authorization: 'Bearer hush-bad' }),
    500,
    'the handler itself fails',
  );
  await ask('POST', '/api/v1/feedback/tokens/hush-token', { score: 1 });
  await ask('GET', '/FEEDBACK/tokens/hush-token?comment=hush');
  await ask('DELETE', '/feedback/tokens/hush-token');
  await ask('GET', '/nowhere/tm_hush-hush-hush?token=hush');
  t.equal(await ask('GET', '/own?secret=hush-query'), 500, 'the app itself fails');
  await ask('PUT', '/store/items', { namespace: ['a'], key: 'token=hush-item', value: { secret: 'hush-item' } });
  // The first attempt and the one retry of each of the webhooks.
  for (let waited = 0; waited < 100 && !server.stderr().includes('a webhook'); waited += 1) await sleep(50);
  await server.kill('SIGTERM');
  const log = server.stderr();
  t.ok(linesOf(log).length > 8, log);
  t.match(log, /the auth handler failed/);
  t.match(log, /the HTTP app failed/);
  t.match(log, /a webhook/);
  t.match(log, /"status":"error","error":"E\?token=\[redacted\]"/);
  t.notMatch(log, /hush/);
});

t.test('writes the last lines before the process ends', async (t) => {
  const server = await childServer(t, { dataFolder: temporaryFolder(t), config: ECHO, env: { LOG_LEVEL: 'info' } });
  await Promise.all(
    Array.from({ length: 300 }, async () =>
      (
        await fetch(`${server.url}/threads`, {
          method: 'POST',
          body: '{}',
          headers: { 'content-type': 'application/json' },
        })
      ).text(),
    ),
  );
  await server.kill('SIGTERM');
  t.equal(linesOf(server.stderr()).length, 300);
});

t.test('is not delayed by a stalled reader of stderr, and counts dropped lines', async (t) => {
  const program = `
    import { Log } from ${module('base/log/log.js')};
    const logs = await Log.open({ levels: { base: 'info', modules: new Map() }, pretty: null });
    const log = logs.forModule('server');
    for (let line = 0; line < 60000; line += 1) {
      log.info({ line, filler: 'x'.repeat(400) }, 'filler');
      if (line % 1000 === 0) await new Promise(setImmediate);
    }
    process.stdout.write('written');
    await new Promise((resolve) => process.stdin.once('end', resolve).resume());
    await logs.flush();
    log.info('the last');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  const closed = once(child, 'close');
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  t.equal(said.toString(), 'written', 'before a byte of the log was read');
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  child.stdin.end();
  await closed;
  const lines = linesOf(text);
  const lost = lines.find(({ msg }) => msg.startsWith('log lines were lost'));
  t.ok(lost, 'it says so');
  t.equal(
    lines.filter(({ msg }) => msg === 'filler').length + (lost?.['lines'] as number),
    60_000,
    'each line is written or counted',
  );
  t.ok(
    lines.slice(-2).some(({ msg }) => msg === 'the last'),
    'and then it goes on',
  );
});

t.test('formats lines for people on a terminal, and as JSON on request', async (t) => {
  const shown = async (env: Record<string, string>): Promise<string> => {
    const program = `import { Log } from ${module('base/log/log.js')}; import { readLog } from ${module('config/log.js')}; const logs = await Log.open(readLog(process.env, true)); logs.forModule('http').info({ status: 200 }, 'request'); await logs.flush();`;
    const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env });
    return stderr;
  };
  t.match(await shown({}), /32mINFO.*http: request.*\{"status":200\}/s);
  t.match(await shown({ LOG_COLOR: 'false' }), /^\[[\d:.]+\] INFO: http: request \{"status":200\}\n$/);
  t.match(linesOf(await shown({ LOG_JSON: 'true' })), [{ module: 'http', msg: 'request', status: 200 }]);
});

t.test('names an invalid log configuration', async (t) => {
  const started = childServer(t, {
    dataFolder: temporaryFolder(t),
    config: projectOf(t, ['echo'], {}),
    env: { LOG_LEVEL: 'info,disk=debug' },
  });
  await t.rejects(started, /LOG_LEVEL: has an unknown module "disk"/);
});
