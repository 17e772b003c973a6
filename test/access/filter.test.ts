import { array, assert, constantFrom, dictionary, letrec, oneof, property, type Arbitrary } from 'fast-check';
import t from 'tap';
import { equalitiesOf, filterProblem, passes, type Filter } from '../../src/domain/filter.js';
import type { JsonObject } from '../../src/base/json/json.js';

t.test('matches values by the rules of filters', (t) => {
  const metadata = { owner: 'ada', level: 3, nothing: null, tags: ['a', 'b'], constructor: 'own' };
  const cases: [filter: Filter, passes: boolean][] = [
    [{}, true],
    [{ owner: 'ada' }, true],
    [{ owner: 'bob' }, false],
    [{ owner: { $eq: 'ada' } }, true],
    [{ level: '3' }, false],
    [{ level: 3, owner: 'ada' }, true],
    [{ nothing: null }, true],
    [{ missing: null }, false],
    [{ missing: { $eq: null } }, false],
    [{ missing: { $contains: 'a' } }, false],
    [{ missing: { $contains: [] } }, false],
    [{ toString: null }, false],
    [{ constructor: 'own' }, true],
    [{ tags: { $contains: 'a' } }, true],
    [{ tags: { $contains: ['a', 'b'] } }, true],
    [{ tags: { $contains: ['a', 'c'] } }, false],
    [{ owner: { $contains: 'ada' } }, false],
    [{ $or: [{ owner: 'bob' }, { tags: { $contains: 'b' } }] }, true],
    [{ $or: [] }, false],
    [{ $and: [] }, true],
    [{ $and: [{ owner: 'ada' }, { $or: [{ level: 1 }, { level: 3 }] }] }, true],
    [{ $and: [{ owner: 'ada' }], level: 4 }, false],
  ];
  for (const [filter, expected] of cases) {
    t.equal(filterProblem(filter), null, JSON.stringify(filter));
    t.equal(passes(filter, metadata), expected, JSON.stringify(filter));
  }
  t.end();
});

t.test('names the place of what is wrong in a filter', (t) => {
  const cases: [value: unknown, problem: RegExp][] = [
    ['owner', /^filter must be an object/],
    [[], /^filter must be an object/],
    [{ owner: ['a'] }, /^filter\.owner must be text/],
    [{ owner: {} }, /^filter\.owner has no operator/],
    [{ owner: { $ne: 'a' } }, /^filter\.owner\.\$ne is an unknown operator/],
    [{ owner: { $contains: { a: 1 } } }, /^filter\.owner\.\$contains is an unknown operator/],
    [{ $not: { a: 1 } }, /^filter\.\$not is an unknown operator/],
    [{ $or: { a: 1 } }, /^filter\.\$or must be a list/],
    [{ $and: [{ a: 1 }, { $or: [{ b: { $gt: 1 } }] }] }, /^filter\.\$and\.1\.\$or\.0\.b\.\$gt/],
  ];
  for (const [value, problem] of cases) t.match(filterProblem(value), problem, JSON.stringify(value));
  let deep: unknown = { a: 1 };
  for (let level = 0; level < 20; level += 1) deep = { $and: [deep] };
  t.match(filterProblem(deep), /nested deeper/);
  t.match(filterProblem({ $or: Array.from({ length: 2_000 }, () => ({ a: 1 })) }), /more than 1000 parts/);
  t.end();
});

t.test('derives only equalities that hold for everything that matches', (t) => {
  const scalar = constantFrom<unknown>('a', 'b', 1, true, null);
  const name = constantFrom('x', 'y', 'z');
  const condition = oneof(
    scalar,
    scalar.map(($eq) => ({ $eq })),
    scalar.map(($contains) => ({ $contains })),
  );
  const { filter } = letrec<{ filter: JsonObject }>((tie) => ({
    filter: oneof(
      { maxDepth: 3 },
      dictionary(name, condition, { maxKeys: 2 }) as Arbitrary<JsonObject>,
      array(tie('filter'), { maxLength: 3 }).map(($or) => ({ $or })),
      array(tie('filter'), { maxLength: 3 }).map(($and) => ({ $and })),
    ),
  }));
  const metadata = dictionary(name, oneof(scalar, array(scalar, { maxLength: 2 }))) as Arbitrary<JsonObject>;
  assert(
    property(filter, metadata, (wanted, record) => {
      if (!passes(wanted, record)) return;
      for (const alternatives of equalitiesOf(wanted)) {
        if (!alternatives.some(({ name: one, value }) => record[one] === value))
          throw new Error(`none of ${JSON.stringify(alternatives)}`);
      }
    }),
    { numRuns: 2_000 },
  );
  t.end();
});
