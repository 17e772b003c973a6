import t from 'tap';
import { routeName } from '../../src/cli/walk/requests.js';
import { walkedRoutes } from '../../src/cli/walk/recipes.js';
import type { RouteResult } from '../../src/cli/walk/walk.js';
import { cli } from '../helpers/cli.js';
import { leaks, project, walkThrough } from './walk-through.js';

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
