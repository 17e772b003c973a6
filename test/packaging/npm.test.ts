import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@langchain/langgraph-sdk';
import t, { type Test } from 'tap';
import { withDependencies } from '../../packaging/packages.js';
import { servesConsole } from '../helpers/console-files.js';
import { ROOT, temporaryFolder } from '../helpers/server.js';
import { started } from './copied.js';

const run = promisify(execFile);

/** The package's file, as `npm pack` makes it of this build, and what is in it. */
const packed = pack(temporaryFolder(t));

async function pack(folder: string): Promise<{ file: string; paths: string[] }> {
  await run(process.execPath, [join(ROOT, 'dist/packaging/static.js')]);
  await run(process.execPath, [join(ROOT, 'dist/packaging/native.js'), '--all']);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: ROOT });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  return { file: join(folder, filename), paths: files.map(({ path }) => path) };
}

t.test('leaves binaries alone that servers have mapped into memory', async (t) => {
  await packed;
  const binary = join(ROOT, 'dist/native', `uws_${process.platform}_${process.arch}_115.node`);
  const { ino, mtimeMs } = statSync(binary);
  await run(process.execPath, [join(ROOT, 'dist/packaging/native.js')]);
  t.match(statSync(binary), { ino, mtimeMs });
});

t.test('contains what it needs and nothing else', { timeout: 120_000 }, async (t) => {
  const { paths } = await packed;
  const allowed = [
    /^templates\/init\//,
    /^dist\/(src|workers)\/.+\.js$/,
    /^dist\/schemas\/(compiled\/(schemas|types|validators)|validator)\.js$/,
    /^dist\/static\/swagger-ui-dist\/[^/]+$/,
    /^dist\/static\/console\/[^/]+$/,
    /^dist\/native\/uws_(linux_x64|linux_arm64|darwin_x64|darwin_arm64|win32_x64)_(115|127|137)\.node$/,
    /^examples\/(langgraph\.json|(echo|subgraphs|tools-agent)\/[\w-]+\.ts)$/,
    /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  ];
  t.strictSame(
    paths.filter((path) => !allowed.some((one) => one.test(path))),
    [],
  );
  t.equal(paths.filter((path) => path.startsWith('dist/native/')).length, 15);
  for (const one of allowed)
    t.ok(
      paths.some((path) => one.test(path)),
      String(one),
    );
  const { graphs } = JSON.parse(readFileSync(join(ROOT, 'examples/langgraph.json'), 'utf8')) as {
    graphs: Record<string, { path: string }>;
  };
  for (const { path } of Object.values(graphs)) t.ok(paths.includes(join('examples', path.split(':')[0]!)), path);
});

t.test('serves a project with only the packages that it names', { timeout: 120_000 }, async (t) => {
  const { file } = await packed;
  const project = temporaryFolder(t);
  const modules = join(project, 'node_modules');
  const ours = join(modules, 'threadmill');
  mkdirSync(ours, { recursive: true });
  await run('tar', ['-xzf', file, '-C', ours, '--strip-components=1']);
  const { dependencies } = JSON.parse(readFileSync(join(ours, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const folder of withDependencies(ROOT, Object.keys(dependencies))) {
    // Those below another package come with it.
    if (folder.lastIndexOf('node_modules/') > 0) continue;
    mkdirSync(dirname(join(project, folder)), { recursive: true });
    symlinkSync(join(ROOT, folder), join(project, folder));
  }
  await serves(t, project, [join(ours, 'dist/src/main.js')]);
});

t.test('installs into an empty project and serves', { timeout: 290_000 }, async (t) => {
  const { file } = await packed;
  const project = temporaryFolder(t);
  writeFileSync(join(project, 'package.json'), '{"private": true}');
  const { stderr } = await run(
    'npm',
    ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', file],
    { cwd: project },
  );
  // npm itself complains of settings of this machine.
  t.strictSame(
    stderr.split('\n').filter((line) => line.includes('warn') && !line.includes('Unknown user config')),
    [],
    'installing warns of nothing',
  );
  await serves(t, project, [join(project, 'node_modules/.bin/threadmill')]);
});

t.test('a project of init runs with npm install and npm run dev', { timeout: 290_000 }, async (t) => {
  const { file } = await packed;
  const project = join(temporaryFolder(t), 'agent');
  await run(process.execPath, [join(ROOT, 'dist/src/main.js'), 'init', project]);
  // The registry may not have this version yet: its file takes the place of the dependency.
  await run('npm', ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', file], {
    cwd: project,
  });
  const server = started(
    t,
    'npm',
    ['run', '--silent', 'dev', '--', '--port', '0', '--workers', '1'],
    { PATH: process.env['PATH']!, LOG_LEVEL: 'warn' },
    project,
  );
  const client = new Client({ apiUrl: await server.says(/Threadmill at (\S+)/), apiKey: null });
  t.match(await client.runs.wait(null, 'agent', { input: { messages: [{ role: 'user', content: 'hi' }] } }), {
    messages: [{}, { content: 'You said "hi". That has 2 characters.' }],
  });
  // npm does not pass signals on: the lock of the data folder has the id of the server's process.
  process.kill(Number.parseInt(readFileSync(join(project, '.threadmill', 'lock'), 'utf8'), 10), 'SIGTERM');
  t.equal((await server.ended).code, 0);
});

async function serves(t: Test, project: string, command: string[]): Promise<void> {
  writeFileSync(join(project, 'langgraph.json'), '{"graphs": {"echo": "./graph.ts:graph"}}');
  writeFileSync(join(project, 'graph.ts'), readFileSync(join(ROOT, 'examples/echo/graph.ts')));
  const server = started(
    t,
    process.execPath,
    [...command, 'serve', '--port', '0', '--workers', '1'],
    { PATH: process.env['PATH']!, LOG_LEVEL: 'warn' },
    project,
  );
  const url = await server.says(/Threadmill at (\S+)/);
  const client = new Client({ apiUrl: url, apiKey: null });
  t.match(await client.runs.wait(null, 'echo', { input: { messages: [{ role: 'user', content: 'hello' }] } }), {
    messages: [{}, { content: 'You said: hello' }],
  });
  t.equal((await fetch(`${url}/docs/swagger-ui-bundle.js`)).status, 200);
  await servesConsole(t, url);
  const [assistant] = await client.assistants.search();
  t.match(await client.assistants.getSchemas(assistant!.assistant_id), {
    input_schema: { properties: { messages: {} } },
  });
  server.process.kill('SIGTERM');
  t.equal((await server.ended).code, 0);
}
