import { InMemoryStore, type MatchCondition } from '@langchain/langgraph-checkpoint';
import * as fc from 'fast-check';
import t, { type Test } from 'tap';
import { withFilters, LOCAL_CALLER, userCaller, type Caller } from '../../src/domain/caller.js';
import { matchesItem } from '../../src/domain/item-filter.js';
import { jsonBytes, parseJson } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { Commit } from '../../src/store/store.js';
import { openStores, type Stores } from '../../src/store/stores.js';
import { ITEM_DEFAULTS, type ItemTtl } from '../../src/store/items/items.js';
import { labelsOf, namespacePart, scopePart } from '../../src/store/keys.js';
import { pack } from '../../src/wire/codec.js';
import { lowerLimit } from '../helpers/limits.js';
import { temporaryFolder } from '../helpers/server.js';
import { systemClock } from '../../src/base/clock.js';

/** A store with a clock of its own. */
function open(
  t: Test,
  folder = temporaryFolder(t),
  ttl: ItemTtl = ITEM_DEFAULTS.ttl,
): { stores: Stores; time: { nowMs: number } } {
  const time = { nowMs: 1_000_000 };
  const stores = openStores(folder, undefined, { clock: { ...systemClock, nowMs: () => time.nowMs }, ttl });
  t.teardown(() => stores.store.close());
  return { stores, time };
}

interface Wanted {
  namespace: string[];
  key: string;
  value?: Record<string, unknown>;
  ttlMs?: number | null;
}

async function put(stores: Stores, caller: Caller, ...wanted: Wanted[]): Promise<void> {
  const plan = stores.items.begin();
  for (const { namespace, key, value = {}, ttlMs } of wanted)
    stores.items.put(plan, caller, { namespace, key, value: jsonBytes(value), index: null, ttlMs });
  await stores.items.write(plan);
}

async function remove(stores: Stores, namespace: string[], key: string): Promise<void> {
  const plan = stores.items.begin();
  stores.items.remove(plan, LOCAL_CALLER, namespace, key);
  await stores.items.write(plan);
}

async function found(
  stores: Stores,
  caller: Caller,
  query: { prefix?: string[]; filter?: Record<string, unknown>; limit?: number; offset?: number } = {},
): Promise<string[]> {
  const items = await stores.itemLists.search(caller, {
    prefix: [],
    filter: null,
    query: null,
    limit: 10,
    offset: 0,
    ...query,
  });
  return items.map(({ item }) => item.key);
}

const namespaces = (stores: Stores, caller: Caller, query: object = {}): Promise<string[][]> =>
  stores.itemLists.namespaces(caller, { matches: [], maxDepth: null, limit: 100, offset: 0, ...query });
const user = (identity: string): Caller =>
  userCaller({ identity, display_name: identity, is_authenticated: true, permissions: [] });
const entries = (stores: Stores): unknown[][] =>
  ['mi', 'mu', 'mx', 'm'].flatMap((prefix) => [...stores.store.keys({ prefix: [prefix] })]);

t.test('sees earlier changes of the same turn', async (t) => {
  const { stores } = open(t);
  await Promise.all([
    put(stores, LOCAL_CALLER, { namespace: ['a'], key: 'k', value: { n: 1 }, ttlMs: 1_000 }),
    put(stores, LOCAL_CALLER, { namespace: ['a'], key: 'k', value: { n: 2 }, ttlMs: 2_000 }),
    put(
      stores,
      LOCAL_CALLER,
      { namespace: ['a'], key: 'k', value: { n: 3 } },
      { namespace: ['a'], key: 'k', value: { n: 4 } },
    ),
    put(stores, LOCAL_CALLER, { namespace: ['a'], key: 'gone' }),
    remove(stores, ['a'], 'gone'),
  ]);
  t.strictSame(parseJson(stores.items.get(LOCAL_CALLER, ['a'], 'k')!.value), { n: 4 });
  t.strictSame(await found(stores, LOCAL_CALLER), ['k']);
  t.equal(entries(stores).length, 3, 'the item, and its places under [] and [a]: nothing is left of those before');
  await remove(stores, ['a'], 'k');
  t.strictSame(entries(stores), []);
});

t.test('removes expired items in slices and keeps refreshed ones', async (t) => {
  const { stores, time } = open(t, undefined, { refreshOnRead: true, defaultMs: 60_000 });
  await put(
    stores,
    LOCAL_CALLER,
    ...Array.from({ length: 700 }, (_, n) => ({ namespace: ['a', `n${n % 7}`], key: `k${n}` })),
    { namespace: ['b'], key: 'ever', ttlMs: null },
    { namespace: ['b'], key: 'read' },
  );
  time.nowMs += 59_000;
  await stores.items.refresh(
    LOCAL_CALLER,
    [
      { namespace: ['b'], key: 'read' },
      { namespace: ['b'], key: 'ever' },
      { namespace: ['b'], key: 'never' },
    ],
    null,
  );
  await put(stores, LOCAL_CALLER, { namespace: ['a', 'n0'], key: 'k0' });
  time.nowMs += 1_000;
  t.strictSame(await found(stores, LOCAL_CALLER), ['k0', 'read', 'ever']);
  t.ok(entries(stores).length > 2_000);
  await stores.remover.sweepItems();
  t.strictSame(await found(stores, LOCAL_CALLER), ['k0', 'read', 'ever']);
  // Each once, once under each of its namespaces, and with its end if it has one.
  t.equal(entries(stores).length, 1 + 3 + 1 + (1 + 2 + 1) + (1 + 2));
  time.nowMs += 60_000;
  await stores.remover.sweepItems();
  t.equal(entries(stores).length, 3, 'the one that lives for ever');
});

t.test('refreshes expiry on read by at least a second', async (t) => {
  const { stores, time } = open(t);
  await put(stores, LOCAL_CALLER, { namespace: ['a'], key: 'k', ttlMs: 60_000 });
  const read = async (wanted: boolean | null): Promise<number> => {
    await stores.items.refresh(LOCAL_CALLER, [{ namespace: ['a'], key: 'k' }], wanted);
    return stores.items.get(LOCAL_CALLER, ['a'], 'k')!.expiresAtMs!;
  };
  time.nowMs += 999;
  t.equal(await read(null), 1_060_000);
  time.nowMs += 1;
  t.equal(await read(false), 1_060_000);
  t.equal(await read(null), 1_061_000);
  t.equal(stores.items.get(LOCAL_CALLER, ['a'], 'k')!.updatedAtUs, 1_000_000_000, 'to read is no update');
});

t.test('separates the scopes of identities of any form', async (t) => {
  const { stores } = open(t);
  const identities = [
    '',
    'a',
    'a\u0000b',
    'a\u0005b',
    '#a',
    'é',
    'x'.repeat(5_000),
    `${'x'.repeat(5_000)}y`,
    '\ud800',
    '\ud801',
    '\u0001'.repeat(150),
    'a'.repeat(200),
    '__proto__',
  ];
  t.equal(new Set(identities.map(scopePart)).size, identities.length);
  const callers = identities.map((identity) =>
    withFilters(identity === '' ? LOCAL_CALLER : user(identity), { store: null }, null),
  );
  for (const [at, caller] of callers.entries())
    await put(stores, caller, { namespace: ['n', `${at}`], key: 'x'.repeat(1_000), value: { at } });
  for (const [at, caller] of callers.entries()) {
    t.strictSame(await namespaces(stores, caller), [['n', `${at}`]]);
    t.strictSame(
      (await stores.itemLists.search(caller, { prefix: [], filter: null, query: null, limit: 100, offset: 0 })).map(
        ({ item }) => parseJson(item.value),
      ),
      [{ at }],
    );
    for (const other of callers.keys())
      t.equal(stores.items.get(caller, ['n', `${other}`], 'x'.repeat(1_000)) !== undefined, other === at);
  }
});

t.test('applies a filter to lists and to single items', async (t) => {
  const { stores } = open(t);
  const ada = user('ada');
  const all = withFilters(ada, { store: null }, null);
  await put(
    stores,
    all,
    { namespace: ['a'], key: 'k', value: { owner: 'ada' } },
    { namespace: ['a'], key: 'l', value: { owner: 'bob' } },
    { namespace: ['b'], key: 'm' },
  );
  await put(stores, withFilters(ada, { store: null }, { owner: 'ada' }), {
    namespace: ['c'],
    key: 'stamped',
    value: { owner: 'bob' },
  });
  const own = withFilters(ada, { store: { owner: 'ada' } }, null);
  t.strictSame(await found(stores, own), ['stamped', 'k'], 'what was stamped counts before what the value says');
  t.strictSame(await namespaces(stores, own), [['a'], ['c']]);
  t.throws(() => stores.items.get(own, ['a'], 'l'), { code: 'ITEM_NOT_FOUND' });
  t.equal(stores.items.get(own, ['a'], 'nothing'), undefined);
  await t.rejects(put(stores, own, { namespace: ['a'], key: 'l', value: { owner: 'ada' } }), {
    code: 'ITEM_NOT_FOUND',
  });
  await t.rejects(put(stores, own, { namespace: ['a'], key: 'new', value: { owner: 'bob' } }), { code: 'FORBIDDEN' });
  await t.rejects(
    put(stores, own, { namespace: ['a'], key: 'k', value: {} }),
    { code: 'FORBIDDEN' },
    "nor out of one's own reach",
  );
  t.strictSame(
    await found(stores, withFilters(ada, { store: { $or: [{ key: 'm' }, { namespace: { $contains: 'c' } }] } }, null)),
    ['stamped', 'm'],
  );
  t.strictSame(
    await found(stores, withFilters(ada, {}, null)),
    [],
    'who was not asked about the store sees nothing of it',
  );
  t.strictSame(await namespaces(stores, withFilters(ada, {}, null)), []);
});

t.test('limits pages, filters and namespaces by the rows that they read', async (t) => {
  lowerLimit(t, 'scanRowsMax', 5_000);
  lowerLimit(t, 'authorizedScanRowsMax', 1_000);
  const { stores } = open(t);
  const COUNT = 10_000;
  for (let at = 0; at < COUNT; at += 1_000) {
    await put(
      stores,
      LOCAL_CALLER,
      ...Array.from({ length: 1_000 }, (_, i) => ({
        namespace: ['many'],
        key: `k${at + i}`,
        value: { n: at + i, owner: 'ada' },
      })),
    );
  }
  await put(stores, LOCAL_CALLER, { namespace: ['few'], key: 'one' });
  t.strictSame(await found(stores, LOCAL_CALLER, { prefix: ['many'], limit: 3 }), ['k9999', 'k9998', 'k9997']);
  t.equal((await found(stores, LOCAL_CALLER, { prefix: ['many'], limit: 100, offset: 4_000 })).at(-1), 'k5900');
  t.strictSame(
    await namespaces(stores, LOCAL_CALLER),
    [['few'], ['many']],
    'how many items a namespace has does not matter',
  );
  await t.rejects(found(stores, LOCAL_CALLER, { offset: LIMITS.scanRowsMax }), {
    code: 'STORE_SCAN_LIMIT',
    status: 400,
    message: 'Store query exceeded maximum scan limit. Narrow the namespace or filters.',
  });
  await t.rejects(found(stores, LOCAL_CALLER, { prefix: ['many'], filter: { n: 1 } }), { code: 'STORE_SCAN_LIMIT' });
  t.strictSame(
    await found(stores, LOCAL_CALLER, { prefix: ['many'], filter: { n: { $gte: 6_000 } }, limit: 1, offset: 3_999 }),
    ['k6000'],
  );
  const filtered = (owner: string): Caller => withFilters(LOCAL_CALLER, { store: { owner } }, null);
  t.equal((await found(stores, filtered('ada'), { limit: 100 })).length, 100);
  const refused = {
    code: 'STORE_SCAN_LIMIT',
    message: 'Authenticated store query exceeded maximum scan limit. Narrow the namespace or filters.',
  };
  await t.rejects(found(stores, filtered('bob')), refused);
  await t.rejects(namespaces(stores, filtered('bob')), refused);
  t.equal(
    await Promise.race([
      found(stores, LOCAL_CALLER, { prefix: ['many'], filter: { n: -1 } }).catch(() => 'search'),
      new Promise((resolve) => {
        setImmediate(() => resolve('others'));
      }),
    ]),
    'others',
    'a long search lets others have their turn',
  );
});

t.test('indexes items of earlier releases at the next start', async (t) => {
  const folder = temporaryFolder(t);
  const long = 'l'.repeat(70);
  const old = (
    scope: string,
    namespace: string[],
    key: string,
    updatedAtMs: number,
  ): [(string | number)[], Uint8Array] => [
    ['m', scope, namespace.join('\u0000'), key],
    pack({ namespace, key, value: jsonBytes({ key }), createdAtMs: 500, updatedAtMs }),
  ];
  const first = openStores(folder, undefined);
  const commit = new Commit();
  const deep = Array.from({ length: 450 }, (_, n) => old('', ['deep', `n${n}`], `d${n}`, 2_000 + n));
  for (const [key, value] of [
    ...deep,
    old('', ['a', 'b'], 'x', 1_000),
    old('', ['a', long], 'y', 1_001),
    old('ada', ['a', 'b'], 'x', 1_002),
    old('i'.repeat(300), [long, long], long, 1_003),
  ])
    commit.put(key, value);
  await first.store.write(commit);
  await first.store.close();
  const { stores } = open(t, folder);
  t.equal(await stores.items.moveOldItems(), 454);
  t.equal(await stores.items.moveOldItems(), 0);
  t.strictSame([...stores.store.keys({ prefix: ['m'] })], [], 'they were moved');
  t.strictSame(await found(stores, LOCAL_CALLER, { prefix: ['a'] }), ['y', 'x']);
  t.strictSame(await found(stores, LOCAL_CALLER, { limit: 2 }), ['d449', 'd448']);
  t.matchStrict(stores.items.get(LOCAL_CALLER, ['a', long], 'y'), {
    namespace: ['a', long],
    createdAtUs: 500_000,
    updatedAtUs: 1_001_000,
    ttlMs: null,
    expiresAtMs: null,
    index: null,
    stamp: null,
  });
  t.strictSame(await found(stores, withFilters(user('ada'), { store: null }, null)), ['x']);
  const again = new Commit();
  for (const [key, value] of [old('', ['a', 'b'], 'x', 999), old('', ['a', long], 'y', 5_000)]) again.put(key, value);
  await stores.store.write(again);
  t.equal(await stores.items.moveOldItems(), 2);
  t.equal(stores.items.get(LOCAL_CALLER, ['a', 'b'], 'x')!.updatedAtUs, 1_000_000, 'of two the newer counts');
  t.equal(stores.items.get(LOCAL_CALLER, ['a', long], 'y')!.updatedAtUs, 5_000_000);
  t.strictSame(await found(stores, LOCAL_CALLER, { prefix: ['a'] }), ['y', 'x']);
  t.strictSame(await found(stores, withFilters(user('i'.repeat(300)), { store: null }, null)), [long]);
});

t.test('encodes namespaces with any labels in keys', (t) => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, unit: 'binary' }), { maxLength: 5 }), (labels) => {
      t.strictSame(labelsOf(namespacePart(labels)), labels);
      // oxlint-disable-next-line no-control-regex
      return !/[\u0000-\u0004]/.test(namespacePart(labels));
    }),
  );
  t.end();
});

const scalar = fc.oneof(
  fc.constantFrom(0, 1, 2, -1, 1.5, '', '1', '2', 'a', 'b', true, false, null),
  fc.integer({ min: -3, max: 3 }),
);
const value = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), scalar, { maxKeys: 4 });
const operators = fc.oneof(
  fc
    .record({ $eq: scalar, $ne: scalar, $gt: scalar, $gte: scalar, $lt: scalar, $lte: scalar }, { requiredKeys: [] })
    .filter((one) => Object.keys(one).length > 0),
  fc
    .record({ $in: fc.array(scalar), $nin: fc.array(scalar) }, { requiredKeys: [] })
    .filter((one) => Object.keys(one).length > 0),
);
const filter = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(scalar, operators), { maxKeys: 3 });

t.test("filters like LangGraph's own store", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(value, { maxLength: 8 }), filter, async (values, asked) => {
      const theirs = new InMemoryStore();
      for (const [at, one] of values.entries()) await theirs.put(['n'], String(at), { ...one });
      const expected = (await theirs.search(['n'], { filter: asked, limit: 100 })).map(({ key }) => key);
      const ours = values.flatMap((one, at) => (matchesItem(one, asked) ? [String(at)] : []));
      t.strictSame(ours, expected, JSON.stringify([asked, values]));
    }),
    { numRuns: 300 },
  );
});

t.test("lists namespaces like LangGraph's own store", async (t) => {
  const label = fc.constantFrom('a', 'b', 'ab', 'c');
  const namespace = fc.array(label, { minLength: 1, maxLength: 4 });
  const path = fc.array(fc.oneof(label, fc.constant('*')), { minLength: 1, maxLength: 3 });
  const { stores } = open(t);
  let scope = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(namespace, { maxLength: 10 }),
      fc.option(path),
      fc.option(path),
      fc.option(fc.integer({ min: 1, max: 4 })),
      fc.nat(4),
      fc.nat(3),
      async (all, prefix, suffix, maxDepth, limit, offset) => {
        const caller = withFilters(user(`user ${scope++}`), { store: null }, null);
        const theirs = new InMemoryStore();
        for (const one of all) await theirs.put(one, 'k', {});
        await put(stores, caller, ...all.map((one) => ({ namespace: one, key: 'k' })));
        const matches = [
          ...(prefix === null ? [] : [{ type: 'prefix' as const, path: prefix }]),
          ...(suffix === null ? [] : [{ type: 'suffix' as const, path: suffix }]),
        ];
        const conditions: MatchCondition[] = matches.map((one) => ({
          matchType: one.type,
          path: one.path as [string],
        }));
        const [listed] = await theirs.batch([
          { matchConditions: conditions, ...(maxDepth === null ? {} : { maxDepth }), limit: 100, offset: 0 },
        ]);
        const expected = (listed as string[][]).map((one) => one.join('.')).toSorted();
        const ours = (await namespaces(stores, caller, { matches, maxDepth })).map((one) => one.join('.'));
        t.strictSame(ours.toSorted(), expected);
        t.strictSame(
          (await namespaces(stores, caller, { matches, maxDepth, limit, offset })).map((one) => one.join('.')),
          ours.slice(offset, offset + limit),
          'a page of it',
        );
      },
    ),
    { numRuns: 60 },
  );
});
