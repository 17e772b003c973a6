import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { User } from '../../domain/caller.js';
import { readConfig, type Config, type Project } from '../../config/config.js';
import { WHOLE_API } from '../../config/api.js';
import { WALK_HEADER } from '../../services/access/access.js';
import { openServer } from '../../server/server.js';
import { walkGraphFile } from '../../pool/graphs/bundle.js';
import { Asker } from './asker.js';
import { GRAPH } from './records.js';
import { StoreWatch } from './store-watch.js';
import { CannotWalk } from './walk.js';

export interface WalkServer {
  asker(user: User): Asker;
  store: StoreWatch;
  close(): Promise<void>;
}

/**
 * A server of the project's auth handlers and of one built-in graph, on loopback and in a folder of its own that goes away
 * with it. Users are put in after `authenticate`. Throws CannotWalk when nobody is told apart.
 */
export async function openWalkServer(configFile: string, users: readonly User[]): Promise<WalkServer> {
  const folder = mkdtempSync(join(tmpdir(), 'threadmill-doctor-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Also of a walk that is broken off.
  process.once('exit', remove);
  try {
    // Not the environment's: keys, certificates and limits of the real server are none of this one's. Every route is walked.
    const config = readConfig(
      { config: configFile, host: '127.0.0.1', port: '0', data: folder, workers: '1', webhooks: false },
      { LOG_LEVEL: 'error' },
    );
    if (config.project.auth === null)
      throw new CannotWalk(
        `${config.project.file} has no "auth": nobody is told apart. Holders of API keys all see the same records.`,
      );
    const secret = randomBytes(24).toString('base64url');
    const walk: Config['walk'] = { secret, users: new Map(users.map((user, at) => [String(at), user])) };
    const server = await openServer({ ...config, walk, api: WHOLE_API, project: withWalkGraph(config.project) });
    const store = new StoreWatch(folder);
    return {
      store,
      asker: (user) => new Asker(server.url, { [WALK_HEADER]: `${secret}:${users.indexOf(user)}` }),
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

/** Handlers of the project, but none of its graphs: no model is called. */
function withWalkGraph(project: Project): Project {
  const file = walkGraphFile();
  // The graph is ours, so it is given our copy of LangGraph.
  return {
    ...project,
    root: dirname(file),
    graphs: [{ graphId: GRAPH, file, exportName: 'graph', description: null }],
  };
}
