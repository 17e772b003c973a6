import { join } from 'node:path';
import t from 'tap';
import type { User } from '../../src/domain/caller.js';
import { recipes, walkSteps, walkedRoutes } from '../../src/cli/walk/recipes.js';
import { routeName } from '../../src/cli/walk/requests.js';
import { openWalkServer } from '../../src/cli/walk/walk-server.js';
import { walk, type RouteResult } from '../../src/cli/walk/walk.js';
import { cli } from '../helpers/cli.js';
import { ROOT, TEST_GRAPHS } from '../helpers/server.js';

const project = (name: string): string => join(ROOT, 'test', 'access', name, 'langgraph.json');
const user = (identity: string): User => ({
  identity,
  display_name: identity,
  is_authenticated: true,
  permissions: [],
});

/** One way through all routes, with the handlers of a project. */
async function walkThrough(name: string): Promise<RouteResult[]> {
  const [ada, bob] = [user('ada'), user('bob')];
  const server = await openWalkServer(project(name), [ada, bob]);
  try {
    return await walk(
      { name: 'ada', client: server.clientFor(ada) },
      { name: 'bob', client: server.clientFor(bob) },
      server.store,
    );
  } finally {
    await server.close();
  }
}

const leaks = (routes: readonly RouteResult[]): string[] =>
  routes.filter(({ verdict }) => verdict === 'leak').map(({ route }) => route);

t.test('every route that asks who it is has a recipe, and every recipe a route', (t) => {
  t.strictSame(Object.keys(recipes).toSorted(), walkedRoutes.map(routeName).toSorted());
  t.equal(walkSteps().length, walkedRoutes.length);
  t.end();
});

t.test('where handlers filter all that is asked, nothing leaks and every route is reached', async (t) => {
  const { code, stdout, stderr } = await cli([
    'doctor',
    '--auth',
    '-c',
    project('project'),
    '--json',
    '--user',
    '{"identity":"ada","role":"member"}',
    '--user',
    '{"identity":"bob","role":"member"}',
  ]);
  t.equal(code, 0, stderr);
  const { leaks: count, walks } = JSON.parse(stdout) as {
    leaks: number;
    walks: { owner: string; other: string; routes: RouteResult[] }[];
  };
  t.equal(count, 0);
  t.strictSame(
    walks.map(({ owner, other }) => [owner, other]),
    [
      ['ada', 'bob'],
      ['bob', 'ada'],
    ],
  );
  for (const { routes } of walks) {
    t.equal(routes.length, walkedRoutes.length);
    for (const { route, verdict, notes } of routes) {
      t.equal(
        verdict,
        /^(PATCH|DELETE) \/api\/v1\/feedback-configs$/.test(route) ? 'shared' : 'kept apart',
        `${route} ${notes.join('; ')}`,
      );
    }
  }
});

t.test("without a handler that judges, everything leaks but what is made, shared or nobody's", async (t) => {
  const found = await walkThrough('walk-none');
  const kept = found.filter(({ verdict }) => verdict === 'kept apart').map(({ route }) => route);
  t.strictSame(
    kept.toSorted(),
    [
      'DELETE /api/v1/feedback-configs',
      'GET /api/v1/feedback-configs',
      'GET /api/v1/settings',
      ...['graph', 'schemas', 'subgraphs', 'subgraphs/:namespace'].map(
        (below) => `GET /assistants/:assistant_id/${below}`,
      ),
      'PATCH /api/v1/feedback-configs',
      'POST /api/v1/datasets',
      'POST /api/v1/datasets/upload',
      'POST /api/v1/feedback-configs',
      'POST /runs/batch',
      'POST /runs/crons',
      'POST /runs/stream',
      'POST /runs/wait',
      'DELETE /store/items',
      'GET /store/items',
      'POST /store/items/search',
      'POST /store/namespaces',
      'PUT /store/items',
    ].toSorted(),
  );
  t.equal(
    leaks(found).length,
    found.length - kept.length,
    'none was left out because another one took its records away',
  );
  const notes = (route: string): string => found.find((one) => one.route === route)!.notes.join('\n');
  t.match(notes('GET /threads'), /changed after ada created records/);
  t.match(notes('GET /threads/:thread_id'), /texts that ada wrote/);
  t.match(notes('PATCH /threads/:thread_id'), /changed what ada reads: GET \/threads/);
  t.match(notes('GET /api/v1/workspaces/current/stats'), /changed after ada created records/);
  t.match(notes('GET /api/v1/examples/count'), /returned [1-9]/);
  t.match(
    notes('GET /threads/:thread_id/runs/:run_id/stream'),
    /cancel_on_disconnect=true by bob changed what ada reads/,
  );
});

t.test('a handler that stamps and forgets to filter is named by the routes it is asked for', async (t) => {
  const found = await walkThrough('walk-forgotten');
  // Of a graph's run addresses for feedback are made and listed for whoever may read its thread.
  const reads = walkedRoutes
    .filter(
      ({ action, looks, path }) =>
        action === 'threads:read' || (looks.includes('threads:read') && path.endsWith('/feedback/tokens')),
    )
    .map(routeName);
  t.strictSame(leaks(found).toSorted(), reads.toSorted());
  t.strictSame(
    found.filter(({ verdict }) => verdict === 'not reached'),
    [],
  );
});

t.test('a filter on lists alone leaves each record open to whoever knows its id', async (t) => {
  const { code, stdout } = await cli(['doctor', '--auth', '-c', project('walk-search')]);
  t.equal(code, 1);
  for (const route of [
    'GET /threads/:thread_id',
    'GET /threads/:thread_id/state',
    'PATCH /threads/:thread_id',
    'DELETE /threads/:thread_id',
    'POST /threads/:thread_id/runs/:run_id/cancel',
  ]) {
    t.match(stdout, new RegExp(`^${route.replaceAll('/', '\\/')} +\\d+ +\\d+ +leak$`, 'm'), route);
    t.ok(stdout.includes(`leak: ${route}: `), `${route} is named with what was seen`);
  }
  for (const route of ['GET /threads', 'POST /threads/search'])
    t.match(stdout, new RegExp(`^${route} +200 +200 +kept apart$`, 'm'), route);
  t.match(stdout, /^GET \/api\/v1\/datasets\/:dataset_id +- +- +not reached$/m);
  t.match(stdout, /not reached: GET \/api\/v1\/datasets: walk-ada got status 403/);
  t.match(stdout, new RegExp(`^${walkedRoutes.length} routes, walked as walk-ada and as walk-bob: \\d+ leak, `, 'm'));
});

t.test('what cannot be walked is said, with its own exit code', async (t) => {
  const cases: [args: string[], reason: RegExp][] = [
    [['-c', TEST_GRAPHS], /Not run: .*langgraph\.json has no "auth"/],
    [['-c', project('walk-refused')], /Not run: walk-ada could not create any record: POST \/threads returned 403/],
    [['-c', join(ROOT, 'nowhere.json')], /Not run: .*does not exist/],
    [['-c', project('project'), '--user', '{"identity":"one"}'], /two users are needed/],
    [['-c', project('project'), '--user', '{"identity":"one"}', '--user', '{"identity":"one"}'], /the same identity/],
    [['--what'], /unknown option/],
  ];
  await Promise.all(
    cases.map(async ([args, reason]) => {
      const { code, stdout, stderr } = await cli(['doctor', '--auth', ...args]);
      t.equal(code, 2, args.join(' '));
      t.equal(stdout, '');
      t.match(stderr, reason);
    }),
  );
  const { code, stdout } = await cli(['doctor', '--help']);
  t.equal(code, 0);
  t.match(stdout, /Usage: threadmill doctor/);
});
