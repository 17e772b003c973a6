import type { UsedCode } from '../../store/code-versions.js';
import type { LossCause } from '../graphs/run-workers.js';

/** Incremented when a message between nodes changes its meaning. Nodes with different versions do not share runs. */
export const LINK_VERSION = 2;

/** A graph worker of a node. */
export interface WorkerState {
  id: number;
  name: string;
  /** It takes new runs, unless it has as many as it can. */
  isAvailable: boolean;
}

/** The first message of a node that offers its graph workers to the owner. */
export interface Hello {
  type: 'hello';
  /** LINK_VERSION, and WIRE_VERSION of the messages of runs. */
  versions: [link: number, wire: number];
  /** Name of the node. */
  node: string;
  /** Hash of each graph's code by graph id. The owner sends runs of graphs that have the same hash there. */
  graphs: Record<string, string>;
  runsPerWorker: number;
}

/** A run that a node executes for an owner that it has lost. */
export interface RunOffer {
  runId: string;
  /** Of the run when it started there, or when the last owner took it over. */
  lease: number;
  worker: number;
  /** Id of the first event in the messages that the node still has, or in later ones. */
  nextSeq: number;
  /** Number of frames in earlier messages. */
  framesSent: number;
}

/** Messages of a node to the owner. A channel is a number that the owner has chosen for one attempt of a run. */
export type ToOwner =
  | Hello
  /** All workers of the node. */
  | { type: 'workers'; workers: WorkerState[] }
  /** Follows the first `workers`: the runs that the node executes for an earlier owner, in any order. */
  | { type: 'offers'; runs: RunOffer[] }
  /** A message of a run's worker, and how many frames the worker has created. */
  | { type: 'run'; channel: number; bytes: Uint8Array; framesMade: number }
  /** The code of the run has returned, or its port was closed. `isFree`: the worker does not hold the run any more. */
  | { type: 'returned'; channel: number; isFree: boolean }
  /** A worker was lost. `channels`: its runs, with the number of frames that each of them had created. */
  | {
      type: 'lost';
      worker: number;
      channels: [channel: number, framesMade: number][];
      reason: string;
      cause: LossCause;
    }
  /** The code of a graph that the owner has asked for. A node of an earlier release does not answer. */
  | { type: 'code'; code: UsedCode }
  /** The node takes no more runs, because it is about to end. */
  | { type: 'leaving' }
  /** Another node has become the owner, with this epoch. An owner that cannot reach the database learns it so. */
  | { type: 'superseded'; epoch: number };

/** Messages of the owner to a node. */
export type ToNode =
  /** `job`: a packed RunJob. */
  | {
      type: 'start';
      channel: number;
      worker: number;
      runId: string;
      lease: number;
      /** Id of the first event. */
      firstSeq: number;
      job: Uint8Array;
      isListening: boolean;
    }
  /**
   * The owner takes over a run that was offered, under a new lease. The node sends the messages that it still has, in
   * their order, and goes on with those that follow.
   */
  | { type: 'take'; channel: number; runId: string; lease: number }
  /** The owner does not need a run that was offered. */
  | { type: 'refuse'; runId: string }
  /** Messages of this many bytes are finished (run-channel.ts). `nextSeq`: id of the first event after them. */
  | { type: 'finished'; channel: number; bytes: number; nextSeq: number }
  /** A packed ToWorker. */
  | { type: 'run'; channel: number; bytes: Uint8Array }
  /** Asks for the code of graphs. */
  | { type: 'want-code'; graphIds: string[] }
  | { type: 'listen'; channel: number }
  | { type: 'close'; channel: number }
  | { type: 'terminate'; worker: number };
