import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@langchain/langgraph-sdk';
import { readConfig } from '../../src/config/config.js';
import { childServer, type ChildServer } from './child-server.js';
import { openNode, type ClusterNode } from './cluster-node.js';
import { temporaryFolder, testTransportEnv } from './server.js';
import { CLUSTER_KEY } from './suite-cluster.js';

interface Test {
  teardown(callback: () => unknown): void;
}

export interface TestNode extends ClusterNode {
  client: Client;
}

export interface NodeOptions {
  config: string;
  /** Of the database. */
  url: string;
  env?: Record<string, string>;
  dataFolder?: string;
}

/** Starts a node; resolves when its port is open. It ends with the test. */
export async function startTestNode(t: Test, options: NodeOptions): Promise<TestNode> {
  const config = readConfig(
    {
      config: options.config,
      port: '0',
      data: options.dataFolder ?? temporaryFolder(t),
      workers: '1',
      cluster: options.url,
    },
    { LOG_LEVEL: 'fatal', THREADMILL_CLUSTER_KEY: CLUSTER_KEY, ...testTransportEnv(), ...options.env },
  );
  const node = await openNode(t, config);
  return Object.assign(node, {
    client: new Client({ apiUrl: node.url, apiKey: null, callerOptions: { maxRetries: 0 } }),
  });
}

/** Starts a node in a process that can be killed; resolves when its port is open. It ends with the test. */
export function startChildNode(
  t: Test,
  { config, url, env, dataFolder, root }: NodeOptions & { root?: string | undefined },
): Promise<ChildServer> {
  return childServer(t, {
    ...(root === undefined ? {} : { root }),
    dataFolder: dataFolder ?? temporaryFolder(t),
    config,
    args: ['--cluster', url],
    env: { THREADMILL_CLUSTER_KEY: CLUSTER_KEY, ...env },
  });
}

/** Several nodes, the owner first. */
export async function startTestCluster(t: Test, count: number, options: NodeOptions): Promise<TestNode[]> {
  const nodes: TestNode[] = [];
  for (let number = 0; number < count; number += 1) {
    const node = await startTestNode(t, options);
    if (number === 0) await node.owner;
    nodes.push(node);
  }
  return nodes;
}

/** Waits until the condition holds. */
export async function until(condition: () => unknown): Promise<void> {
  while (!(await condition())) await sleep(20);
}
