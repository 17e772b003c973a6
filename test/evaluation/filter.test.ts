import t, { type Test } from 'tap';
import { parseMicros } from '../../src/base/micros.js';
import {
  FilterSyntaxError,
  parseFilter,
  type FilterSubject,
  type FilterValue,
} from '../../workers/evaluation/filter.js';

interface Facts {
  fields?: Record<string, FilterValue>;
  tags?: string[];
  metadata?: string;
  feedback?: { key: string; score: number | null; label: string | null }[];
}

const RUN: Record<string, FilterValue> = {
  id: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
  name: 'ChatOpenAI',
  run_type: 'llm',
  status: 'success',
  is_root: true,
  latency: 5.25,
  start_time: parseMicros('2024-01-02T03:04:05.678901Z'),
  end_time: null,
  total_tokens: 120,
  total_cost: '0.0123',
  thread_id: 'Thread-1',
  inputs: '{"question":"Where?","messages":[{"role":"user","content":"Hello World"}],"n":3}',
  outputs: '{"answer":{"text":"Here"}}',
};

function run({ fields = {}, tags = [], metadata = '{}', feedback = [] }: Facts = {}): FilterSubject {
  const all = { ...RUN, ...fields };
  return {
    field: (name) => (Object.hasOwn(all, name) ? all[name] : undefined),
    tags: () => tags,
    metadata: () => JSON.parse(metadata) as Record<string, unknown>,
    feedback: () => feedback,
    text: () => [all['name'], all['inputs'], all['outputs'], all['error']].join('\n'),
  };
}

/** Checks each filter against the run. */
function check(t: Test, facts: Facts, filters: Record<string, boolean>): void {
  const subject = run(facts);
  for (const [text, expected] of Object.entries(filters)) t.equal(parseFilter(text)(subject), expected, text);
}

t.test('compares fields by their types', (t) => {
  check(
    t,
    {},
    {
      'eq(name, "ChatOpenAI")': true,
      "eq(name, 'ChatOpenAI')": true,
      'eq(name, "chatopenai")': false,
      'neq(name, "x")': true,
      'eq(run_type, "LLM")': true,
      'neq(status, "error")': true,
      'in(run_type, ["chain", "llm"])': true,
      'in(run_type, [])': false,
      'gt(total_tokens, 100)': true,
      'gt(total_tokens, 120)': false,
      'gte(total_tokens, 120)': true,
      'lt(total_tokens, "121")': true,
      'lte(total_tokens, 1e2)': false,
      'lt(total_cost, 0.02)': true,
      'eq(total_cost, 0.0123)': true,
      'gt(total_cost, -1)': true,
      'eq(is_root, true)': true,
      'eq(is_root, "True")': true,
      'eq(is_root, False)': false,
      'neq(is_root, 1)': false,
      'eq(id, "0190A1B2C3D47E5F8A9B0C1D2E3F4A5B")': true,
      'eq(id, "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c")': false,
      'eq(thread_id, "Thread-1")': true,
      'eq(thread_id, "thread1")': false,
      '  eq (\n name ,\t"ChatOpenAI" )\n': true,
      'eq(name, "Chat\\u004fpenAI")': true,
    },
  );
  t.end();
});

t.test('accepts a latency as seconds or as a duration', (t) => {
  check(
    t,
    {},
    {
      'gt(latency, "5s")': true,
      'gt(latency, 5)': true,
      'gt(latency, "5.3")': false,
      'gt(latency, "5249ms")': true,
      'lt(latency, "0.1m")': true,
      'lt(latency, "1h")': true,
      'eq(latency, 5.25)': true,
    },
  );
  t.end();
});

t.test('compares times as instants and numbers as epoch milliseconds', (t) => {
  check(
    t,
    {},
    {
      'gt(start_time, "2024-01-02T03:04:05.678900Z")': true,
      'gt(start_time, "2024-01-02T03:04:05.678901Z")': false,
      'gte(start_time, "2024-01-02 05:04:05.678901+02:00")': true,
      'lt(start_time, "2024-01-03")': true,
      'eq(start_time, "2024-01-02T03:04:05.678901")': true,
      [`gt(start_time, ${Date.UTC(2024, 0, 2)})`]: true,
      [`lt(start_time, ${Date.UTC(2024, 0, 2)})`]: false,
      'lt(end_time, "2199-01-01")': false,
      'eq(end_time, null)': true,
    },
  );
  t.end();
});

t.test('treats a missing field as different from every value and in no order', (t) => {
  check(
    t,
    {},
    {
      'eq(error, null)': true,
      'neq(error, null)': false,
      'eq(error, None)': true,
      'eq(error, false)': true,
      'eq(error, true)': false,
      'eq(error, "x")': false,
      'neq(error, "x")': true,
      'exists(error)': false,
      'exists(name)': true,
      'gt(prompt_tokens, -1)': false,
      'lte(prompt_tokens, 5)': false,
      'in(error, [null, "x"])': true,
      'like(error, "%")': false,
    },
  );
  check(
    t,
    { fields: { error: 'Boom' } },
    {
      'eq(error, null)': false,
      'neq(error, null)': true,
      'eq(error, true)': true,
      'neq(error, true)': false,
      'eq(error, "Boom")': true,
      'exists(error)': true,
      'in(error, [null, "x"])': false,
    },
  );
  t.end();
});

t.test('combines and, or and not', (t) => {
  check(
    t,
    {},
    {
      'and(eq(run_type, "llm"), gt(latency, 5))': true,
      'and(eq(run_type, "llm"), gt(latency, 6))': false,
      'and(eq(run_type, "llm"))': true,
      'or(eq(run_type, "chain"), gt(latency, 5))': true,
      'or(eq(run_type, "chain"), gt(latency, 6))': false,
      'not(eq(run_type, "llm"))': false,
      'not(and(eq(run_type, "llm"), not(eq(error, null))))': true,
    },
  );
  t.end();
});

t.test('applies % in like and ignores case', (t) => {
  check(
    t,
    {},
    {
      'like(name, "chatopenai")': true,
      'like(name, "chat")': false,
      'like(name, "chat%")': true,
      'like(name, "%AI")': true,
      'like(name, "%open%")': true,
      'like(name, "c%o%ai")': true,
      'like(name, "%open%chat%")': false,
      'like(name, "%")': true,
      'like(name, "")': false,
      'like(name, "chatopenai%ai")': false,
      'like(name, "Chat_penAI")': false,
      'like(name, ".*")': false,
      'like(name, "c%%%i")': true,
    },
  );
  t.end();
});

t.test('finds part of a text in any case with search', (t) => {
  check(
    t,
    { tags: ['Beta'], metadata: '{"user":"Zoe","n":17,"deep":{"a":"hidden"}}', fields: { error: 'Timeout!' } },
    {
      'search("hello world")': true,
      'search("TIMEOUT")': true,
      'search("chatopen")': true,
      'search("nowhere")': false,
      'search("beta")': false,
      'search(name, "OPEN")': true,
      'search(inputs, "where?")': true,
      'search(outputs, "where?")': false,
      'search(error, "time")': true,
      'search(end_time, "1")': false,
      'search(tags, "bet")': true,
      'search(tags, "x")': false,
      'search(metadata, "zo")': true,
      'search(metadata, "USER")': true,
      'search(metadata, "17")': true,
      'search(metadata_value, "user")': false,
      'and(eq(metadata_key, "n"), search(metadata_value, "zoe"))': false,
      'and(search(metadata, "zoe"), search(metadata, "17"))': true,
    },
  );
  t.end();
});

t.test('searches tags and metadata with has', (t) => {
  check(
    t,
    { tags: ['a', "it's"], metadata: '{"a":"b","n":1,"o":{"p":[1,{"q":2}]},"s":"say \\"hi\\" \\\\"}' },
    {
      'has(tags, "a")': true,
      'has(tags, "A")': false,
      'and(has(tags, "a"), has(tags, "it\'s"))': true,
      "has(tags, 'it\\'s')": true,
      'exists(tags)': true,
      'has(metadata, \'{"a":"b"}\')': true,
      'has(metadata, \'{"a": "c"}\')': false,
      'has(metadata, "{\\"a\\": \\"b\\", \\"n\\": 1}")': true,
      "has(metadata, '{}')": true,
      'has(metadata, \'{"o":{"p":[{"q":2}]}}\')': true,
      'has(metadata, \'{"o":{"p":[{"q":3}]}}\')': false,
      'has(metadata, \'{"n":"1"}\')': false,
      [String.raw`has(metadata, '{"s":"say \"hi\" \\"}')`]: true,
      'exists(metadata, "o")': true,
      'exists(metadata, "p")': false,
      'exists(metadata)': true,
    },
  );
  check(t, {}, { 'exists(tags)': false, 'exists(metadata)': false, 'exists(feedback_key)': false });
  t.end();
});

t.test('applies the conditions of one `and` to the same feedback', (t) => {
  const feedback = [
    { key: 'correctness', score: 0, label: 'wrong' },
    { key: 'helpful', score: 1, label: null },
    { key: 'correctness', score: 0.5, label: null },
    { key: 'note', score: null, label: 'right' },
  ];
  check(
    t,
    { feedback },
    {
      'eq(feedback_key, "correctness")': true,
      'eq(feedback_key, "other")': false,
      'not(eq(feedback_key, "other"))': true,
      'neq(feedback_key, "note")': true,
      'and(eq(feedback_key, "correctness"), eq(feedback_score, 0))': true,
      'and(eq(feedback_key, "correctness"), eq(feedback_score, 1))': false,
      'and(eq(feedback_score, 1), eq(is_root, true), eq(feedback_key, "correctness"))': false,
      'and(gt(feedback_score, 0), lt(feedback_score, 1))': true,
      'and(eq(feedback_key, "note"), gte(feedback_score, 0))': false,
      'and(eq(feedback_key, "note"), eq(feedback_score, null))': true,
      'and(eq(feedback_key, "helpful"), eq(feedback_score, true))': true,
      'and(eq(feedback_key, "note"), eq(feedback_value, "right"))': true,
      'and(eq(feedback_key, "helpful"), eq(feedback_value, "right"))': false,
      'and(and(eq(feedback_key, "correctness"), eq(feedback_score, 0)), and(eq(feedback_key, "helpful"), eq(feedback_score, 1)))': true,
      'and(eq(feedback_key, "correctness"), eq(feedback_score, 0), eq(feedback_key, "helpful"), eq(feedback_score, 1))': true,
      'and(eq(feedback_key, "correctness"), eq(feedback_score, 1), eq(feedback_key, "helpful"), eq(feedback_score, 1))': false,
      'and(or(eq(feedback_key, "correctness"), eq(feedback_key, "note")), eq(feedback_score, 1))': false,
      'and(or(eq(feedback_key, "helpful"), eq(feedback_key, "note")), eq(feedback_score, 1))': true,
      'and(in(feedback_key, ["correctness", "note"]), gt(feedback_score, 0.9))': false,
      'and(like(feedback_key, "correct%"), gt(feedback_score, 0.4))': true,
      'or(and(eq(feedback_key, "note"), eq(feedback_score, 1)), and(eq(feedback_key, "helpful"), eq(feedback_score, 1)))': true,
      'or(eq(feedback_key, "other"), eq(name, "ChatOpenAI"))': true,
      'and(not(eq(feedback_key, "other")), eq(feedback_score, 1))': true,
    },
  );
  check(
    t,
    {},
    {
      'eq(feedback_key, "x")': false,
      'neq(feedback_key, "x")': false,
      'not(eq(feedback_key, "x"))': true,
      'lt(feedback_score, 1)': false,
    },
  );
  t.end();
});

t.test('applies the conditions of one `and` to the same metadata entry, in any format of its value', (t) => {
  check(
    t,
    { metadata: '{"a":"b","c":"d","temperature":0.7,"on":true,"none":null,"deep":{"x":"b"},"version":"12"}' },
    {
      'and(eq(metadata_key, "a"), eq(metadata_value, "b"))': true,
      'and(eq(metadata_key, "a"), eq(metadata_value, "d"))': false,
      'and(eq(metadata_key, "deep"), eq(metadata_value, "b"))': false,
      'and(eq(metadata_key, "temperature"), eq(metadata_value, "0.7"))': true,
      'and(eq(metadata_key, "temperature"), eq(metadata_value, 0.7))': true,
      'and(eq(metadata_key, "on"), eq(metadata_value, "true"))': true,
      'and(eq(metadata_key, "version"), gt(metadata_value, 9))': true,
      'and(eq(metadata_key, "version"), gt(metadata_value, "9"))': false,
      'and(eq(metadata_key, "a"), gt(metadata_value, 0))': false,
      'and(eq(metadata_key, "none"), eq(metadata_value, null))': true,
      'and(eq(metadata_key, "a"), neq(metadata_value, "x"))': true,
      'and(in(metadata_key, ["session_id", "a", "thread_id"]), eq(metadata_value, "b"))': true,
      'and(in(metadata_key, ["session_id", "c"]), eq(metadata_value, "b"))': false,
      'and(and(eq(metadata_key, "a"), eq(metadata_value, "b")), and(eq(metadata_key, "c"), like(metadata_value, "%D%")))': true,
    },
  );
  t.end();
});

t.test('selects inputs and outputs by key, nested ones with dots', (t) => {
  check(
    t,
    {},
    {
      'and(eq(input_key, "question"), eq(input_value, "Where?"))': true,
      'and(eq(input_key, "messages.content"), like(input_value, "%world%"))': true,
      'eq(input_key, "messages")': true,
      'and(eq(input_key, "n"), gte(input_value, 3))': true,
      'and(eq(output_key, "answer.text"), eq(output_value, "Here"))': true,
      'eq(output_key, "question")': false,
    },
  );
  check(
    t,
    { fields: { inputs: '["a"]', outputs: 'no json' } },
    { 'exists(input_key)': false, 'exists(output_key)': false },
  );
  t.end();
});

t.test('treats names of prototype members as plain keys', (t) => {
  const filters = (expected: boolean): Record<string, boolean> => ({
    'eq(metadata_key, "__proto__")': expected,
    'exists(metadata, "__proto__")': expected,
    'has(metadata, \'{"__proto__":{"a":1}}\')': expected,
    'eq(input_key, "__proto__.a")': expected,
  });
  check(t, { metadata: '{"__proto__":{"a":1}}', fields: { inputs: '{"__proto__":{"a":1}}' } }, filters(true));
  check(t, {}, { ...filters(false), 'eq(metadata_key, "constructor")': false, 'exists(metadata, "toString")': false });
  for (const text of [
    'constructor(name, "x")',
    '__proto__(name, "x")',
    'eq(constructor, "x")',
    'eq(__proto__, "x")',
    'toString()',
  ])
    t.throws(() => parseFilter(text), FilterSyntaxError, text);
  t.end();
});

t.test('names the problem and its place in an error', (t) => {
  for (const [text, offset, message] of [
    ['', 0, /found the end/],
    ['name', 0, /expected a condition.*"name"/],
    ['"x"', 0, /expected a condition/],
    ['equals(name, "x")', 0, /unknown function "equals"/],
    ['EQ(name, "x")', 0, /unknown function "EQ"/],
    ['eq(nam, "x")', 3, /unknown field "nam"/],
    ['and(eq(name, "x"), eq(colour, "x"))', 22, /unknown field "colour"/],
    ['eq("name", "x")', 3, /name of a field/],
    ['eq(name)', 0, /eq needs.*found 1/],
    ['eq(name, "x", "y")', 0, /found 3/],
    ['eq(name, x)', 9, /"x" is not a value.*quotes/],
    ['eq(name, ["x"])', 9, /value/],
    ['in(name, "x")', 9, /list/],
    ['in(name, [x])', 10, /"x" is not a value/],
    ['in(name, [["x"]])', 10, /expected a value/],
    ['eq(name "x")', 8, /expected "," or "\)", found "\\""/],
    ['eq(name, "x"', 12, /found the end/],
    ['eq(name, "x', 9, /no closing quote/],
    ["eq(name, 'x\\')", 9, /no closing quote/],
    ['eq(name, "\\x")', 9, /JSON/],
    ['eq(name, )', 9, /expected a value, found "\)"/],
    ['eq(total_tokens, 1.2.3)', 17, /"1.2.3" is not a number/],
    ['eq(total_tokens, 1e999)', 17, /not a number/],
    ['eq(total_tokens, "many")', 17, /"many" is not a valid number/],
    ['gt(start_time, "yesterday")', 15, /"yesterday" is not a valid ISO 8601/],
    ['gt(start_time, true)', 15, /not a valid ISO 8601/],
    ['gt(latency, "5 parsecs")', 12, /duration/],
    ['gt(latency, null)', 12, /order/],
    ['gt(is_root, true)', 12, /order/],
    ['eq(is_root, "maybe")', 12, /true or false/],
    ['like(name, 5)', 11, /pattern in quotes/],
    ['has(name, "x")', 4, /not "name"/],
    ['has(tags, 5)', 10, /quotes/],
    ['has(metadata, "a")', 14, /JSON object/],
    ["has(metadata, '[1]')", 14, /JSON object/],
    ['eq(tags, "x")', 3, /has\(tags/],
    ['eq(metadata, "x")', 3, /metadata_key/],
    ['exists(tags, "x")', 7, /not in "tags"/],
    ['search(5)', 7, /quotes/],
    ['search(nam, "x")', 7, /unknown field "nam"/],
    ['search()', 0, /search needs/],
    ['and()', 0, /at least one/],
    ['not(eq(name, "x"), eq(name, "y"))', 0, /one condition/],
    ['and(name)', 4, /expected a condition.*"name"/],
    ['eq(name, "x") and eq(name, "y")', 14, /"and eq.*follows/],
    ['eq(name, "x"))', 13, /follows/],
    ['eq(name, "x")\0', 13, /\\u0000/],
    ['\0', 0, /found "\\u0000"/],
    ['eq(name, "\0")', 9, /JSON/],
  ] as const) {
    try {
      parseFilter(text);
      t.fail(`no error: ${text}`);
    } catch (error) {
      t.ok(error instanceof FilterSyntaxError, text);
      t.match(error, { name: 'FilterSyntaxError', message, offset }, text);
      t.match((error as Error).message, `at character ${offset}: `);
    }
  }
  t.end();
});

t.test('refuses hostile filters quickly with a short message', (t) => {
  const nested = (levels: number): string => `${'not('.repeat(levels)}eq(name, "x")${')'.repeat(levels)}`;
  t.equal(parseFilter(nested(31))(run()), true, '32 levels are fine');
  const calls = (count: number): string =>
    `or(${Array.from({ length: count - 1 }, () => 'eq(name, "ChatOpenAI")').join()})`;
  t.equal(parseFilter(calls(200))(run()), true, '200 calls are fine');
  const long = (length: number): string => `eq(name, "${'x'.repeat(length - 12)}")`;
  t.equal(parseFilter(long(20_000))(run()), false, '20,000 characters are fine');
  const texts = [
    nested(32),
    nested(4_000),
    '('.repeat(20_000),
    'not('.repeat(5_000),
    '['.repeat(20_000),
    `in(name, ${'['.repeat(19_000)}`,
    calls(201),
    calls(800),
    long(20_001),
    'x'.repeat(1_000_000),
    '"'.repeat(19_999),
    "'".repeat(19_999),
    '\\'.repeat(19_999),
    `eq(name, "${'\\'.repeat(19_000)}`,
    '\0'.repeat(20_000),
    'a'.repeat(20_000),
    '9'.repeat(20_000),
    `eq(total_tokens, ${'9'.repeat(19_000)})`,
    `eq(total_tokens, ${'1.'.repeat(9_000)})`,
    `has(metadata, '${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}')`,
    `has(metadata, '${'['.repeat(19_000)}')`,
    `gt(latency, "${'1'.repeat(19_000)}x")`,
    `${' '.repeat(19_999)}x`,
    ','.repeat(20_000),
    '\ud800',
    'eq(name,\u00a0"x")',
  ];
  for (const text of texts) {
    try {
      parseFilter(text);
      t.fail(text.slice(0, 30));
    } catch (error) {
      t.ok(error instanceof FilterSyntaxError, text.slice(0, 30));
      t.ok((error as Error).message.length < 400);
    }
  }
  t.end();
});

t.test('refuses a filter that is cut anywhere', (t) => {
  const text = 'and(eq(feedback_key, "a\\"b"), in(run_type, ["llm", null]), or(has(tags, \'x\'), gt(latency, 1.5e1)))';
  parseFilter(text);
  for (let end = 0; end < text.length; end += 1)
    t.throws(() => parseFilter(text.slice(0, end)), FilterSyntaxError, text.slice(0, end));
  t.end();
});

t.test('limits the work on hostile runs', (t) => {
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i])));
  check(
    t,
    { fields: { inputs: deep, outputs: wide } },
    {
      'eq(input_key, "a.a.a")': true,
      'eq(input_value, 1)': false,
      'eq(output_key, "k9999")': true,
      'eq(output_key, "k49999")': false,
    },
  );
  check(
    t,
    { metadata: '{"a":{"a":{"a":{"a":1}}}}' },
    { [`has(metadata, '${'{"a":'.repeat(20)}1${'}'.repeat(20)}')`]: false },
  );
  check(
    t,
    { fields: { name: 'a'.repeat(200_000) } },
    {
      [`like(name, "${'%a'.repeat(5_000)}%b")`]: false,
      [`like(name, "${'%a'.repeat(5_000)}%")`]: true,
      [`search(name, "${'a'.repeat(9_000)}b")`]: false,
    },
  );
  t.end();
});

t.test('applies one filter to many runs, also when a run changes between them', (t) => {
  const filter = parseFilter('and(search("boom"), eq(metadata_key, "a"))');
  const facts = { fields: { error: 'Boom' }, metadata: '{"a":1}' };
  t.equal(filter(run(facts)), true);
  const subject = { ...run(facts), text: () => 'quiet' };
  t.equal(filter(subject), false);
  subject.text = () => 'BOOM';
  t.equal(filter(subject), true);
  t.end();
});
