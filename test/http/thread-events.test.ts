import t, { type Test } from 'tap';
import { SERVER_CALLER } from '../../src/domain/caller.js';
import { systemClock } from '../../src/base/clock.js';
import { randomIds } from '../../src/base/ids.js';
import { jsonBytes } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { silentLog } from '../../src/base/log/log.js';
import { ThreadEvents } from '../../src/services/threads/thread-events.js';
import { ThreadTable } from '../../src/services/threads/thread-table.js';
import { Commit } from '../../src/store/store.js';
import { openStores } from '../../src/store/stores.js';
import { framesOf } from '../../src/wire/runs/frame.js';
import { temporaryFolder } from '../helpers/server.js';

/** Feeds over a store of their own with one thread, and no server. */
async function place(t: Test): Promise<{ events: ThreadEvents; threadId: string; nextSeq(): Promise<number> }> {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  const threads = new ThreadTable(stores);
  const threadId = randomIds.next();
  const now = systemClock.nowMs();
  const commit = new Commit();
  stores.threads.put(
    commit,
    {
      threadId,
      uid: 'uid',
      createdAtMs: now,
      updatedAtMs: now,
      stateUpdatedAtMs: now,
      status: 'idle',
      metadata: jsonBytes({}),
      config: jsonBytes({}),
      graphId: null,
      unfinished: false,
      failure: null,
      nextSeq: 7,
      temporary: false,
    },
    undefined,
  );
  await stores.store.write(commit);
  return {
    events: new ThreadEvents(stores, threads, silentLog()),
    threadId,
    async nextSeq() {
      await stores.store.flushed();
      return stores.threads.get(SERVER_CALLER, threadId)!.nextSeq;
    },
  };
}

const read = ({ subscription }: Awaited<ReturnType<ThreadEvents['subscribe']>>): [number, string][] => {
  const cursor = subscription.log.cursor(subscription.afterSeq);
  const seen: [number, string][] = [];
  for (let next = cursor.next(); next !== undefined; next = cursor.next()) {
    if (next instanceof Promise) throw new Error('memory has it');
    for (const { seq, name } of framesOf(next))
      if (seq > cursor.afterSeq && subscription.wants!(name)) seen.push([seq, name]);
    cursor.advance(next.lastSeq);
  }
  return seen;
};

t.test('sends a state that no run has changed, under its own event id', async (t) => {
  const { events, threadId, nextSeq } = await place(t);
  events.publishStateUpdate(threadId);
  t.equal(await nextSeq(), 7, 'nobody follows: nothing is made');
  const states = await events.subscribe(SERVER_CALLER, threadId, { lastEventId: null, modes: ['state_update'] });
  const runs = await events.subscribe(SERVER_CALLER, threadId, {
    lastEventId: null,
    modes: ['run_modes', 'lifecycle'],
  });
  events.publishStateUpdate(threadId);
  events.publishStateUpdate(threadId);
  t.strictSame(read(states), [], 'not before their ids are on disk, or a restart would give them out again');
  t.equal(await nextSeq(), 9, 'which no run gets');
  t.strictSame(read(states), [
    [7, 'state_update'],
    [8, 'state_update'],
  ]);
  t.strictSame(read(runs), []);
  events.closeFeed(threadId);
  t.ok(states.subscription.log.ended, 'a thread that is gone ends its streams');
});

t.test('sends all missed events to a client that reconnects in time', async (t) => {
  const { events, threadId, nextSeq } = await place(t);
  const first = await events.subscribe(SERVER_CALLER, threadId, { lastEventId: null, modes: ['state_update'] });
  events.publishStateUpdate(threadId);
  first.unsubscribe();
  first.unsubscribe();
  events.publishStateUpdate(threadId);
  await nextSeq();
  t.strictSame(read(await events.subscribe(SERVER_CALLER, threadId, { lastEventId: 7, modes: ['state_update'] })), [
    [8, 'state_update'],
  ]);
  t.strictSame(read(await events.subscribe(SERVER_CALLER, threadId, { lastEventId: -1, modes: ['state_update'] })), [
    [7, 'state_update'],
    [8, 'state_update'],
  ]);
  t.strictSame(
    read(await events.subscribe(SERVER_CALLER, threadId, { lastEventId: 1_000, modes: ['state_update'] })),
    [],
    'an id that was never given hides nothing to come',
  );
});

t.test('limits the readers of a thread', async (t) => {
  const { events, threadId } = await place(t);
  const readers = [];
  const join = async (): ReturnType<ThreadEvents['subscribe']> =>
    events.subscribe(SERVER_CALLER, threadId, { lastEventId: null, modes: ['run_modes'] });
  for (let n = 0; n < LIMITS.threadReadersMax; n += 1) readers.push(await join());
  await t.rejects(join(), { code: 'OVERLOADED' });
  readers[0]!.unsubscribe();
  await t.resolves(join());
});
