import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import t, { type Test } from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

const PROJECT = join(ROOT, 'test', 'access', 'store', 'langgraph.json');

const dataFolder = temporaryFolder(t);
const [key, otherKey] = ['one', 'two'].map((name) => createKey(dataFolder, { name }).text);
const server = await testServer(t, { config: PROJECT, dataFolder });

/** `ada:scoped`: see test/access/store/auth.ts. */
function as(token: string): Client {
  return new Client({
    apiUrl: server.url,
    apiKey: null,
    defaultHeaders: { authorization: `Bearer ${token}` },
    callerOptions: { maxRetries: 0 },
  });
}

function withKey(text: string): Client {
  return new Client({ apiUrl: server.url, apiKey: text, callerOptions: { maxRetries: 0 } });
}

type Ask = () => Promise<unknown>;

async function rejectsEach(t: Test, asks: readonly Ask[], wanted: { message: string | RegExp }): Promise<void> {
  for (const ask of asks) await t.rejects(ask(), wanted, String(ask));
}

async function call(client: Client, ...calls: [method: string, ...args: unknown[]][]): Promise<unknown[]> {
  return ((await client.runs.wait(null, 'keeper', { input: { calls } })) as { results: unknown[] }).results;
}

/** What the handler was shown: it says so in its refusal. */
async function shown(t: Test, request: Promise<unknown>): Promise<unknown> {
  const error = await request.then(
    () => new Error('was not refused'),
    (thrown: Error) => thrown,
  );
  const [, body] = /^HTTP 418: (.*)$/s.exec(error.message) ?? [];
  if (body === undefined) t.fail(error.message);
  return JSON.parse((JSON.parse(body ?? '{"detail":"null"}') as { detail: string }).detail) as unknown;
}

t.test('shows a handler the operation and the fields of the request', async (t) => {
  const { store } = as('ada:what');
  const metadata = {};
  t.strictSame(await shown(t, store.putItem(['a', 'b'], 'k', { n: 1 }, { index: ['n'], ttl: 5 })), {
    event: 'store:put',
    namespace: ['a', 'b'],
    key: 'k',
    value: { n: 1 },
    index: ['n'],
    metadata,
  });
  t.strictSame(await shown(t, store.putItem([], 'k', {})), {
    event: 'store:put',
    namespace: [],
    key: 'k',
    value: {},
    index: null,
    metadata,
  });
  t.strictSame(await shown(t, store.getItem(['a', 'b'], 'k')), {
    event: 'store:get',
    namespace: ['a', 'b'],
    key: 'k',
    metadata,
  });
  t.strictSame(await shown(t, store.deleteItem(['a', 'b'], 'k')), {
    event: 'store:delete',
    namespace: ['a', 'b'],
    key: 'k',
    metadata,
  });
  t.strictSame(await shown(t, store.searchItems(['a'], { filter: { n: 1 }, query: 'what' })), {
    event: 'store:search',
    namespace: ['a'],
    filter: { n: 1 },
    query: 'what',
    limit: 10,
    offset: 0,
    metadata,
  });
  t.strictSame(await shown(t, store.listNamespaces({ prefix: ['a'], suffix: ['*'], maxDepth: 2 })), {
    event: 'store:list_namespaces',
    namespace: ['a'],
    suffix: ['*'],
    max_depth: 2,
    limit: 100,
    offset: 0,
    metadata,
  });
  const long = Array.from({ length: 20 }, () => 'x'.repeat(1_000));
  t.match(await shown(t, store.searchItems(long)), { namespace: long }, 'it is shown whole: handlers decide by it');
  t.strictSame(await shown(t, store.listNamespaces()), {
    event: 'store:list_namespaces',
    namespace: [],
    suffix: null,
    max_depth: null,
    limit: 100,
    offset: 0,
    metadata,
  });
});

t.test('applies the namespace that a handler prepends everywhere, in graphs too', async (t) => {
  const { store } = as('ada:scoped');
  await store.putItem(['notes'], 'k', { n: 1 });
  await store.putItem([], 'top', {});
  t.strictSame((await store.getItem(['notes'], 'k'))!.namespace, ['ada', 'notes']);
  t.strictSame(
    (await store.searchItems([])).items.map((item) => [item.namespace, item.key]),
    [
      [['ada'], 'top'],
      [['ada', 'notes'], 'k'],
    ],
  );
  t.strictSame((await store.searchItems(['notes'])).items.length, 1);
  t.strictSame((await store.listNamespaces()).namespaces, [['ada'], ['ada', 'notes']]);
  t.strictSame((await store.listNamespaces({ prefix: ['notes'] })).namespaces, [['ada', 'notes']]);
  t.matchStrict(await call(as('ada:scoped'), ['get', ['ada', 'notes'], 'k'], ['put', ['ada', 'graph'], 'g', {}]), [
    { value: { n: 1 } },
    null,
  ]);
  t.ok(await store.getItem(['graph'], 'g'));
  await store.deleteItem(['notes'], 'k');
  t.equal(await store.getItem(['notes'], 'k'), null);
});

t.test('hides the items of other users, whatever namespace a user names', async (t) => {
  const [ada, bob] = [as('ada:scoped'), as('bob:scoped')];
  await ada.store.putItem(['secret'], 'k', { text: 'the sea' });
  await call(ada, ['put', ['ada', 'secret'], 'from graph', { text: 'the sea' }]);
  // Bob's handler lets him ask for any namespace.
  const free = as('bob:stamping');
  for (const namespace of [['ada', 'secret'], ['bob', 'ada', 'secret'], ['secret']]) {
    t.equal(await free.store.getItem(namespace, 'k'), null);
    await free.store.deleteItem(namespace, 'k');
    t.strictSame((await free.store.searchItems(namespace)).items, []);
    t.equal(await bob.store.getItem(namespace, 'k'), null);
  }
  await free.store.putItem(['ada', 'secret'], 'k', { text: 'mine' });
  t.strictSame(
    (await free.store.searchItems([])).items.map(({ value }) => value),
    [{ text: 'mine' }],
  );
  t.strictSame((await free.store.listNamespaces()).namespaces, [['ada', 'secret']]);
  t.strictSame(await call(bob, ['get', ['ada', 'secret'], 'from graph']), [null]);
  t.match(await ada.store.getItem(['secret'], 'k'), { value: { text: 'the sea' } }, 'and it is as it was');
  t.equal((await ada.store.searchItems(['secret'])).items.length, 2);
});

t.test("refuses a namespace that is not the user's", async (t) => {
  const { store } = as('eve:checked');
  const refused = { message: /^HTTP 403: .*This namespace is not yours/ };
  await store.putItem(['eve', 'a'], 'k', {});
  t.ok(await store.getItem(['eve', 'a'], 'k'));
  t.equal((await store.searchItems(['eve'])).items.length, 1);
  await rejectsEach(
    t,
    [
      () => store.putItem(['ada'], 'k', {}),
      () => store.getItem(['ada'], 'k'),
      () => store.deleteItem(['ada'], 'k'),
      () => store.searchItems([]),
      () => store.listNamespaces(),
      () => store.listNamespaces({ prefix: ['*'] }),
    ],
    refused,
  );
  const { store: none } = as('eve:refused');
  await rejectsEach(
    t,
    [
      () => none.putItem(['eve'], 'k', {}),
      () => none.getItem(['eve', 'a'], 'k'),
      () => none.deleteItem(['eve', 'a'], 'k'),
      () => none.searchItems(['eve']),
      () => none.listNamespaces(),
    ],
    { message: /^HTTP 403: .*Not authorized/ },
  );
  t.ok(await store.getItem(['eve', 'a'], 'k'));
});

t.test('filters items by their content', async (t) => {
  const [all, blue] = [as('fay:scoped').store, as('fay:filtered').store];
  await all.putItem(['x'], 'red', { team: 'red' });
  await all.putItem(['x'], 'blue', { team: 'blue' });
  const place = ['fay', 'x'];
  t.strictSame(
    (await blue.searchItems([])).items.map((item) => item.key),
    ['blue'],
  );
  t.ok(await blue.getItem(place, 'blue'));
  await rejectsEach(
    t,
    [
      () => blue.getItem(place, 'red'),
      () => blue.deleteItem(place, 'red'),
      () => blue.putItem(place, 'red', { team: 'blue' }),
    ],
    { message: 'HTTP 404: {"detail":"Item not found"}' },
  );
  t.equal(await blue.getItem(place, 'green'), null, 'what is not there is not hidden');
  await rejectsEach(
    t,
    [
      () => blue.putItem(place, 'new', {}),
      () => blue.putItem(place, 'new', { team: ['blue'] }),
      () => blue.putItem(place, 'blue', { team: 'red' }),
    ],
    { message: 'HTTP 403: {"detail":"Not authorized"}' },
  );
  await blue.putItem(place, 'new', { team: 'blue' });
  t.strictSame(
    (await all.searchItems(['x'])).items.map((item) => [item.key, item.value['team']]),
    [
      ['new', 'blue'],
      ['blue', 'blue'],
      ['red', 'red'],
    ],
  );
  t.equal(
    ((await call(as('fay:filtered'), ['search', []])) as unknown[][])[0]!.length,
    3,
    "a graph is the developer's: it reaches all of its user's",
  );

  const keyed = as('fay:keyed').store;
  await keyed.putItem(['y'], 'mine', {});
  await keyed.putItem(['y', 'mine'], 'k', {});
  await t.rejects(
    keyed.putItem(['y'], 'other', { key: 'mine', namespace: ['mine'] }),
    { message: /^HTTP 403/ },
    'a value does not say where it is',
  );
  t.strictSame((await keyed.listNamespaces()).namespaces, [['y'], ['y', 'mine']]);
});

t.test('stores what a handler adds beside the item, from graphs too', async (t) => {
  const { store } = as('gil:stamping');
  await store.putItem(['a'], 'k', { owner: 'someone else', text: 'x' });
  t.strictSame((await store.getItem(['a'], 'k'))!.value, { owner: 'someone else', text: 'x' }, 'and not in its value');
  t.strictSame((await store.searchItems(['a'])).items.length, 1);
  t.strictSame((await store.listNamespaces()).namespaces, [['a']]);
  await as('gil:scoped').store.putItem(['b'], 'unstamped', {});
  t.strictSame(
    (await store.searchItems([])).items.map((item) => item.key),
    ['k'],
  );
});

t.test('applies other changes that a handler makes', async (t) => {
  const { store } = as('hal:changing');
  await store.putItem(['a'], 'k', { n: 1, by: 'client' });
  await store.putItem(['a'], 'l', { n: 2 });
  await as('hal:scoped').store.putItem(['b'], 'm', { n: 3 });
  t.match(await store.getItem(['a'], 'k'), { key: 'k!', value: { n: 1, by: 'hal' } });
  t.strictSame(
    (await store.searchItems([], { filter: { n: 3 }, limit: 10 })).items.map((item) => item.key),
    ['l!'],
    "filter and limit are the handler's",
  );
  await store.deleteItem(['a'], 'k');
  t.equal(await store.getItem(['a'], 'k'), null);
  // Too large to be shown, so it goes on as it came.
  await store.putItem(['a'], 'large', { text: 'x'.repeat(20_000) });
  t.strictSame(Object.keys((await store.getItem(['a'], 'large'))!.value), ['text']);
});

t.test("[trap 30] validates a namespace that a handler sets like a client's", async (t) => {
  const asks = (token: string): Ask[] => {
    const { store } = as(token);
    return [
      () => store.putItem(['x'], 'k', {}),
      () => store.getItem(['x'], 'k'),
      () => store.deleteItem(['x'], 'k'),
      () => store.searchItems(['x']),
      () => store.listNamespaces({ prefix: ['x'] }),
    ];
  };
  await rejectsEach(t, asks('ivy:breaking'), {
    message: 'HTTP 422: {"detail":"Namespace labels cannot be empty or contain periods. Received: a.b"}',
  });
  await rejectsEach(t, asks('ivy:nonsense'), { message: /^HTTP 422: .*namespace|^HTTP 422: .*prefix/ });
  const emptied = asks('ivy:emptying');
  await rejectsEach(t, emptied.slice(0, 3), { message: 'HTTP 400: {"detail":"Namespace is required"}' });
  for (const ask of emptied.slice(3)) await t.resolves(ask(), "all of the user's own");
});

t.test('gives all keys the memory of the server, apart from that of users', async (t) => {
  const [one, two] = [withKey(key!), withKey(otherKey!)];
  await one.store.putItem(['ada', 'notes'], 'k', { by: 'key' });
  t.match(await two.store.getItem(['ada', 'notes'], 'k'), { value: { by: 'key' } });
  t.match(await call(two, ['get', ['ada', 'notes'], 'k']), [{ value: { by: 'key' } }]);
  t.notMatch(JSON.stringify(await as('ada:scoped').store.searchItems([], { limit: 100 })), /"by":"key"/);
  t.strictSame(
    (await one.store.listNamespaces()).namespaces,
    [['ada', 'notes']],
    "nor does a key see what is a user's",
  );
});

t.test('returns from a vector search only items that match the filter, even if that is fewer', async (t) => {
  const config = join(temporaryFolder(t), 'langgraph.json');
  writeFileSync(
    config,
    JSON.stringify({
      graphs: { keeper: join(ROOT, 'test', 'graphs', 'keeper.ts:graph') },
      auth: { path: join(ROOT, 'test', 'access', 'store', 'auth.ts:auth'), allow_langsmith_api_keys: true },
      store: { index: { dims: 26, embed: `${join(ROOT, 'test', 'graphs', 'letters.ts')}:embed` } },
    }),
  );
  const meaning = await testServer(t, { config });
  const headers = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
  const { store } = new Client({ apiUrl: meaning.url, apiKey: null, defaultHeaders: headers('ada:scoped') });
  const near = Array.from({ length: 12 }, (_, at) =>
    store.putItem(['shared'], `red-${at}`, { team: 'red', text: 'abc' }),
  );
  await Promise.all([
    ...near,
    store.putItem(['shared'], 'blue', { team: 'blue', text: 'abxy' }),
    store.putItem(['shared'], 'far', { team: 'blue', text: 'xyz' }),
  ]);
  const search = async (token: string, body: object = {}): Promise<[string, number][]> => {
    const answer = await meaning.post(
      '/store/items/search',
      { namespace_prefix: ['ada', 'shared'], query: 'abc', ...body },
      { headers: { 'content-type': 'application/json', ...headers(token) } },
    );
    t.equal(answer.status, 200);
    return ((await answer.json()) as { items: { key: string; score: number }[] }).items.map(({ key: name, score }) => [
      name,
      score,
    ]);
  };
  t.equal(
    (await search('ada:scoped', { namespace_prefix: ['shared'], limit: 20 })).length,
    14,
    'without a filter: all, where the handler leads',
  );
  const [first, second, ...others] = await search('ada:filtered');
  t.match(
    [first?.[0], second?.[0], others],
    ['blue', 'far', []],
    'twelve nearer ones of another team take no place of the ten',
  );
  t.ok(first![1] > second![1]);
  t.strictSame(
    (await search('ada:filtered', { limit: 1 })).map(([name]) => name),
    ['blue'],
  );
  t.strictSame(
    (await search('ada:filtered', { limit: 1, offset: 1 })).map(([name]) => name),
    ['far'],
  );
  t.strictSame(await search('ada:filtered', { filter: { team: 'red' } }), [], "a client's own filter only narrows");
  t.strictSame(await search('bob:filtered'), [], 'and nobody finds what belongs to another');
});
