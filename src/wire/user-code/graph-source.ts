import type { Optimization } from '../../domain/optimizations.js';
import type { ServerAddress } from './server-address.js';

/** A graph as a worker loads it: a module and the name of an export. */
export interface GraphSource {
  graphId: string;
  /** Path in the configuration, for messages. */
  file: string;
  /** URL of the bundled module to import. */
  module: string;
  exportName: string;
  /** Of the code and the versions of its packages (pool/graphs/code-hash.ts). */
  hash: string;
}

/** A function of the project as a worker loads it. */
export interface FunctionSource {
  /** As written in langgraph.json, for messages. */
  path: string;
  /** URL of the bundled module to import. */
  module: string;
  exportName: string;
}

/** Start data of every graph worker. */
export interface GraphWorkerData {
  graphs: GraphSource[];
  /** URL of the module that re-exports LangGraph as the project resolves it. */
  library: string;
  /** `env` of langgraph.json, added to the process environment of the workers. */
  env: Record<string, string>;
  own: ServerAddress;
  /** The function of `traces.hide_with`; null if there is none. */
  hideFunction: FunctionSource | null;
  optimizations: readonly Optimization[];
  outside: OutsideMode;
}

/** What graphs get from outside: as it is; as it is, and some runs are recorded; or from recordings (replay.ts). */
export type OutsideMode = { mode: 'live' } | { mode: 'recorded' } | ({ mode: 'replayed' } & ReplaySettings);

export interface ReplaySettings {
  /** Folder of the recordings, by the run's `threadmill_replay` in its metadata. */
  folder: string;
  /** What happens to a request that was not recorded. */
  unrecorded: UnrecordedPolicy;
  /** For the policy `stub`. */
  stubs: readonly StubAnswer[];
  /** True: the pieces of an answer come as far apart as they were recorded. */
  keepsTiming: boolean;
  /** The worker waits for a debugger on this port before it loads the graphs. Null: it does not. */
  debugPort: number | null;
}

/**
 * `refuse`: it fails. `nearest`: it gets the next recorded answer of the same method and address, whatever its body.
 * `stub`: it gets an answer of the user's file. `live`: it is sent.
 */
export const UNRECORDED_POLICIES = ['refuse', 'nearest', 'stub', 'live'] as const;
export type UnrecordedPolicy = (typeof UNRECORDED_POLICIES)[number];

/** An answer to every request of a method to addresses that begin in this way. */
export interface StubAnswer {
  method: string;
  url: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}
