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
}
