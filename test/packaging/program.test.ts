import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import t from 'tap';
import { graphModules, THREAD_ENTRIES } from '../../packaging/bundle.js';
import { codeCacheFile } from '../../packaging/cached-script.js';
import { BUNDLED_PACKAGES, BUNDLED_PROGRAM, bundledProgramModule } from '../../src/base/program-files.js';
import { cliProcess } from '../helpers/cli.js';
import { ROOT } from '../helpers/server.js';

/** Entries as the pools name them: `threadFile('a/b.js')`, `entry: 'a/b.js'`, `runBackgroundTask<…>('a/b.js'`. */
const ENTRY = /(?:threadFile\(|entry: |runBackgroundTask<[^(]*\()'([\w-]+\/[\w-]+\.js)'/g;

t.test('bundles the entry of every thread', async (t) => {
  const started = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(join(ROOT, 'src', file), 'utf8').matchAll(ENTRY)])
    .map(([, entry]) => `dist/workers/${entry}`);
  t.strictSame([...new Set(started)].sort(), [...THREAD_ENTRIES].sort());
  for (const entry of THREAD_ENTRIES)
    t.ok(existsSync(join(ROOT, BUNDLED_PROGRAM, entry.replace(/^dist\//, ''))), entry);
});

t.test('runs from few files', async (t) => {
  t.equal(bundledProgramModule('cli/program.js'), join(ROOT, BUNDLED_PROGRAM, 'src/cli/program.js'));
  t.equal(bundledProgramModule('cli/none.js'), null);
  const { code, stderr } = await cliProcess(['version'], { NODE_DEBUG: 'esm' });
  t.equal(code, 0, stderr.slice(-500));
  t.match(stderr, `${BUNDLED_PROGRAM}/src/cli/program.js`);
  t.notMatch(stderr, 'dist/src/cli/program.js');
});

t.test('packages for graphs export what their sources do, and V8 accepts their code cache', async (t) => {
  const copies = join(ROOT, BUNDLED_PACKAGES);
  for (const path of graphModules(ROOT)) {
    const [source, copy] = (await Promise.all([import(join(ROOT, path)), import(join(copies, path))])) as object[];
    t.strictSame(Object.keys(copy!).sort(), Object.keys(source!).sort(), path);
  }
  const script = join(copies, 'chunks/graph-packages.cjs');
  const { cachedDataRejected } = new Script(readFileSync(script, 'latin1'), {
    cachedData: readFileSync(codeCacheFile(script)),
  });
  t.equal(cachedDataRejected, false);
});
