import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import t from 'tap';
import { projectOf } from '../helpers/project.js';
import { ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';
import { systemClock } from '../../src/base/clock.js';

const LETTERS = join(ROOT, 'test', 'graphs', 'letters.ts');
const indexed = (more: Record<string, unknown> = {}): string =>
  projectOf(t, ['keeper'], { store: { index: { dims: 26, embed: `${LETTERS}:embed`, ...more } } });

let now = Date.UTC(2026, 0, 1);
const clock = { ...systemClock, nowMs: () => now };
const server = await testServer(t, { config: indexed({ fields: ['text', 'parts[*].text'] }), clock });
const { store } = server.client;

const fresh = (...more: string[]): string[] => [`space-${randomUUID()}`, ...more];
const found = (items: { key: string; score?: number | null }[]): [string, number | undefined][] =>
  items.map(({ key, score }) => [
    key,
    score === undefined || score === null ? undefined : Math.round(score * 1_000) / 1_000,
  ]);

async function call(of: TestServer, ...calls: [method: string, ...args: unknown[]][]): Promise<unknown[]> {
  return ((await of.client.runs.wait(null, 'keeper', { input: { calls } })) as { results: unknown[] }).results;
}

async function put(
  namespace: string[],
  key: string,
  value: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${server.url}/store/items`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ namespace, key, value, ...more }),
  });
  return { status: answer.status, text: await answer.text() };
}

t.test('returns the nearest items first, with a score', async (t) => {
  const space = fresh();
  await store.putItem([...space, 'one'], 'same', { text: 'abc' });
  await store.putItem([...space, 'two'], 'half', { text: 'abxy' });
  await store.putItem(space, 'none', { text: 'zzz' });
  await store.putItem(space, 'no text', { other: 'abc' });
  const { items } = await store.searchItems(space, { query: 'cab' });
  t.strictSame(
    found(items),
    [
      ['same', 1],
      ['half', 0.577],
      ['none', 0],
    ],
    'what has no text at the fields is not found',
  );
  t.strictSame(found((await store.searchItems(space, { query: 'cab', limit: 1, offset: 1 })).items), [['half', 0.577]]);
  t.strictSame(found((await store.searchItems([...space, 'two'], { query: 'cab' })).items), [['half', 0.577]]);
  t.strictSame(found((await store.searchItems(space, { query: 'cab', filter: { text: { $ne: 'abc' } } })).items), [
    ['half', 0.577],
    ['none', 0],
  ]);
  t.strictSame(
    found((await store.searchItems(space)).items),
    [
      ['no text', undefined],
      ['none', undefined],
      ['half', undefined],
      ['same', undefined],
    ],
    'without a query: all, newest first',
  );
  t.strictSame(found((await store.searchItems(space, { query: '' })).items).length, 4);
});

t.test('searches the configured fields of an item', async (t) => {
  const space = fresh();
  await store.putItem(space, 'parts', { text: 'zzz', parts: [{ text: 'qqq' }, { text: 'abc' }, { none: 1 }] });
  await store.putItem(space, 'own', { text: 'abc', title: 'mmm' }, { index: ['title'] });
  await store.putItem(space, 'out', { text: 'abc' }, { index: false });
  t.strictSame(
    found((await store.searchItems(space, { query: 'abc' })).items),
    [
      ['parts', 1],
      ['own', 0],
    ],
    'the best of its texts counts',
  );
  t.strictSame(found((await store.searchItems(space, { query: 'm' })).items), [
    ['own', 1],
    ['parts', 0],
  ]);
  await store.putItem(space, 'own', { text: 'abc' });
  await store.putItem(space, 'parts', { text: 'abc' }, { index: false });
  t.strictSame(found((await store.searchItems(space, { query: 'abc' })).items), [['own', 1]], 'replaced with the item');
  await store.deleteItem(space, 'own');
  t.strictSame((await store.searchItems(space, { query: 'abc' })).items, []);
});

t.test('does not find an expired item', async (t) => {
  const space = fresh();
  await store.putItem(space, 'short', { text: 'abc' }, { ttl: 1 });
  await store.putItem(space, 'long', { text: 'abc' });
  now += 60_000;
  t.strictSame(found((await store.searchItems(space, { query: 'abc' })).items), [['long', 1]]);
});

t.test('shares embedded items between graphs and clients', async (t) => {
  const space = fresh();
  await store.putItem(space, 'client', { text: 'abc' });
  const [, , items] = await call(
    server,
    ['put', space, 'graph', { text: 'abxy' }],
    ['put', space, 'title', { title: 'abc' }, ['title']],
    ['search', space, { query: 'abc' }],
  );
  t.strictSame(
    found(items as never),
    [
      ['title', 1],
      ['client', 1],
      ['graph', 0.577],
    ],
    'the newer one first where they are as near',
  );
  t.strictSame(found((await store.searchItems(space, { query: 'abc' })).items), found(items as never));
});

t.test('changes nothing when an embedding fails, and returns the reason', async (t) => {
  const space = fresh();
  await store.putItem(space, 'k', { text: 'abc' });
  for (const [text, status, why] of [
    ['EXPLODE', 502, /no such model/],
    ['FEWER', 502, /0 vectors for 1 texts/],
    ['SHORT', 502, /returned 2 numbers for a text, but store.index.dims is 26/],
    ['NAN', 502, /not a finite number/],
    ['STAND STILL', 503, /event loop was blocked/],
  ] as const) {
    const answer = await put(space, 'k', { text });
    t.equal(answer.status, status, text);
    t.match(answer.text, why);
  }
  t.strictSame((await store.getItem(space, 'k'))!.value, { text: 'abc' });
  t.equal((await server.post('/store/items/search', { namespace_prefix: space, query: 'EXPLODE' })).status, 502);
  const [failed, after] = await call(server, ['put', space, 'k', { text: 'EXPLODE' }], ['get', space, 'k']);
  t.match(failed, { error: /no such model/ });
  t.match(after, { value: { text: 'abc' } });
  t.equal((await put(space, 'many', { parts: Array.from({ length: 101 }, () => ({ text: 'a' })) })).status, 422);
  t.equal((await put(space, 'long', { text: 'a'.repeat(2 ** 20 + 1) })).status, 422);
  t.equal((await put(space, 'out', { text: 'EXPLODE' }, { index: false })).status, 204, 'nothing is asked');
});

t.test('finds the same after a restart', async (t) => {
  const dataFolder = temporaryFolder(t);
  const config = indexed();
  const first = await testServer(t, { config, dataFolder });
  await first.client.store.putItem(['a'], 'k', { text: 'abc' });
  const before = found((await first.client.store.searchItems(['a'], { query: 'abc' })).items);
  t.equal(before.length, 1, 'by "$", all of the value');
  await first.close();
  const second = await testServer(t, { config, dataFolder });
  t.strictSame(found((await second.client.store.searchItems(['a'], { query: 'abc' })).items), before);
  await second.close();
});

/** Resolves with what a search finds when it finds so many. */
async function eventually(of: TestServer, count: number): Promise<[string, number | undefined][]> {
  for (;;) {
    const items = found((await of.client.store.searchItems(['a'], { query: 'abc', limit: 200 })).items);
    if (items.length >= count && items.every(([, score]) => score !== undefined)) return items;
  }
}

t.test('embeds existing items when an index is configured or changed', { timeout: 60_000 }, async (t) => {
  const dataFolder = temporaryFolder(t);
  const plain = await testServer(t, { config: projectOf(t, ['keeper'], {}), dataFolder });
  for (let n = 0; n < 50; n += 1)
    await plain.client.store.putItem(
      ['a', `n${n % 3}`],
      `k${n}`,
      n === 25 ? { text: 'EXPLODE', title: 'zzz' } : { text: 'zzz', title: 'abc' },
    );
  await plain.client.store.putItem(['a'], 'out', { text: 'abc' }, { index: false });
  t.strictSame(
    found((await plain.client.store.searchItems(['a'], { query: 'abc', limit: 1 })).items),
    [['out', undefined]],
    'no index, no scores',
  );
  await plain.close();

  const first = await testServer(t, { config: indexed({ fields: ['text'] }), dataFolder });
  const items = await eventually(first, 49);
  t.ok(
    items.every(([key, score]) => score === 0 && key !== 'k25' && key !== 'out'),
    'one item that cannot be embedded keeps no other one out',
  );
  await first.close();

  const second = await testServer(t, { config: indexed({ fields: ['title'] }), dataFolder });
  const again = await eventually(second, 50);
  t.strictSame(again.at(-1), ['k25', 0]);
  t.ok(
    again.slice(0, 49).every(([, score]) => score === 1),
    'what the other configuration made is not compared',
  );
  await second.close();
});

t.test('refuses an invalid index at the start', async (t) => {
  for (const [index, why] of [
    [{ dims: 26, embed: 'openai:text-embedding-3-small' }, /store\.index\.embed: must be "path:function"/],
    [{ dims: 0, embed: `${LETTERS}:embed` }, /store\.index\.dims/],
    [{ dims: 26, embed: `${LETTERS}:embed`, fields: [] }, /store\.index\.fields/],
    [{ dims: 26, embed: `${LETTERS}:notAFunction` }, /the export "notAFunction" is a number, not a function/],
    [{ dims: 26, embed: './missing.ts:embed' }, /missing\.ts.*the file does not exist/],
  ] as const)
    await t.rejects(testServer(t, { config: projectOf(t, ['keeper'], { store: { index } }) }), { message: why });
});
