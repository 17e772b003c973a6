import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Config } from '../../src/config/config.js';
import { keyFileNames, keysFolder, readKeyFile } from '../../src/store/access/key-files.js';
import { storeKey } from '../../src/store/access/shared-keys.js';
import { ClusterNode as StoreNode } from '../../src/store/cluster/cluster-node.js';
import { openNode, type ClusterNode } from './cluster-node.js';
import { atProcessEnd } from './process-end.js';

/**
 * With THREADMILL_TEST_CLUSTER, the address of a PostgreSQL server, every server of a test consists of three nodes, and
 * each request goes to one of them.
 */
const POSTGRES = process.env['THREADMILL_TEST_CLUSTER'] ?? '';
const NODES = 3;

interface Test {
  teardown(callback: () => unknown): void;
}

export const CLUSTER_KEY = '00112233445566778899aabbccddeeff'.repeat(2);

/** A server over the same folder belongs to the same cluster. */
const databases = new Map<string, string>();

/** The flags of a server over this folder. */
export async function clusterFlags(dataFolder: string): Promise<{ cluster?: string }> {
  if (POSTGRES === '') return {};
  const known = databases.get(dataFolder);
  if (known !== undefined) return { cluster: known };
  const name = `d${randomUUID().replaceAll('-', '')}`;
  await runStatement(`CREATE DATABASE ${name}`);
  if (databases.size === 0) atProcessEnd(removeDatabases);
  const url = new URL(POSTGRES);
  url.pathname = `/${name}`;
  databases.set(dataFolder, url.href);
  return { cluster: url.href };
}

async function removeDatabases(): Promise<void> {
  for (const url of databases.values())
    await runStatement(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
  databases.clear();
}

async function runStatement(text: string): Promise<void> {
  const client = new Client(POSTGRES);
  await client.connect();
  await client.query(text);
  await client.end();
}

export function clusterEnv(): Record<string, string> {
  return POSTGRES === '' ? {} : { THREADMILL_CLUSTER_KEY: CLUSTER_KEY };
}

/** Puts the API keys into the log that a test has created in the folder of a server before its start. */
export async function shareKeys({ cluster, dataFolder }: Config): Promise<void> {
  const folder = keysFolder(dataFolder);
  if (POSTGRES === '' || cluster === null || keyFileNames(folder).length === 0) return;
  const copy = mkdtempSync(join(tmpdir(), 'threadmill-node-'));
  const node = await StoreNode.join(
    copy,
    { ...cluster, nodeId: randomUUID(), version: '0' },
    { onTrouble: ignore, onUpgraded: ignore, onLost: ignore },
  );
  await node.becomeOwner(new AbortController().signal, ignore);
  const store = await node.openStore(null);
  for (const name of keyFileNames(folder)) await storeKey(store, readKeyFile(folder, name));
  await store.close();
  await node.release({ joinsAgain: false });
  await node.close();
  rmSync(copy, { recursive: true });
}

function ignore(): void {
  // What went wrong shows in the requests of the test.
}

/** Starts the other nodes of the owner's cluster; none where the suite does not ask for them. */
export async function openOtherNodes(t: Test, config: Config): Promise<ClusterNode[]> {
  if (POSTGRES === '' || config.cluster === null) return [];
  return Promise.all(
    Array.from({ length: NODES - 1 }, () => {
      const dataFolder = mkdtempSync(join(tmpdir(), 'threadmill-node-'));
      t.teardown(() => rmSync(dataFolder, { recursive: true, force: true }));
      // On one machine, only one of them can have the ports that the test has chosen.
      return openNode(t, { ...config, dataFolder, port: 0, linkPort: null });
    }),
  );
}
