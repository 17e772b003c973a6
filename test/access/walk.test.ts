import { join } from 'node:path';
import t from 'tap';
import { recipes, walkSteps, walkedRoutes } from '../../src/cli/walk/recipes.js';
import { routeName } from '../../src/cli/walk/requests.js';
import { cli } from '../helpers/cli.js';
import { ROOT, TEST_GRAPHS } from '../helpers/server.js';
import { project } from './walk-through.js';

t.test('has a recipe for every authenticated route and a route for every recipe', (t) => {
  t.strictSame(Object.keys(recipes).toSorted(), walkedRoutes.map(routeName).toSorted());
  t.equal(walkSteps().length, walkedRoutes.length);
  t.end();
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
