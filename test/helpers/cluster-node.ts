import type { Config } from '../../src/config/config.js';
import { openServer, type Server } from '../../src/server/server.js';

interface Test {
  teardown(callback: () => unknown): void;
}

/** A node of a cluster in this process. */
export interface ClusterNode {
  url: string;
  /** Resolves when the node is the owner. */
  readonly owner: Promise<Server>;
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
  const take = (next: Promise<Server>): void => {
    server = null;
    owner = next;
    owner.then(
      (open) => (server = open),
      () => undefined,
    );
  };
  t.teardown(() => close());
  const url = await new Promise<string>((resolve, reject) => {
    take(
      openServer(config, {
        onWaiting: (listening) => resolve(listening.url),
        onHandedOver: take,
        signal: leaving.signal,
      }),
    );
    owner.then((open) => resolve(open.url), reject);
  });
  return {
    url,
    get owner() {
      return owner;
    },
    isOwner: () => server !== null,
    close,
  };
}
