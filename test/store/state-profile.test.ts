import { randomBytes } from 'node:crypto';
import t, { type Test } from 'tap';
import { Largest, LargestSums } from '../../src/base/largest.js';
import { jsonBytes } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { runToEnd } from '../../src/base/steps.js';
import { hashOfName, SumTable } from '../../src/base/sum-table.js';
import { dataFile } from '../../src/store/files/data-file.js';
import { encodeKey } from '../../src/store/key-codec.js';
import { keys, type Key } from '../../src/store/keys.js';
import { CIPHER_OVERHEAD_BYTES } from '../../src/store/encryption/record-cipher.js';
import { CHECKSUM_BYTES } from '../../src/store/record-codec.js';
import { Reader } from '../../src/store/reader.js';
import { DAY_MS, type StateProfileRecord } from '../../src/store/state-profiles.js';
import { Commit } from '../../src/store/store.js';
import { openStores, type Stores } from '../../src/store/stores.js';
import { NO_TASKS, packCheckpoint } from '../../src/store/threads/checkpoint-rows.js';
import { stateBytes } from '../../src/store/threads/thread-sizes.js';
import type { ThreadRecord } from '../../src/store/threads/threads.js';
import { pack } from '../../src/wire/codec.js';
import { packBody, type Ref } from '../../src/wire/runs/state.js';
import type { StateProfileJson } from '../../src/wire/state-profile.js';
import { profileStorage } from '../../workers/evaluation/state-profile.js';
import { cli } from '../helpers/cli.js';
import { temporaryFolder } from '../helpers/server.js';

const NOW_MS = Date.parse('2026-02-10T12:00:00Z');
const EMPTY_PROFILE: Omit<StateProfileRecord, 'atMs'> = {
  bytes: 0,
  threads: 1,
  largest: [],
  owners: [],
  graphs: [],
  channels: [],
  namespaces: [],
};
const INLINE: Ref = [0, ['j', jsonBytes({}), null, 1]];

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

function threadOf(n: number, more: Partial<ThreadRecord> & { owner?: string } = {}): ThreadRecord {
  const { owner, ...changes } = more;
  return {
    threadId: idOf(n),
    // Not in the order of the thread ids.
    uid: `u${999 - n}`,
    createdAtMs: NOW_MS - 30 * DAY_MS,
    updatedAtMs: NOW_MS,
    stateUpdatedAtMs: NOW_MS,
    status: 'idle',
    metadata: jsonBytes(owner === undefined ? {} : { owner }),
    config: jsonBytes({}),
    graphId: 'chat',
    unfinished: false,
    failure: null,
    nextSeq: 1,
    temporary: false,
    ...changes,
  };
}

/** Puts records of states, and adds up the bytes that they take. */
class States {
  readonly commit = new Commit();
  readonly #bytes = new Map<string, number>();
  readonly #overhead: number;

  constructor(isEncrypted = false) {
    this.#overhead = CHECKSUM_BYTES + (isEncrypted ? CIPHER_OVERHEAD_BYTES : 0);
  }

  bytesOf({ uid }: Pick<ThreadRecord, 'uid'>): number {
    return this.#bytes.get(uid) ?? 0;
  }

  /** Content of this length; the reference to it. */
  content({ uid }: ThreadRecord, length: number): Ref {
    const hash = randomBytes(16);
    this.#put(keys.content(uid, hash.toString('base64url')), pack(['j', Buffer.alloc(length, '1'), null, 1]));
    return [1, hash];
  }

  checkpoint({ uid }: ThreadRecord, id: string, channels: [string, Ref][], ns = ''): void {
    const json = jsonBytes({});
    const body = { v: 4, ts: '', parentId: null, versions: json, seen: json, metadata: json, base: INLINE, channels };
    const row = {
      runId: 'run',
      lease: 1,
      body: packBody(body),
      isSource: false,
      id: null,
      view: null,
      tasks: NO_TASKS,
    };
    this.#put(keys.checkpoint(uid, ns, id), packCheckpoint(row));
    const namespace = keys.namespace(uid, ns);
    if (this.commit.operations.some(([key]) => key.join() === namespace.join())) return;
    this.#put(namespace, Buffer.alloc(0));
  }

  #put(key: Key, value: Uint8Array): void {
    this.commit.put(key, value);
    const overhead = value.byteLength === 0 ? CHECKSUM_BYTES : this.#overhead;
    const bytes = encodeKey(key).byteLength + overhead + value.byteLength;
    this.#bytes.set(key[1] as string, (this.#bytes.get(key[1] as string) ?? 0) + bytes);
  }
}

function opened(t: Test, key: Uint8Array | null = null): Stores {
  const stores = openStores(temporaryFolder(t), undefined, undefined, key);
  t.teardown(() => stores.store.close());
  return stores;
}

async function profileOf({ store }: Stores, threadBytes: number | null = null): Promise<StateProfileJson> {
  const reader = Reader.attach(dataFile(store.folder), store.cipher?.keys ?? null);
  const budget = threadBytes === null ? null : { threadBytes, onExceed: 'warn' as const, keepLast: 1 };
  const { state } = runToEnd(profileStorage(reader, { dataFile: dataFile(store.folder), nowMs: NOW_MS, budget }));
  await reader.close();
  return state;
}

for (const isEncrypted of [false, true])
  t.test(`sums states by thread, owner, graph, channel and namespace${isEncrypted ? ', encrypted' : ''}`, async (t) => {
    const stores = opened(t, isEncrypted ? Buffer.alloc(32, 7) : null);
    const states = new States(isEncrypted);
    const [large, small, other, empty, deleted] = [
      threadOf(1, { owner: 'ada' }),
      threadOf(2, { owner: 'ada', graphId: 'search' }),
      threadOf(3, { owner: 'bob' }),
      threadOf(4),
      threadOf(5, { owner: 'ada' }),
    ] as const;
    // Both checkpoints and both channels share the content.
    const shared = states.content(large, 20_000);
    states.checkpoint(large, 'a', [['messages', shared]]);
    states.checkpoint(large, 'b', [
      ['messages', shared],
      ['copy', shared],
    ]);
    states.checkpoint(large, 'c', [['draft', states.content(large, 3_000)]], 'writer:task-1');
    states.checkpoint(large, 'd', [['draft', states.content(large, 3_000)]], 'writer:task-2');
    states.checkpoint(small, 'a', [['messages', states.content(small, 500)]]);
    states.checkpoint(other, 'a', [['messages', states.content(other, 5_000)]]);
    states.checkpoint(deleted, 'a', [['messages', states.content(deleted, 50_000)]]);
    for (const thread of [large, small, other, empty]) stores.threads.put(states.commit, thread, undefined);
    await stores.store.write(states.commit);

    const state = await profileOf(stores, 10_000);
    for (const thread of [large, small, other])
      t.equal(runToEnd(stateBytes(stores.store, thread)), states.bytesOf(thread), 'as the budget counts');
    t.strictSame(
      state.largest_threads.map((one) => [one.thread_id, one.owner, one.bytes, one.is_over_budget]),
      [
        [large.threadId, 'ada', states.bytesOf(large), true],
        [other.threadId, 'bob', states.bytesOf(other), false],
        [small.threadId, 'ada', states.bytesOf(small), false],
      ],
    );
    t.equal(state.threads, 4);
    t.equal(state.deleted_bytes, states.bytesOf(deleted));
    const all = [large, small, other, deleted].reduce((sum, thread) => sum + states.bytesOf(thread), 0);
    t.equal(state.bytes, all);
    t.ok(state.is_complete);
    const grown = { day: null, week: null };
    t.strictSame(state.owners, [
      { owner: 'ada', threads: 2, bytes: states.bytesOf(large) + states.bytesOf(small), grown },
      { owner: 'bob', threads: 1, bytes: states.bytesOf(other), grown },
      { owner: null, threads: 1, bytes: 0, grown },
    ]);
    t.strictSame(
      state.graphs.map(({ graph_id: graph, threads }) => [graph, threads]),
      [
        ['chat', 3],
        ['search', 1],
      ],
    );
    t.equal(state.measured.threads, 3);
    const channels = new Map(state.channels.map((one) => [one.channel, one]));
    const packed = (length: number): number => pack(['j', Buffer.alloc(length), null, 1]).byteLength;
    // The newest checkpoint is read first, and its first channel gets what it shares.
    t.equal(channels.get('messages')!.bytes, packed(20_000) + packed(500) + packed(5_000));
    t.equal(channels.get('messages')!.threads, 3);
    t.equal(channels.get('copy')!.bytes, 0);
    t.equal(channels.get('draft')!.bytes, 2 * packed(3_000));
    t.strictSame(
      state.namespaces.map(({ namespace, threads, checkpoints }) => [namespace, threads, checkpoints]),
      [
        ['', 3, 4],
        ['writer', 1, 2],
      ],
    );
    t.ok(state.namespaces[1]!.bytes > 2 * packed(3_000) && state.namespaces[1]!.bytes < 7_000);
    t.equal(state.budget?.threads_over, 1);
    t.strictSame(state.growth, { day: null, week: null });
  });

t.test('finds what has grown since the profiles of the days before', async (t) => {
  const stores = opened(t);
  const states = new States();
  const [grown, shrunk, unlisted, made] = [
    threadOf(1),
    threadOf(2),
    threadOf(3),
    threadOf(4, { createdAtMs: NOW_MS - 3_600_000 }),
  ] as const;
  for (const [thread, length] of [
    [grown, 9_000],
    [shrunk, 1_000],
    [unlisted, 4_000],
    [made, 2_000],
  ] as const) {
    states.checkpoint(thread, 'a', [['messages', states.content(thread, length)]]);
    stores.threads.put(states.commit, thread, undefined);
  }
  await stores.store.write(states.commit);
  const daily = async (record: Partial<StateProfileRecord> & { atMs: number }): Promise<void> => {
    const commit = new Commit();
    stores.stateProfiles.put(commit, { ...EMPTY_PROFILE, ...record });
    await stores.store.write(commit);
  };
  const largest: [string, number][] = [
    [shrunk.threadId, 6_000],
    [grown.threadId, 2_000],
    // The record is full, so that threads that it does not list had at most 100 bytes.
    ...Array.from({ length: 98 }, (_, n): [string, number] => [idOf(100 + n), 100]),
  ];
  await daily({ atMs: NOW_MS - 8 * DAY_MS, bytes: 1_000, threads: 2, largest: [[grown.threadId, 500]] });
  await daily({ atMs: NOW_MS - 2 * DAY_MS, bytes: 1, threads: 200, largest: [] });
  const full = Array.from({ length: 20 }, (_, n): [string, number] => [`channel ${n}`, 10]);
  await daily({
    atMs: NOW_MS - DAY_MS,
    bytes: 10_000,
    threads: 200,
    largest,
    owners: [['', 9_000]],
    channels: [...full.slice(1), ['messages', 7_000]],
    namespaces: full,
  });
  await daily({ atMs: NOW_MS - 3_600_000, bytes: 20_000, threads: 4, largest: [] });

  const { growth, history, bytes, ...lists } = await profileOf(stores);
  t.strictSame(lists.owners[0]!.grown, { day: lists.owners[0]!.bytes - 9_000, week: lists.owners[0]!.bytes });
  t.equal(lists.graphs[0]!.grown.day, lists.graphs[0]!.bytes, 'it was not there');
  t.equal(lists.channels[0]!.grown.day, lists.channels[0]!.bytes - 7_000);
  t.equal(lists.namespaces[0]!.grown.day, null, 'it may have been too small for the list');
  t.equal(growth.day?.since, '2026-02-09T12:00:00.000000+00:00');
  t.equal(growth.day?.bytes, bytes - 10_000);
  t.strictSame(growth.day?.threads, [
    ...[grown, unlisted, made].map((thread) => {
      const before = thread === grown ? 2_000 : thread === unlisted ? 100 : 0;
      return {
        thread_id: thread.threadId,
        title: null,
        bytes: states.bytesOf(thread),
        grown_bytes: states.bytesOf(thread) - before,
        is_at_least: thread === unlisted,
      };
    }),
  ]);
  t.equal(growth.week?.since, '2026-02-02T12:00:00.000000+00:00');
  t.equal(growth.week?.threads.length, 4, 'the record of that day listed all threads');
  t.equal(growth.week?.threads[0]?.grown_bytes, states.bytesOf(grown) - 500);
  t.strictSame(
    history.map(({ bytes: one }) => one),
    [1_000, 1, 10_000, 20_000],
  );
});

t.test('keeps one profile a day, for 400 days', async (t) => {
  const stores = opened(t);
  const put = async (atMs: number, bytes: number): Promise<void> => {
    const commit = new Commit();
    stores.stateProfiles.put(commit, { ...EMPTY_PROFILE, atMs, bytes, largest: [[idOf(1), bytes]] });
    await stores.store.write(commit);
  };
  await put(NOW_MS - LIMITS.stateProfileDaysKept * DAY_MS, 1);
  await put(NOW_MS - (LIMITS.stateProfileDaysKept - 1) * DAY_MS, 2);
  await put(NOW_MS, 3);
  await put(NOW_MS + 1_000, 4);
  t.strictSame(
    [...stores.stateProfiles.all()].map(({ bytes }) => bytes),
    [2, 4],
  );
  t.ok(stores.stateProfiles.has(NOW_MS));
  t.notOk(stores.stateProfiles.has(NOW_MS + DAY_MS));
  const { folder } = stores.store;
  await stores.store.close();
  const checked = await cli(['doctor', '--store', '--data', folder, '--json']);
  t.match(JSON.parse(checked.stdout), { problems: 0 });
});

t.test('sums many names exactly, and says when there are too many', async (t) => {
  const table = new SumTable(10_000);
  const expected = new Map<string, number>();
  for (let n = 0; n < 30_000; n += 1) {
    const name = `thread ${(n * 7_919) % 9_000}`;
    expected.set(name, (expected.get(name) ?? 0) + n);
    table.add(hashOfName(Buffer.from(name)), n);
  }
  t.equal(table.size, expected.size);
  for (const [name, sum] of expected) if (table.sumOf(hashOfName(Buffer.from(name))) !== sum) t.fail(name);
  t.equal(table.sumOf(hashOfName(Buffer.from('unknown'))), 0);
  const full = new SumTable(2);
  t.strictSame([full.add(1, 5), full.add(2, 6), full.add(3, 7), full.add(1, 5)], [5, 6, null, 10]);

  // The largest by far grows last, after it was dropped from the candidates.
  const sums = new LargestSums(2, 1_000);
  sums.add('late', 1);
  for (let n = 0; n < 100; n += 1) sums.add(`name ${n}`, 100 + n);
  sums.add('late', 500);
  t.strictSame(sums.toSorted(), [
    { name: 'late', bytes: 501, count: 2 },
    { name: 'name 99', bytes: 199, count: 1 },
  ]);
  const largest = new Largest<number>(3, (value) => value);
  for (const value of [5, 1, 9, 3, 7, 2, 8, 6, 4, 0, 10, 11, 12, 13]) largest.add(value);
  t.strictSame(largest.toSorted(), [13, 12, 11]);
});
