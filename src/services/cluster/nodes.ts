import { fail } from '../../base/errors.js';
import { MANAGE_NODES } from '../../domain/actions.js';
import type { Caller } from '../../domain/caller.js';
import { allows } from '../../store/access/api-keys.js';
import { hasSuccessor, type NodeList, type NodeStatus } from '../../store/cluster/postgres/nodes.js';
import type { Needs } from '../context.js';
import type { ClusterControl } from './cluster-control.js';

/** The nodes as JSON, and whether the caller may drain them; none without a cluster. Throws CLUSTER_UNREACHABLE. */
export async function nodesJson({ cluster }: Needs<'cluster'>, caller: Caller): Promise<string> {
  if (cluster === null) return JSON.stringify({ cluster_id: null, nodes: [] });
  const canDrain = !caller.authenticated || allows(caller.permissions, MANAGE_NODES);
  return JSON.stringify({ ...listJson(cluster, await cluster.readNodes()), can_drain: canDrain });
}

/** Takes a node out of service. Throws NODE_NOT_FOUND, NODE_NEEDED or CLUSTER_UNREACHABLE. */
export async function drainNode({ cluster }: Needs<'cluster'>, name: string): Promise<string> {
  const { control, nodes } = await requireNode(cluster, name);
  const owner = nodes.nodes.find((node) => node.name === name && node.role === 'owner');
  if (owner !== undefined && !hasSuccessor(nodes, owner.nodeId)) throw fail('NODE_NEEDED', { node: name });
  return JSON.stringify(listJson(control, await control.requestDrain(name)));
}

/** Puts a node back into service. Throws NODE_NOT_FOUND or CLUSTER_UNREACHABLE. */
export async function undoDrain({ cluster }: Needs<'cluster'>, name: string): Promise<string> {
  const { control } = await requireNode(cluster, name);
  return JSON.stringify(listJson(control, await control.undoDrain(name)));
}

async function requireNode(
  control: ClusterControl | null,
  name: string,
): Promise<{ control: ClusterControl; nodes: NodeList }> {
  if (control === null) throw fail('NODE_NOT_FOUND', { node: name });
  const nodes = await control.readNodes();
  if (!nodes.drainedNames.has(name) && !nodes.nodes.some((node) => node.name === name))
    throw fail('NODE_NOT_FOUND', { node: name });
  return { control, nodes };
}

function listJson({ clusterId, durability }: ClusterControl, { epoch, lastEntry, nodes }: NodeList): object {
  return {
    cluster_id: clusterId,
    epoch,
    last_entry: lastEntry,
    postgres_version: durability.version,
    machines: durability.machines,
    problems: durability.problems,
    nodes: nodes.map(nodeJson),
  };
}

/** A node, as commands and the API show it. */
export function nodeJson(node: NodeStatus): object {
  return {
    node_id: node.nodeId,
    name: node.name,
    role: node.role,
    drain: node.drain,
    version: node.version,
    address: node.address,
    entries_behind: node.behind,
    lag_ms: node.lagMs,
    workers: node.workers,
    runs: node.runs,
    started_at: node.startedAt.toISOString(),
    seen_ms_ago: node.seenMs,
  };
}
