import t from 'tap';
import { walkedRoutes } from '../../src/cli/walk/recipes.js';
import { cli } from '../helpers/cli.js';
import { leaks, project, walkThrough } from './walk-through.js';

t.test(
  'reports all routes as leaks without an authorization handler, except creating, shared and empty ones',
  async (t) => {
    const found = await walkThrough('walk-none');
    const kept = found.filter(({ verdict }) => verdict === 'kept apart').map(({ route }) => route);
    t.strictSame(
      kept.toSorted(),
      [
        'DELETE /api/v1/feedback-configs',
        'GET /api/v1/evaluators',
        'GET /api/v1/feedback-configs',
        'GET /api/v1/settings',
        ...['graph', 'schemas', 'subgraphs', 'subgraphs/:namespace'].map(
          (below) => `GET /assistants/:assistant_id/${below}`,
        ),
        'PATCH /api/v1/feedback-configs',
        'POST /api/v1/annotation-queues',
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
        // The walk has no receiver of webhooks.
        'GET /webhooks/deliveries',
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
  },
);

t.test('reports each route that reads one record when only lists are filtered', async (t) => {
  const { code, stdout, stderr } = await cli(['doctor', '--auth', '-c', project('walk-search')]);
  t.equal(code, 1, `leaks were found. ${stderr}`);
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
