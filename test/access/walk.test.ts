import { join } from 'node:path';
import t from 'tap';
import { recipes, walkSteps, walkedRoutes } from '../../src/cli/walk/recipes.js';
import { routeName } from '../../src/cli/walk/requests.js';
import type { RouteResult } from '../../src/cli/walk/walk.js';
import { cli } from '../helpers/cli.js';
import { ROOT, TEST_GRAPHS } from '../helpers/server.js';
import { leaks, project, walkThrough } from './walk-through.js';

t.test('has a recipe for every authenticated route and a route for every recipe', (t) => {
  t.strictSame(Object.keys(recipes).toSorted(), walkedRoutes.map(routeName).toSorted());
  t.equal(walkSteps().length, walkedRoutes.length);
  t.end();
});

t.test('finds no leak and reaches every route when handlers filter everything', async (t) => {
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

t.test('names the routes of a handler that sets the owner but returns no filter', async (t) => {
  const found = await walkThrough('walk-forgotten');
  // Of a graph's run addresses for feedback are made and listed for whoever may read its thread.
  const reads = walkedRoutes
    .filter(
      ({ action, relatedReads, path }) =>
        action === 'threads:read' || (relatedReads.includes('threads:read') && path.endsWith('/feedback/tokens')),
    )
    .map(routeName);
  t.strictSame(leaks(found).toSorted(), reads.toSorted());
  t.strictSame(
    found.filter(({ verdict }) => verdict === 'not reached'),
    [],
  );
});

t.test('exits with 2 and the reason when it cannot walk', async (t) => {
  const cases: [args: string[], reason: RegExp][] = [
    [['-c', TEST_GRAPHS], /Not run: .*langgraph\.json has no "auth"/],
    [['-c', project('walk-refused')], /Not run: walk-ada could not create any record: POST \/threads returned 403/],
    [['-c', join(ROOT, 'nowhere.json')], /Not run: .*does not exist/],
    [['-c', project('project'), '--user', '{"identity":"one"}'], /give exactly two users, or none/],
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
