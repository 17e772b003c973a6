import t from 'tap';
import { LIMITS } from '../../src/base/limits.js';
import { RowCache } from '../../workers/evaluation/row-cache.js';

t.test('evicts the least recently used values while there are too many rows', async (t) => {
  const cache = new RowCache<string, { rows: number }>();
  const half = { rows: LIMITS.cachedRowsMax / 2 };
  cache.put('a', half);
  cache.put('b', half);
  cache.put('a', half);
  cache.put('c', { rows: 1 });
  t.strictSame([cache.has('a'), cache.has('b'), cache.has('c')], [true, false, true]);
  t.equal(cache.get('a'), half);
  cache.put('large', { rows: LIMITS.cachedRowsMax * 2 });
  t.strictSame(
    ['a', 'c', 'large'].filter((key) => cache.has(key)),
    ['large'],
    'one that is too large alone stays until the next',
  );
  cache.put('d', { rows: 1 });
  t.notOk(cache.has('large'));
});

t.test('drops what was not used for a while', async (t) => {
  const { now } = performance;
  t.teardown(() => Object.assign(performance, { now }));
  let nowMs = 1_000;
  Object.assign(performance, { now: () => nowMs });
  const cache = new RowCache<string, { rows: number }>();
  cache.put('a', { rows: 10 });
  cache.put('b', { rows: 20 });
  nowMs += LIMITS.cachedUnusedMs - 1;
  cache.put('a', { rows: 11 });
  t.equal(cache.dropUnused(), 0);
  nowMs += 1;
  t.equal(cache.dropUnused(), 20);
  t.strictSame([cache.has('a'), cache.has('b')], [true, false]);
  nowMs += LIMITS.cachedUnusedMs;
  t.equal(cache.dropUnused(), 11);
  cache.put('a', { rows: 1 });
  cache.clear();
  t.equal(cache.get('a'), undefined);
});
