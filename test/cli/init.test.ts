import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { VERSION } from '../../src/base/version.js';
import { FORMAT_VERSION } from '../../src/store/keys.js';
import { childServer } from '../helpers/child-server.js';
import { cli } from '../helpers/cli.js';
import { ROOT, temporaryFolder } from '../helpers/server.js';

/** A folder for the PATH in which `threadmill` is this build. */
function installed(t: Test): string {
  const bin = temporaryFolder(t);
  writeFileSync(
    join(bin, 'threadmill'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'dist/src/main.js')}' "$@"\n`,
    { mode: 0o755 },
  );
  return `${bin}:${process.env['PATH']}`;
}

t.test('creates a project that can be served and whose test passes', async (t) => {
  const folder = join(temporaryFolder(t), 'My Agent');
  const { code, stdout, stderr } = await cli(['init', folder]);
  t.equal(code, 0, stderr);
  t.match(stdout, /^Next: .*npm install && npm run dev\nConsole: http:\/\/127\.0\.0\.1:8123\/console$/m);
  t.match(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), {
    name: 'my-agent',
    scripts: { dev: 'threadmill dev' },
    dependencies: { '@langchain/langgraph': /^\d/, threadmill: VERSION },
  });
  t.strictSame(readdirSync(folder).toSorted(), [
    '.env',
    '.gitignore',
    'README.md',
    'langgraph.json',
    'package.json',
    'src',
    'test',
  ]);
  t.notMatch(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join(''),
    /\{\{\w+\}\}/,
    'no word of a template is left',
  );

  const server = await childServer(t, {
    command: 'dev',
    config: join(folder, 'langgraph.json'),
    dataFolder: join(folder, '.threadmill'),
    env: { LOG_LEVEL: 'warn' },
  });
  const texts: string[] = [];
  for await (const { event, data } of server.client.runs.stream(null, 'agent', {
    input: { messages: [{ role: 'user', content: 'hi' }] },
    streamMode: 'messages-tuple',
  })) {
    if (event === 'messages') texts.push((data as unknown as [{ content: string }])[0].content);
  }
  t.equal(texts.join(''), 'You said "hi". That has 2 characters.');
  t.ok(texts.length > 5, 'word by word');
  t.equal(server.stderr(), '', 'nothing to warn of');
  await server.kill('SIGTERM');

  const test = spawn(process.execPath, ['--test'], {
    cwd: folder,
    env: { PATH: installed(t) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let told = '';
  test.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString();
  });
  test.stderr.on('data', (chunk: Buffer) => {
    told += chunk.toString();
  });
  const [exit] = (await once(test, 'close')) as [number];
  t.equal(exit, 0, told);
  t.match(told, /pass 2\b/);
});

t.test('leaves a folder with one of the files alone without --force', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'graph.ts'), 'mine');
  writeFileSync(join(folder, 'notes.txt'), 'mine too');
  const refused = await cli(['init', folder]);
  t.equal(refused.code, 1);
  t.match(refused.stderr, /already contains src\/graph\.ts.*--force/);
  t.notOk(existsSync(join(folder, 'langgraph.json')), 'nothing was written');
  t.equal((await cli(['init', folder, '--force'])).code, 0);
  t.notMatch(readFileSync(join(folder, 'src', 'graph.ts'), 'utf8'), /mine/);
  t.equal(readFileSync(join(folder, 'notes.txt'), 'utf8'), 'mine too');
});

t.test('shows the versions of the platform and of the LangGraph of graphs', async (t) => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  t.equal((await cli(['--version'])).stdout, `${version}\n`);
  const folder = temporaryFolder(t);
  const own = join(folder, 'node_modules/@langchain/langgraph');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'package.json'), '{"version": "1.2.3"}');
  const { stdout } = await cli(['version', '--json', '--config', join(folder, 'langgraph.json')]);
  t.match(JSON.parse(stdout), {
    threadmill: version,
    node: process.versions.node,
    langgraph: '1.2.3',
    langgraph_folder: own,
    lmdb: /^\d/,
    transport: /^(uws|node)$/,
    data_format: FORMAT_VERSION,
  });
  t.match((await cli(['version'])).stdout, new RegExp(`^threadmill +${version.replaceAll('.', '\\.')}$`, 'm'));
});
