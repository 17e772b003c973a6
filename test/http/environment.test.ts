import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ignoredVariablesWarning, IGNORED_VARIABLES } from '../../src/config/env.js';
import { readConfig, type Config, type Flags } from '../../src/config/config.js';
import { childServer } from '../helpers/child-server.js';
import { Empty } from '../helpers/empty.js';
import { projectOf } from '../helpers/project.js';
import { ROOT, temporaryFolder, TEST_GRAPHS, testServer } from '../helpers/server.js';

const read = (env: Record<string, string>, flags: Flags = {}): Config =>
  readConfig({ config: TEST_GRAPHS, ...flags }, env);

t.test('takes flags before variables, variables before the file, and the file before defaults', (t) => {
  t.match(read({}), {
    host: '127.0.0.1',
    port: 8123,
    runsPerWorker: 512,
    log: { levels: { base: 'info' } },
    warnings: Empty,
  });
  t.match(read({ LANGGRAPH_SERVER_HOST: '::1', PORT: '0', N_JOBS_PER_WORKER: '7', LOG_LEVEL: 'DEBUG' }), {
    host: '::1',
    port: 0,
    runsPerWorker: 7,
    log: { levels: { base: 'debug' } },
  });
  t.match(read({ LANGGRAPH_SERVER_HOST: '::1', PORT: '2' }, { host: 'localhost', port: '1' }), {
    host: 'localhost',
    port: 1,
  });
  t.match(
    read({
      LANGGRAPH_SERVER_HOST: '',
      PORT: '',
      N_JOBS_PER_WORKER: '',
      LOG_LEVEL: '',
      THREADMILL_WORKER_HEAP_MB: '',
      LANGGRAPH_STORE: '',
      LANGGRAPH_AUTH_TYPE: '',
    }),
    { host: '127.0.0.1', port: 8123, runsPerWorker: 512, log: { levels: { base: 'info' } } },
    'empty is not set',
  );
  t.equal(read({ LOG_LEVEL: 'WARNING' }).log.levels.base, 'warn');
  t.equal(read({ LOG_LEVEL: 'Critical' }).log.levels.base, 'fatal');
  t.equal(read({ LANGGRAPH_AUTH_TYPE: 'noop' }).project.auth, null);

  const config = projectOf(t, ['echo'], {
    http: { disable_runs: true, mount_prefix: '/file' },
    store: { ttl: { default_ttl: 1 } },
    checkpointer: { ttl: { default_ttl: 1 } },
    webhooks: { env_prefix: 'FILE_' },
  });
  const { project, api, webhooks } = read(
    {
      LANGSERVE_GRAPHS: '{"other":{"path":"./other.ts:made","description":"Another"}}',
      LANGGRAPH_HTTP: '{"disable_store":true,"mount_prefix":"/variable"}',
      LANGGRAPH_STORE: '{"ttl":{"default_ttl":2}}',
      LANGGRAPH_CHECKPOINTER: '{"ttl":{"default_ttl":3}}',
      LANGGRAPH_WEBHOOKS: '{"url":{"require_https":true}}',
      LANGGRAPH_AUTH: '{"path":"./auth.ts:auth"}',
      LANGGRAPH_UI: '{"other":"./ui.tsx"}',
      LANGGRAPH_UI_CONFIG: '{"shared":["d3"]}',
    },
    { config },
  );
  t.match(project.graphs, [
    { graphId: 'other', file: join(config, '..', 'other.ts'), exportName: 'made', description: 'Another' },
  ]);
  t.equal(project.graphs.length, 1);
  t.strictSame([...api.disabled], ['store'], 'a key is replaced whole');
  t.equal(api.mountPrefix, '/variable');
  t.equal(project.store.ttl.defaultMs, 120_000);
  t.match(project.threadTtl, { defaultTtl: { minutes: 3 } });
  t.match(webhooks, { rules: { requireHttps: true } });
  t.equal(project.webhooks.envPrefix, 'LG_WEBHOOK_');
  t.match(project.auth, { file: join(config, '..', 'auth.ts'), exportName: 'auth' });
  t.match(project.ui, { modules: [{ name: 'other', file: join(config, '..', 'ui.tsx') }], shared: ['d3'] });
  t.equal(
    read({ MOUNT_PREFIX: '/nearest', LANGGRAPH_HTTP: '{"mount_prefix":"/variable"}' }, { config }).api.mountPrefix,
    '/nearest',
  );
  t.end();
});

t.test('names an invalid value with its variable', (t) => {
  const bad: [Record<string, string>, RegExp][] = [
    [{ PORT: 'eighty' }, /^PORT: must be a whole number from 0 to 65535; got "eighty"/],
    [{ PORT: '65536' }, /^PORT: /],
    [{ N_JOBS_PER_WORKER: '0' }, /^N_JOBS_PER_WORKER: must be a whole number from 1 to 512/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: must be one of trace, .*; got "loud"/],
    [{ LOG_LEVEL: 'constructor' }, /^LOG_LEVEL: /],
    [{ BG_JOB_TIMEOUT_SECS: '-1' }, /^BG_JOB_TIMEOUT_SECS: must be a number of seconds above 0/],
    [{ RESUMABLE_STREAM_TTL_SECONDS: 'long' }, /^RESUMABLE_STREAM_TTL_SECONDS: /],
    [{ HTTP_MAX_REQUEST_BODY_BYTES: '1.5' }, /^HTTP_MAX_REQUEST_BODY_BYTES: /],
    [{ THREADMILL_CALLER_QUEUED_RUNS: '0' }, /^THREADMILL_CALLER_QUEUED_RUNS: /],
    [
      { LANGGRAPH_AUTH_TYPE: 'langsmith' },
      /^LANGGRAPH_AUTH_TYPE: "langsmith" is not supported: keys are not checked against LangSmith\. Create keys/,
    ],
    [{ LANGSERVE_GRAPHS: '{' }, /^LANGSERVE_GRAPHS: not valid JSON/],
    [
      { LANGSERVE_GRAPHS: '["a"]' },
      /^LANGSERVE_GRAPHS: must be a JSON object: the value of "graphs" in langgraph\.json/,
    ],
    [{ LANGSERVE_GRAPHS: '{"a":1}' }, /^LANGSERVE_GRAPHS: graphs\.a: must be/],
    [{ LANGSERVE_GRAPHS: '{}' }, /^LANGSERVE_GRAPHS: graphs: must be/],
    [{ LANGGRAPH_HTTP: '{"disable_runs":"yes"}' }, /^LANGGRAPH_HTTP: http\.disable_runs: /],
    [{ LANGGRAPH_HTTP: '{"cors":{"allow_all":true}}' }, /^LANGGRAPH_HTTP: http\.cors\.allow_all: /],
    [{ LANGGRAPH_STORE: '{"ttl":7}' }, /^LANGGRAPH_STORE: store\.ttl: /],
    [{ LANGGRAPH_CHECKPOINTER: '{"path":"./saver.ts"}' }, /^LANGGRAPH_CHECKPOINTER: checkpointer\.path: /],
    [{ LANGGRAPH_WEBHOOKS: '{"nothing":1}' }, /^LANGGRAPH_WEBHOOKS: webhooks\.nothing: /],
    [{ LANGGRAPH_AUTH: '{}' }, /^LANGGRAPH_AUTH: auth\.path: /],
    [{ LANGGRAPH_UI: '{"a":1}' }, /^LANGGRAPH_UI: ui\.a: /],
    [{ LANGGRAPH_UI_CONFIG: '{"shared":1}' }, /^LANGGRAPH_UI_CONFIG: ui_config\.shared: /],
    [{ LANGGRAPH_CONFIG: '{"nobody":{}}' }, /^LANGGRAPH_CONFIG: nobody: /],
  ];
  for (const [env, message] of bad) t.throws(() => read(env), { code: 'CONFIG_INVALID', message }, JSON.stringify(env));
  t.throws(
    () => read({ LANGGRAPH_STORE: '{}' }, { config: projectOf(t, ['echo'], { http: [] }) }),
    { code: 'CONFIG_INVALID', message: /langgraph\.json: http: must be an object/ },
    "what is wrong in the file is the file's",
  );
  t.end();
});

t.test('needs no file for graphs of the environment', (t) => {
  const config = join(temporaryFolder(t), 'langgraph.json');
  t.throws(() => read({}, { config }), { code: 'CONFIG_INVALID', message: /langgraph\.json: the file does not exist/ });
  t.match(read({ LANGSERVE_GRAPHS: '{"a":"./a.ts:graph"}' }, { config }).project, {
    graphs: [{ graphId: 'a', file: join(config, '..', 'a.ts') }],
  });
  t.end();
});

t.test('names unused variables in one line with their replacement, and never with their values', (t) => {
  t.equal(
    ignoredVariablesWarning({ DATABASE_URI: '', LOG_JSON: 'true', LOG_COLOR: 'false', BG_JOB_ISOLATED_LOOPS: 'TRUE' }),
    null,
  );
  const all = IGNORED_VARIABLES.flatMap(({ names }) => names);
  const said = ignoredVariablesWarning(Object.fromEntries(all.map((name) => [name, 'a-value'])))!;
  for (const name of all) t.ok(said.includes(name), name);
  for (const { instead } of IGNORED_VARIABLES) t.ok(said.includes(`(${instead})`), instead);
  t.notMatch(said, /a-value/);
  t.equal(
    ignoredVariablesWarning({ REDIS_URI: 'redis://x' }),
    'these variables of the Agent Server have no effect here: REDIS_URI (all data is stored in the folder of --data)',
  );
  t.end();
});

t.test('serves an image that is configured by its environment', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'data'));
  const server = await childServer(t, {
    dataFolder: join(folder, 'data'),
    config: join(folder, 'langgraph.json'),
    args: ['--insecure'],
    env: {
      LANGSERVE_GRAPHS: JSON.stringify({
        echo: join(ROOT, 'test', 'graphs', 'echo.ts:graph'),
        mirror: join(ROOT, 'test', 'graphs', 'mirror.ts:graph'),
      }),
      LANGGRAPH_HTTP: '{"disable_store":true}',
      LANGGRAPH_SERVER_HOST: '0.0.0.0',
      PORT: '1',
      LANGGRAPH_AUTH_TYPE: 'noop',
      LANGGRAPH_API_URL: 'https://agents.example.com',
      DATABASE_URI: 'postgres://user:a-secret@db/x',
      REDIS_URI: 'redis://:a-secret@cache',
      LOG_LEVEL: 'WARNING',
    },
  });
  t.match(server.url, /^http:\/\/0\.0\.0\.0:\d+$/, 'the host of the environment, the port of the flag');
  const url = server.url.replace('0.0.0.0', '127.0.0.1');
  const answer = await fetch(`${url}/runs/wait`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ assistant_id: 'mirror', input: {} }),
  });
  t.match(await answer.json(), { seen: { metadata: { langgraph_api_url: 'https://agents.example.com' } } });
  t.equal((await fetch(`${url}/store/items?namespace=a&key=b`)).status, 404);
  await server.kill('SIGTERM');
  const lines = server
    .stderr()
    .split('\n')
    .filter((line) => line.includes('have no effect here'));
  t.equal(lines.length, 1);
  t.match(JSON.parse(lines[0]!), { level: 40, msg: /: DATABASE_URI, REDIS_URI \(all data is stored/ });
  t.notMatch(server.stderr(), /a-secret/);
});

t.test('limits the runs of a worker by N_JOBS_PER_WORKER, and still changes states', async (t) => {
  const server = await testServer(t, {
    config: projectOf(t, ['trouble', 'echo'], {}),
    workers: 1,
    env: { N_JOBS_PER_WORKER: '2' },
  });
  const file = join(temporaryFolder(t), 'go');
  const { client } = server;
  const free = await client.threads.create();
  await client.runs.wait(free.thread_id, 'echo', { input: { text: 'before' } });
  const threads = await Promise.all([1, 2, 3].map(() => client.threads.create()));
  const runs = await Promise.all(
    threads.map(({ thread_id: threadId }) =>
      client.runs.create(threadId, 'trouble', { input: { do: 'wait-for-file', file } }),
    ),
  );
  const statuses = async (): Promise<string[]> =>
    (await Promise.all(runs.map((run) => client.runs.get(run.thread_id, run.run_id))))
      .map(({ status }) => status)
      .toSorted();
  while ((await statuses()).filter((status) => status === 'running').length < 2) await new Promise(setImmediate);
  t.strictSame(await statuses(), ['pending', 'running', 'running']);
  await client.threads.updateState(free.thread_id, { values: { text: 'x' } });
  t.match(await client.threads.getState(free.thread_id), { values: { text: 'x' } });
  writeFileSync(file, '');
  await Promise.all(runs.map((run) => client.runs.join(run.thread_id, run.run_id)));
  t.strictSame(await statuses(), ['success', 'success', 'success']);
});
