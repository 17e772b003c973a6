import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { parse as parseYaml } from 'yaml';
import { readProject } from '../src/config/config.js';
import { METRIC_SPECS } from '../src/http/monitoring/metrics.js';
import { ELSEWHERE, LEFT_OUT, OWN, SHARED, stepsOf } from './helpers/page-steps.js';
import { asShown, blocksOf, isConfiguration, PAGES, shownJson, type Block } from './helpers/pages.js';
import { EXAMPLES, ROOT, temporaryFolder, testServer } from './helpers/server.js';

const run = promisify(execFile);

/** Code that a page shows without what stands around it. */
const AROUND: readonly { page: string; begins: string; before: string }[] = [
  {
    page: 'docs/store.md',
    begins: 'export async function embed',
    before: 'declare function myModel(text: string): Promise<number[]>;\n',
  },
  { page: 'docs/store.md', begins: 'await config.store', before: 'declare const config: any;\nexport {};\n' },
];

const checked = new Set<string>();
const key = ({ page, code }: Block): string => `${page}\n${code}`;
const tick = (blocks: readonly Block[]): void => {
  for (const block of blocks) checked.add(key(block));
};
const all = PAGES.flatMap(blocksOf);
const of = (...languages: string[]): Block[] => all.filter(({ language }) => languages.includes(language));

t.test('runs the commands of pages on one server, with the shown responses', { timeout: 280_000 }, async (t) => {
  const server = await testServer(t, { config: EXAMPLES });
  for (const page of SHARED) await t.test(page, async (t) => asShown(t, page, stepsOf(page), { url: server.url }));
});

t.test('parses JSON and accepts configurations without warnings', (t) => {
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
    const { warnings } = readProject(file, { LG_WEBHOOK_TOKEN: 'x' });
    // Where one comes from another server, keys of that one may stand that are ignored here.
    t.strictSame(
      block.page.startsWith('docs/migration-')
        ? warnings.filter((text) => !text.startsWith('these keys have no effect here'))
        : warnings,
      [],
      key(block),
    );
  }
  t.ok(configurations > 10, String(configurations));
  t.end();
});

t.test('parses YAML with known metrics', (t) => {
  const names = new Set(METRIC_SPECS.map(({ name }) => name));
  for (const block of of('yaml')) {
    t.type(parseYaml(block.code), 'object', key(block));
    for (const [name] of block.code.matchAll(/threadmill_[a-z_]+/g))
      t.ok(names.has(name.replace(/_bucket$/, '')), name);
    tick([block]);
  }
  t.end();
});

t.test('compiles TypeScript and the examples', { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const blocks = of('ts', 'tsx').filter(({ page }) => page !== 'docs/auth.md');
  for (const [at, { page, language, code }] of blocks.entries()) {
    mkdirSync(join(folder, String(at)));
    writeFileSync(
      join(folder, String(at), `block.${language}`),
      (AROUND.find((one) => one.page === page && code.startsWith(one.begins))?.before ?? '') + code,
    );
  }
  writeFileSync(join(folder, 'styles.d.ts'), "declare module '*.css';\n");
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        lib: ['es2023', 'dom'],
        module: 'esnext',
        moduleResolution: 'bundler',
        strict: true,
        noImplicitAny: false,
        skipLibCheck: true,
        noEmit: true,
        jsx: 'react-jsx',
        types: ['node'],
        typeRoots: [join(ROOT, 'node_modules', '@types')],
      },
      include: ['*.d.ts', '*/block.*', join(ROOT, 'examples/**/*.ts'), join(ROOT, 'examples/**/*.tsx')],
    }),
  );
  const found = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  t.equal(found, '', blocks.map((block, at) => `${at}: ${block.page}`).join('\n'));
  tick(blocks);
  // test/access/examples.test.ts compares them with the examples, letter for letter.
  tick(blocksOf('docs/auth.md').filter(({ language }) => language === 'ts'));
});

t.test('renders React components', async (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [at, block] of of('jsx').entries()) {
    const outfile = join(folder, `chat-${at}.mjs`);
    await build({
      stdin: { contents: block.code, loader: 'jsx', resolveDir: ROOT },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      jsx: 'automatic',
      logLevel: 'silent',
    });
    const { Chat } = (await import(pathToFileURL(outfile).href)) as { Chat: FunctionComponent };
    t.type(renderToStaticMarkup(createElement('main', null, createElement(Chat))), 'string', block.page);
    tick([block]);
  }
});

t.test('parses Python, if it is installed', async (t) => {
  for (const block of of('python')) {
    const parsed = run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', block.code]);
    await parsed.then(
      () => t.pass(block.page),
      (error: { code?: unknown; stderr?: string }) => {
        t.equal(error.code, 'ENOENT', `${key(block)}\n${error.stderr}`);
      },
    );
    tick([block]);
  }
});

t.test('verifies webhooks with the function of docs/webhooks.md', async (t) => {
  const [block] = blocksOf('docs/webhooks.md').filter(({ language }) => language === 'js');
  const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(block!.code)}`)) as {
    isGenuine(headers: Record<string, string>, body: string, secret: string): boolean;
  };
  const secret = `whsec_${Buffer.from('a secret of the receiver').toString('base64')}`;
  const now = new Date();
  const headers = {
    'webhook-id': 'msg-1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('msg-1', now, '{"a":1}'),
  };
  t.equal(isGenuine(headers, '{"a":1}', secret), true);
  t.equal(isGenuine(headers, '{"a":2}', secret), false);
  t.equal(isGenuine({ ...headers, 'webhook-timestamp': '1' }, '{"a":1}', secret), false);
});

t.test('checks or lists every block of every page', (t) => {
  for (const { page, begins, why } of LEFT_OUT) {
    const found = blocksOf(page).filter(({ code }) => code.startsWith(begins));
    t.ok(found.length > 0 && why.length > 10, `${page}: ${begins}`);
    tick(found);
  }
  // The pages of OWN are run by test/docs-servers.test.ts.
  for (const { script, answer } of [...SHARED, ...OWN].flatMap(stepsOf))
    tick(answer === null ? [script] : [script, answer]);
  for (const page of Object.keys(ELSEWHERE)) tick(blocksOf(page).filter(({ language }) => language === 'sh'));
  for (const block of all)
    t.ok(
      checked.has(key(block)),
      `${block.page}, ${block.language === '' ? 'no language' : block.language}: ${block.code.slice(0, 80)}`,
    );
  t.ok(all.length > 100, String(all.length));
  t.end();
});
