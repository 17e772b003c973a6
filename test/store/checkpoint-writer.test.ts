import * as fc from 'fast-check';
import t, { type Test } from 'tap';
import { SERVER_CALLER } from '../../src/domain/caller.js';
import { asText } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { Commit } from '../../src/store/store.js';
import { openStores, type Stores } from '../../src/store/stores.js';
import { keys, type Key } from '../../src/store/keys.js';
import {
  mergeWrites,
  packCheckpoint,
  packTasks,
  packTaskWrites,
  unpackCheckpoint,
  unpackTasks,
  unpackTaskWrites,
  withRunIds,
  type StoredWrite,
} from '../../src/store/threads/checkpoint-rows.js';
import { CheckpointWriter } from '../../src/store/threads/checkpoint-writer.js';
import type { ThreadRecord } from '../../src/store/threads/threads.js';
import { pack } from '../../src/wire/codec.js';
import { packBody, packView, type Ref, type WriteBody } from '../../src/wire/runs/state.js';
import { temporaryFolder } from '../helpers/server.js';

const UID = 'thread-uid';
const THREAD = { uid: UID } as ThreadRecord;
const AT = { ns: '', id: 'one', position: 'one' };
const BODY = Buffer.from('body');

const refTo = (text: string): Ref => [0, ['j', Buffer.from(JSON.stringify(text)), null, 1]];
const write = (taskId: string, idx: number, text: string): WriteBody => ({
  taskId,
  taskPath: 'path',
  idx,
  channel: 'c',
  ref: refTo(text),
});
const viewOf = (next: string): Uint8Array => packView({ next: [next], tasks: [], keys: [], root: null, overrides: [] });

function opened(t: Test): Stores {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  return stores;
}

/** Lets the writer make changes, and writes them. */
function commitWith(stores: Stores, writer: CheckpointWriter, change: (commit: Commit) => void): Promise<void> {
  const commit = new Commit();
  change(commit);
  writer.flush(commit);
  return stores.store.write(commit);
}

/** The writes on the checkpoint, as `task idx text`. */
function texts({ checkpoints }: Stores): string[] {
  const record = checkpoints.get(SERVER_CALLER, THREAD, AT.ns, AT.id)!;
  return checkpoints
    .writes(THREAD, record)
    .map(
      ({ taskId, idx, ref }) =>
        `${taskId} ${idx} ${ref[0] === 0 ? String(JSON.parse(asText(ref[1][1]))) : 'elsewhere'}`,
    );
}

t.test('stores checkpoint and view as one record', async (t) => {
  const stores = opened(t);
  const writer = new CheckpointWriter(stores.store, UID, { runId: 'run', lease: 1 }, []);
  await commitWith(stores, writer, (commit) => {
    writer.putCheckpoint(commit, AT, { body: BODY, view: null });
    writer.putView(AT, viewOf('first'));
  });
  t.strictSame([...stores.store.keys({ prefix: ['v'] })], []);
  t.strictSame(stores.checkpoints.view(SERVER_CALLER, THREAD, '', 'one')?.next, ['first']);
  // The checkpoint is not on disk yet when its view arrives in the next commit.
  const later = { ns: '', id: 'two', position: 'two' };
  const first = commitWith(stores, writer, (commit) => writer.putCheckpoint(commit, later, { body: BODY, view: null }));
  const second = commitWith(stores, writer, () => writer.putView(later, viewOf('second')));
  await Promise.all([first, second]);
  t.strictSame(stores.checkpoints.view(SERVER_CALLER, THREAD, '', 'two')?.next, ['second']);
  await commitWith(stores, writer, (commit) => writer.putCheckpoint(commit, AT, { body: BODY, view: null }));
  t.strictSame(
    stores.checkpoints.view(SERVER_CALLER, THREAD, '', 'one')?.next,
    ['first'],
    'a checkpoint that is stored again keeps its view',
  );
  await commitWith(stores, writer, () => writer.putView({ ns: '', position: 'none' }, viewOf('lost')));
  t.strictSame(
    [...stores.store.keys({ prefix: ['c', UID] })].map((key) => key[3]),
    ['one', 'two'],
  );
});

const writeKeys = ({ store }: Stores): number => [...store.keys({ prefix: ['w', UID] })].length;

t.test('collects the writes on a checkpoint in its record, across commits that are not on disk', async (t) => {
  const stores = opened(t);
  const writer = new CheckpointWriter(stores.store, UID, { runId: 'run', lease: 1 }, []);
  const done = [
    commitWith(stores, writer, (commit) => writer.putCheckpoint(commit, AT, { body: BODY, view: null })),
    commitWith(stores, writer, () => writer.putWrites(AT, [write('b', 0, 'other'), write('a', 0, 'first')])),
    commitWith(stores, writer, () => writer.putWrites(AT, [write('a', 0, 'again'), write('a', 1, 'second')])),
    commitWith(stores, writer, () => writer.putWrites(AT, [write('a', -3, 'asked')])),
    commitWith(stores, writer, () => writer.putWrites(AT, [write('a', -3, 'asked again')])),
  ];
  await Promise.all(done);
  t.strictSame(texts(stores), ['a -3 asked again', 'a 0 first', 'a 1 second', 'b 0 other']);
  t.equal(writeKeys(stores), 0);
  await commitWith(stores, writer, (commit) => {
    writer.removeWrite(commit, AT, { taskId: 'a', idx: -3 });
    writer.removeWrite(commit, AT, { taskId: 'b', idx: 0 });
    writer.removeWrite(commit, AT, { taskId: 'b', idx: 1 });
  });
  t.strictSame(texts(stores), ['a 0 first', 'a 1 second']);
});

t.test('keeps writes that come before their checkpoint in records of their own', async (t) => {
  const stores = opened(t);
  const writer = new CheckpointWriter(stores.store, UID, { runId: 'run', lease: 1 }, []);
  const early = { ...AT, position: null };
  await commitWith(stores, writer, () => writer.putWrites(early, [write('a', 0, 'first'), write('b', 0, 'other')]));
  await commitWith(stores, writer, (commit) => {
    writer.putCheckpoint(commit, AT, { body: BODY, view: null });
    writer.putWrites(AT, [write('a', 0, 'again'), write('a', 1, 'second')]);
  });
  t.strictSame(texts(stores), ['a 0 first', 'a 1 second', 'b 0 other']);
  t.equal(writeKeys(stores), 2);
  await commitWith(stores, writer, (commit) => writer.removeWrite(commit, AT, { taskId: 'b', idx: 0 }));
  t.strictSame(texts(stores), ['a 0 first', 'a 1 second']);
  t.equal(writeKeys(stores), 1);
});

t.test('gives the writes records of their own once the record of their checkpoint would be large', async (t) => {
  const stores = opened(t);
  const earlier = new CheckpointWriter(stores.store, UID, { runId: 'earlier', lease: 1 }, []);
  await commitWith(stores, earlier, (commit) => {
    earlier.putCheckpoint(commit, AT, { body: BODY, view: viewOf('next') });
    earlier.putWrites(AT, [write('task 0', 0, 'small')]);
  });
  t.equal(writeKeys(stores), 0);
  const later = new CheckpointWriter(stores.store, UID, { runId: 'later', lease: 1 }, ['']);
  const large = 'x'.repeat(90);
  const wanted = ['task 0 0 small'];
  for (let task = 1; task <= 30; task += 1) {
    await commitWith(stores, later, () => later.putWrites(AT, [write(`task ${task}`, 0, large)]));
    wanted.push(`task ${task} 0 ${large}`);
    t.strictSame(texts(stores), wanted.toSorted(), `after ${task}`);
  }
  t.equal(writeKeys(stores), 31);
  const [[, record] = []] = [...stores.store.entries({ prefix: ['c', UID] })];
  t.ok(record!.byteLength < LIMITS.checkpointWithWritesBytes);
  t.strictSame(stores.checkpoints.view(SERVER_CALLER, THREAD, '', 'one')?.next, ['next']);
  for (const { commit } of stores.checkpoints.undoRun('later')) await stores.store.write(commit);
  t.strictSame(texts(stores), ['task 0 0 small']);
  t.equal(writeKeys(stores), 0);
});

t.test('removes from a checkpoint the writes of a deleted run', async (t) => {
  const stores = opened(t);
  const place = { ns: '', position: 'b', id: 'b' };
  const body = packBody({
    v: 4,
    ts: '2026-11-28T12:00:00.000Z',
    parentId: null,
    versions: Buffer.from('{}'),
    seen: Buffer.from('{}'),
    metadata: Buffer.from('{}'),
    base: refTo('base'),
    channels: [],
  });
  const earlier = new CheckpointWriter(stores.store, UID, { runId: 'earlier', lease: 1 }, []);
  await commitWith(stores, earlier, (commit) => {
    earlier.putCheckpoint(commit, AT, { body, view: null });
    earlier.putWrites(AT, [write('a', -3, 'question'), write('b', 0, 'done')]);
  });
  const later = new CheckpointWriter(stores.store, UID, { runId: 'later', lease: 1 }, ['']);
  await commitWith(stores, later, (commit) => {
    later.putWrites(AT, [write('a', 0, 'answered'), write('c', 0, 'more')]);
    later.putCheckpoint(commit, place, { body, view: null });
    later.putWrites(place, [write('d', 0, 'last')]);
  });
  for (const commit of stores.checkpoints.removeRunWrites(SERVER_CALLER, THREAD, 'later'))
    await stores.store.write(commit);
  t.strictSame(texts(stores), ['a -3 question', 'b 0 done']);
  t.equal(stores.checkpoints.get(SERVER_CALLER, THREAD, '', 'b'), undefined);
});

t.test('undoes what a run added to the records of an earlier one', async (t) => {
  const stores = opened(t);
  const earlier = new CheckpointWriter(stores.store, UID, { runId: 'earlier', lease: 1 }, []);
  await commitWith(stores, earlier, (commit) => {
    earlier.putCheckpoint(commit, AT, { body: BODY, view: null });
    earlier.putWrites(AT, [write('a', -3, 'question')]);
  });
  const later = new CheckpointWriter(stores.store, UID, { runId: 'later', lease: 1 }, ['']);
  await commitWith(stores, later, () => {
    later.putView(AT, viewOf('later'));
    later.putWrites(AT, [write('a', -4, 'answer'), write('a', 0, 'result')]);
  });
  t.strictSame(texts(stores), ['a -4 answer', 'a -3 question', 'a 0 result']);
  for (const { commit } of stores.checkpoints.undoRun('later')) await stores.store.write(commit);
  t.strictSame(texts(stores), ['a -3 question']);
  t.equal(stores.checkpoints.view(SERVER_CALLER, THREAD, '', 'one'), undefined);
  t.strictSame(
    [...stores.store.keys({ prefix: ['u'] })].map((key) => key[1]),
    ['earlier'],
  );
});

t.test('reads and changes records that a release of format 3 wrote', async (t) => {
  const stores = opened(t);
  const single = (idx: number): Key => ['w', UID, '', 'one', 'a', idx];
  const old = new Commit();
  old.put(keys.checkpoint(UID, '', 'one'), pack(['old', 1, Buffer.from('body')]));
  old.put(keys.view(UID, '', 'one'), viewOf('old'));
  old.put(single(-4), pack(['old', 1, 'path', 'c', refTo('answer')]));
  old.put(single(0), pack(['old', 1, 'path', 'c', refTo('first')]));
  await stores.store.write(old);
  t.strictSame(stores.checkpoints.view(SERVER_CALLER, THREAD, '', 'one')?.next, ['old']);
  const writer = new CheckpointWriter(stores.store, UID, { runId: 'new', lease: 2 }, ['']);
  await commitWith(stores, writer, (commit) => {
    writer.putWrites(AT, [write('a', 0, 'again'), write('a', 1, 'second'), write('a', -3, 'question')]);
    writer.removeWrite(commit, AT, { taskId: 'a', idx: -4 });
  });
  t.strictSame(texts(stores), ['a -3 question', 'a 0 first', 'a 1 second']);
  await commitWith(stores, writer, () => writer.putView(AT, viewOf('new')));
  t.strictSame(stores.checkpoints.view(SERVER_CALLER, THREAD, '', 'one')?.next, ['new']);
  for (const { commit } of stores.checkpoints.undoRun('new')) await stores.store.write(commit);
  t.strictSame(texts(stores), ['a -4 answer', 'a 0 first']);
  t.strictSame(stores.checkpoints.view(SERVER_CALLER, THREAD, '', 'one')?.next, ['old']);
});

const bytes = fc.uint8Array({ maxLength: 20 }).map((one) => Buffer.from(one));
/** An id in its usual form, and others that differ from it a little. */
const id = fc.oneof(
  fc.uuid(),
  fc.uuid().map((one) => one.toUpperCase()),
  fc.uuid().map((one) => `${one}~00000001`),
  fc.string({ minLength: 1 }),
);
const runId = fc.constantFrom('run 1', '0198c1de-1c1f-7e5a-8a1f-0123456789ab');
const merged = (writes: StoredWrite[]): StoredWrite[] => mergeWrites(writes, []);
const stored = fc.record({
  runId,
  lease: fc.integer({ min: 1, max: 3 }),
  idx: fc.integer({ min: -4, max: 4 }),
  channel: fc.string(),
  ref: fc.string().map(refTo),
}) as fc.Arbitrary<StoredWrite>;

t.test('unpacks what it packed', async (t) => {
  const checkpoint = fc.record({
    runId: fc.oneof(runId, id),
    lease: fc.integer({ min: 1, max: 3 }),
    body: bytes,
    isSource: fc.boolean(),
    id: fc.option(id),
    view: fc.option(bytes),
    tasks: fc.option(bytes),
  });
  fc.assert(fc.property(checkpoint, (one) => t.same(unpackCheckpoint(packCheckpoint(one)), one)));
  const task = fc.record({ taskId: id, taskPath: fc.string(), writes: fc.array(stored, { minLength: 1 }).map(merged) });
  fc.assert(
    fc.property(runId, fc.integer({ min: 1, max: 3 }), fc.array(task), (by, lease, tasks) => {
      const writer = { runId: by, lease };
      t.same(unpackTasks({ ...writer, tasks: packTasks(writer, tasks) }), tasks);
    }),
  );
  fc.assert(
    fc.property(fc.array(stored, { minLength: 1 }), fc.array(stored), (earlier, later) => {
      const key: Key = keys.taskWrites(UID, '', 'one', 'a');
      const writes = mergeWrites(mergeWrites([], earlier), later);
      const task = { taskId: 'a', taskPath: 'path', writes };
      t.same(unpackTaskWrites(key, packTaskWrites(task)), task);
      const idxs = writes.map(({ idx }) => idx);
      t.same(
        idxs,
        [...new Set([...earlier, ...later].map(({ idx }) => idx))].sort((a, b) => a - b),
      );
    }),
    { numRuns: 50 },
  );
});

t.test('gives records other run ids', async (t) => {
  const renamed = new Map([['old', 'new']]);
  const checkpoint = packCheckpoint({
    runId: 'old',
    lease: 1,
    body: Buffer.of(1),
    isSource: false,
    id: 'x',
    view: null,
    tasks: packTasks({ runId: 'old', lease: 1 }, [
      { taskId: 'a', taskPath: 'path', writes: [{ runId: 'old', lease: 1, idx: 0, channel: 'c', ref: refTo('x') }] },
      { taskId: 'b', taskPath: 'path', writes: [{ runId: 'other', lease: 1, idx: 0, channel: 'c', ref: refTo('y') }] },
    ]),
  });
  const named = unpackCheckpoint(withRunIds(keys.checkpoint(UID, '', 'one'), checkpoint, renamed));
  t.match(named, { runId: 'new', id: 'x' });
  t.match(unpackTasks(named), [
    { taskId: 'a', writes: [{ runId: 'new' }] },
    { taskId: 'b', writes: [{ runId: 'other' }] },
  ]);
  const key = keys.taskWrites(UID, '', 'one', 'a');
  const writes: StoredWrite[] = [
    { runId: 'old', lease: 1, idx: 0, channel: 'c', ref: refTo('x') },
    { runId: 'other', lease: 1, idx: 1, channel: 'c', ref: refTo('y') },
  ];
  const task = withRunIds(key, packTaskWrites({ taskId: 'a', taskPath: 'path', writes }), renamed);
  t.same(
    unpackTaskWrites(key, task).writes.map(({ runId }) => runId),
    ['new', 'other'],
  );
  const single: Key = [...key, 0];
  const old = withRunIds(single, pack(['old', 1, 'path', 'c', refTo('x')]), renamed);
  t.match(unpackTaskWrites(single, old), { taskPath: 'path', writes: [{ runId: 'new', idx: 0, channel: 'c' }] });
});
