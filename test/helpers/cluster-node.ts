import type { Config } from '../../src/config/config.js';
import { openServer, type Server } from '../../src/server/server.js';

interface Test {
  teardown(callback: () => unknown): void;
}

/** A node of a cluster in this process. */
export interface ClusterNode {
  url: string;
  /** Resolves when the node is the owner. */
  owner: Promise<Server>;
  isOwner(): boolean;
  close(graceMs?: number): Promise<void>;
}

/** Starts a node; resolves when its port is open. It ends with the test. */
export async function openNode(t: Test, config: Config): Promise<ClusterNode> {
  const leaving = new AbortController();
  let server: Server | null = null;
  let closed: Promise<void> | null = null;
  let owner!: Promise<Server>;
  const close = (graceMs = 0): Promise<void> => {
    leaving.abort();
    closed ??= owner.then(
      (open) => open.close(graceMs),
      () => undefined,
    );
    return closed;
  };
  t.teardown(() => close());
  const url = await new Promise<string>((resolve, reject) => {
    owner = openServer(config, { onWaiting: (listening) => resolve(listening.url), signal: leaving.signal });
    owner.then((open) => {
      server = open;
      resolve(open.url);
    }, reject);
  });
  return { url, owner, isOwner: () => server !== null, close };
}
