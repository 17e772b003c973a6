import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import t from 'tap';
import { VERSION } from '../../src/base/version.js';
import { servesConsole } from '../helpers/console-files.js';
import { ROOT } from '../helpers/server.js';
import { machine } from './copied.js';

const GRAPH = `
import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { word } from './word';

enum Tone { Loud }

export const graph = new StateGraph(MessagesAnnotation)
  .addNode('say', (state) => ({ messages: [new AIMessage(\`\${word} \${Tone[0]} \${state.messages.at(-1)?.text}\`)] }))
  .addEdge(START, 'say')
  .addEdge('say', END)
  .compile();
`;

const ROWS = [1, 2, 3]
  .map((at) =>
    JSON.stringify({
      inputs: { question: `q${at}` },
      actual_outputs: { answer: at },
      evaluation_scores: [{ key: 'correct', score: at % 2 }],
    }),
  )
  .join('\n');

t.test(
  'serves a TypeScript graph without Node and writes only to its data and cache',
  { timeout: 240_000 },
  async (t) => {
    const { home, project, run, start, paths } = await machine(t);
    writeFileSync(join(project, 'langgraph.json'), JSON.stringify({ graphs: { parrot: './graph.ts:graph' } }));
    writeFileSync(join(project, 'graph.ts'), GRAPH);
    writeFileSync(join(project, 'word.ts'), 'export const word: string = "You said";\n');
    writeFileSync(join(project, 'rows.jsonl'), ROWS);
    const before = paths();

    const server = start(['serve', '--port', '0', '--workers', '1'], { LOG_LEVEL: 'warn' });
    const url = await server.says(/Threadmill at (\S+) hosts parrot/);
    const client = new Client({ apiUrl: url, apiKey: null });
    const thread = await client.threads.create();
    const events = [];
    for await (const { event, data } of client.runs.stream(thread.thread_id, 'parrot', {
      input: { messages: [{ role: 'user', content: 'hello' }] },
      streamMode: 'updates',
    }))
      events.push({ event, data });
    t.match(events, [
      { event: 'metadata' },
      { event: 'updates', data: { say: { messages: [{ type: 'ai', content: 'You said Loud hello' }] } } },
    ]);
    const { values } = await client.threads.getState<{ messages: unknown[] }>(thread.thread_id);
    t.equal(values.messages.length, 2);

    // Read out of types, which are those inside the file.
    const [assistant] = await client.assistants.search();
    t.match(await client.assistants.getSchemas(assistant!.assistant_id), {
      input_schema: { properties: { messages: { type: 'array' } } },
    });
    for (const path of ['/docs', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/openapi.json', '/metrics'])
      t.equal((await fetch(`${url}${path}`)).status, 200, path);
    await servesConsole(t, url);

    const uploaded = await run([
      'upload',
      'rows.jsonl',
      '--url',
      url,
      '--dataset',
      'questions',
      '--experiment',
      'monday',
      '--json',
    ]);
    t.equal(uploaded.code, 0, uploaded.stderr);
    t.match(JSON.parse(uploaded.stdout), { experiment: { name: 'monday' } });
    const compared = await run(['compare', 'monday', 'nobody', '--url', url]);
    t.equal(compared.code, 3, 'no such experiment');

    server.process.kill('SIGTERM');
    t.match(await server.ended, { code: 0, stderr: '' });

    const looked = await run(['doctor', '--store', '--json']);
    t.equal(looked.code, 0, looked.stdout);
    t.equal((await run(['backup', 'saved.backup', '--data', '.threadmill'])).code, 0);

    const written = paths().filter(
      (path) => !before.includes(path) && !/^project\/(\.threadmill\/|saved\.backup$)/.test(path),
    );
    t.strictSame(
      written.filter((path) => !path.startsWith('home/.cache/threadmill/')),
      ['home/.cache/'],
    );
    t.ok(existsSync(join(home, '.cache', 'threadmill')));
  },
);

t.test('contains the licenses of everything inside', { timeout: 240_000 }, async (t) => {
  const { home, run } = await machine(t);
  t.equal((await run(['--version'])).code, 0);
  const cache = join(home, '.cache', 'threadmill');
  const tree = join(cache, readdirSync(cache)[0]!);
  const text = readFileSync(join(tree, 'THIRD-PARTY.txt'), 'utf8');
  for (const part of [
    `Node.js ${process.versions.node}`,
    'BoringSSL',
    'LSQUIC',
    'The Go runtime',
    'OpenLDAP',
    '@ts-morph/common ',
    'prom-client ',
    'swagger-ui-dist ',
    'commander ',
  ])
    t.ok(text.includes(part), part);
  const packages = readdirSync(join(tree, 'node_modules')).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(tree, 'node_modules', name)).map((one) => `${name}/${one}`) : [name],
  );
  t.ok(packages.length > 20, `${packages.length} packages`);
  for (const name of packages) t.match(text, new RegExp(`^${name.replace('.', '\\.')} \\d|^uws-pack \\d`, 'm'), name);
});

t.test('uses the LangGraph of the project, if it has one', { timeout: 240_000 }, async (t) => {
  const { project, start } = await machine(t);
  writeFileSync(join(project, 'langgraph.json'), JSON.stringify({ graphs: { parrot: './graph.ts:graph' } }));
  writeFileSync(join(project, 'graph.ts'), GRAPH);
  writeFileSync(join(project, 'word.ts'), 'export const word = process.env["COPY"];\n');
  const packages = join(project, 'node_modules');
  mkdirSync(join(packages, '@langchain'), { recursive: true });
  cpSync(join(ROOT, 'node_modules/@langchain/langgraph'), join(packages, '@langchain/langgraph'), {
    recursive: true,
    filter: (path) => !/\.(map|cts|cjs)$/.test(path),
  });
  for (const name of [
    '@langchain/core',
    '@langchain/langgraph-checkpoint',
    '@langchain/langgraph-sdk',
    '@langchain/protocol',
    '@standard-schema',
    'zod',
  ])
    symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  const index = join(packages, '@langchain/langgraph/dist/index.js');
  writeFileSync(index, `process.env['COPY'] = 'From my own copy:';\n${readFileSync(index, 'utf8')}`);

  const server = start(['serve', '--port', '0', '--workers', '1'], { LOG_LEVEL: 'warn' });
  const client = new Client({ apiUrl: await server.says(/Threadmill at (\S+)/), apiKey: null });
  t.match(await client.runs.wait(null, 'parrot', { input: { messages: [{ role: 'user', content: 'hello' }] } }), {
    messages: [{}, { content: 'From my own copy: Loud hello' }],
  });
});

t.test('runs the demo without a folder, with its sample and suggested command', { timeout: 240_000 }, async (t) => {
  const { project, start, temporary } = await machine(t);
  const demo = start(['demo', '--port', '0']);
  await demo.says(/Press Ctrl-C to stop/);
  t.equal(readdirSync(temporary).length, 1, 'its data');
  const [, url] = /^Threadmill at (\S+) /m.exec(demo.said())!;
  const [, tryIt] = /^ *Try it +(curl .+)$/m.exec(demo.said())!;
  const { stdout } = spawnSync('sh', ['-c', `${tryIt} -w '\\nHTTP %{http_code}\\n'`], { encoding: 'utf8' });
  t.match(stdout, /^event: values$/m);
  t.match(stdout, /^HTTP 200$/m);
  const post = async (path: string): Promise<{ status: string }[]> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    return (await response.json()) as { status: string }[];
  };
  t.ok((await post('/threads/search')).some(({ status }) => status === 'interrupted'));
  t.equal(((await (await fetch(`${url}/api/v1/datasets`)).json()) as object[]).length, 1);
  t.equal((await fetch(`${url}/console/datasets`)).status, 200);
  demo.process.kill('SIGINT');
  t.equal((await demo.ended).code, 0);
  t.strictSame([readdirSync(temporary), readdirSync(project)], [[], []], 'nothing is left');
});

t.test('handles signals and exits like node', { timeout: 240_000 }, async (t) => {
  const { home, project, run, start } = await machine(t);
  t.match(await run(['--version']), { code: 0, stdout: `${VERSION}\n`, stderr: '' });
  t.match(await run(['serve', '--nonsense']), { code: 1, stderr: /unknown option/ });
  t.match(await run(['serve']), { code: 1, stderr: /langgraph\.json: the file does not exist/ });
  writeFileSync(
    join(home, 'hook.cjs'),
    'process.stderr.write(`hooked ${require("node:worker_threads").isMainThread}\\n`);\n',
  );
  t.match(await run(['--version'], { NODE_OPTIONS: `--require=${join(home, 'hook.cjs')}` }), {
    code: 0,
    stderr: 'hooked true\n',
  });

  writeFileSync(join(project, 'langgraph.json'), JSON.stringify({ graphs: { broken: './broken.ts:graph' } }));
  writeFileSync(join(project, 'broken.ts'), 'export const graph = (;\n');
  t.match(await run(['serve', '--port', '0']), { code: 1, stderr: /broken\.ts:1/ });
  writeFileSync(join(project, 'broken.ts'), 'export const graph = undefined;\nwhile (true) {}\n');
  const stuck = start(['serve', '--port', '0']);
  setTimeout(() => stuck.process.kill('SIGKILL'), 500);
  t.equal((await stuck.ended).code, null, 'by a signal');
});
