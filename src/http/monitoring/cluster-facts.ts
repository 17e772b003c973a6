import type { Histogram } from '../../base/histogram.js';
import type { NodeWorkerFacts } from '../../pool/nodes/node-workers.js';

/** What metrics tell of the owner of a cluster. */
export interface ClusterFacts {
  epoch: number;
  /** Number of the last entry of the log. */
  lastEntry: number;
  /** Of all entries that this node has appended. */
  appendedBytes: number;
  /** Time until an entry is in the log. */
  appendSeconds: Histogram;
  /** False while the database does not answer. */
  isReachable: boolean;
  /** Other nodes that run graphs for this one. */
  nodes: NodeWorkerFacts[];
}
