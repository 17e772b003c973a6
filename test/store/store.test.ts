import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { withFilters, LOCAL_CALLER, userCaller } from '../../src/domain/caller.js';
import { jsonBytes } from '../../src/base/json/json.js';
import { runToEnd } from '../../src/base/steps.js';
import { Commit, Store } from '../../src/store/store.js';
import type { Key } from '../../src/store/keys.js';
import { ReadYourWrites } from '../../src/store/read-your-writes.js';
import { openStores } from '../../src/store/stores.js';
import { openSealKey, Seal } from '../../src/store/encryption/seal.js';
import type { ThreadRecord } from '../../src/store/threads/threads.js';
import { temporaryFolder } from '../helpers/server.js';

const bytes = (text: string): Buffer => Buffer.from(text);

function thread(
  threadId: string,
  updatedAtMs: number,
  metadata: Record<string, unknown>,
  more: Partial<ThreadRecord> = {},
): ThreadRecord {
  return {
    threadId,
    uid: threadId,
    createdAtMs: updatedAtMs,
    updatedAtMs,
    stateUpdatedAtMs: updatedAtMs,
    status: 'idle',
    metadata: jsonBytes(metadata),
    config: jsonBytes({}),
    graphId: null,
    unfinished: false,
    failure: null,
    nextSeq: 0,
    temporary: false,
    ...more,
  };
}

t.test('keeps commits after the folder is opened again', async (t) => {
  const folder = temporaryFolder(t);
  const first = Store.open(folder);
  const commit = new Commit();
  commit.put(['t', 'a'], bytes('one'));
  commit.put(['t', 'b'], bytes('two'));
  await first.write(commit);
  await first.close();
  const second = Store.open(folder);
  t.equal(Buffer.from(second.get(['t', 'a'])!).toString(), 'one');
  t.strictSame(
    [...second.keys({ prefix: ['t'] })],
    [
      ['t', 'a'],
      ['t', 'b'],
    ],
  );
  t.strictSame([...second.keys({ prefix: ['t'], reverse: true, limit: 1 })], [['t', 'b']]);
  t.strictSame([...second.keys({ prefix: ['t'], start: ['t', 'a'], after: true })], [['t', 'b']]);
  await second.close();
});

t.test('reads only the keys of a prefix', async (t) => {
  const store = Store.open(temporaryFolder(t));
  const commit = new Commit();
  for (const key of [
    ['c', 'a'],
    ['c', 'a', 1],
    ['c', 'a', 'z'],
    ['c', 'ab'],
    ['d', 'a'],
    ['b', 'a'],
  ])
    commit.put(key, bytes('x'));
  await store.write(commit);
  t.strictSame(
    [...store.keys({ prefix: ['c', 'a'] })],
    [
      ['c', 'a'],
      ['c', 'a', 1],
      ['c', 'a', 'z'],
    ],
  );
  await store.close();
});

t.test('finds the ids that have keys, on disk or still being written', async (t) => {
  const store = Store.open(temporaryFolder(t));
  const latest = new ReadYourWrites(store);
  const put = (keys: Key[]): Promise<void> => {
    const commit = new Commit();
    for (const key of keys) commit.put(key, bytes('x'));
    return latest.write(commit);
  };
  await put([
    ['q', 'b', 1],
    ['q', 'b', 2],
    ['q', 'd'],
    ['q', 'f', 1],
    ['p', 'a'],
    ['r', 'c'],
  ]);
  const ids = (text: string): string[] => [...latest.idsUnder(['q'], text)].sort();
  t.strictSame(ids('edcba'), ['b', 'd']);
  t.strictSame(ids('fb'), ['b', 'f']);
  t.strictSame(ids('xyz'), []);
  t.strictSame(ids(''), []);
  const writing = put([
    ['q', 'e', 1],
    ['q', 'ee'],
    ['qq', 'a'],
  ]);
  t.strictSame(ids('edcba'), ['b', 'd', 'e']);
  await writing;
  t.strictSame(ids('edcba'), ['b', 'd', 'e']);
  await store.close();
});

t.test('names a damaged record and never returns it', async (t) => {
  const folder = temporaryFolder(t);
  const first = Store.open(folder);
  const commit = new Commit();
  commit.put(['t', 'victim'], bytes('a text that is easily found in the file'));
  commit.put(['t', 'neighbour'], bytes('fine'));
  await first.write(commit);
  await first.close();
  const file = join(folder, 'data.mdb');
  const data = readFileSync(file);
  const at = data.indexOf('easily found');
  t.ok(at > 0);
  for (let found = at; found > 0; found = data.indexOf('easily found', found + 1)) data[found] = data[found]! ^ 1;
  writeFileSync(file, data);
  const second = Store.open(folder);
  t.throws(() => second.get(['t', 'victim']), { code: 'STORE_DAMAGED', message: /\["t","victim"\]/ });
  t.throws(() => [...second.entries({ prefix: ['t'] })], { code: 'STORE_DAMAGED' });
  t.equal(Buffer.from(second.get(['t', 'neighbour'])!).toString(), 'fine');
  await second.close();
});

/** Flips the last bit of the first `text` that stands on every page that has it. */
function flipLastBit(file: string, text: string): void {
  const data = readFileSync(file);
  for (let at = data.indexOf(text); at > 0; at = data.indexOf(text, at + 1)) data[at + text.length - 1]! ^= 1;
  writeFileSync(file, data);
}

t.test('reports a record with a damaged key instead of missing or replacing it', async (t) => {
  const folder = temporaryFolder(t);
  const first = Store.open(folder);
  const commit = new Commit();
  for (const name of ['aa', 'some-key-d', 'zz']) commit.put(['t', name], bytes('what it says'));
  commit.put(['tr', 1, 'an-entry-d'], bytes(''));
  await first.write(commit);
  await first.close();
  flipLastBit(join(folder, 'data.mdb'), 'some-key-d');
  flipLastBit(join(folder, 'data.mdb'), 'an-entry-d');
  const second = Store.open(folder);
  t.throws(
    () => second.get(['t', 'some-key-d']),
    { code: 'STORE_DAMAGED', message: /"some-key-d"/ },
    'what stands beside its place is looked at',
  );
  t.throws(() => second.get(['t', 'some-key-e']), { code: 'STORE_DAMAGED' }, "it is nobody else's");
  t.throws(() => [...second.entries({ prefix: ['t'] })], { code: 'STORE_DAMAGED' });
  t.throws(
    () => [...second.indexKeys({ prefix: ['tr', 1] })],
    { code: 'STORE_DAMAGED' },
    'an entry that is nothing but its key',
  );
  t.equal(second.get(['t', 'some-key-c']), undefined, 'two bits away: another key that is not there');
  t.equal(second.get(['t', 'zy']), undefined, 'a sound neighbour proves nothing');
  await second.close();
});

t.test('refuses a folder of another format unchanged', async (t) => {
  const folder = temporaryFolder(t);
  const first = Store.open(folder);
  const commit = new Commit();
  commit.put(['!', 'format'], bytes('999'));
  await first.write(commit);
  await first.close();
  const before = readFileSync(join(folder, 'data.mdb'));
  t.throws(() => Store.open(folder), { code: 'STORE_FORMAT', message: /has format 999/ });
  t.ok(before.equals(readFileSync(join(folder, 'data.mdb'))), 'not a byte was changed');
  t.throws(() => Store.open(folder), { code: 'STORE_FORMAT' }, 'and the lock was given back');
});

t.test('refuses a file that is not a database unchanged', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'data.mdb'), Buffer.alloc(16_384, 'not a database'));
  t.throws(() => Store.open(folder), { code: 'STORE_FILE_DAMAGED' });
  t.ok(readFileSync(join(folder, 'data.mdb')).includes('not a database'));
});

t.test('opens a sealed caller only with the same key and run', async (t) => {
  const folder = temporaryFolder(t);
  const caller = userCaller({
    identity: 'ada',
    display_name: 'ada',
    is_authenticated: true,
    permissions: [],
    token: 'planted-secret',
  });
  const sealed = new Seal(openSealKey(folder, 'key one')).seal(caller, 'run-1');
  t.notOk(Buffer.from(sealed).includes('planted-secret'));
  t.strictSame(new Seal(openSealKey(folder, 'key one')).open(sealed, 'run-1'), JSON.parse(JSON.stringify(caller)));
  t.equal(new Seal(openSealKey(folder, 'key one')).open(sealed, 'run-2'), null);
  t.equal(new Seal(openSealKey(folder, 'key two')).open(sealed, 'run-1'), null);
  const changed = Buffer.from(sealed);
  changed[changed.length - 1]! ^= 1;
  t.equal(new Seal(openSealKey(folder, 'key one')).open(changed, 'run-1'), null);
});

t.test('lists threads by the index: newest first, with filters, in pages', async (t) => {
  const stores = openStores(temporaryFolder(t), undefined);
  const commit = new Commit();
  for (let i = 0; i < 50; i += 1) {
    stores.threads.put(
      commit,
      thread(`t${String(i).padStart(2, '0')}`, 1_000 + i, {
        owner: i % 2 === 0 ? 'ada' : 'bob',
        nested: { n: i % 5 },
        list: [i],
      }),
      undefined,
    );
  }
  await stores.store.write(commit);
  const ids = (query: object): string[] =>
    runToEnd(stores.threadLists.list(LOCAL_CALLER, { limit: 10, offset: 0, ...query })).records.map(
      (one) => one.threadId,
    );
  t.strictSame(ids({ limit: 3 }), ['t49', 't48', 't47']);
  t.strictSame(ids({ limit: 3, sortOrder: 'asc' }), ['t00', 't01', 't02']);
  t.strictSame(ids({ limit: 3, metadata: { owner: 'ada' } }), ['t48', 't46', 't44']);
  t.strictSame(ids({ metadata: { owner: 'ada', nested: { n: 0 } } }), ['t40', 't30', 't20', 't10', 't00']);
  t.strictSame(ids({ limit: 2, offset: 3, metadata: { owner: 'bob' } }), ['t43', 't41']);
  t.strictSame(ids({ metadata: { list: [7] } }), ['t07'], 'what is not indexed is checked on the record');
  t.strictSame(ids({ metadata: { owner: 'eve' } }), []);
  t.equal(runToEnd(stores.threadLists.list(LOCAL_CALLER, { limit: 49, offset: 0 })).more, true);
  t.equal(runToEnd(stores.threadLists.list(LOCAL_CALLER, { limit: 50, offset: 0 })).more, false);
  const ada = withFilters(
    userCaller({ identity: 'ada', display_name: 'ada', is_authenticated: true, permissions: [] }),
    { threads: { owner: 'ada' } },
    null,
  );
  t.equal(
    runToEnd(stores.threadLists.list(ada, { limit: 100, offset: 0 })).records.length,
    25,
    'a caller sees its own',
  );
  t.equal(stores.threads.get(ada, 't01'), undefined);
  t.ok(stores.threads.get(ada, 't02'));

  const changed = new Commit();
  const before = stores.threads.get(LOCAL_CALLER, 't00')!;
  stores.threads.put(
    changed,
    { ...before, updatedAtMs: 9_000, status: 'error', metadata: jsonBytes({ owner: 'eve' }) },
    before,
  );
  stores.threads.remove(changed, stores.threads.get(LOCAL_CALLER, 't49')!);
  await stores.store.write(changed);
  t.strictSame(ids({ limit: 2 }), ['t00', 't48'], 'an update moves it, a removal takes it out');
  t.strictSame(ids({ status: 'error' }), ['t00']);
  t.strictSame(ids({ metadata: { owner: 'eve' } }), ['t00']);
  t.notOk(ids({ limit: 100, metadata: { owner: 'ada' } }).includes('t00'), 'old leaves are gone');
  await stores.store.close();
});

t.test('finds a thread by values beyond the indexed metadata', async (t) => {
  const stores = openStores(temporaryFolder(t), undefined);
  const commit = new Commit();
  const wide = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}`, i]));
  stores.threads.put(commit, thread('old', 1_000, { k59: 59 }), undefined);
  stores.threads.put(commit, thread('wide', 2_000, wide), undefined);
  stores.threads.put(commit, thread('new', 3_000, { k59: 59, k0: 1 }), undefined);
  await stores.store.write(commit);
  const ids = (metadata: Record<string, unknown>): string[] =>
    runToEnd(stores.threadLists.list(LOCAL_CALLER, { limit: 10, offset: 0, metadata })).records.map(
      (one) => one.threadId,
    );
  t.strictSame(ids({ k59: 59 }), ['new', 'wide', 'old']);
  t.strictSame(ids({ k0: 0 }), ['wide']);
  t.strictSame(ids({ k0: 0, k59: 59 }), ['wide']);
  await stores.store.close();
});

t.test('removes deleted records in the background, after a restart too', async (t) => {
  const folder = temporaryFolder(t);
  const first = openStores(folder, undefined);
  const commit = new Commit();
  const record = thread('gone', 1_000, {});
  first.threads.put(commit, record, undefined);
  for (let i = 0; i < 5_000; i += 1) commit.put(['i', 'gone', `hash${i}`], bytes('content'));
  commit.put(['i', 'other', 'hash'], bytes('stays'));
  await first.store.write(commit);
  const removal = new Commit();
  first.threads.remove(removal, record);
  await first.store.write(removal);
  t.equal(first.threads.get(LOCAL_CALLER, 'gone'), undefined, 'unreachable at once');
  await first.store.close();
  const second = openStores(folder, undefined);
  second.remover.wake();
  while ([...second.store.keys({ prefix: ['x'] })].length > 0) await new Promise(setImmediate);
  t.strictSame([...second.store.keys({ prefix: ['i', 'gone'] })], []);
  t.strictSame([...second.store.keys({ prefix: ['i', 'other'] })].length, 1);
  await second.remover.close();
  await second.store.close();
});
