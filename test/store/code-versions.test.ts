import { randomBytes } from 'node:crypto';
import t, { type Test } from 'tap';
import { LIMITS, MiB } from '../../src/base/limits.js';
import type { CodeVersionRecord, UsedCode } from '../../src/store/code-versions.js';
import { dataFile } from '../../src/store/files/data-file.js';
import { checkStore, type Finding } from '../../src/store/files/check/check-store.js';
import { PageFile } from '../../src/store/files/page-file.js';
import { keys } from '../../src/store/keys.js';
import { Commit } from '../../src/store/store.js';
import { openStores, type Stores } from '../../src/store/stores.js';
import { temporaryFolder } from '../helpers/server.js';

const codeOf = (hash: string, graphIds: string[], bundle: Uint8Array = Buffer.from(`// ${hash}`)): UsedCode => ({
  hash,
  graphs: graphIds.map((graphId) => ({ graphId, file: `${graphId}.ts`, exportName: 'graph' })),
  root: '/project',
  folder: '/project/.threadmill/cache',
  imports: [],
  packages: ['@langchain/langgraph@1.2.3'],
  libraryVersion: '1.2.3',
  bundle,
});

async function use(
  { store, codeVersions }: Stores,
  used: UsedCode[],
  { parked = [], ...limits }: { nowMs: number; keep: number; parked?: string[] },
): Promise<CodeVersionRecord[]> {
  const commit = new Commit();
  const kept = codeVersions.use(commit, used, { ...limits, parked: () => new Set(parked) });
  await store.write(commit);
  return kept;
}

const open = (t: Test): Stores => {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  return stores;
};

const hashes = (records: CodeVersionRecord[]): string[] => records.map(({ hash }) => hash);

t.test('keeps a bundle as it is, and when it was first and last used', async (t) => {
  const stores = open(t);
  const bundle = Buffer.from('export const graph = 1;\n'.repeat(1_000));
  await use(stores, [codeOf('one', ['agent'], bundle)], { nowMs: 1, keep: 20 });
  await use(stores, [codeOf('one', ['agent', 'other'], bundle)], { nowMs: 9, keep: 20 });
  const [record, ...others] = stores.codeVersions.list();
  t.same(others, []);
  t.match(record, { hash: 'one', firstUsedMs: 1, lastUsedMs: 9, packages: ['@langchain/langgraph@1.2.3'] });
  t.same(
    record!.graphs.map(({ graphId }) => graphId),
    ['agent', 'other'],
    'graphs of one file share their code',
  );
  t.ok(record!.bytes < bundle.byteLength / 10, 'it is compressed');
  t.ok(bundle.equals(stores.codeVersions.load('one')!.bundle));
  t.equal(stores.codeVersions.load('two'), undefined);
});

t.test('keeps the last used versions of each graph', async (t) => {
  const stores = open(t);
  for (const [at, hash] of ['one', 'two', 'three'].entries())
    await use(stores, [codeOf(hash, ['agent'])], { nowMs: at, keep: 2 });
  await use(stores, [codeOf('else', ['other'])], { nowMs: 4, keep: 2 });
  t.same(hashes(stores.codeVersions.list()), ['else', 'three', 'two']);
  t.equal(stores.store.get(keys.codeBundle('one')), undefined, 'its bundle is gone as well');
  await use(stores, [codeOf('two', ['agent'])], { nowMs: 5, keep: 2 });
  const kept = await use(stores, [codeOf('four', ['agent'])], { nowMs: 6, keep: 2 });
  t.same(hashes(kept), ['four', 'two', 'else'], 'a version that is used again is not the oldest');
  t.same(hashes(stores.codeVersions.list()), hashes(kept));
});

t.test('keeps versions that threads wait with beyond the number', async (t) => {
  const stores = open(t);
  await use(stores, [codeOf('one', ['agent'])], { nowMs: 1, keep: 1 });
  const kept = await use(stores, [codeOf('two', ['agent'])], { nowMs: 2, keep: 1, parked: ['one', 'gone'] });
  t.same(hashes(kept), ['two', 'one']);
  t.same(hashes(await use(stores, [codeOf('three', ['agent'])], { nowMs: 3, keep: 1, parked: ['one'] })), [
    'three',
    'one',
  ]);
  t.same(hashes(await use(stores, [codeOf('three', ['agent'])], { nowMs: 4, keep: 1 })), ['three']);
});

t.test('bounds the size of all versions', async (t) => {
  const stores = open(t);
  const large = (): Buffer => randomBytes(20 * MiB);
  for (const [at, hash] of ['one', 'two', 'three', 'four'].entries())
    await use(stores, [codeOf(hash, [hash], large())], { nowMs: at, keep: 20 });
  t.same(hashes(stores.codeVersions.list()), ['four', 'three', 'two']);
  await use(stores, [codeOf('huge', ['huge'], randomBytes(LIMITS.codeBytesMax + 1))], { nowMs: 9, keep: 20 });
  t.same(hashes(stores.codeVersions.list()), ['four', 'three', 'two'], 'one that is too large is not kept at all');
});

t.test('finds a version without its bundle, and a bundle without its version', async (t) => {
  const folder = temporaryFolder(t);
  const stores = openStores(folder, undefined);
  await use(stores, [codeOf('one', ['agent']), codeOf('two', ['other'])], { nowMs: 1, keep: 20 });
  const commit = new Commit();
  commit.remove(keys.codeBundle('one'));
  commit.remove(keys.codeVersion('two'));
  await stores.store.write(commit);
  await stores.store.close();
  const findings: Finding[] = [];
  const pages = PageFile.open(dataFile(folder))!;
  t.teardown(() => pages.close());
  checkStore(
    pages,
    null,
    (finding) => findings.push(finding),
    () => undefined,
  );
  t.same(findings.map(({ kind, problem }) => `${kind}: ${problem}`).toSorted(), [
    'reference: code version two does not exist',
    'reference: its bundle does not exist',
  ]);
});
