import { inspect, isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { attachedValues } from '../../src/base/attached-values.js';

t.test('values are kept with their objects', (t) => {
  const [first, second] = [attachedValues<number>(), attachedValues<string>()];
  const objects: object[] = [{}, [], () => 1, new Map(), Object.create(null) as object, new Proxy({}, {})];
  for (const [n, object] of objects.entries()) {
    t.equal(first.get(object), undefined);
    first.set(object, n);
    t.equal(second.get(object), undefined, 'each has values of its own');
    second.set(object, `the ${n}`);
    first.set(object, n + 10);
  }
  for (const [n, object] of objects.entries()) {
    t.strictSame([first.get(object), second.get(object)], [n + 10, `the ${n}`]);
    first.delete(object);
    t.strictSame([first.get(object), second.get(object)], [undefined, `the ${n}`]);
  }
  t.end();
});

t.test('nobody else sees them', (t) => {
  const kept = attachedValues<object>();
  const object = { a: 1, list: [{ b: 2 }] };
  kept.set(object, { not: 'to be seen' });
  kept.set(object.list[0]!, { not: 'to be seen' });
  t.strictSame(Reflect.ownKeys(object), ['a', 'list']);
  t.equal(JSON.stringify(object), '{"a":1,"list":[{"b":2}]}');
  t.notMatch(inspect(object, { showHidden: true, depth: 9 }), /seen/);
  t.ok(isDeepStrictEqual(object, { a: 1, list: [{ b: 2 }] }));
  const copies = [{ ...object }, Object.assign({}, object), structuredClone(object)];
  for (const copy of copies) {
    t.strictSame(copy, object);
    t.equal(kept.get(copy), undefined, 'a copy has no value');
  }
  t.end();
});

t.test('objects that may not get fields have values, too', (t) => {
  const kept = attachedValues<number>();
  const objects: object[] = [Object.freeze({ a: 1 }), Object.seal([1]), Object.preventExtensions(new Map())];
  for (const [n, object] of objects.entries()) {
    t.equal(kept.get(object), undefined);
    kept.set(object, n);
    t.equal(kept.get(object), n);
  }
  kept.delete(objects[0]!);
  t.strictSame(
    objects.map((object) => kept.get(object)),
    [undefined, 1, 2],
  );
  const later = { a: 1 };
  kept.set(later, 7);
  Object.freeze(later);
  t.equal(kept.get(later), 7);
  kept.set(later, 8);
  t.equal(kept.get(later), 8);
  t.end();
});
