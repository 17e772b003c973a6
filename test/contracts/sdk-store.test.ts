import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Item } from '@langchain/langgraph-sdk';
import t from 'tap';
import { ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';
import { systemClock } from '../../src/base/clock.js';

/** Ten minutes to live unless an item says otherwise, and a graph that calls its memory as it is told. */
const PROJECT = join(ROOT, 'test', 'graphs', 'store.json');
const MINUTE = 60_000;
const ISO_MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;

let now = Date.UTC(2026, 0, 1);
const clock = { ...systemClock, nowMs: () => now };
const server = await testServer(t, { config: PROJECT, clock });
const { store } = server.client;

/** A namespace of its own for each test. */
const fresh = (...more: string[]): string[] => [`space-${randomUUID()}`, ...more];
const keysOf = ({ items }: { items: { key: string }[] }): string[] => items.map(({ key }) => key);

async function call(of: TestServer, ...calls: [method: string, ...args: unknown[]][]): Promise<unknown[]> {
  return ((await of.client.runs.wait(null, 'keeper', { input: { calls } })) as { results: unknown[] }).results;
}

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const answer = await fetch(server.url + path, {
    method,
    ...(body === undefined
      ? {}
      : {
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
  });
  return { status: answer.status, text: await answer.text() };
}

t.test('puts, reads, replaces and deletes an item', async (t) => {
  const namespace = fresh('docs');
  const value = { title: 'One', nested: { list: [1, null, { deep: true }] }, empty: {}, unicode: 'é😀' };
  t.equal(await store.putItem(namespace, 'a', value), undefined);
  const first = (await store.getItem(namespace, 'a'))!;
  t.match(first, { created_at: ISO_MICROSECONDS, updated_at: ISO_MICROSECONDS });
  t.strictSame([first.namespace, first.key, first.value], [namespace, 'a', value]);
  t.equal(first.createdAt, first.updatedAt);
  t.notOk('score' in first);
  await store.putItem(namespace, 'a', { title: 'Two' });
  const second = (await store.getItem(namespace, 'a'))!;
  t.strictSame(second.value, { title: 'Two' }, 'replaced, not merged');
  t.equal(second.createdAt, first.createdAt);
  t.ok(new Date(second.updatedAt) > new Date(first.updatedAt), 'the clock stood still, and it is later all the same');
  await store.deleteItem(namespace, 'a');
  t.equal(await store.getItem(namespace, 'a'), null);
  await store.deleteItem(namespace, 'a');
  t.equal(await store.getItem(fresh(), 'never'), null);
});

t.test('[trap 13] [trap 14] returns the statuses and bodies of the protocol', async (t) => {
  const [top] = fresh() as [string];
  t.strictSame(await ask('PUT', '/store/items', { namespace: [top, 'b'], key: 'k', value: { n: 1 } }), {
    status: 204,
    text: '',
  });
  const empty = await fetch(`${server.url}/store/items`, {
    method: 'DELETE',
    body: JSON.stringify({ namespace: [top], key: 'none' }),
    headers: { 'content-type': 'application/json' },
  });
  t.equal(
    empty.headers.get('content-length'),
    null,
    'a client that believes in a length would wait for it, and never end',
  );
  const { status, text } = await ask('GET', `/store/items?namespace=${top}.b&key=k`);
  t.equal(status, 200);
  t.match(
    text,
    new RegExp(
      `^\\{"namespace":\\["${top}","b"\\],"key":"k","value":\\{"n":1\\},"created_at":"[^"]+","updated_at":"[^"]+"\\}$`,
    ),
  );
  t.equal((await ask('GET', `/store/items?namespace=${top}&namespace=b&key=k`)).text, text, 'labels one by one');
  t.strictSame(await ask('GET', `/store/items?namespace=${top}&key=k`), { status: 200, text: 'null' });
  // The Python client sends tuples as lists, and leaves out what is None.
  t.equal(
    (await ask('POST', '/store/items/search', { namespace_prefix: [top], limit: 10, offset: 0 })).text,
    `{"items":[${text}]}`,
  );
  t.equal(
    (
      await ask('POST', '/store/items/search', {
        namespace_prefix: [top],
        filter: null,
        query: null,
        limit: null,
        offset: null,
        refresh_ttl: null,
      })
    ).text,
    `{"items":[${text}]}`,
  );
  t.strictSame(await ask('POST', '/store/namespaces', { prefix: [top], limit: 100, offset: 0 }), {
    status: 200,
    text: `{"namespaces":[["${top}","b"]]}`,
  });
  t.strictSame(await ask('POST', '/store/namespaces', { prefix: [top], suffix: null, max_depth: null }), {
    status: 200,
    text: `{"namespaces":[["${top}","b"]]}`,
  });
  t.strictSame(await ask('DELETE', '/store/items', { namespace: [top, 'b'], key: 'k' }), { status: 204, text: '' });
  t.strictSame(await ask('DELETE', '/store/items', { namespace: [top, 'b'], key: 'k' }), { status: 204, text: '' });
  t.strictSame(await ask('POST', '/store/items/search', { namespace_prefix: [top] }), {
    status: 200,
    text: '{"items":[]}',
  });
});

t.test('refuses invalid requests with the reason', async (t) => {
  const cases: [method: string, path: string, body: unknown, status: number, detail: string | RegExp][] = [
    ['PUT', '/store/items', { key: 'k', value: {} }, 400, 'Namespace is required'],
    ['PUT', '/store/items', { namespace: [], key: 'k', value: {} }, 400, 'Namespace is required'],
    ['PUT', '/store/items', { namespace: null, key: 'k', value: {} }, 400, 'Namespace is required'],
    ['GET', '/store/items?key=k', undefined, 400, 'Namespace is required'],
    ['GET', '/store/items?key=k&namespace=', undefined, 400, 'Namespace is required'],
    ['DELETE', '/store/items', { key: 'k' }, 400, 'Namespace is required'],
    [
      'PUT',
      '/store/items',
      { namespace: ['a.b'], key: 'k', value: {} },
      422,
      'Namespace labels cannot be empty or contain periods. Received: a.b',
    ],
    [
      'PUT',
      '/store/items',
      { namespace: ['a', ''], key: 'k', value: {} },
      422,
      'Namespace labels cannot be empty or contain periods. Received: a.',
    ],
    [
      'GET',
      '/store/items?key=k&namespace=a..b',
      undefined,
      422,
      'Namespace labels cannot be empty or contain periods. Received: a..b',
    ],
    [
      'GET',
      '/store/items?key=k&namespace=a&namespace=',
      undefined,
      422,
      'Namespace labels cannot be empty or contain periods. Received: a.',
    ],
    ['DELETE', '/store/items', { namespace: ['.'], key: 'k' }, 422, /^Namespace labels/],
    [
      'POST',
      '/store/items/search',
      { namespace_prefix: ['a', 'b.c'] },
      422,
      'Namespace labels cannot be empty or contain periods. Received: a.b.c',
    ],
    ['POST', '/store/namespaces', { prefix: [''] }, 422, /^Namespace labels/],
    ['POST', '/store/namespaces', { suffix: ['x.y'] }, 422, /^Namespace labels/],
    ['GET', '/store/items?namespace=a', undefined, 422, /query\.key/],
    ['PUT', '/store/items', { namespace: ['a'], value: {} }, 422, /body\.key/],
    ['PUT', '/store/items', { namespace: ['a'], key: '', value: {} }, 422, /body\.key/],
    ['PUT', '/store/items', { namespace: ['a'], key: 'k' }, 422, /body\.value/],
    ['PUT', '/store/items', { namespace: ['a'], key: 'k', value: [] }, 422, /body\.value/],
    ['PUT', '/store/items', { namespace: ['a'], key: 'k', value: null }, 422, /body\.value/],
    ['PUT', '/store/items', { namespace: 'a', key: 'k', value: {} }, 422, /body\.namespace/],
    ['PUT', '/store/items', { namespace: [1], key: 'k', value: {} }, 422, /body\.namespace/],
    ['PUT', '/store/items', { namespace: ['a'], key: 'k', value: {}, ttl: 0 }, 422, /body\.ttl/],
    ['PUT', '/store/items', { namespace: ['a'], key: 'k', value: {}, ttl: 1e300 }, 422, /body\.ttl/],
    ['PUT', '/store/items', { namespace: ['a'], key: 'k', value: {}, index: true }, 422, /body\.index/],
    [
      'PUT',
      '/store/items',
      { namespace: ['a'], key: 'é'.repeat(900), value: {} },
      422,
      /1600 bytes together; these have 1801/,
    ],
    ['PUT', '/store/items', { namespace: ['a'], key: 'k'.repeat(1_700), value: {} }, 422, /body\.key/],
    ['POST', '/store/items/search', { namespace_prefix: ['a'.repeat(20_000)] }, 422, /1600 bytes/],
    ['POST', '/store/namespaces', { suffix: ['a'.repeat(20_000)] }, 422, /1600 bytes/],
    [
      'PUT',
      '/store/items',
      { namespace: ['a'], key: '\u0001'.repeat(900), value: {} },
      422,
      /1600 bytes together; these have 1801/,
    ],
    [
      'PUT',
      '/store/items',
      { namespace: Array.from({ length: 33 }, () => 'a'), key: 'k', value: {} },
      422,
      /more than 32 labels/,
    ],
    ['PUT', '/store/items', '{"namespace":["\\ud800"],"key":"k","value":{}}', 422, /well-formed/],
    ['PUT', '/store/items', '{"namespace":["a"],"key":"\\udc00","value":{}}', 422, /well-formed/],
    [
      'POST',
      '/store/items/search',
      { filter: { a: { $near: 1 } } },
      422,
      /^body\.filter\.a\.\$near: is an unknown operator/,
    ],
    ['POST', '/store/items/search', { filter: { $or: [] } }, 422, /^body\.filter\.\$or: is an unknown operator/],
    ['POST', '/store/items/search', { filter: [] }, 422, /body\.filter/],
    ['POST', '/store/items/search', { limit: 0 }, 422, /body\.limit/],
    ['POST', '/store/items/search', { limit: 1_001 }, 422, /body\.limit/],
    ['POST', '/store/items/search', { offset: -1 }, 422, /body\.offset/],
    ['POST', '/store/namespaces', { max_depth: 0 }, 422, /body\.max_depth/],
  ];
  for (const [method, path, body, status, detail] of cases) {
    const answer = await ask(method, path, body);
    const name = `${method} ${path} ${JSON.stringify(body)?.slice(0, 80)}`;
    t.equal(answer.status, status, name);
    const said = (JSON.parse(answer.text) as { detail: string }).detail;
    if (typeof detail === 'string') t.equal(said, detail, name);
    else t.match(said, detail, name);
  }
  t.equal((await ask('PATCH', '/store/items', {})).status, 405);
});

t.test('separates labels and keys of any content', async (t) => {
  const [top] = fresh() as [string];
  const long = 'l'.repeat(80);
  const places: [namespace: string[], key: string][] = [
    [[top], 'a'],
    [[top], 'a\u0000b'],
    [[top, 'a'], 'b'],
    [[top, 'a\u0005b'], 'c'],
    [[top, 'a', 'b'], 'c'],
    [[top, 'a\u0006Eb'], 'c'],
    [[top, 'a\u0000b'], 'c'],
    [[top, long], 'x'],
    [[top], `${long}\u0000x`],
    [[top, `${long}\u0000x`], 'y'],
    [[top, long, 'x'], 'y'],
    [[top, '*'], '*'],
    [[top, '__proto__'], 'constructor'],
    [[top, '日本'], '語'],
    [[top, '😀'], '😀'],
    [[top, 'a b'], 'c d'],
    [[top, 'a/b'], '../c'],
    [[top, '["a"]'], '{"b":1}'],
    [[top, '\u0001'.repeat(100)], '\u001f'],
    [[top, '#a'], '#b'],
  ];
  for (const [at, [namespace, key]] of places.entries())
    t.equal(
      (await ask('PUT', '/store/items', { namespace, key, value: { at } })).status,
      204,
      JSON.stringify([namespace, key]),
    );
  for (const [at, [namespace, key]] of places.entries()) {
    const query = new URLSearchParams([
      ...namespace.map((label): [string, string] => ['namespace', label]),
      ['key', key],
    ]);
    const { text } = await ask('GET', `/store/items?${query.toString()}`);
    const item = JSON.parse(text) as Item;
    t.strictSame([item.namespace, item.key, item.value], [namespace, key, { at }]);
  }
  const all = await store.searchItems([top], { limit: 100 });
  t.equal(all.items.length, places.length);
  const { namespaces } = await store.listNamespaces({ prefix: [top], limit: 100 });
  t.strictSame(
    new Set(namespaces.map((one) => JSON.stringify(one))),
    new Set(places.map(([namespace]) => JSON.stringify(namespace))),
  );
  t.equal(
    (await store.searchItems([top, 'a'], { limit: 100 })).items.length,
    2,
    'the namespace and the one below it, not those whose label begins so',
  );
  t.equal((await store.searchItems([top, long], { limit: 100 })).items.length, 2);
  for (const [namespace, key] of places) t.equal((await ask('DELETE', '/store/items', { namespace, key })).status, 204);
  t.strictSame((await store.searchItems([top], { limit: 100 })).items, []);
  t.strictSame((await store.listNamespaces({ prefix: [top] })).namespaces, []);
});

t.test('searches by whole labels, newest update first, in pages', async (t) => {
  const [top] = fresh() as [string];
  for (const [namespace, key] of [
    [[top], 'one'],
    [[top, 'a'], 'two'],
    [[top, 'ab'], 'three'],
    [[top, 'a', 'b'], 'four'],
    [[`${top}x`], 'other'],
  ] as const)
    await store.putItem([...namespace], key, { key });
  t.strictSame(keysOf(await store.searchItems([top])), ['four', 'three', 'two', 'one']);
  t.strictSame(keysOf(await store.searchItems([top, 'a'])), ['four', 'two']);
  await store.putItem([top, 'a'], 'two', { key: 'two', again: true });
  t.strictSame(
    keysOf(await store.searchItems([top])),
    ['two', 'four', 'three', 'one'],
    'an update comes to the top, once',
  );
  t.strictSame(keysOf(await store.searchItems([top], { limit: 2, offset: 1 })), ['four', 'three']);
  t.strictSame(keysOf(await store.searchItems([top], { offset: 4 })), []);
  t.ok(keysOf(await store.searchItems([], { limit: 1_000 })).includes('other'), 'without a prefix all are looked at');
  const asked = await store.searchItems([top], { query: 'what is new' });
  t.strictSame(keysOf(asked), ['two', 'four', 'three', 'one'], 'without an index for meaning, a query is a plain list');
  t.notOk(asked.items.some((item) => 'score' in item));
});

t.test('filters items', async (t) => {
  const namespace = fresh();
  const put = (key: string, value: Record<string, unknown>): Promise<void> => store.putItem(namespace, key, value);
  await put('a', { kind: 'report', n: 1, tags: ['x', 'y'], meta: { lang: 'en', rank: 2 } });
  await put('b', { kind: 'report', n: 10, tags: ['x'], meta: { lang: 'de' }, draft: null });
  await put('c', { kind: 'note', n: '7', meta: 'none' });
  const found = async (filter: Record<string, unknown>): Promise<string> =>
    keysOf(await store.searchItems(namespace, { filter }))
      .toSorted()
      .join('');
  const cases: [filter: Record<string, unknown>, keys: string][] = [
    [{}, 'abc'],
    [{ kind: 'report' }, 'ab'],
    [{ kind: 'report', n: 1 }, 'a'],
    [{ kind: { $eq: 'note' } }, 'c'],
    [{ kind: { $ne: 'note' } }, 'ab'],
    [{ nothing: { $ne: 1 } }, 'abc'],
    [{ n: { $gt: 1 } }, 'bc'],
    [{ n: { $gte: 1 } }, 'abc'],
    [{ n: { $lt: 10 } }, 'ac'],
    [{ n: { $lte: 1 } }, 'a'],
    [{ n: { $gt: 1, $lt: 8 } }, 'c'],
    [{ kind: { $gt: 1 } }, ''],
    [{ n: { $in: [1, '7'] } }, 'ac'],
    [{ n: { $nin: [1, '7'] } }, 'b'],
    [{ n: { $in: 1 } }, ''],
    [{ tags: ['x'] }, 'b'],
    [{ tags: { $eq: ['x', 'y'] } }, 'a'],
    [{ tags: { $in: [['x']] } }, 'b'],
    [{ meta: { lang: 'en' } }, 'a'],
    [{ meta: { $eq: { lang: 'de' } } }, 'b'],
    [{ meta: { rank: { $gt: 1 } } }, 'a'],
    [{ meta: 'none' }, 'c'],
    [{ draft: null }, 'b'],
    [{ kind: ['report'] }, ''],
    [{ constructor: { $ne: 1 } }, 'abc'],
    [{ toString: null }, ''],
  ];
  for (const [filter, expected] of cases) t.equal(await found(filter), expected, JSON.stringify(filter));
});

t.test('lists namespaces with items, by prefix, suffix and depth', async (t) => {
  const [top] = fresh() as [string];
  for (const namespace of [
    ['users', '1', 'v1'],
    ['users', '1', 'v2'],
    ['users', '2', 'v1'],
    ['docs'],
    ['docs', 'v1'],
    ['users'],
  ])
    for (const key of ['a', 'b']) await store.putItem([top, ...namespace], key, {});
  const list = async (options: {
    prefix?: string[];
    suffix?: string[];
    maxDepth?: number;
    limit?: number;
    offset?: number;
  }): Promise<string[]> =>
    (await store.listNamespaces({ prefix: [top], ...options })).namespaces.map((one) => one.slice(1).join('/'));
  const all = ['docs', 'docs/v1', 'users', 'users/1/v1', 'users/1/v2', 'users/2/v1'];
  t.strictSame(await list({}), all);
  t.strictSame(await list({ prefix: [top, 'users'] }), all.slice(2));
  t.strictSame(await list({ prefix: [top, 'user'] }), []);
  t.strictSame(await list({ suffix: ['v1'] }), ['docs/v1', 'users/1/v1', 'users/2/v1']);
  t.strictSame(await list({ prefix: [top, '*', '*', 'v1'] }), ['users/1/v1', 'users/2/v1']);
  t.strictSame(await list({ prefix: [top, 'users'], suffix: ['1', '*'] }), ['users/1/v1', 'users/1/v2']);
  t.strictSame(await list({ maxDepth: 2 }), ['docs', 'users']);
  t.strictSame(await list({ maxDepth: 3 }), ['docs', 'docs/v1', 'users', 'users/1', 'users/2']);
  t.strictSame(await list({ maxDepth: 2, suffix: ['v1'] }), ['docs', 'users'], 'cut after it has matched');
  t.strictSame(await list({ limit: 2, offset: 1 }), all.slice(1, 3));
  t.strictSame(await list({ maxDepth: 3, limit: 2, offset: 2 }), ['users', 'users/1']);
  for (const key of ['a', 'b']) await store.deleteItem([top, 'docs'], key);
  t.strictSame(await list({}), all.slice(1), 'an empty one is none');
});

t.test('shows graphs and clients the same items', async (t) => {
  const namespace = fresh('shared');
  await store.putItem(namespace, 'from-client', { n: 1, who: 'client' }, { index: ['who'] });
  const [put, got, missing, found, listed] = await call(
    server,
    ['put', namespace, 'from-graph', { n: 2, who: 'graph' }],
    ['get', namespace, 'from-client'],
    ['get', namespace, 'nothing'],
    ['search', namespace.slice(0, 1), { filter: { n: { $gte: 1 }, who: { $in: ['client', 'graph'] } } }],
    ['listNamespaces', { prefix: [namespace[0]!], suffix: ['*'], maxDepth: 2 }],
  );
  t.equal(put, null);
  t.match(got, { namespace, key: 'from-client', value: { n: 1, who: 'client' } });
  t.equal(missing, null);
  t.strictSame(keysOf({ items: found as { key: string }[] }), ['from-graph', 'from-client']);
  t.strictSame(listed, [namespace]);
  t.strictSame((await store.getItem(namespace, 'from-graph'))!.value, { n: 2, who: 'graph' });
  await call(server, ['delete', namespace, 'from-client']);
  t.equal(await store.getItem(namespace, 'from-client'), null);
  await store.deleteItem(namespace, 'from-graph');
  t.strictSame(await call(server, ['search', namespace]), [[]]);
  const unknown = await call(
    server,
    ['get', ['a'.repeat(5_000)], 'k'],
    ['search', ['a'.repeat(5_000)]],
    ['listNamespaces', { prefix: ['a'.repeat(5_000)] }],
  );
  t.strictSame(unknown, [null, [], []], 'what is longer than any item can be names none');
  const refused = (await call(
    server,
    ['put', ['a'], 'k'.repeat(1_700), {}],
    ['search', [], { filter: { a: { $near: 1 } } }],
    ['put', ['a'], 'k', {}, null, { ttl: -1 }],
  )) as { error: string }[];
  for (const [at, reason] of [/1600 bytes together/, /is an unknown operator/, /ttl: must be/].entries())
    t.match(refused[at]!.error, reason);
});

t.test('expires items for clients and graphs, and refreshes them on read', async (t) => {
  const namespace = fresh();
  const there = async (key: string): Promise<boolean> =>
    (await store.getItem(namespace, key, { refreshTtl: false })) !== null;
  await store.putItem(namespace, 'default', {});
  await store.putItem(namespace, 'short', {}, { ttl: 1 });
  await store.putItem(namespace, 'short too', {}, { ttl: 0.5 });
  await store.putItem(namespace, 'ever', {}, { ttl: null });
  await call(
    server,
    ['put', namespace, 'graph', {}],
    ['put', namespace, 'graph short', {}, false, { ttl: 1 }],
    ['put', namespace, 'graph ever', {}, undefined, { ttl: null }],
  );
  now += MINUTE - 1;
  t.notOk(await there('short too'));
  t.ok(await there('short'));
  now += 1;
  t.notOk(await there('short'), 'at its minute it is gone');
  t.strictSame(keysOf(await store.searchItems(namespace, { refreshTtl: false })), [
    'graph ever',
    'graph',
    'ever',
    'default',
  ]);
  t.matchStrict(await call(server, ['get', namespace, 'short'], ['get', namespace, 'graph short']), [null, null]);
  now += 8 * MINUTE;
  t.ok(await there('default'), 'a read that says so puts nothing off');
  t.ok(await store.getItem(namespace, 'graph'), 'one that says nothing does');
  now += 2 * MINUTE;
  t.notOk(await there('default'));
  t.ok(await there('graph'));
  now += 7 * MINUTE;
  t.strictSame(keysOf(await store.searchItems(namespace)), ['graph ever', 'graph', 'ever'], 'a search reads too');
  now += 9 * MINUTE;
  t.match((await call(server, ['get', namespace, 'graph']))[0], { key: 'graph' }, 'and so does a graph');
  now += 9 * MINUTE;
  t.ok(await there('graph'));
  now += 2 * MINUTE;
  t.strictSame(keysOf(await store.searchItems(namespace)), ['graph ever', 'ever']);
  now += 1_000_000 * MINUTE;
  t.ok(await there('ever'));
  await store.putItem(namespace, 'ever', {}, { ttl: 1 });
  now += MINUTE;
  t.strictSame(
    keysOf(await store.searchItems(namespace)),
    ['graph ever'],
    'what is put anew has the time that it is put with',
  );
  await store.deleteItem(namespace, 'graph ever');
  await store.putItem(namespace, 'last', {}, { ttl: 1 });
  now += MINUTE;
  t.strictSame(
    (await store.listNamespaces({ prefix: namespace })).namespaces,
    [],
    'a namespace of items past their time is none',
  );
  await store.putItem(namespace, 'last', { again: true }, { ttl: 1 });
  const again = (await store.getItem(namespace, 'last'))!;
  t.equal(again.createdAt, again.updatedAt, 'in the place of one past its time stands a new one');
});

t.test('keeps items, their order and expiry over a restart', async (t) => {
  const dataFolder = temporaryFolder(t);
  let time = Date.UTC(2026, 5, 1);
  const options = { config: PROJECT, dataFolder, clock: { ...systemClock, nowMs: () => time } };
  const first = await testServer(t, options);
  for (const [at, key] of ['a', 'b', 'c'].entries())
    await first.client.store.putItem(['kept'], key, { at }, { ttl: at + 1 });
  await first.client.store.putItem(['kept'], 'a', { at: 'again' }, { ttl: null });
  await first.close();
  time += 2 * MINUTE;
  const second = await testServer(t, options);
  t.strictSame(
    (await second.client.store.searchItems(['kept'])).items.map(({ key, value }) => [key, value]),
    [
      ['a', { at: 'again' }],
      ['c', { at: 2 }],
    ],
  );
  t.strictSame(
    (await call(second, ['search', ['kept'], { filter: { at: 2 } }]))[0],
    JSON.parse(JSON.stringify((await call(second, ['search', ['kept'], { limit: 1, offset: 1 }]))[0])),
  );
});
