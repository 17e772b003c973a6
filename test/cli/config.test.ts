import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { serve } from '../../src/cli/commands/serve.js';
import type { EffectiveSetting } from '../../src/config/effective.js';
import { VARIABLES } from '../../src/config/env.js';
import { FILE_KEYS, placesOf } from '../../src/config/keys.js';
import { SETTINGS } from '../../src/config/settings.js';
import { cli, cliProcess } from '../helpers/cli.js';
import { temporaryFolder } from '../helpers/server.js';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`;

t.test('takes each value from the flag, the variable, the file or the default, in that order', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'langgraph.json');
  writeFileSync(
    file,
    JSON.stringify({
      graphs: { agent: './a.ts:g' },
      node_version: '20',
      encryption: { path: './e.ts:e' },
      env: { MODEL_KEY: 'sk-hidden' },
      http: { cors: { allow_origins: ['https://file.example'] }, mount_prefix: '/file' },
      store: { ttl: { default_ttl: 60 } },
      webhooks: { headers: { 'x-hook': 'hidden-too' } },
    }),
  );
  const env = {
    PORT: '7000',
    LANGGRAPH_SERVER_HOST: '127.0.0.2',
    LOG_LEVEL: 'WARN',
    CORS_ALLOW_ORIGINS: 'https://env.example',
    MOUNT_PREFIX: '',
    N_JOBS_PER_WORKER: '',
    LANGGRAPH_STORE: '{"ttl": {"refresh_on_read": false}}',
    THREADMILL_WEBHOOK_SECRET: SECRET,
    THREADMILL_API_KEYS: 'ci=tm-hidden-key-of-many-letters-0123456789',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:hidden@127.0.0.1:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hidden',
    THREADMILL_WATCHDOG_SEC: '1',
  };
  const said = await cli(['config', '--json', '--config', file, '--host', '127.0.0.3', '--workers', '3'], env);
  t.equal(said.code, 0, said.stderr);
  const { settings, warnings } = JSON.parse(said.stdout) as { settings: EffectiveSetting[]; warnings: string[] };
  const of = (name: string): Omit<EffectiveSetting, 'name'> => {
    const { name: _, ...rest } = settings.find((one) => one.name === name)!;
    return rest;
  };
  t.strictSame(of('host'), { value: '127.0.0.3', source: 'flag', place: '--host' });
  t.strictSame(of('workers'), { value: 3, source: 'flag', place: '--workers' });
  t.strictSame(of('port'), { value: 7000, source: 'variable', place: 'PORT' });
  t.strictSame(of('log.level'), { value: 'warn', source: 'variable', place: 'LOG_LEVEL' });
  t.strictSame(of('worker.runs'), { value: 512, source: 'default', place: null }, 'an empty variable counts as none');
  t.strictSame(
    of('http.mount_prefix'),
    { value: '', source: 'variable', place: 'MOUNT_PREFIX' },
    'but this one says that there is no prefix',
  );
  t.strictSame(
    of('http.cors.allow_origins'),
    { value: ['https://file.example'], source: 'file', place: 'http.cors.allow_origins' },
    'here the file goes before the variable',
  );
  t.strictSame(of('store.ttl.refresh_on_read'), {
    value: false,
    source: 'variable',
    place: 'LANGGRAPH_STORE: store.ttl.refresh_on_read',
  });
  t.strictSame(
    of('store.ttl.default_ttl'),
    { value: null, source: 'default', place: null },
    'the variable stands for the whole section',
  );
  t.strictSame(of('graphs'), { value: { agent: `${join(folder, 'a.ts')}:g` }, source: 'file', place: 'graphs' });
  t.strictSame(
    of('data'),
    { value: join(process.cwd(), '.threadmill'), source: 'default', place: null },
    'what commander fills in was said by nobody',
  );
  t.strictSame(of('env'), { value: ['MODEL_KEY'], source: 'file', place: 'env' });
  t.strictSame(of('webhooks.headers').value, ['x-hook']);
  t.strictSame(of('api_keys'), { value: '(set, not shown)', source: 'variable', place: 'THREADMILL_API_KEYS' });
  t.strictSame(of('seal_key'), { value: null, source: 'default', place: null });
  t.equal(of('traces.url').value, 'http://127.0.0.1:4318/v1/traces');
  t.notMatch(said.stdout, /hidden|whsec/);
  t.match(warnings, [/THREADMILL_WATCHDOG_SEC is unknown.*THREADMILL_WATCHDOG_SECS/, /encryption/]);

  const text = await cli(['config', '--config', file, '--all'], env);
  t.equal(text.code, 0);
  t.match(text.stdout, /^port +PORT +7000$/m);
  t.match(text.stdout, /^worker\.runs +default +512$/m);
  t.match(text.stderr, /^warning: the variable THREADMILL_WATCHDOG_SEC is unknown/m);
  t.notMatch(text.stdout + text.stderr, /hidden|whsec/);
  t.notMatch(
    (await cli(['config', '--config', file], env)).stdout,
    /^worker\.runs/m,
    'what holds by default is left out',
  );
});

t.test('refuses what a server would refuse, with the same text', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'a'));
  writeFileSync(join(folder, 'a', 'langgraph.json'), '{"graphs": {"agent": "./a.ts:g"}, "htpp": {}}');
  const file = join(folder, 'a', 'langgraph.json');
  const config = await cli(['config', '--config', file]);
  t.equal(config.code, 1);
  t.match(config.stderr, /htpp: is unknown\. Did you mean "http"\?/);
  t.equal((await cliProcess(['serve', '--config', file])).stderr, config.stderr);
});

t.test('shows every flag, variable and key as one setting', (t) => {
  const names = SETTINGS.map(({ name }) => name);
  t.equal(new Set(names).size, names.length, 'each name once');
  t.strictSame(
    SETTINGS.flatMap(({ flag }) => flag?.long ?? []).toSorted(),
    serve.options.map(({ long }) => long!).toSorted(),
  );

  // Variables that stand for a section of the file are told by the keys in it.
  const sections = [
    'LANGSERVE_GRAPHS',
    'LANGGRAPH_AUTH',
    'LANGGRAPH_STORE',
    'LANGGRAPH_CHECKPOINTER',
    'LANGGRAPH_HTTP',
    'LANGGRAPH_WEBHOOKS',
    'LANGGRAPH_UI',
    'LANGGRAPH_UI_CONFIG',
  ];
  const known = VARIABLES.flatMap(({ names: all, reader }) => (reader.startsWith('src/cli/') ? [] : all)).filter(
    (name) => !sections.includes(name),
  );
  t.strictSame(SETTINGS.flatMap(({ variables }) => variables ?? []).toSorted(), known.toSorted());
  for (const { variables = [], secret } of SETTINGS)
    for (const name of variables)
      t.equal(
        VARIABLES.find((one) => one.names.includes(name))!.secret,
        secret,
        `${name}: a secret in both tables, or in none`,
      );

  const keys = SETTINGS.flatMap(({ key }) => key ?? []);
  const idle =
    /^(\$schema|encryption|node_|dependencies|python_version|pip_|source|keep_pkg_tools|docker|base_image|image_distro|api_version|auth\.openapi|checkpointer\.(serde|path))/;
  for (const place of placesOf(FILE_KEYS, '').filter((one) => !idle.test(one)))
    t.ok(
      keys.some((key) => key === place || key.startsWith(`${place}.`) || place.startsWith(`${key}.`)),
      place,
    );
  for (const key of keys) t.ok(placesOf(FILE_KEYS, '').includes(key), key);
  t.end();
});
