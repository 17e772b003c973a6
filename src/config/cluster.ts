import { createHmac } from 'node:crypto';
import { hostname } from 'node:os';
import { fail } from '../base/errors.js';
import { parseAddress, type NodeAddress } from '../base/node-address.js';
import { parseKey } from './encryption.js';
import { envText } from './values.js';

/** The cluster that a server belongs to. */
export interface ClusterConfig {
  /** Address of the PostgreSQL database. Contains its password. */
  url: string;
  /** Name of this node for people. */
  nodeName: string;
  /** Seals what is stored about callers, on every node alike. */
  sealKey: string;
  /** The nodes prove themselves to each other with it. */
  nodeKey: Buffer;
  /** Where other nodes reach this one; null: at the address that it has in the network of the database. */
  nodeAddress: NodeAddress | null;
  /** Identifies the cluster's key without revealing it. */
  keyFingerprint: string;
}

const URL_VARIABLE = 'THREADMILL_CLUSTER';
const KEY = 'THREADMILL_CLUSTER_KEY';
const NODE_NAME = 'THREADMILL_NODE_NAME';
const NODE_ADDRESS = 'THREADMILL_NODE_ADDRESS';

/** Null without `--cluster` and THREADMILL_CLUSTER. Throws CONFIG_INVALID. */
export function readCluster(flags: { cluster?: string }, env: NodeJS.ProcessEnv): ClusterConfig | null {
  const url = readClusterUrl(flags, env);
  if (url === null) return null;
  const keyText = envText(env, KEY);
  if (keyText === null)
    throw fail('CONFIG_INVALID', {
      file: KEY,
      problem: 'must be set in a cluster, to the same value on every node. Create one with: openssl rand -hex 32',
    });
  const key = parseKey(KEY, keyText);
  return {
    url,
    nodeName: envText(env, NODE_NAME) ?? hostname(),
    nodeKey: derive(key, 'nodes'),
    nodeAddress: readNodeAddress(env),
    sealKey: derive(key, 'seal').toString('hex'),
    keyFingerprint: derive(key, 'fingerprint').toString('hex').slice(0, 32),
  };
}

/** Null without `--cluster` and THREADMILL_CLUSTER. Throws CONFIG_INVALID. */
export function readClusterUrl(flags: { cluster?: string }, env: NodeJS.ProcessEnv): string | null {
  const url = flags.cluster ?? envText(env, URL_VARIABLE);
  const name = flags.cluster === undefined ? URL_VARIABLE : '--cluster';
  if (url !== null && !/^postgres(ql)?:\/\/[^/]/.test(url))
    throw fail('CONFIG_INVALID', { file: name, problem: 'must be like postgres://user:password@host/database.' });
  return url;
}

function readNodeAddress(env: NodeJS.ProcessEnv): NodeAddress | null {
  const text = envText(env, NODE_ADDRESS);
  if (text === null) return null;
  const address = parseAddress(text);
  if (address === null)
    throw fail('CONFIG_INVALID', { file: NODE_ADDRESS, problem: 'must be like 10.0.0.5:7000, or a name and a port.' });
  return address;
}

/** Different keys for different uses. */
function derive(key: Buffer, use: string): Buffer {
  return createHmac('sha256', key).update(`threadmill cluster ${use}`).digest();
}
