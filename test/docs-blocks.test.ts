import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Client } from '@langchain/langgraph-sdk';
import { build } from 'esbuild';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { parse as parseYaml } from 'yaml';
import { readProject } from '../src/config.js';
import { FIGURES } from '../src/http/metrics.js';
import { asShown, blocksOf, isConfiguration, PAGES, shownJson, type Block, type RunOptions } from './helpers/pages.js';
import { EXAMPLES, ROOT, temporaryFolder, testServer } from './helpers/server.js';

const run = promisify(execFile);

/** Blocks that are not run, or not compared, and why. `begins`: how the block does. */
const LEFT_OUT: readonly { page: string; begins: string; why: string }[] = [
  { page: 'docs/doctor.md', begins: 'threadmill doctor --auth', why: 'needs a project with a handler: test/access/walk.test.ts runs it' },
  { page: 'docs/doctor.md', begins: 'route  ', why: 'what it says of a project with a fault, which test/access/walk.test.ts makes' },
  { page: 'docs/doctor.md', begins: 'threadmill doctor --store', why: 'test/cli/doctor-store.test.ts runs it, on damaged folders too' },
  { page: 'docs/doctor.md', begins: '1 × checksum', why: 'what it says of a damaged folder, which test/cli/doctor-store.test.ts makes' },
  { page: 'docs/errors.md', begins: '{"__error__"', why: 'the answer of a run that lost its worker three times: test/faults/workers.test.ts' },
  { page: 'docs/errors.md', begins: 'id: 1', why: 'the last event of a run that failed: test/contracts/sdk-streams.test.ts' },
  { page: 'docs/errors.md', begins: 'event: error', why: 'a gap needs a run of more than 4 MiB: test/http/joins.test.ts' },
  { page: 'docs/export.md', begins: 'curl -f http://here', why: 'needs two servers: test/evaluation/export.test.ts takes an export to another' },
  { page: 'docs/network.md', begins: 'threadmill serve --tls-cert', why: 'test/http/tls.test.ts serves https' },
  { page: 'docs/network.md', begins: 'openssl req', why: 'test/http/tls.test.ts makes such a certificate, and has clients that trust it' },
  { page: 'docs/operations.md', begins: '{"level":30', why: 'a line of the log, not the answer of the command above it: test/http/log.test.ts' },
  { page: 'docs/state.md', begins: '{\n  "metadata": { "graph_id"', why: 'the body of a request, and not the answer of the one above it' },
  { page: 'docs/streaming.md', begins: 'event: feedback', why: 'test/contracts/feedback-addresses.test.ts; its token is another one every time' },
  { page: 'docs/webhooks.md', begins: 'curl -s http://127.0.0.1:8123/runs ', why: 'would call out; test/webhooks has receivers of its own' },
  { page: 'docs/webhooks.md', begins: '{\n  "run_id"', why: 'what became of a delivery, and not the answer of the code above it: test/webhooks' },
  { page: 'examples/auth-jwt/README.md', begins: 'const keys', why: 'needs an identity provider; two lines of the documents of jose' },
];

/** Pages whose commands another test runs, in a way of its own. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'examples/auth-jwt/README.md': 'access/examples',
  'examples/auth-tokens/README.md': 'access/examples',
};

/** Code that a page shows without what stands around it. */
const AROUND: readonly { page: string; begins: string; before: string }[] = [
  { page: 'docs/store.md', begins: 'export async function embed', before: 'declare function myModel(text: string): Promise<number[]>;\n' },
  { page: 'docs/store.md', begins: 'await config.store', before: 'declare const config: any;\nexport {};\n' },
];

const checked = new Set<string>();
const key = ({ page, code }: Block): string => `${page}\n${code}`;
const tick = (blocks: readonly Block[]): void => { for (const block of blocks) checked.add(key(block)); };
const all = PAGES.flatMap(blocksOf);
const of = (...languages: string[]): Block[] => all.filter(({ language }) => languages.includes(language));
const leftOut = (page: string): Block[] => blocksOf(page).filter(({ code }) => LEFT_OUT.some((one) => one.page === page && code.startsWith(one.begins)));
const scripts = (page: string): Block[] => (Object.hasOwn(ELSEWHERE, page) ? [] : blocksOf(page).filter((block) => (block.language === 'sh' || block.language === 'js') && !leftOut(page).some(({ code }) => code === block.code)));
const RUN = PAGES.filter((page) => scripts(page).length > 0);

/** Pages that make keys, start servers or stop them: each has a server of its own. */
const OWN = RUN.filter((page) => scripts(page).some(({ code }) => /^(?:[A-Z_]+=\S+ )*(?:make run|threadmill (?:serve|dev|keys|compact|restore|doctor))|\(threadmill keys/m.test(code)));

t.test('what pages show is run on one server, and answered as they say', { timeout: 300_000 }, async (t) => {
  const server = await testServer(t, { config: EXAMPLES });
  for (const page of RUN.filter((one) => !OWN.includes(one))) await t.test(page, async (t) => tick(await asShown(t, page, leftOut(page), { url: server.url })));
});

t.test('pages with a server of their own: what they show is run, from the first command to the last', { timeout: 600_000 }, async (t) => {
  t.ok(OWN.includes('docs/quick-start.md') && OWN.includes('docs/operations.md') && OWN.includes('examples/human-in-the-loop/README.md'), OWN.join(', '));
  const old = await testServer(t, { config: join(ROOT, 'examples', 'long-term-memory', 'langgraph.json') });
  const { thread_id: threadId } = await old.client.threads.create({ metadata: { topic: 'tea' } });
  await old.client.runs.wait(threadId, 'barista', { input: { messages: [{ role: 'user', content: 'I like tea.' }] } });
  const { id } = await (await old.post('/api/v1/datasets', { name: 'capitals' })).json() as { id: string };
  await old.post('/api/v1/examples/bulk', [{ dataset_id: id, inputs: { country: 'Norway' }, outputs: { capital: 'Oslo' } }, { dataset_id: id, inputs: { country: 'Portugal' }, outputs: { capital: 'Lisbon' } }]);
  const options: RunOptions = { replace: { 'http://127.0.0.1:2024': old.url } };
  // Most of the time goes by while a server starts.
  t.jobs = 3;
  for (const page of OWN) void t.test(page, { buffered: true }, async (t) => tick(await asShown(t, page, leftOut(page), page.startsWith('examples/take-along') ? options : {})));
});

t.test('copied threads have their state, and go on from it', async (t) => {
  const config = join(ROOT, 'examples', 'long-term-memory', 'langgraph.json');
  const [from, to] = [await testServer(t, { config }), await testServer(t, { config })];
  const { thread_id: threadId } = await from.client.threads.create({ metadata: { topic: 'tea' } });
  await from.client.runs.wait(threadId, 'barista', { input: { messages: [{ role: 'user', content: 'I like tea.' }] } });
  await from.client.threads.create();
  const copy = async (): Promise<string> => (await run(process.execPath, [join(ROOT, 'examples/take-along/copy-threads.mjs')], { env: { ...process.env, FROM: from.url, TO: to.url } })).stdout;
  t.equal(await copy(), '2 threads copied, 0 left alone.\n');
  t.equal(await copy(), '0 threads copied, 0 left alone.\n', 'again: nothing is done twice');
  const texts = async (client: Client): Promise<string[]> => (await client.threads.getState<{ messages: { content: string }[] }>(threadId)).values.messages.map(({ content }) => content);
  t.strictSame(await texts(to.client), await texts(from.client));
  t.match(await to.client.threads.get(threadId), { status: 'idle', metadata: { topic: 'tea', graph_id: 'barista' } });
  await to.client.runs.wait(threadId, 'barista', { input: { messages: [{ role: 'user', content: 'Good morning' }] } });
  t.strictSame((await texts(to.client)).slice(2), ['Good morning', 'What do you like?'], 'items are copied apart');
});

t.test('JSON is JSON, and configurations are read without a word', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, '.env'), '');
  const file = join(folder, 'langgraph.json');
  let configurations = 0;
  for (const block of of('json')) {
    t.doesNotThrow(() => shownJson(block.code), key(block));
    tick([block]);
    if (!isConfiguration(block)) continue;
    configurations += 1;
    writeFileSync(file, block.code);
    t.strictSame(readProject(file, { LG_WEBHOOK_TOKEN: 'x' }).warnings, [], key(block));
  }
  t.ok(configurations > 10, String(configurations));
  t.end();
});

t.test('YAML is YAML, and names figures that there are', (t) => {
  const names = new Set(FIGURES.map(({ name }) => name));
  for (const block of of('yaml')) {
    t.type(parseYaml(block.code), 'object', key(block));
    for (const [name] of block.code.matchAll(/threadmill_[a-z_]+/g)) t.ok(names.has(name.replace(/_bucket$/, '')), name);
    tick([block]);
  }
  t.end();
});

t.test('TypeScript fits its types, and so do the examples', { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const blocks = of('ts', 'tsx').filter(({ page }) => page !== 'docs/auth.md');
  for (const [at, { page, language, code }] of blocks.entries()) {
    mkdirSync(join(folder, String(at)));
    writeFileSync(join(folder, String(at), `block.${language}`), (AROUND.find((one) => one.page === page && code.startsWith(one.begins))?.before ?? '') + code);
  }
  writeFileSync(join(folder, 'styles.d.ts'), 'declare module \'*.css\';\n');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({
    compilerOptions: { target: 'es2022', lib: ['es2023', 'dom'], module: 'esnext', moduleResolution: 'bundler', strict: true, noImplicitAny: false, skipLibCheck: true, noEmit: true, jsx: 'react-jsx', types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')] },
    include: ['*.d.ts', '*/block.*', join(ROOT, 'examples/**/*.ts'), join(ROOT, 'examples/**/*.tsx')],
  }));
  const found = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]).then(() => '', ({ stdout }: { stdout: string }) => stdout);
  t.equal(found, '', blocks.map((block, at) => `${at}: ${block.page}`).join('\n'));
  tick(blocks);
  // test/access/examples.test.ts compares them with the examples, letter for letter.
  tick(blocksOf('docs/auth.md').filter(({ language }) => language === 'ts'));
});

t.test('React components are rendered', async (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [at, block] of of('jsx').entries()) {
    const outfile = join(folder, `chat-${at}.mjs`);
    await build({ stdin: { contents: block.code, loader: 'jsx', resolveDir: ROOT }, outfile, bundle: true, format: 'esm', platform: 'node', packages: 'external', jsx: 'automatic', logLevel: 'silent' });
    const { Chat } = await import(pathToFileURL(outfile).href) as { Chat: FunctionComponent };
    t.type(renderToStaticMarkup(createElement('main', null, createElement(Chat))), 'string', block.page);
    tick([block]);
  }
});

t.test('Python is Python, where there is one to say so', async (t) => {
  for (const block of of('python')) {
    const parsed = run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', block.code]);
    await parsed.then(() => t.pass(block.page), (error: { code?: unknown; stderr?: string }) => { t.equal(error.code, 'ENOENT', `${key(block)}\n${error.stderr}`); });
    tick([block]);
  }
});

t.test('the function of docs/webhooks.md knows what is genuine', async (t) => {
  const [block] = blocksOf('docs/webhooks.md').filter(({ language }) => language === 'js');
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(block!.code)}`) as { isGenuine(headers: Record<string, string>, body: string, secret: string): boolean };
  const secret = `whsec_${Buffer.from('a secret of the receiver').toString('base64')}`;
  const now = new Date();
  const headers = { 'webhook-id': 'msg-1', 'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)), 'webhook-signature': new Webhook(secret).sign('msg-1', now, '{"a":1}') };
  t.equal(isGenuine(headers, '{"a":1}', secret), true);
  t.equal(isGenuine(headers, '{"a":2}', secret), false);
  t.equal(isGenuine({ ...headers, 'webhook-timestamp': '1' }, '{"a":1}', secret), false);
});

t.test('no block of any page is left out in silence', (t) => {
  for (const { page, begins, why } of LEFT_OUT) {
    const found = blocksOf(page).filter(({ code }) => code.startsWith(begins));
    t.ok(found.length > 0 && why.length > 10, `${page}: ${begins}`);
    tick(found);
  }
  for (const page of Object.keys(ELSEWHERE)) tick(blocksOf(page).filter(({ language }) => language === 'sh'));
  for (const block of all) t.ok(checked.has(key(block)), `${block.page}, ${block.language === '' ? 'no language' : block.language}: ${block.code.slice(0, 80)}`);
  t.ok(all.length > 100, String(all.length));
  t.end();
});
