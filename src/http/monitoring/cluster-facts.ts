import type { Histogram } from '../../base/histogram.js';
import type { NodeWorkerFacts } from '../../pool/nodes/node-workers.js';
import type { TakeoverReason } from '../../store/cluster/cluster-node.js';
import type { NodeList } from '../../store/cluster/postgres/nodes.js';
import type { ForwardStats } from '../forward/forward-stats.js';

/** What metrics tell of a node of a cluster. */
export interface ClusterFacts {
  /** It is the owner, and answers requests. */
  isServing: boolean;
  /** What the database knew when this node last read it, at most about a second ago; null before that. */
  list: NodeList | null;
  clockOffsetMs: number | null;
  /** False while the database does not answer. */
  isReachable: boolean;
  /** How often this process has become the owner. */
  takeovers: Readonly<Record<TakeoverReason, number>>;
  /** The log, at the owner; null at other nodes. */
  log: {
    /** Number of the last entry. */
    lastEntry: number;
    /** Of all entries that this node has appended. */
    appendedBytes: number;
    /** Time until an entry is in the log. */
    appendSeconds: Histogram;
  } | null;
  /** Where runs of this node execute, with itself; empty at nodes that are not the owner. */
  places: NodeWorkerFacts[];
  forwarded: ForwardStats;
  /** Requests and WebSockets that are passed on now. */
  forwardedOpen: number;
}
