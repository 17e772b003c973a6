import { join } from 'node:path';
import type { User } from '../../src/domain/caller.js';
import { openWalkServer } from '../../src/cli/walk/walk-server.js';
import { walk, type RouteResult } from '../../src/cli/walk/walk.js';
import { ROOT } from '../helpers/server.js';

export const project = (name: string): string => join(ROOT, 'test', 'access', name, 'langgraph.json');
const user = (identity: string): User => ({
  identity,
  display_name: identity,
  is_authenticated: true,
  permissions: [],
});

/** One way through all routes, with the handlers of a project. */
export async function walkThrough(name: string): Promise<RouteResult[]> {
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

export const leaks = (routes: readonly RouteResult[]): string[] =>
  routes.filter(({ verdict }) => verdict === 'leak').map(({ route }) => route);
