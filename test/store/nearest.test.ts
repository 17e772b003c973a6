import * as fc from 'fast-check';
import { InMemoryStore } from '@langchain/langgraph-checkpoint';
import t from 'tap';
import { withFilters, userCaller, type Caller } from '../../src/domain/caller.js';
import { matchesItem } from '../../src/domain/item-filter.js';
import { textsAtPath } from '../../src/domain/item-texts.js';
import { jsonBytes } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { openStores } from '../../src/store/stores.js';
import { searchVectors, type VectorSearchRequest } from '../../src/store/items/vector-search.js';
import { temporaryFolder } from '../helpers/server.js';

const DIMS = 5;
const MARK = Buffer.alloc(8, 7);
const unit = (numbers: number[]): Float32Array => {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => (length === 0 ? 0 : number / length));
};
const stores = openStores(temporaryFolder(t), undefined);
t.teardown(() => stores.store.close());
stores.items.vectorIndex = { configHash: MARK, fields: ['$'], embed: async () => [], search: async () => [] };

const search = (caller: Caller, asked: Partial<VectorSearchRequest>): [string, string, number][] => {
  const near = searchVectors(stores.store, caller, {
    prefix: [],
    filter: null,
    vector: unit([1, 0, 0, 0, 0]),
    mark: MARK,
    limit: 10,
    offset: 0,
    nowMs: Date.now(),
    ...asked,
  });
  return near.map(({ at, score }) => [at[2] as string, at[3] as string, score]);
};

let scopes = 0;
const freshCaller = (): Caller =>
  withFilters(
    userCaller({ identity: `user-${(scopes += 1)}`, display_name: '', is_authenticated: true, permissions: [] }),
    { store: null },
    null,
  );

t.test('finds the same as a full comparison, under any prefix, filter and page', async (t) => {
  const numbers = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: DIMS, maxLength: DIMS });
  const item = fc.record({
    namespace: fc.array(fc.constantFrom('a', 'ab', 'b'), { minLength: 1, maxLength: 3 }),
    key: fc.constantFrom('k', 'l', 'm', 'n'),
    color: fc.constantFrom('red', 'blue'),
    vectors: fc.option(fc.array(numbers, { minLength: 1, maxLength: 3 })),
    gone: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { maxLength: 25 }),
      numbers,
      fc.array(fc.constantFrom('a', 'ab', 'b'), { maxLength: 2 }),
      fc.constantFrom(null, { color: 'red' }),
      fc.constantFrom(null, { color: 'blue' }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 4 }),
      async (items, query, prefix, filter, own, limit, offset) => {
        const all = freshCaller();
        const model = new Map<string, (typeof items)[number] & { n: number }>();
        for (const [n, { namespace, key, color, vectors, gone }] of items.entries()) {
          const plan = stores.items.begin();
          stores.items.put(plan, all, {
            namespace,
            key,
            value: jsonBytes({ color }),
            index: null,
            vectors: vectors?.map(unit) ?? null,
            ttlMs: null,
          });
          if (gone && n % 2 === 0) stores.items.remove(plan, all, namespace, key);
          await stores.items.write(plan);
          const name = JSON.stringify([namespace, key]);
          if (gone && n % 2 === 0) model.delete(name);
          else model.set(name, { ...items[n]!, n });
        }
        const vector = unit(query);
        const expected = [...model.values()]
          .filter(
            ({ namespace, vectors, color }) =>
              vectors !== null &&
              prefix.every((label, at) => label === namespace[at]) &&
              (filter === null || matchesItem({ color }, filter)) &&
              (own === null || own.color === color),
          )
          .map(({ vectors, ...rest }) => ({
            ...rest,
            score: Math.max(
              ...vectors!.map((one) => unit(one).reduce((sum, number, at) => sum + number * vector[at]!, 0)),
            ),
          }));
        const found = search(withFilters(all, { store: own }, null), { prefix, filter, vector, limit: 1_000 });
        t.equal(found.length, expected.length);
        for (const { namespace, key, score } of expected)
          t.ok(
            found.some(
              (one) => one[0] === namespace.join('\u0005') && one[1] === key && Math.abs(one[2] - score) < 1e-5,
            ),
          );
        t.ok(
          found.every(([, , score], at) => at === 0 || score <= found[at - 1]![2]),
          'nearest first',
        );
        t.strictSame(
          search(withFilters(all, { store: own }, null), { prefix, filter, vector, limit, offset }),
          found.slice(offset, offset + limit),
        );
      },
    ),
    { numRuns: 60 },
  );
});

t.test('separates callers and index configurations', async (t) => {
  const [ada, bob] = [freshCaller(), freshCaller()];
  const plan = stores.items.begin();
  stores.items.put(plan, ada, {
    namespace: ['a'],
    key: 'k',
    value: jsonBytes({}),
    index: null,
    vectors: [unit([1, 0, 0, 0, 0])],
    ttlMs: null,
  });
  await stores.items.write(plan);
  t.strictSame(search(ada, {}), [['a', 'k', 1]]);
  t.strictSame(search(bob, {}), []);
  t.strictSame(search(withFilters(ada, {}, null), {}), [], 'who was not asked about the store sees nothing of it');
  t.strictSame(search(ada, { mark: Buffer.alloc(8, 8) }), []);
  t.strictSame([...stores.store.keys({ prefix: ['mv', ada.itemScope] })].length, 1);
  const removal = stores.items.begin();
  stores.items.remove(removal, ada, ['a'], 'k');
  await stores.items.write(removal);
  t.strictSame([...stores.store.keys({ prefix: ['mv', ada.itemScope] })], []);
});

t.test('limits the items that a search with a filter reads', async (t) => {
  const all = freshCaller();
  for (let n = 0; n <= LIMITS.authorizedScanRowsMax;) {
    const plan = stores.items.begin();
    for (let i = 0; i < 2_000 && n <= LIMITS.authorizedScanRowsMax; i += 1, n += 1)
      stores.items.put(plan, all, {
        namespace: ['a'],
        key: `k${n}`,
        value: jsonBytes({ owner: 'bob' }),
        index: null,
        vectors: [unit([1, n, 0, 0, 0])],
        ttlMs: null,
      });
    await stores.items.write(plan);
  }
  t.equal(search(all, {}).length, 10);
  t.throws(() => search(withFilters(all, { store: { owner: 'ada' } }, null), {}), { code: 'STORE_SCAN_LIMIT' });
});

t.test("embeds the same texts as LangGraph's own store", async (t) => {
  const value = {
    title: 'One',
    n: 3,
    no: null,
    yes: true,
    deep: { a: { b: 'x' } },
    parts: [{ text: 'p' }, { text: 'q', more: ['r'] }, 's'],
    'odd name': 'o',
  };
  for (const path of [
    '$',
    'title',
    'n',
    'no',
    'yes',
    'deep',
    'deep.a.b',
    'deep.none',
    'parts',
    'parts[0].text',
    'parts[-1]',
    'parts[9]',
    'parts[*].text',
    'parts[1].more[*]',
    'parts[x]',
    '*',
    'deep.*',
    'parts.*.text',
    '{title,deep.a.b}',
    'deep.{a}',
    'odd name',
    'title.length',
    'none',
  ]) {
    const embedded: string[] = [];
    const embeddings = {
      embedQuery: async () => [1],
      embedDocuments: async (texts: string[]) => {
        embedded.push(...texts);
        return texts.map(() => [1]);
      },
    };
    await new InMemoryStore({ index: { dims: 1, embeddings: embeddings as never, fields: ['$'] } }).put(
      ['a'],
      'k',
      value,
      [path],
    );
    t.strictSame(textsAtPath(value, path).sort(), embedded.sort(), path);
  }
  t.strictSame(textsAtPath(value, 'toString'), [], "only what is the value's own");
});
