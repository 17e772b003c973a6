import t from 'tap';
import { TransientMap, TransientSet } from '../../src/base/transient.js';

t.test('a map has what was set and not removed', (t) => {
  const map = new TransientMap<string, object>();
  const [a, b, c] = [{}, {}, {}];
  map.set('a', a);
  map.set('b', b);
  map.set('a', c);
  t.strictSame(
    [map.size, map.get('a') === c, map.has('b'), map.get('x'), map.has('x')],
    [2, true, true, undefined, false],
  );
  t.equal(map.delete('b'), true);
  t.equal(map.delete('b'), false);
  t.strictSame([map.size, map.get('b'), map.has('b')], [1, undefined, false]);
  map.set('b', b);
  t.strictSame([...map.keys()], ['a', 'b']);
  t.ok([...map.values()].every((value, at) => value === [c, b][at]));
  t.end();
});

t.test('what is removed while the values are read is left out', (t) => {
  const map = new TransientMap<number, { n: number }>();
  const set = new TransientSet<{ n: number }>();
  const removals = [1, 2, 3].map((n) => {
    map.set(n, { n });
    return set.add({ n });
  });
  const seen: number[] = [];
  for (const { n } of map.values()) {
    seen.push(n);
    map.delete(2);
  }
  for (const { n } of set.values()) {
    seen.push(n);
    removals[1]!();
  }
  t.strictSame(seen, [1, 3, 1, 3]);
  t.strictSame([map.size, set.size], [2, 2]);
  t.end();
});

t.test('a set has an object as often as it was added', (t) => {
  const set = new TransientSet<object>();
  const one = {};
  const [removeFirst] = [set.add(one), set.add(one)];
  removeFirst();
  removeFirst();
  t.equal(set.size, 1);
  t.equal([...set.values()][0], one);
  t.end();
});
