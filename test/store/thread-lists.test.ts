import * as fc from 'fast-check';
import t from 'tap';
import { withFilters, LOCAL_CALLER, userCaller } from '../../src/domain/caller.js';
import { contains, jsonBytes, type JsonObject } from '../../src/base/json/json.js';
import { parsePath, type JsonPath } from '../../src/domain/thread-path.js';
import { LIMITS } from '../../src/base/limits.js';
import { runToEnd, countTurn, type Steps } from '../../src/base/steps.js';
import { Commit } from '../../src/store/store.js';
import { openStores, type Stores } from '../../src/store/stores.js';
import type { ThreadContent, ThreadFilter } from '../../src/store/threads/thread-filter.js';
import type { ThreadCursor, ThreadQuery, ThreadSort } from '../../src/store/threads/thread-lists.js';
import { ThreadMoves } from '../../src/store/threads/thread-moves.js';
import type { ThreadRecord, ThreadStatus } from '../../src/store/threads/threads.js';
import { lowerLimit } from '../helpers/limits.js';
import { temporaryFolder } from '../helpers/server.js';

interface Made {
  createdAtMs: number;
  lagMs: number;
  stateLagMs: number;
  status: ThreadStatus;
  metadata: JsonObject;
  values: JsonObject;
  /** Its index entries: as the record says, none yet, or those of an earlier record. */
  index?: 'current' | 'none' | 'earlier';
}

interface Known {
  record: ThreadRecord;
  metadata: JsonObject;
  values: JsonObject;
}

const STATUSES = ['idle', 'busy', 'interrupted', 'error'] as const;
const SORTS = ['thread_id', 'status', 'created_at', 'updated_at', 'state_updated_at'] as const;
const ada = withFilters(
  userCaller({ identity: 'ada', display_name: 'ada', is_authenticated: true, permissions: [] }),
  { threads: { owner: 'ada' } },
  null,
);

/** More values than are indexed: such threads stand under the overflow leaf. */
const WIDE = Object.fromEntries(Array.from({ length: LIMITS.metadataLeavesMax }, (_, at) => [`wide${at}`, at]));

const small = fc.oneof(fc.constantFrom('x', 'y', '', null, true), fc.integer({ min: 0, max: 2 }));
const metadata = fc
  .record(
    {
      owner: fc.constantFrom('ada', 'bob'),
      a: small,
      deep: fc.record({ b: small }, { requiredKeys: [] }),
      list: fc.array(small, { maxLength: 2 }),
      'deep.b': small,
    },
    { requiredKeys: ['owner'] },
  )
  .chain((some) => fc.constantFrom<JsonObject[]>(some, some, some, { ...WIDE, ...some }));
const values = fc.record(
  { text: small, list: fc.array(fc.record({ n: small }), { maxLength: 2 }) },
  { requiredKeys: [] },
);
const made: fc.Arbitrary<Made> = fc.record({
  createdAtMs: fc.integer({ min: 1, max: 8 }),
  lagMs: fc.nat({ max: 4 }),
  stateLagMs: fc.nat({ max: 4 }),
  status: fc.constantFrom(...STATUSES),
  metadata,
  values,
  index: fc.constantFrom('current' as const, 'none' as const, 'earlier' as const),
});

const path = fc
  .constantFrom(
    'metadata.a',
    'metadata.deep.b',
    'metadata.list[0]',
    'metadata.list[-2]',
    'metadata',
    'values.text',
    'values.list[1].n',
    'config.none',
  )
  .map((text) => parsePath(text)!);
const { filter } = fc.letrec<{ filter: ThreadFilter }>((tie) => ({
  filter: fc
    .record(
      {
        metadata: fc.record(
          {
            a: small,
            deep: fc.record({ b: small }, { requiredKeys: [] }),
            list: fc.array(small, { maxLength: 1 }),
            owner: fc.constantFrom('ada', 'bob'),
          },
          { requiredKeys: [] },
        ),
        values: fc.record(
          { text: small, list: fc.array(fc.record({ n: small }), { maxLength: 1 }) },
          { requiredKeys: [] },
        ),
        status: fc.constantFrom(...STATUSES),
        exists: fc.array(path, { maxLength: 2 }),
        text: fc.constantFrom('x', 'ad', '01a00000-0000-7000-8000-00000000', 'nowhere'),
        or: fc.array(tie('filter'), { minLength: 1, maxLength: 3, depthIdentifier: 'filter' }),
        not: tie('filter'),
      },
      { requiredKeys: [] },
    )
    .map((some) => some as ThreadFilter),
}));
/** Most searches are plain. */
const plain: fc.Arbitrary<ThreadFilter> = fc.record(
  {
    metadata: fc.record({ a: small, owner: fc.constantFrom('ada', 'bob') }, { requiredKeys: [] }),
    status: fc.constantFrom(...STATUSES),
  },
  { requiredKeys: [] },
);

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

/** What a condition says, written once more. */
function holds(
  one: Known,
  { metadata: wanted, values: wantedValues, status, exists, text, or, not }: ThreadFilter,
): boolean {
  const leads = ({ root, steps }: JsonPath): boolean => {
    let at: unknown = root === 'metadata' ? one.metadata : root === 'values' ? one.values : {};
    for (const step of steps) {
      if (
        typeof step === 'number'
          ? !Array.isArray(at)
          : typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, step)
      )
        return false;
      at = typeof step === 'number' ? (at as unknown[]).at(step) : (at as JsonObject)[step];
    }
    return at !== undefined;
  };
  return (
    (wanted === undefined || contains(one.metadata, wanted)) &&
    (wantedValues === undefined || contains(one.values, wantedValues)) &&
    (status === undefined || one.record.status === status) &&
    (text === undefined ||
      one.record.threadId.startsWith(text) ||
      strings([one.metadata, one.values]).some((said) => said.includes(text))) &&
    (exists ?? []).every(leads) &&
    (or === undefined || or.some((some) => holds(one, some))) &&
    (not === undefined || !holds(one, not))
  );
}

const KEYS: Record<ThreadSort, (record: ThreadRecord) => (string | number)[]> = {
  thread_id: ({ threadId }) => [threadId],
  status: ({ status, updatedAtMs, threadId }) => [status, updatedAtMs, threadId],
  created_at: ({ createdAtMs, threadId }) => [createdAtMs, threadId],
  updated_at: ({ updatedAtMs, threadId }) => [updatedAtMs, threadId],
  state_updated_at: ({ stateUpdatedAtMs, threadId }) => [stateUpdatedAtMs, threadId],
};

function inOrder(known: readonly Known[], sortBy: ThreadSort, sortOrder: 'asc' | 'desc'): string[] {
  const compare = (a: Known, b: Known): number => {
    const [left, right] = [KEYS[sortBy](a.record), KEYS[sortBy](b.record)];
    const at = left.findIndex((value, place) => value !== right[place]);
    return at === -1 ? 0 : left[at]! < right[at]! ? -1 : 1;
  };
  return known.toSorted((a, b) => compare(a, b) * (sortOrder === 'asc' ? 1 : -1)).map(({ record }) => record.threadId);
}

function recordOf(threadId: string, { createdAtMs, lagMs, stateLagMs, status, metadata: own }: Made): ThreadRecord {
  const updatedAtMs = createdAtMs + lagMs;
  return {
    threadId,
    uid: threadId,
    createdAtMs,
    updatedAtMs,
    stateUpdatedAtMs: Math.max(createdAtMs, updatedAtMs - stateLagMs),
    status,
    metadata: jsonBytes(own),
    config: jsonBytes({}),
    graphId: null,
    unfinished: false,
    failure: null,
    nextSeq: 0,
    temporary: false,
  };
}

const looking = (known: ReadonlyMap<string, Known>): ThreadContent => ({
  bytesSearched: 0,
  *contains({ threadId }, wanted) {
    yield;
    return holds(known.get(threadId)!, { values: wanted });
  },
  *exists({ threadId }, wanted) {
    yield;
    return holds(known.get(threadId)!, { exists: [wanted] });
  },
  *hasText({ threadId }, text) {
    yield;
    const { metadata: own, values: latest } = known.get(threadId)!;
    return strings([own, latest]).some((said) => said.includes(text));
  },
});

const threadId = (at: number): string => `01a00000-0000-7000-8000-${String(at).padStart(12, '0')}`;

function putIndexed({ threads }: Stores, commit: Commit, record: ThreadRecord, index: Made['index']): ThreadRecord {
  const before =
    index === 'earlier'
      ? threads.put(commit, { ...record, status: 'idle', updatedAtMs: record.createdAtMs }, undefined)
      : undefined;
  return threads.put(commit, record, before, { indexLater: index !== 'current' && index !== undefined });
}

/** Threads in a store of their own. */
async function stored(stores: Stores, all: readonly Made[]): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  const commit = new Commit();
  for (const [at, one] of all.entries()) {
    // Ids do not rise with time.
    const record = putIndexed(stores, commit, recordOf(threadId((at * 7_919) % 100_003), one), one.index);
    known.set(record.threadId, { record, metadata: one.metadata, values: one.values });
  }
  await stores.store.write(commit);
  return known;
}

async function emptied(stores: Stores, known: ReadonlyMap<string, Known>): Promise<void> {
  const commit = new Commit();
  for (const { record } of known.values()) stores.threads.remove(commit, record);
  await stores.store.write(commit);
}

t.test('returns the same lists and counts as a full scan', async (t) => {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  const asked = fc.record({
    filter: fc.oneof(plain, filter),
    sortBy: fc.constantFrom(...SORTS),
    sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
    limit: fc.integer({ min: 1, max: 6 }),
    offset: fc.nat({ max: 8 }),
    own: fc.boolean(),
    ids: fc.option(fc.subarray([0, 1, 2, 3, 4, 5])),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(made, { maxLength: 40 }),
      fc.array(asked, { minLength: 4, maxLength: 12 }),
      async (all, questions) => {
        const known = await stored(stores, all);
        try {
          for (const { filter: wanted, sortBy, sortOrder, limit, offset, own, ids } of questions) {
            const caller = own ? ada : LOCAL_CALLER;
            const named = ids === null ? {} : { ids: ids.map((at) => threadId((at * 7_919) % 100_003)) };
            const matches = [...known.values()].filter(
              (one) =>
                (!own || one.metadata['owner'] === 'ada') &&
                holds(one, wanted) &&
                (ids === null || named.ids!.includes(one.record.threadId)),
            );
            const expected = inOrder(matches, sortBy, sortOrder);
            const query: ThreadQuery = { ...wanted, ...named, sortBy, sortOrder, limit, offset };
            const page = runToEnd(stores.threadLists.list(caller, query, looking(known)));
            t.strictSame(
              [page.records.map((record) => record.threadId), page.more],
              [expected.slice(offset, offset + limit), expected.length > offset + limit],
            );
            t.equal(
              runToEnd(stores.threadLists.count(caller, { ...wanted, ...named }, looking(known))),
              expected.length,
            );
            if (ids !== null || (sortBy !== 'created_at' && sortBy !== 'updated_at')) continue;
            const walked: string[] = [];
            for (let cursor: 'begin' | ThreadCursor | null = 'begin'; cursor !== null;) {
              const next: ReturnType<typeof stores.threadLists.list> extends Steps<infer P> ? P : never = runToEnd(
                stores.threadLists.list(
                  caller,
                  { ...wanted, sortBy, sortOrder, limit, offset: 0, cursor },
                  looking(known),
                ),
              );
              walked.push(...next.records.map((record) => record.threadId));
              t.equal(next.more, next.cursor !== null);
              cursor = next.cursor;
            }
            t.strictSame(walked, expected, 'page by page');
          }
        } finally {
          await emptied(stores, known);
        }
      },
    ),
    { numRuns: 60 },
  );
});

t.test('pages through all threads once, whatever changes meanwhile', async (t) => {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  const change = fc.record({
    at: fc.nat({ max: 40 }),
    what: fc.constantFrom('touch', 'touch', 'touch', 'status', 'make', 'remove'),
    tickMs: fc.constantFrom(0, 0, 1, 2, 5, -1),
    waits: fc.boolean(),
    indexLater: fc.boolean(),
  });
  const walk = fc.record({
    all: fc.array(made, { maxLength: 30 }),
    changes: fc.array(change, { maxLength: 60 }),
    everySteps: fc.integer({ min: 1, max: 6 }),
    sortBy: fc.constantFrom('created_at' as const, 'updated_at' as const),
    sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
    limit: fc.integer({ min: 1, max: 7 }),
    own: fc.boolean(),
  });
  let nextId = 200_000;
  await fc.assert(
    fc.asyncProperty(walk, async ({ all, changes, everySteps, sortBy, sortOrder, limit, own }) => {
      const known = await stored(stores, all);
      const original = new Set(known.keys());
      const touchable = [...known.keys()];
      // The clock may stand before what the threads say.
      let nowMs = 8;
      let steps = 0;
      const todo = changes.values();
      const apply = async ({ at, what, tickMs, waits, indexLater }: (typeof changes)[number]): Promise<void> => {
        nowMs += tickMs;
        const commit = new Commit();
        const chosen = known.get(touchable[at % Math.max(1, touchable.length)] ?? '');
        if (what === 'make') {
          const added = recordOf(threadId(nextId++), {
            createdAtMs: nowMs,
            lagMs: 0,
            stateLagMs: 0,
            status: 'idle',
            metadata: { owner: 'ada' },
            values: {},
          });
          const record = stores.threads.put(commit, added, undefined, { indexLater });
          known.set(record.threadId, { record, metadata: { owner: 'ada' }, values: {} });
          touchable.push(record.threadId);
        } else if (chosen !== undefined && what === 'remove') {
          stores.threads.remove(commit, chosen.record);
          known.delete(chosen.record.threadId);
          original.delete(chosen.record.threadId);
          touchable.splice(touchable.indexOf(chosen.record.threadId), 1);
        } else if (chosen !== undefined) {
          const record: ThreadRecord = {
            ...chosen.record,
            updatedAtMs: nowMs,
            status: what === 'status' ? 'busy' : 'idle',
          };
          chosen.record = stores.threads.put(commit, record, chosen.record, { indexLater });
        }
        const written = stores.store.write(commit);
        // The walk goes on while the change is on its way to the disk, or after it.
        if (waits) await written;
      };
      const interrupted = async <T>(work: Steps<T>): Promise<T> => {
        for (;;) {
          const step = work.next();
          if (step.done === true) return step.value;
          steps += 1;
          if (steps % everySteps !== 0) continue;
          const next = todo.next();
          if (next.done !== true) await apply(next.value);
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
          countTurn();
        }
      };
      const caller = own ? ada : LOCAL_CALLER;
      const walked: string[] = [];
      for (let cursor: 'begin' | ThreadCursor | null = 'begin'; cursor !== null;) {
        const page: { records: ThreadRecord[]; cursor: ThreadCursor | null } = await interrupted(
          stores.threadLists.list(caller, { sortBy, sortOrder, limit, offset: 0, cursor }),
        );
        walked.push(...page.records.map((record) => record.threadId));
        // As it goes through a client.
        cursor = JSON.parse(JSON.stringify(page.cursor)) as ThreadCursor | null;
        const next = todo.next();
        if (next.done !== true) await apply(next.value);
      }
      await stores.store.flushed();
      t.equal(new Set(walked).size, walked.length, 'none twice');
      const missed = [...original].filter(
        (id) => (!own || known.get(id)!.metadata['owner'] === 'ada') && !walked.includes(id),
      );
      t.strictSame(missed, [], 'none missed');
      await emptied(stores, known);
    }),
    { numRuns: 100 },
  );
});

t.test('misses no thread when threads move to and fro between two pages', async (t) => {
  const createdAtMs = [3, 5, 10];
  /** Threads in the order in which a walk returns them, each by its place in `createdAtMs`. */
  const walk = async (moves: readonly [thread: number, updatedAtMs: number][]): Promise<number[]> => {
    const stores = openStores(temporaryFolder(t), undefined);
    t.teardown(() => stores.store.close());
    const all = createdAtMs.map((atMs): Made => ({
      createdAtMs: atMs,
      lagMs: 0,
      stateLagMs: 0,
      status: 'idle',
      metadata: {},
      values: {},
    }));
    const known = [...(await stored(stores, all)).values()].map(({ record }) => record);
    const ids = known.map(({ threadId }) => threadId);
    const page = (cursor: 'begin' | ThreadCursor) =>
      runToEnd(stores.threadLists.list(LOCAL_CALLER, { sortBy: 'updated_at', limit: 1, offset: 0, cursor }));
    let { records, cursor } = page('begin');
    const walked = records;
    for (const [thread, updatedAtMs] of moves) {
      const commit = new Commit();
      const record = { ...known[thread]!, updatedAtMs };
      stores.threads.put(commit, record, known[thread]);
      known[thread] = record;
      await stores.store.write(commit);
    }
    while (cursor !== null) {
      ({ records, cursor } = page(cursor));
      walked.push(...records);
    }
    return walked.map(({ threadId }) => ids.indexOf(threadId));
  };
  t.strictSame(await walk([]), [2, 1, 0]);
  const cameBack = await walk([
    [1, 6],
    [1, 5],
    [0, 20],
  ]);
  t.strictSame(cameBack, [2, 0, 1], 'one came back to its old position, because the clock was set back');
  const movedTwice = await walk([
    [1, 20],
    [0, 21],
    [0, 2],
  ]);
  t.strictSame(movedTwice, [2, 1, 0], 'one moved behind the walk and ahead of it again');
});

t.test('knows whether reads see a move, also of a thread that came back', (t) => {
  const moves = new ThreadMoves();
  const first = moves.watch();
  const commits = [
    ['returns', 5, 6],
    ['returns', 6, 5],
    ['other', 3, 20],
    ['other', 20, 21],
  ].map(([threadId, from, to]) => {
    const commit = new Commit();
    moves.record(commit, threadId as string, from as number, to as number);
    return commit;
  });
  const isVisible = (number: number, ...entries: string[]): boolean =>
    moves.isVisible(first + number, ({ threadId, atMs }) => entries.includes(`${threadId} ${atMs}`));
  t.notOk(isVisible(0, 'returns 5', 'other 3'), 'nothing is on disk, or the thread has come back: nothing is missed');
  t.ok(isVisible(0, 'returns 6', 'other 3'));
  t.notOk(isVisible(1, 'returns 6', 'other 3'));
  t.ok(isVisible(0, 'returns 5', 'other 20'), 'a later move is visible');
  t.ok(isVisible(1, 'returns 5', 'other 20'));
  t.notOk(isVisible(3, 'returns 5', 'other 20'));
  commits[0]!.notifyDurable();
  t.ok(isVisible(0, 'returns 5', 'other 3'), 'durable');
  t.end();
});

t.test('reports an expired cursor of another process or of too long ago', async (t) => {
  const folder = temporaryFolder(t);
  const all = Array.from({ length: 5 }, (_, at): Made => ({
    createdAtMs: at,
    lagMs: 0,
    stateLagMs: 0,
    status: 'idle',
    metadata: {},
    values: {},
  }));
  lowerLimit(t, 'cursorMovesMax', 10_000);
  let stores = openStores(folder, undefined);
  const known = await stored(stores, all);
  const page = (sortBy: 'created_at' | 'updated_at', cursor: 'begin' | ThreadCursor) =>
    runToEnd(stores.threadLists.list(LOCAL_CALLER, { sortBy, limit: 2, offset: 0, cursor }));
  const [updated, created] = [page('updated_at', 'begin').cursor!, page('created_at', 'begin').cursor!];
  t.equal(page('updated_at', updated).records.length, 2);
  const [first] = known.values();
  let record = first!.record;
  for (let at = 0; at < 2 * LIMITS.cursorMovesMax; at += 1) {
    const next = { ...record, updatedAtMs: 100 + at };
    // Put, and never written: it is how often that counts.
    stores.threads.put(new Commit(), next, record);
    record = next;
  }
  t.throws(() => page('updated_at', updated), { code: 'CURSOR_EXPIRED' });
  t.equal(page('created_at', created).records.length, 2, 'in the order of creation nothing moves');
  const again = page('updated_at', 'begin').cursor!;
  await stores.store.close();
  stores = openStores(folder, undefined);
  t.throws(() => page('updated_at', again), { code: 'CURSOR_EXPIRED' });
  t.equal(page('created_at', created).records.length, 2, 'after a restart too');
  await stores.store.close();
});

t.test('stops a long search with an error or a cursor, and continues a count', async (t) => {
  lowerLimit(t, 'scanRowsMax', 5_000);
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  const total = LIMITS.scanRowsMax + 1_000;
  for (let at = 0; at < total; at += 1_000) {
    const commit = new Commit();
    for (let n = at; n < Math.min(total, at + 1_000); n += 1)
      stores.threads.put(
        commit,
        recordOf(threadId(n), {
          createdAtMs: n,
          lagMs: 0,
          stateLagMs: 0,
          status: 'idle',
          metadata: { kind: 'all', list: [n % 2] },
          values: {},
        }),
        undefined,
      );
    await stores.store.write(commit);
  }
  const rare: ThreadFilter = { metadata: { list: [2] } };
  const list = (query: Partial<ThreadQuery>) =>
    runToEnd(stores.threadLists.list(LOCAL_CALLER, { limit: 10, offset: 0, ...query }));
  t.throws(() => list(rare), { code: 'INVALID_REQUEST', message: /more than 5000 threads/ });
  t.throws(() => list({ ...rare, sortBy: 'thread_id' }), { code: 'INVALID_REQUEST' });
  const half = list({ ...rare, cursor: 'begin' });
  t.strictSame([half.records, half.more], [[], true], 'an empty page with a cursor');
  t.strictSame(list({ ...rare, cursor: half.cursor! }), { records: [], more: false, cursor: null });
  t.equal(list({ metadata: { list: [1] } }).records.length, 10, 'what is frequent is found');
  t.strictSame(
    list({ offset: total - 2, metadata: { kind: 'all' } }).records.map((record) => record.threadId),
    [threadId(1), threadId(0)],
    'an offset that the index can skip reads no records',
  );
  t.equal(runToEnd(stores.threadLists.count(LOCAL_CALLER, {})), total);
  t.equal(runToEnd(stores.threadLists.count(LOCAL_CALLER, { metadata: { kind: 'all' }, status: 'idle' })), total);
  t.equal(runToEnd(stores.threadLists.count(LOCAL_CALLER, { metadata: { list: [1] } })), total / 2);
  t.equal(runToEnd(stores.threadLists.count(ada, {})), 0);
});

t.test('indexes threads of an earlier folder at the start, also after an interruption', async (t) => {
  const folder = temporaryFolder(t);
  let stores = openStores(folder, undefined);
  const known = await stored(
    stores,
    Array.from({ length: 2_500 }, (_, at): Made => ({
      createdAtMs: at,
      lagMs: at % 3,
      stateLagMs: 0,
      status: 'idle',
      metadata: { n: at % 2 },
      values: {},
    })),
  );
  const created = (): string[] =>
    runToEnd(
      stores.threadLists.list(LOCAL_CALLER, { sortBy: 'created_at', limit: 1_000, offset: 0, metadata: { n: 1 } }),
    ).records.map((record) => record.threadId);
  const expected = inOrder(
    [...known.values()].filter(({ metadata: { n } }) => n === 1),
    'created_at',
    'desc',
  ).slice(0, 1_000);
  t.strictSame(created(), expected);
  const strip = new Commit();
  for (const key of stores.store.keys({ prefix: ['tc'] })) strip.remove(key);
  await stores.store.write(strip);
  t.strictSame(created(), []);
  // The second part never comes.
  const write = stores.store.write.bind(stores.store);
  let parts = 0;
  stores.store.write = (commit) => (++parts > 1 ? Promise.reject(new Error('cut off')) : write(commit));
  await t.rejects(stores.threads.buildCreatedIndex(stores.store), /cut off/);
  await stores.store.close();
  stores = openStores(folder, undefined);
  t.ok(created().length < 1_000);
  await stores.threads.buildCreatedIndex(stores.store);
  t.strictSame(created(), expected);
  await stores.threads.buildCreatedIndex(stores.store);
  t.strictSame(created(), expected, 'once is enough');
  await stores.store.close();
});
