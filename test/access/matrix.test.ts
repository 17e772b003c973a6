import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { permissionOf } from '../../src/domain/actions.js';
import { readConfig, type Config } from '../../src/config/config.js';
import { routes } from '../../src/http/routes/index.js';
import { walkGraphFile } from '../../src/pool/graphs/bundle.js';
import { createKey, revokeKey } from '../../src/store/access/api-keys.js';
import { WalkClient } from '../../src/cli/walk/walk-client.js';
import { walkSteps, type WalkStep } from '../../src/cli/walk/recipes.js';
import { WALK_GRAPH, makeRecords, type Records } from '../../src/cli/walk/records.js';
import { routeName, buildRequest } from '../../src/cli/walk/requests.js';
import { StoreWatcher } from '../../src/cli/walk/store-watcher.js';
import { openConfigured, ROOT, temporaryFolder, TEST_GRAPHS } from '../helpers/server.js';

interface Place {
  url: string;
  folder: string;
  store: StoreWatcher;
}

/** A server with the graph of the walk; `before` may put something into its folder. */
async function place(
  t: Pick<Test, 'teardown'>,
  project: string,
  before: (folder: string) => void = () => undefined,
): Promise<Place> {
  const folder = temporaryFolder(t);
  before(folder);
  const config = readConfig(
    { config: project, port: '0', data: folder, workers: '1', webhooks: false },
    { LOG_LEVEL: 'fatal' },
  );
  const file = walkGraphFile();
  const withGraph: Config = {
    ...config,
    publicShares: true,
    project: {
      ...config.project,
      root: dirname(file),
      graphs: [{ graphId: WALK_GRAPH, file, exportName: 'graph', description: null }],
    },
  };
  const url = await openConfigured(t, withGraph);
  const store = new StoreWatcher(folder);
  t.teardown(() => store.close());
  return { url, folder, store };
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const ACCESS = join(ROOT, 'test', 'access');
const all = walkSteps();

/** Someone who sends what the owner would send. `own` are records of theirs, where they have some. */
type Refused = readonly [
  who: string,
  asker: WalkClient,
  expected: (stage: WalkStep) => readonly number[],
  own?: Records,
];

/** It says what happens while it is open. */
const FEED = 'GET /threads/:thread_id/stream';
/** What the owner reads. How scores are shown is one for all, so that one may change. */
const READS = all.filter(
  ({ name, route, recipe }) =>
    route.method === 'get' &&
    recipe.destructiveOrder === undefined &&
    name !== 'GET /api/v1/feedback-configs' &&
    name !== FEED,
);

/** Every route for everyone who is to be refused: with which status, and that nothing at all was changed. */
async function refuse(
  t: Test,
  { store }: Place,
  owner: WalkClient,
  records: Records,
  refused: readonly Refused[],
): Promise<void> {
  const readBack = async (): Promise<string[]> =>
    Promise.all(
      READS.map(
        async ({ route, recipe }) =>
          (await owner.send(buildRequest(route, recipe.attempts[0].build(records, records)))).text,
      ),
    );
  let digest = await store.waitUntilSettled();
  const before = await readBack();
  for (const stage of all) {
    const { name, route, recipe } = stage;
    const ask = async ([who, asker, expected, own = records]: Refused): Promise<number> => {
      const sent = buildRequest(route, recipe.attempts[0].build(records, own));
      const answer = await asker.send(sent);
      const shown = records
        .secrets()
        .filter((secret) => answer.text.includes(secret) && !`${sent.target}${sent.body}`.includes(secret));
      t.ok(
        expected(stage).includes(answer.status) && shown.length === 0,
        `${name} (${route.action}) for ${who}: ${answer.status} ${answer.body.slice(0, 120)}, shows ${shown.join(', ')}`,
      );
      return answer.status;
    };
    const statuses = await Promise.all(refused.map(ask));
    // What makes something of one's own may do so; all else leaves every entry of the store as it was.
    const served = statuses.some((status) => status < 300);
    const now = served ? await store.waitUntilSettled() : store.digest();
    if (!served || recipe.attempts[0].kind !== 'creates')
      t.equal(now, digest, `${name} for ${refused.map(([who]) => who).join(', ')} changed nothing`);
    digest = now;
  }
  t.strictSame(await readBack(), before, 'the owner reads what it read before');
}

/** Every route for one who may; what takes away comes last. */
async function allow(
  t: Test,
  who: string,
  asker: WalkClient,
  records: Records,
  statuses: (stage: WalkStep, status: number) => boolean,
): Promise<void> {
  for (const stage of all) {
    const answer = await asker.send(buildRequest(stage.route, stage.recipe.attempts[0].build(records, records)));
    t.ok(statuses(stage, answer.status), `${stage.name} for ${who}: ${answer.status} ${answer.body.slice(0, 120)}`);
  }
}

const found = (status: number): boolean => status >= 200 && status < 300;
const unknown = (): readonly number[] => [401];
const noScope = (): readonly number[] => [403];

t.test('with a handler: answers every route as owner, other user and nobody', async (t) => {
  let keyText = '';
  const here = await place(t, join(ACCESS, 'project', 'langgraph.json'), (folder) => {
    keyText = createKey(folder, { name: 'any' }).text;
  });
  const owner = new WalkClient(here.url, bearer('token-of-alice'));
  const records = await makeRecords(owner);
  t.strictSame(records.failures, []);
  const bob = new WalkClient(here.url, bearer('token-of-bob'));
  await refuse(t, here, owner, records, [
    // A list is answered, without what is another's; what is named does not exist. An id that is taken cannot be had.
    [
      'another',
      bob,
      ({ recipe }) =>
        recipe.sharedReason !== undefined
          ? [403, 404]
          : recipe.attempts[0].kind === 'targets'
            ? [404, 409]
            : [200, 201, 202, 204, 404],
      await makeRecords(bob),
    ],
    ['nobody', new WalkClient(here.url, {}), unknown],
    ['an unknown token', new WalkClient(here.url, bearer('token-of-mallory')), unknown],
    ['a key, which this handler does not take', new WalkClient(here.url, { 'x-api-key': keyText }), unknown],
    [
      'the studio, which is off',
      new WalkClient(here.url, { 'x-api-key': keyText, 'x-auth-scheme': 'langsmith' }),
      unknown,
    ],
    ['a walk that nobody began', new WalkClient(here.url, { 'x-threadmill-walk': 'undefined:0' }), unknown],
  ]);
  await allow(t, 'the owner', owner, records, ({ recipe }, status) =>
    recipe.sharedReason === undefined ? found(status) : status === 403,
  );
});

t.test('with keys: answers every route with a valid, revoked, insufficient and no key', async (t) => {
  const texts = new Map<string, string>();
  const here = await place(t, TEST_GRAPHS, (folder) => {
    const make = (name: string, scopes?: string[]): void => {
      texts.set(name, createKey(folder, { name, scopes }).text);
    };
    make('owner');
    make('revoked');
    // No request needs it: of long-term memory the scope is "update".
    make('store:create', ['store:create']);
    revokeKey(folder, 'revoked');
  });
  const withKey = (name: string): WalkClient => new WalkClient(here.url, { 'x-api-key': texts.get(name)! });
  const owner = withKey('owner');
  const records = await makeRecords(owner);
  t.strictSame(records.failures, []);
  await refuse(t, here, owner, records, [
    ['nobody', new WalkClient(here.url, {}), unknown],
    ['a revoked key', withKey('revoked'), unknown],
    ['a revoked key as a token', new WalkClient(here.url, bearer(texts.get('revoked')!)), unknown],
    ['half a key', new WalkClient(here.url, { 'x-api-key': texts.get('owner')!.slice(0, -1) }), unknown],
    ['a key for something else', withKey('store:create'), noScope],
  ]);
  await allow(t, 'a key for everything', new WalkClient(here.url, bearer(texts.get('owner')!)), records, (_, status) =>
    found(status),
  );
});

t.test('opens only the routes of its scope to a key with one scope', async (t) => {
  const scopes = [
    ...new Set(all.flatMap(({ route }) => (route.action === 'public' ? [] : [permissionOf(route.action)]))),
  ];
  const texts = new Map<string, string>();
  const here = await place(t, TEST_GRAPHS, (folder) => {
    for (const scope of scopes) texts.set(scope, createKey(folder, { name: scope, scopes: [scope] }).text);
  });
  const nothing = '01a20000-0000-7000-8000-000000000000';
  for (const scope of scopes) {
    const asker = new WalkClient(here.url, { 'x-api-key': texts.get(scope)! });
    const wrong = await Promise.all(
      all.map(async ({ name, route }) => {
        const needed = [route.action, ...route.additionalActions].map((action) =>
          action === 'public' ? '' : permissionOf(action),
        );
        const params = Object.fromEntries(route.paramNames.map((param) => [param, nothing]));
        // Where two APIs share an address, the body says first which of them is asked.
        const { status, body } = await asker.send(
          buildRequest(route, {
            params,
            ...(route.method === 'get'
              ? {}
              : {
                  body:
                    route.alternative === null
                      ? {}
                      : route.elementValidator === null
                        ? { assistant_id: WALK_GRAPH }
                        : [{ assistant_id: WALK_GRAPH }],
                }),
          }),
        );
        const isAllowed = needed.every((one) => one === scope);
        return status !== 401 && isAllowed === (status !== 403) ? [] : [`${name}: ${status} ${body.slice(0, 100)}`];
      }),
    );
    t.strictSame(wrong.flat(), [], `${scope} opens its routes and no others`);
  }
});

t.test('the studio: needs a valid key and its header, where it is enabled', async (t) => {
  let [valid, revoked] = ['', ''];
  const here = await place(t, join(ACCESS, 'studio', 'langgraph.json'), (folder) => {
    valid = createKey(folder, { name: 'studio' }).text;
    revoked = createKey(folder, { name: 'revoked' }).text;
    revokeKey(folder, 'revoked');
  });
  const owner = new WalkClient(here.url, bearer('token-of-alice'));
  const records = await makeRecords(owner);
  await refuse(t, here, owner, records, [
    ['the studio without a key', new WalkClient(here.url, { 'x-auth-scheme': 'langsmith' }), unknown],
    [
      'the studio with a revoked key',
      new WalkClient(here.url, { 'x-auth-scheme': 'langsmith', 'x-api-key': revoked }),
      unknown,
    ],
    [
      'a token of the handler in the place of a key',
      new WalkClient(here.url, { 'x-auth-scheme': 'langsmith', ...bearer('token-of-alice') }),
      unknown,
    ],
    ['a key without the header', new WalkClient(here.url, { 'x-api-key': valid }), unknown],
  ]);
  // This project's handler asks for the owner there, whoever it is.
  const asksOwner = new Set<string>(['threads:update', 'threads:delete']);
  await allow(
    t,
    'the studio',
    new WalkClient(here.url, { 'x-auth-scheme': 'langsmith', 'x-api-key': valid }),
    records,
    ({ route, recipe }, status) =>
      asksOwner.has(route.action) && recipe.attempts[0].kind === 'targets' ? status === 404 : found(status),
  );
});

let emptyPlace: Promise<Place> | null = null;
/** For tests that make no records. Not opened beside another server: the end of one's bundling ends that of both. */
const openEmptyPlace = (): Promise<Place> => (emptyPlace ??= place(t, join(ACCESS, 'project', 'langgraph.json')));

t.test('lets nobody in with another spelling of a route', async (t) => {
  const here = await openEmptyPlace();
  const before = await here.store.waitUntilSettled();
  const nothing = '01a20000-0000-7000-8000-000000000000';
  for (const route of routes) {
    if (route.action === 'public') continue;
    const sent = buildRequest(route, {
      params: Object.fromEntries(route.paramNames.map((param) => [param, nothing])),
      ...(route.method === 'get' ? {} : { body: {} }),
    });
    // A body is checked before a handler is asked, so that it is shown what is right only.
    for (const one of [sent, ...(route.method === 'get' ? [{ ...sent, method: 'HEAD' }] : [])]) {
      const { status } = await new WalkClient(here.url, {}).send(one);
      t.ok(status === 401 || status === 422, `${one.method} ${route.path}: ${status}`);
    }
  }
  t.equal(here.store.digest(), before);
});

t.test('answers everyone on the public routes, which are few', async (t) => {
  const all = routes.filter(({ action }) => action === 'public');
  // Whoever has such an address may use it: what is in it is the proof.
  const byToken = all.filter(({ paramNames, path }) => paramNames.includes('token') && !/\/[dr]$/.test(path));
  t.strictSame(
    byToken
      .filter(({ alias }) => !alias)
      .map(routeName)
      .toSorted(),
    [
      'GET /api/v1/attachments/:token',
      'GET /api/v1/feedback/tokens/:token',
      'GET /api/v1/public/:token/:runs',
      'GET /api/v1/public/:token/datasets',
      'GET /api/v1/public/:token/datasets/sessions',
      'GET /api/v1/public/:token/examples',
      'GET /api/v1/public/:token/examples/count',
      'GET /api/v1/public/:token/run',
      'GET /api/v1/public/:token/run/:run_id',
      'GET /api/v2/public/:token/run/:run_id',
      'POST /api/v1/feedback/tokens/:token',
      'POST /api/v1/public/:token/runs/query',
      'POST /api/v2/public/:token/runs/query',
    ],
  );
  // They only redirect to a page, which loads its data from the routes above.
  const links = all.filter(({ path }) => /^\/public\/:token\/[dr]$/.test(path));
  // Components of the project's own, loaded by tags that send no key.
  const components = all.filter(({ path }) => path.startsWith('/ui/'));
  t.strictSame(components.map(routeName).toSorted(), ['GET /ui/:agent/:file', 'POST /ui/:agent']);
  // Steps of a sign-in, which prove themselves by cookies and by what the identity provider signs.
  const signIn = all.filter(({ path }) => /^\/server\/sign-(?:in|out)/.test(path));
  t.strictSame(signIn.map(routeName).toSorted(), [
    'GET /server/sign-in',
    'GET /server/sign-in/callback',
    'POST /server/sign-out',
  ]);
  const open = all.filter((route) => ![...byToken, ...links, ...components, ...signIn].includes(route));
  t.ok(
    open.every(({ method, paramNames }) => method === 'get' && paramNames.length === 0),
    'they read, and name no record',
  );
  t.strictSame(
    open
      .filter(({ alias, path }) => !alias && !path.startsWith('/docs/'))
      .map(routeName)
      .toSorted(),
    [
      ...['GET /', 'GET /console', 'GET /console/*', 'GET /docs', 'GET /info', 'GET /o/*', 'GET /ok'],
      ...['GET /openapi.json', 'GET /server/session'],
    ],
  );
  const here = await openEmptyPlace();
  for (const headers of [{}, bearer('token-of-mallory'), bearer('throw')]) {
    for (const route of open)
      t.equal((await new WalkClient(here.url, headers).send(buildRequest(route, {}))).status, 200, routeName(route));
    for (const route of components)
      t.equal(
        (
          await new WalkClient(here.url, headers).send(
            buildRequest(route, {
              params: { agent: 'nobody', file: 'entrypoint.js' },
              ...(route.method === 'post' ? { body: { name: 'x' } } : {}),
            }),
          )
        ).status,
        404,
        routeName(route),
      );
    for (const route of byToken)
      t.equal(
        (
          await new WalkClient(here.url, headers).send(
            buildRequest(route, { params: { token: randomUUID(), run_id: randomUUID(), runs: 'runs' } }),
          )
        ).status,
        404,
        routeName(route),
      );
  }
});
