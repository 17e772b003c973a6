import { AIMessage, HumanMessage } from '@langchain/core/messages';
import t from 'tap';
import { WireJson } from '../../workers/graph/wire-json.js';

/** An object whose class has an inherited member that `for in` finds. */
class Tagged extends HumanMessage {}
Object.defineProperty(Tagged.prototype, 'tag', { value: 'x', enumerable: true });

const CALL = { name: 'weather', args: { city: 'Oslo', days: [1, 2] }, id: 'call' };

t.test('an object that has not changed is serialized once', (t) => {
  const values = [
    { text: 'a', list: [1, { deep: null }] },
    Object.assign(Object.create(null) as object, { bare: true }),
    {},
    new HumanMessage({ content: 'hello', id: 'h' }),
    new AIMessage({ content: '', tool_calls: [CALL] }),
    new Tagged('tagged'),
  ];
  for (const value of values) {
    const json = new WireJson();
    const first = json.remember(value);
    t.not(first, null);
    t.equal(json.remember(value), first, json.text(value));
  }
  t.end();
});

t.test('any change is noticed', (t) => {
  const changes: [what: string, value: () => object, change: (value: never) => void][] = [
    ['a member more', () => ({ a: 1 }), (value: Record<string, unknown>) => (value['b'] = 2)],
    ['a member less', () => ({ a: 1, b: 2 }), (value: Record<string, unknown>) => delete value['b']],
    ['all members less', () => ({ a: 1 }), (value: Record<string, unknown>) => delete value['a']],
    ['the first member', () => ({}), (value: Record<string, unknown>) => (value['a'] = 1)],
    [
      'another order',
      () => ({ a: 1, b: 2 }),
      (value: Record<string, unknown>) => (delete value['a'], (value['a'] = 1)),
    ],
    ['a value', () => ({ a: { b: [1, 2] } }), ({ a }: { a: { b: number[] } }) => (a.b[1] = 3)],
    ['a value of a list more', () => ({ a: [1] }), ({ a }: { a: number[] }) => a.push(2)],
    ['the text of a message', () => new HumanMessage('a'), (value: HumanMessage) => (value.content = 'b')],
    ['the id of a message', () => new HumanMessage('a'), (value: HumanMessage) => (value.id = 'b')],
    [
      'a member of a message more',
      () => new Tagged('a'),
      (value: Tagged) => Object.assign(value, { another: (value.lc_kwargs['another'] = 'b') }),
    ],
    [
      'an argument of a message more',
      () => new HumanMessage('a'),
      ({ lc_kwargs }: HumanMessage) => (lc_kwargs['x'] = 1),
    ],
    [
      'an argument of a call',
      () => new AIMessage({ content: '', tool_calls: [structuredClone(CALL)] }),
      ({ tool_calls }: AIMessage) => (tool_calls![0]!.args['city'] = 'Bergen'),
    ],
  ];
  for (const [what, valueOf, change] of changes) {
    const json = new WireJson();
    const value = valueOf();
    const before = json.remember(value);
    change(value as never);
    const after = json.remember(value);
    t.not(after, before, what);
    t.equal(after?.json, new WireJson().text(value), what);
  }
  t.end();
});

t.test('members that JSON cannot represent are left out', (t) => {
  const json = new WireJson();
  const inside = { text: 'a', date: new Date(0), missing: undefined, call: () => 1, 'a "name"': [undefined] };
  t.equal(json.text(inside), JSON.stringify(inside));
  t.equal(json.text({ only: undefined, of: () => 1, deep: { symbol: Symbol('x') } }), '{"deep":{}}');
  const names = Object.fromEntries(Array.from({ length: 1_100 }, (_, at) => [`name ${at}`, [at]]));
  t.equal(json.text(names), JSON.stringify(names), 'more names than are kept');
  t.end();
});
