import type { JsonObject } from '../../base/json/json.js';
import type { GraphWorkerData } from './graph-source.js';
import type { NamedSchemas } from './graph-types.js';

/** The function that says what texts mean, as numbers. */
export interface EmbedSource {
  /** URL of the module to import. */
  module: string;
  exportName: string;
  /** Numbers it is to return for each text. */
  dims: number;
}

/** The desk is started with what graph workers are started with, the same bundles, and what only it runs. */
export interface DeskWorkerData extends GraphWorkerData {
  /** Null: `store.index` is not configured. */
  embed: EmbedSource | null;
}

/** An assistant's graph: a factory is called with its configuration. */
export interface GraphAsked {
  graphId: string;
  /** `config` and `context` in the names of the wire. */
  config: JsonObject;
}

/**
 * All that a desk is asked, by `type`: what goes there and what comes back. A further kind is one entry here and one file in
 * workers/desk, named in its `serve.ts`.
 */
export interface DeskKinds {
  /** Nodes and edges, as JSON text. `xray` opens subgraphs, down to a depth or all. */
  'graph.draw': { ask: GraphAsked & { xray: boolean | number }; answer: { json: string; factory: boolean } };
  /** What the running code says of its schemas; the graph's own under "", those of its subgraphs under their namespaces. */
  'graph.schemas': { ask: GraphAsked; answer: { schemas: NamedSchemas; factory: boolean } };
  /** A vector of length 1, or 0, for each text, one after the other: base64 of float32. Without texts the function is only loaded. */
  embed: { ask: { texts: readonly string[] }; answer: { numbers: string } };
}

export type DeskType = keyof DeskKinds;

export type DeskAsk<T extends DeskType = DeskType> = { [K in T]: { serial: number; type: K } & DeskKinds[K]['ask'] }[T];

export type DeskAnswer = { serial: number } & (
  | { type: 'done'; value: DeskKinds[DeskType]['answer'] }
  /** The user's code threw, or what it made is not what it was asked for. `noGraph`: it made no graph. */
  | { type: 'failed'; message: string; stack: string | null; noGraph: boolean }
);
