import type { Durability } from '../../store/cluster/postgres/durability.js';
import type { NodeList } from '../../store/cluster/postgres/nodes.js';

/** The cluster of this server, as operators see it. */
export interface ClusterControl {
  readonly clusterId: string;
  readonly durability: Durability;
  /** What the database knows; what it knew last while it is away. Rejects with CLUSTER_UNREACHABLE. */
  readNodes(): Promise<NodeList>;
  /** Asks nodes of this name to drain. Rejects with CLUSTER_UNREACHABLE. */
  requestDrain(name: string): Promise<NodeList>;
  /** Puts nodes of this name back into service. Rejects with CLUSTER_UNREACHABLE. */
  undoDrain(name: string): Promise<NodeList>;
}
