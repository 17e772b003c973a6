import type { JsonObject } from '../../base/json/json.js';
import type { EvaluatorCall, EvaluatorScore, EvaluatorSource } from '../evaluation/evaluators.js';
import type { GraphWorkerData } from './graph-source.js';
import type { NamedSchemas } from './graph-types.js';

/** The embedding function of the project. */
export interface EmbedSource {
  /** URL of the module to import. */
  module: string;
  exportName: string;
  /** Number of dimensions of each vector. */
  dims: number;
}

/** Start data of the user code thread: the same bundles as graph workers get, and other functions of the project. */
export interface UserCodeWorkerData extends GraphWorkerData {
  /** Null: `store.index` is not configured. */
  embed: EmbedSource | null;
  evaluators: readonly EvaluatorSource[];
}

/** The graph of an assistant. If a factory makes it, the factory gets this configuration. */
export interface GraphTarget {
  graphId: string;
  /** `config` and `context`, with the field names of the API. */
  config: JsonObject;
}

/**
 * All calls of the user code thread, by `type`, with their parameters and reply. To add one, add an entry here
 * and a file in workers/user-code, and name it in its `serve.ts`.
 */
export interface UserCodeCalls {
  /** Nodes and edges, as JSON text. `xray` expands subgraphs, to a depth or completely. */
  'graph.draw': { params: GraphTarget & { xray: boolean | number }; reply: { json: string; factory: boolean } };
  /**
   * Schemas that the running code reports. The key of the graph itself is "", the key of a subgraph is its
   * namespace.
   */
  'graph.schemas': { params: GraphTarget; reply: { schemas: NamedSchemas; factory: boolean } };
  /**
   * One vector of length 1 (or 0) per text, concatenated: base64 of float32. Without texts, the function is
   * only loaded.
   */
  embed: { params: { texts: readonly string[] }; reply: { numbers: string } };
  /** Loads an evaluator and checks its options. */
  'evaluator.load': { params: { evaluator: EvaluatorCall }; reply: Record<string, never> };
  /** Scores a run of an experiment. `run` and `example` have the fields of the API. */
  evaluate: {
    params: { evaluator: EvaluatorCall; run: JsonObject; example: JsonObject };
    reply: { scores: EvaluatorScore[] };
  };
  /** Scores an experiment. `runs` and `examples` are side by side. */
  'evaluate.summary': {
    params: { evaluator: EvaluatorCall; runs: readonly JsonObject[]; examples: readonly JsonObject[] };
    reply: { scores: EvaluatorScore[] };
  };
}

export type UserCodeCallType = keyof UserCodeCalls;

export type UserCodeCall<T extends UserCodeCallType = UserCodeCallType> = {
  [K in T]: { serial: number; type: K } & UserCodeCalls[K]['params'];
}[T];

export type UserCodeReply = { serial: number } & (
  | { type: 'done'; value: UserCodeCalls[UserCodeCallType]['reply'] }
  /** The user's code threw or returned something else than requested. `noGraph`: it did not return a graph. */
  | { type: 'failed'; message: string; stack: string | null; noGraph: boolean }
);
