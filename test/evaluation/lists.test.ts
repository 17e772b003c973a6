import { receivedTraceSettings } from '../../src/services/traces/trace-settings.js';
import t, { type Test } from 'tap';
import { lowerLimit } from '../helpers/limits.js';
import { LOCAL_CALLER } from '../../src/domain/caller.js';
import { LIMITS } from '../../src/base/limits.js';
import { silentLog } from '../../src/base/log/log.js';
import { EvaluationPool } from '../../src/pool/evaluation-pool.js';
import { dataFile } from '../../src/store/files/data-file.js';
import { Commit, Store } from '../../src/store/store.js';
import { keys } from '../../src/store/keys.js';
import { ReadYourWrites, DraftCommit } from '../../src/store/read-your-writes.js';
import { BlockLists } from '../../src/store/evaluation/block-lists.js';
import { pack } from '../../src/wire/codec.js';
import type { FromUpload, ToUpload, UploadResult } from '../../src/wire/evaluation/evaluation.js';
import { temporaryFolder } from '../helpers/server.js';

const bytes = (text: string): Buffer => Buffer.from(text);

t.test('never assigns a list number twice, however late its commit is written', async (t) => {
  const folder = temporaryFolder(t);
  const first = Store.open(folder);
  const lists = new BlockLists(first);
  const early = new Commit();
  early.put(keys.exampleList(lists.assign(early)), bytes('dataset'));
  const late = new Commit();
  const used = lists.assign(late);
  late.put(keys.experimentList(used), bytes('experiment'));
  await first.write(late);
  await first.write(early);
  await first.close();
  const second = Store.open(folder);
  t.equal(new BlockLists(second).assign(new Commit()), used + 1);
  const staging = new Commit();
  staging.put(keys.upload('u'), pack({ exampleList: 40, experimentList: 41 }));
  await second.write(staging);
  t.equal(new BlockLists(second).assign(new Commit()), 42, 'staged lists count');
  const leftover = new Commit();
  leftover.put(keys.leftover('experiment', '77'), new Uint8Array(0));
  await second.write(leftover);
  t.equal(new BlockLists(second).assign(new Commit()), 78, 'lists that are being removed count');
  await second.close();
});

t.test('sees uncommitted entries and writes planned ones once', async (t) => {
  const store = Store.open(temporaryFolder(t));
  const latest = new ReadYourWrites(store);
  const commit = new Commit();
  for (const key of [
    ['FO', 'run', 'a'],
    ['FO', 'run', 'b'],
    ['FO', 'runs', 'c'],
  ])
    commit.put(key, bytes('x'));
  const written = latest.write(commit);
  t.strictSame(latest.keysUnder(['FO', 'run']), [
    ['FO', 'run', 'a'],
    ['FO', 'run', 'b'],
  ]);
  await written;
  const plan = new DraftCommit(latest);
  plan.remove(['FO', 'run', 'a']);
  plan.put(['FO', 'run', 'b'], bytes('y'));
  plan.put(['FO', 'run', 'b'], bytes('z'));
  t.equal(plan.operations.length, 2);
  t.equal(Buffer.from(plan.get(['FO', 'run', 'b'])!).toString(), 'z');
  const removal = latest.write(plan);
  t.strictSame(latest.keysUnder(['FO', 'run']), [['FO', 'run', 'b']]);
  await removal;
  t.strictSame(latest.keysUnder(['FO', 'run']), [['FO', 'run', 'b']]);
  await store.close();
});

/** A pool over a new folder. */
function openPool(t: Test): EvaluationPool {
  const folder = temporaryFolder(t);
  const store = Store.open(folder);
  const pool = new EvaluationPool(
    {
      dataFile: dataFile(folder),
      encryption: null,
      uploadBytesMax: 1_000,
      attachmentLinks: { base: '', key: Buffer.alloc(32) },
      receivedTraces: receivedTraceSettings(null),
    },
    silentLog(),
  );
  t.teardown(async () => {
    await pool.close();
    await store.close();
  });
  return pool;
}

t.test('keeps an intake thread ready, and replaces it after large bodies', async (t) => {
  const pool = openPool(t);
  const threads = (): string[] => pool.metrics.map(({ lane }) => lane);
  t.strictSame(threads(), [], 'none before it is needed');
  pool.keepIntakeReady();
  const first = pool.intakeThreadId;
  t.strictSame(threads(), ['intake']);
  const session = pool.openSession<ToUpload, FromUpload, UploadResult>('upload');
  session.duplex.send({ type: 'abort' });
  lowerLimit(t, 'intakeIdleMs', 500);
  session.start(LIMITS.intakeBodyBytesMax + 1);
  await t.rejects(session.result, { code: 'REQUEST_ABORTED' });
  t.equal(pool.intakeThreadId, first, 'not at once');
  for (const begun = performance.now(); pool.intakeThreadId === first;) {
    t.ok(performance.now() - begun < 30_000);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  t.strictSame(threads(), ['intake']);
});

t.test('keeps the intake thread of a small first body', async (t) => {
  const pool = openPool(t);
  lowerLimit(t, 'intakeIdleMs', 200);
  const session = pool.openSession<ToUpload, FromUpload, UploadResult>('upload');
  session.duplex.send({ type: 'abort' });
  session.start(1_000);
  await t.rejects(session.result, { code: 'REQUEST_ABORTED' });
  const first = pool.intakeThreadId;
  // As after the upload that creates the first evaluation runs of a server.
  pool.keepIntakeReady();
  await new Promise((resolve) => setTimeout(resolve, 600));
  t.type(first, 'number');
  t.equal(pool.intakeThreadId, first);
});

t.test('fails only one call when it fails in the evaluation thread', async (t) => {
  const pool = openPool(t);
  const answers = await Promise.allSettled([
    pool.read('datasets.list', LOCAL_CALLER, {}),
    pool.read('there is no such read', LOCAL_CALLER, {}),
    pool.read('datasets.list', LOCAL_CALLER, {}),
  ]);
  t.strictSame(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});
