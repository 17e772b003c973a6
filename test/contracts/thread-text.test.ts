import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import t from 'tap';
import { foldCase, jsonHasText } from '../../src/base/json/text-search.js';
import { runToEnd } from '../../src/base/steps.js';
import { configWith, testServer } from '../helpers/server.js';

/** Threads are found by what they say; ours, other servers do not have it. */
const server = await testServer(t, { config: configWith(t, 'echo', 'chat', 'scalar') });
const { threads, runs } = server.client;
const set = `set-${randomUUID()}`;

interface Found {
  thread_id: string;
  extracted?: Record<string, unknown>;
}

async function search(body: object): Promise<string[]> {
  const answer = await server.post('/threads/search', {
    metadata: { set },
    sort_by: 'created_at',
    sort_order: 'asc',
    ...body,
  });
  t.equal(answer.status, 200);
  return ((await answer.json()) as Found[]).map((one) => one.thread_id);
}

async function echo(text: string, metadata: object = {}): Promise<string> {
  const { thread_id: id } = await threads.create({ metadata: { set, ...metadata } });
  await runs.wait(id, 'echo', { input: { text } });
  return id;
}

const empty = (
  await threads.create({ metadata: { set, customer: { name: 'Ærøskøbing Ltd', Überschrift: 98_765_432 } } })
).thread_id;
const plain = await echo('Das Café an der Straße');
const quoted = await echo('she said "no\\way"\n\u0007 \u{1F600} 東京タワー');
const { thread_id: chat } = await threads.create({ metadata: { set } });
for (const content of ['first words', 'Last Words'])
  await runs.wait(chat, 'chat', { input: { messages: [{ role: 'user', content }] } });

t.test('finds a text in values and metadata, and at the start of an id', async (t) => {
  t.strictSame(await search({ text: 'café' }), [plain]);
  t.strictSame(
    await search({ text: '  CAFE\u0301 ' }),
    [plain],
    'any case, any composition, without the space around it',
  );
  t.strictSame(await search({ text: 'ærØSKØ' }), [empty], 'metadata, also of a thread that has not run');
  t.strictSame(await search({ text: 'words' }), [chat], 'messages');
  t.strictSame(await search({ text: 'first das' }), [plain], 'every channel that is state');
  t.strictSame(await search({ text: 'Überschrift' }), [], 'names do not count');
  t.strictSame(await search({ text: '98765432' }), [], 'numbers do not count');
  t.strictSame(await search({ text: '"no\\way"\n\u0007' }), [quoted], 'what is said, not how it is escaped');
  t.strictSame(await search({ text: '\\u0007' }), []);
  t.strictSame(await search({ text: '😀 東京' }), [quoted]);
  t.strictSame(
    await search({ text: plain.slice(0, 30).toUpperCase() }),
    await search({ ids: [plain] }),
    'the beginning of an id',
  );
  t.notOk((await search({ text: plain.slice(9) })).includes(plain), 'only the beginning');
});

t.test('combines with all other conditions, cursors, counts and lists', async (t) => {
  t.strictSame(await search({ text: 'words', status: 'busy' }), []);
  t.strictSame(await search({ or: [{ text: 'café' }, { text: 'words' }] }), [plain, chat]);
  t.strictSame(await search({ not: { text: 'a' }, ids: [plain] }), []);
  t.equal(await (await server.post('/threads/count', { metadata: { set }, text: 'das' })).json(), 1);
  const listed = (await (await server.get(`/threads?text=${encodeURIComponent('straSSE')}`)).json()) as Found[];
  t.strictSame(
    listed.map((one) => one.thread_id),
    [],
    'letters are not replaced by others',
  );
  t.strictSame(
    ((await (await server.get(`/threads?text=${encodeURIComponent('STRAßE')}`)).json()) as Found[]).map(
      (one) => one.thread_id,
    ),
    [plain],
  );
  const walked: string[] = [];
  for (let cursor: string | null = '*'; cursor !== null;) {
    const answer = await server.post('/threads/search', { metadata: { set }, text: 'e', limit: 1, cursor });
    walked.push(...((await answer.json()) as Found[]).map((one) => one.thread_id));
    cursor = answer.headers.get('x-pagination-cursor');
  }
  t.strictSame(walked.toSorted(), (await search({ text: 'e' })).toSorted());
  t.ok(walked.length > 1);
  const other = await server.post('/threads/search', { text: 'e', limit: 1, cursor: '*' });
  t.equal(
    (await server.post('/threads/search', { text: 'f', limit: 1, cursor: other.headers.get('x-pagination-cursor') }))
      .status,
    422,
    'a cursor is good for the text that it was given for',
  );
});

t.test('refuses texts that it cannot search', async (t) => {
  for (const text of ['', ' \n ', 'x'.repeat(201), 7]) {
    for (const body of [{ text }, { or: [{ text }] }]) {
      const answer = await server.post('/threads/search', body);
      t.equal(answer.status, 422);
      t.match(((await answer.json()) as { detail: string }).detail, /text/);
    }
  }
  t.equal((await search({ text: null })).length, 4);
});

t.test('searches values of any size', async (t) => {
  const { thread_id: large } = await threads.create({ metadata: { set } });
  await runs.wait(large, 'chat', {
    input: { messages: [{ role: 'user', content: `${'é'.repeat(1_050_000)} needle ${'\u0001'.repeat(50_000)}` }] },
  });
  t.strictSame(await search({ text: 'NEEDLE' }), [large]);
  await threads.delete(large);
});

t.test('truncates extracted texts on request', async (t) => {
  const id = await echo(`${'a'.repeat(9)}${'\u{1F600}'.repeat(9)}`);
  const extracted = async (max: number): Promise<unknown> =>
    (
      (await (
        await server.post('/threads/search', {
          ids: [id],
          extract: { text: 'values.text', steps: 'values.steps' },
          extract_chars_max: max,
        })
      ).json()) as Found[]
    )[0]!.extracted;
  t.strictSame(await extracted(10), { text: 'a'.repeat(9), steps: null }, 'no half of a pair');
  t.strictSame(await extracted(11), { text: `${'a'.repeat(9)}\u{1F600}`, steps: null });
  t.equal((Object.values((await extracted(1_000)) as object)[1] as string[]).length, 2);
  await threads.delete(id);
  const { thread_id: long } = await threads.create({ metadata: { set } });
  await runs.wait(long, 'chat', { input: { messages: [{ role: 'user', content: 'x'.repeat(2_200_000) }] } });
  const extract = { first: 'values.messages[0].content', last: 'values.messages[-1].type' };
  t.equal((await server.post('/threads/search', { ids: [long], extract })).status, 422);
  const [cut] = (await (
    await server.post('/threads/search', { ids: [long], extract, extract_chars_max: 100 })
  ).json()) as Found[];
  t.strictSame(cut!.extracted, { first: null, last: 'ai' }, 'too large to be looked into');
  await threads.delete(long);
});

t.test('decodes every JSON text', async () => {
  const letters = fc.constantFrom(
    'a',
    'É',
    'e\u0301',
    'Σ',
    'ς',
    'İ',
    '"',
    '\\',
    '\n',
    '\u{1F600}',
    '\u0000',
    ' ',
    ':',
    '東',
  );
  const text = fc.string({ unit: letters, maxLength: 12 });
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  const said = (one: unknown): string[] =>
    typeof one === 'string' ? [one] : typeof one === 'object' && one !== null ? Object.values(one).flatMap(said) : [];
  const escaped = (json: string): string =>
    json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  fc.assert(
    fc.property(
      value,
      text.filter((one) => one !== ''),
      fc.boolean(),
      fc.constantFrom(0, 2),
      (one, wanted, ascii, space) => {
        const json = JSON.stringify(one, null, space);
        const expected = said(one).some((string) => foldCase(string).includes(foldCase(wanted)));
        t.equal(
          runToEnd(jsonHasText(Buffer.from(ascii ? escaped(json) : json), foldCase(wanted))),
          expected,
          `${json} ${JSON.stringify(wanted)}`,
        );
      },
    ),
    { numRuns: 2_000 },
  );
  // Wherever the border of a piece lies.
  for (let at = 65_500; at < 65_560; at += 1) {
    for (const unit of ['é', '\u{1F600}', '\n', '\u0001', '"\\']) {
      const json = JSON.stringify([`${'x'.repeat(at)}${unit}end`, { [`${'x'.repeat(70_000)}name`]: 1 }]);
      for (const form of [json, escaped(json)]) {
        if (!runToEnd(jsonHasText(Buffer.from(form), foldCase(`x${unit}END`))))
          t.fail(`border at ${at} in ${JSON.stringify(unit)}`);
        if (runToEnd(jsonHasText(Buffer.from(form), 'xname'))) t.fail('names do not count');
      }
    }
  }
});
