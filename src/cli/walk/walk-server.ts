import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { User } from '../../domain/caller.js';
import { readConfig, type Config } from '../../config/config.js';
import { WHOLE_API } from '../../config/api.js';
import { WALK_HEADER } from '../../services/access/access.js';
import { openServer } from '../../server/server.js';
import { withBuiltInGraph } from './built-in-graph.js';
import { WalkClient } from './walk-client.js';
import { StoreWatcher } from './store-watcher.js';
import { CannotWalk } from './walk.js';

export interface WalkServer {
  clientFor(user: User): WalkClient;
  store: StoreWatcher;
  close(): Promise<void>;
}

/**
 * Starts a server on loopback with the project's auth handlers and one built-in graph. Its data folder is temporary.
 * The walk sets the user itself, in place of `authenticate`. Throws CannotWalk if the project has no auth handlers.
 */
export async function openWalkServer(configFile: string, users: readonly User[]): Promise<WalkServer> {
  const folder = mkdtempSync(join(tmpdir(), 'threadmill-doctor-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Removes the folder even if the walk is interrupted.
  process.once('exit', remove);
  try {
    // The environment is left out: keys, certificates and limits of the real server do not apply here. Every route is
    // enabled, so that every route is walked.
    const config = readConfig(
      { config: configFile, host: '127.0.0.1', port: '0', data: folder, workers: '1', webhooks: false },
      { LOG_LEVEL: 'error' },
    );
    if (config.project.auth === null)
      throw new CannotWalk(
        `${config.project.file} has no "auth", so all users see the same records. Add auth handlers, then run ` +
          'this again.',
      );
    const secret = randomBytes(24).toString('base64url');
    const walk: Config['walk'] = { secret, users: new Map(users.map((user, at) => [String(at), user])) };
    const server = await openServer({
      ...config,
      walk,
      publicShares: true,
      api: WHOLE_API,
      project: withBuiltInGraph(config.project),
    });
    const store = new StoreWatcher(folder);
    return {
      store,
      clientFor: (user) => new WalkClient(server.url, { [WALK_HEADER]: `${secret}:${users.indexOf(user)}` }),
      async close() {
        await store.close();
        await server.close(0);
        process.removeListener('exit', remove);
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
