import t from 'tap';
import { SCOPES_OF_ROLE, highestRole, type Role } from '../../src/domain/roles.js';
import { routes } from '../../src/http/routes/index.js';
import type { Route } from '../../src/http/route.js';
import { findMissingAction } from '../../src/services/access/access.js';
import { createKey } from '../../src/store/access/api-keys.js';
import { covers, isScope } from '../../src/store/access/key-scopes.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

const allowsRoute = (role: Role, { action, additionalActions, sufficientScope }: Route): boolean =>
  findMissingAction(SCOPES_OF_ROLE[role], [action, ...additionalActions], sufficientScope) === null;

const named = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;
const ADMINS_ONLY = /^(GET|POST|DELETE) \/(backup|server\/(keys|sessions|audit|code\/))|^POST \/server\/code/;
const REVIEWS = /^(POST|PUT|PATCH|DELETE) .*\/(annotation-queues|feedback|feedback-configs)(\/(?!tokens)|$)/;

t.test('a role allows the routes of its kind, and no others', (t) => {
  const closed = routes.filter(({ action }) => action !== 'public');
  t.ok(closed.some((route) => ADMINS_ONLY.test(named(route))) && closed.some((route) => REVIEWS.test(named(route))));
  for (const route of closed) {
    const name = named(route);
    const reads = !route.changesData && !ADMINS_ONLY.test(name);
    const also = (actions: readonly string[]): boolean => actions.every((one) => /:(read|search)$/.test(one));
    t.equal(allowsRoute('viewer', route), reads && also(route.additionalActions), `viewer: ${name}`);
    t.equal(
      allowsRoute('reviewer', route),
      (reads && also(route.additionalActions)) || REVIEWS.test(name),
      `reviewer: ${name}`,
    );
    t.equal(allowsRoute('operator', route), !ADMINS_ONLY.test(name), `operator: ${name}`);
    t.ok(allowsRoute('admin', route), `admin: ${name}`);
  }
  t.end();
});

t.test('the highest of several roles counts', (t) => {
  t.equal(highestRole(['viewer', 'operator', 'reviewer']), 'operator');
  t.equal(highestRole(['viewer']), 'viewer');
  t.equal(highestRole([]), null);
  t.end();
});

t.test('nobody can make a key for reviews without that right', (t) => {
  t.ok(isScope('reviews'));
  t.ok(covers(['experiments'], 'reviews'));
  t.ok(covers(['reviews'], 'reviews'));
  t.notOk(covers(['read', 'server:keys'], 'reviews'));
  t.notOk(covers(['experiments:update'], 'reviews'));
  t.notOk(covers(['reviews'], 'experiments:update'));
  t.end();
});

t.test('a key with the scope reviews gives feedback and edits queues, and changes nothing else', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text } = createKey(dataFolder, { name: 'reviews', scopes: ['read', 'reviews'] });
  const server = await testServer(t, { dataFolder, config: configWith(t, 'chat') });
  const post = async (path: string, body: unknown): Promise<number> => {
    const init = { headers: { 'content-type': 'application/json', 'x-api-key': text } };
    const response = await server.post(path, body, init);
    await response.text();
    return response.status;
  };
  t.equal(await post('/annotation-queues', { name: 'To review' }), 200);
  t.equal(await post('/feedback', { run_id: '019caa2e-5d00-7b1e-8d2c-3f5a7c9e1b24', key: 'correct', score: 1 }), 200);
  t.equal(await post('/threads/search', {}), 200);
  t.equal(await post('/threads', {}), 403);
  t.equal(await post('/sessions', { name: 'experiment' }), 403);
  t.equal(await post('/datasets', { name: 'dataset' }), 403);
});
