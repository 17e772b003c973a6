import type { OwnServer } from './own-server.js';

/** A graph as a worker loads it: a module and what it exports. */
export interface GraphSource {
  graphId: string;
  /** The file the configuration names, for messages. */
  file: string;
  /** URL of the module to import: what the file was bundled to. */
  module: string;
  exportName: string;
}

/** What every graph worker is started with. */
export interface GraphWorkerData {
  graphs: GraphSource[];
  /** URL of the module that re-exports LangGraph as the project resolves it. */
  library: string;
  /** `env` of langgraph.json: added to the process environment of the workers. */
  env: Record<string, string>;
  own: OwnServer;
}
