import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readConfig, readProject, type Project } from '../../src/config/config.js';
import { childServer } from '../helpers/child-server.js';
import { cli } from '../helpers/cli.js';
import { configWith, temporaryFolder } from '../helpers/server.js';

const GRAPHS = { agent: './a.ts:g' };

t.test('refuses an unknown key with its place and the closest known key', (t) => {
  const file = join(temporaryFolder(t), 'langgraph.json');
  const read = (json: unknown, env: Record<string, string> = {}): Project => {
    writeFileSync(file, JSON.stringify(json));
    return readProject(file, env);
  };
  const bad: [json: object, message: RegExp][] = [
    [
      { graph: GRAPHS },
      /langgraph\.json: graph: is unknown\. Did you mean "graphs"\? Known keys are env, graphs, auth, /,
    ],
    [
      { graphs: { agent: { path: './a.ts:g', descripton: 'x' } } },
      /graphs\.agent\.descripton: is unknown\. Did you mean "description"\?/,
    ],
    [
      { graphs: GRAPHS, auth: { path: './b.ts:auth', disableStudioAuth: true } },
      /auth\.disableStudioAuth: .*"disable_studio_auth"\?/,
    ],
    [
      { graphs: GRAPHS, auth: { path: './b.ts:auth', cache: { cache_key: [] } } },
      /auth\.cache\.cache_key: .*"cache_keys"\?/,
    ],
    [{ graphs: GRAPHS, store: { tll: {} } }, /store\.tll: .*"ttl"\?/],
    [{ graphs: GRAPHS, store: { index: { dim: 3 } } }, /store\.index\.dim: .*"dims"\?/],
    [
      { graphs: GRAPHS, checkpointer: { ttl: { sweep_intervall_minutes: 3 } } },
      /checkpointer\.ttl\.sweep_intervall_minutes: .*"sweep_interval_minutes"\?/,
    ],
    [{ graphs: GRAPHS, http: { mount_perfix: '/a' } }, /http\.mount_perfix: .*"mount_prefix"\?/],
    [
      { graphs: GRAPHS, webhooks: { url: { disable_loopbak: false } } },
      /webhooks\.url\.disable_loopbak: .*"disable_loopback"\?/,
    ],
    [{ graphs: GRAPHS, ui_config: { share: [] } }, /ui_config\.share: .*"shared"\?/],
    [{ graphs: GRAPHS, cors: {} }, /cors: is unknown\. It belongs in http\.cors\. Known keys are/],
    [
      { graphs: GRAPHS, store: { strategy: 'delete' } },
      /store\.strategy: is unknown\. It belongs in checkpointer\.ttl\.strategy, not in store\./,
    ],
    [{ graphs: GRAPHS, quite_another: 1 }, /quite_another: is unknown\. Known keys are/],
    [{ graphs: GRAPHS, http: JSON.parse('{"__proto__": {}}') as object }, /http\.__proto__: is unknown/],
  ];
  for (const [json, message] of bad)
    t.throws(() => read(json), { code: 'CONFIG_INVALID', message }, JSON.stringify(json));
  t.throws(
    () => read({ graphs: GRAPHS }, { LANGGRAPH_HTTP: '{"mount_perfix": "/a"}' }),
    { message: /^LANGGRAPH_HTTP: http\.mount_perfix: / },
    'the variable is named that brought it',
  );
  t.end();
});

t.test(
  'accepts keys for images of the hosted platform silently, and lists other keys without effect in one line',
  (t) => {
    const file = join(temporaryFolder(t), 'langgraph.json');
    const platform = {
      node_version: '20',
      node_loader: 'tsx',
      dependencies: ['.'],
      python_version: '3.12',
      pip_config_file: 'pip.conf',
      pip_installer: 'uv',
      source: { kind: 'uv' },
      keep_pkg_tools: true,
      dockerfile_lines: ['RUN true'],
      docker_compose_file: 'x',
      base_image: 'x',
      image_distro: 'wolfi',
      api_version: '0.4',
      _INTERNAL_docker_tag: 'x',
    };
    writeFileSync(
      file,
      JSON.stringify({
        $schema: 'https://langgra.ph/schema.json',
        graphs: GRAPHS,
        ...platform,
        encryption: { path: './e.ts:e' },
        checkpointer: { serde: {} },
        auth: { path: './b.ts:auth', openapi: {} },
      }),
    );
    const { warnings } = readProject(file);
    t.equal(warnings.length, 1);
    for (const key of Object.keys(platform)) t.notMatch(warnings[0], key);
    for (const key of ['encryption', 'checkpointer.serde', 'auth.openapi'])
      t.match(warnings[0], new RegExp(`[ ,]${key.replace('.', '\\.')}[ ,]`), key);
    t.match(warnings[0], /encryption \(custom encryption handlers are not supported/);
    writeFileSync(file, JSON.stringify({ graphs: GRAPHS, http: {}, env: {}, ...platform }));
    t.strictSame(readProject(file).warnings, []);
    t.end();
  },
);

t.test('reads everything that a variable can set from `env` of the file, below the environment of the process', (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'langgraph.json');
  const settings = {
    PORT: '7001',
    MOUNT_PREFIX: '/from-file',
    LANGGRAPH_CONFIG: JSON.stringify({ agent: { configurable: { tone: 'kind' } } }),
    LANGGRAPH_HTTP: JSON.stringify({ disable_mcp: true }),
    THREADMILL_NO_SUCH_THING: '1',
  };
  const read = (env: NodeJS.ProcessEnv): unknown => {
    const { port, api, assistantDefaults, warnings } = readConfig({ config: file }, env);
    return { port, prefix: api.mountPrefix, mcp: api.disabled.has('mcp'), defaults: assistantDefaults, warnings };
  };
  writeFileSync(file, JSON.stringify({ graphs: GRAPHS }));
  const expected = read(settings);
  t.match(expected, { port: 7001, prefix: '/from-file', mcp: true, warnings: [/THREADMILL_NO_SUCH_THING/] });
  writeFileSync(file, JSON.stringify({ graphs: GRAPHS, env: settings }));
  t.strictSame(read({}), expected, 'a map');
  t.match(
    read({ PORT: '7002', MOUNT_PREFIX: '' }),
    { port: 7002, prefix: '', mcp: true },
    'the process takes precedence',
  );
  writeFileSync(
    join(folder, '.env'),
    Object.entries(settings)
      .map(([name, text]) => `${name}='${text}'\n`)
      .join(''),
  );
  writeFileSync(file, JSON.stringify({ graphs: GRAPHS, env: '.env' }));
  t.strictSame(read({}), expected, 'a file');
  t.match(readProject(file, {}).api.disabled.has('mcp'), true, 'a reload reads it too');
  t.end();
});

t.test('warns about an unknown THREADMILL variable with the closest known one', async (t) => {
  const config = configWith(t, 'echo');
  t.strictSame(
    readConfig(
      { config },
      { THREADMILL_WEBHOK_SECRET: 'x', THREADMILL_ENTIRELY_ELSE: '1', THREADMILL_WATCHDOG_SECS: '3', OTHER: 'x' },
    ).warnings,
    [
      'the variable THREADMILL_ENTIRELY_ELSE is unknown and has no effect.',
      'the variable THREADMILL_WEBHOK_SECRET is unknown and has no effect. Did you mean THREADMILL_WEBHOOK_SECRET?',
    ],
  );
  const server = await childServer(t, {
    config,
    dataFolder: temporaryFolder(t),
    env: { LOG_LEVEL: 'warn', THREADMILL_WORKER_HEAP: '300', LANGSERVE_GRAPHS: '' },
  });
  t.match(server.stderr(), /THREADMILL_WORKER_HEAP is unknown.*THREADMILL_WORKER_HEAP_MB\?/);
});

t.test('names an invalid value with its flag or variable and what is allowed', (t) => {
  const config = configWith(t, 'echo');
  for (const [flags, env, message] of [
    [{ port: '65536' }, {}, /^--port: must be a whole number from 0 to 65535; got "65536"\.$/],
    [{ workers: '0' }, {}, /^--workers: must be a whole number from 1 to 256; got "0"\.$/],
    [{}, { N_JOBS_PER_WORKER: '513' }, /^N_JOBS_PER_WORKER: must be a whole number from 1 to 512; got "513"\.$/],
    [
      {},
      { THREADMILL_MAX_CONNECTIONS: 'many' },
      /^THREADMILL_MAX_CONNECTIONS: must be a whole number from 1 to 10000000; got "many"\.$/,
    ],
    [{}, { BG_JOB_TIMEOUT_SECS: '-1' }, /^BG_JOB_TIMEOUT_SECS: must be a number of seconds above 0; got "-1"\.$/],
    [{}, { LOG_LEVEL: 'loud' }, /^LOG_LEVEL: must be one of trace, .*; got "loud"\.$/],
  ] as const)
    t.throws(() => readConfig({ config, ...flags }, env), { code: 'CONFIG_INVALID', message });
  t.end();
});

t.test('refuses an unknown command or flag with the closest known one', async (t) => {
  for (const [args, message] of [
    [['serv'], /unknown command 'serv'\n\(Did you mean serve\?\)/],
    [['serve', '--prot', '80'], /unknown option '--prot'\n\(Did you mean --port\?\)/],
    [['keys', 'lst'], /unknown command 'lst'\n\(Did you mean list\?\)/],
  ] as const) {
    const { code, stderr } = await cli(args);
    t.equal(code, 1);
    t.match(stderr, message);
  }
});
