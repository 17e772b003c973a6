import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import t from 'tap';
import { TraceTexts } from '../../workers/graph/trace-texts.js';
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

const LONG = 'as long as it has to be, and longer '.repeat(5);

t.test('long texts and messages have a mark in a trace, each the same one every time', (t) => {
  const json = new WireJson();
  const texts = new TraceTexts();
  const messages = [new HumanMessage({ content: LONG, id: 'h' }), new AIMessage({ content: 'short', id: 'a' })];
  const values = [
    { messages, note: LONG },
    { messages: [...messages, new ToolMessage({ content: LONG, tool_call_id: 'c' })] },
    [messages, [{ flat: LONG, n: 1 }], new Map([['in a map', LONG]])],
    { short: 'a', deep: { list: [1, 'b', null] } },
    { generations: [[{ text: LONG, message: messages[1] }]] },
  ];
  for (const value of values) {
    texts.begin();
    const text = json.text(value, texts);
    const whole = json.text(value);
    t.equal(texts.expand(text), whole);
    t.equal(Buffer.byteLength(text) + texts.savedBytes, Buffer.byteLength(whole));
  }
  const found = texts.texts;
  t.equal(new Set(found).size, found.length);
  t.equal(found.filter((text) => text === JSON.stringify(LONG)).length, 1);
  t.equal(found.filter((text) => text === json.text(messages[0])).length, 1);
  t.end();
});

t.test('a message that was changed in place has another text', (t) => {
  const json = new WireJson();
  const texts = new TraceTexts();
  const messages = [new HumanMessage({ content: LONG, id: 'h' }), new HumanMessage({ content: `${LONG}!`, id: 'i' })];
  const before = json.text({ messages }, texts);
  messages[0]!.content = `not ${LONG}`;
  const after = json.text({ messages }, texts);
  t.match(texts.expand(after), `not ${LONG}`);
  t.notMatch(texts.expand(before), `not ${LONG}`);
  t.equal(texts.texts.length, 3);
  t.end();
});

t.test('texts of a value that is not stored are forgotten', (t) => {
  const json = new WireJson();
  const texts = new TraceTexts();
  const [kept, dropped] = [new HumanMessage({ content: LONG }), new HumanMessage({ content: `dropped ${LONG}` })];
  json.text([kept], texts);
  const count = texts.begin();
  json.text([kept, dropped, `${LONG}?`], texts);
  texts.undo(count);
  t.strictSame(texts.texts, [json.text(kept)]);
  const text = json.text([dropped, kept], texts);
  t.equal(texts.expand(text), json.text([dropped, kept]));
  t.equal(texts.texts.length, 2);
  t.end();
});

t.test('texts of another message have marks of their own', (t) => {
  const json = new WireJson();
  const [first, second] = [new TraceTexts(), new TraceTexts()];
  const messages = [new HumanMessage({ content: LONG }), new HumanMessage({ content: `${LONG}.` })];
  json.text(messages, first);
  t.equal(second.expand(json.text([messages[1]], second)), json.text([messages[1]]));
  t.equal(second.texts.length, 1);
  const next = new TraceTexts(first);
  t.equal(next.expand(json.text(messages, next)), json.text(messages));
  t.end();
});

t.test('control characters in texts are no marks', (t) => {
  const json = new WireJson();
  const texts = new TraceTexts();
  const value = { text: `\u0001${'0'.repeat(200)}\u0002`, short: '\u00010\u0002' };
  t.equal(texts.expand(json.text(value, texts)), JSON.stringify(value));
  t.end();
});
