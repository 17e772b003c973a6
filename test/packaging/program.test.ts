import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import t from 'tap';
import { graphModules } from '../../packaging/bundle.js';
import { codeCacheFile } from '../../packaging/cached-script.js';
import { SCRIPT_ENDING, THREAD_ENTRIES } from '../../packaging/program-scripts.js';
import { BUNDLED_PACKAGES, BUNDLED_PROGRAM, bundledProgramModule } from '../../src/base/program-files.js';
import { cliProcess } from '../helpers/cli.js';
import { ROOT } from '../helpers/server.js';

/** Entries as the pools name them: `threadFile('a/b')`, `runBackgroundTask<…>('a/b'`. */
const ENTRY = /(?:threadFile\(|runBackgroundTask<[^(]*\()'([\w-]+\/[\w-]+)'/g;

const PROGRAM = join(ROOT, BUNDLED_PROGRAM);

/** Whether V8 accepts the code cache of a script. */
function acceptsCache(script: string): boolean {
  const { cachedDataRejected } = new Script(readFileSync(script, 'latin1'), {
    cachedData: readFileSync(codeCacheFile(script)),
  });
  return cachedDataRejected === false;
}

t.test('bundles the entry of every thread', async (t) => {
  const started = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(join(ROOT, 'src', file), 'utf8').matchAll(ENTRY)])
    .map(([, entry]) => `dist/workers/${entry}.js`);
  t.strictSame([...new Set(started)].sort(), [...THREAD_ENTRIES].sort());
  for (const entry of THREAD_ENTRIES)
    t.ok(existsSync(join(PROGRAM, entry.replace(/^dist\//, '').replace(/js$/, 'cjs'))), entry);
});

t.test('runs as scripts whose code caches V8 accepts', async (t) => {
  t.equal(bundledProgramModule('cli/program'), join(PROGRAM, 'src/cli/program.cjs'));
  t.equal(bundledProgramModule('cli/none'), null);
  for (const used of ['src/cli/program', 'workers/graph/run-graph', 'workers/evaluation/serve', 'workers/types/serve'])
    t.ok(acceptsCache(join(PROGRAM, used + SCRIPT_ENDING)), used);
  const { code, stderr } = await cliProcess(['version'], { NODE_DEBUG: 'esm,module' });
  t.equal(code, 0, stderr.slice(-500));
  t.match(stderr, `${BUNDLED_PROGRAM}/src/cli/program.cjs`);
  t.notMatch(stderr, 'dist/src/cli/program.js');
});

t.test('sets flags that V8 knows', async (t) => {
  const { code, stderr } = await cliProcess(['version']);
  t.equal(code, 0);
  t.equal(stderr, '');
});

t.test('packages for graphs export what their sources do, and V8 accepts their code cache', async (t) => {
  const copies = join(ROOT, BUNDLED_PACKAGES);
  for (const path of graphModules(ROOT)) {
    const [source, copy] = (await Promise.all([import(join(ROOT, path)), import(join(copies, path))])) as object[];
    t.strictSame(Object.keys(copy!).sort(), Object.keys(source!).sort(), path);
  }
  t.ok(acceptsCache(join(copies, 'chunks/graph-packages.cjs')));
});
