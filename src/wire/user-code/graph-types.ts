import type { JsonObject } from '../../base/json/json.js';

/**
 * The schemas of a graph. JavaScript cannot distinguish config and context, so both have one schema
 * (agent-server.md, section 4).
 */
export const SCHEMA_KINDS = ['state', 'input', 'output', 'config'] as const;
export type SchemaKind = (typeof SCHEMA_KINDS)[number];

/**
 * JSON Schemas of a graph. An absent schema does not exist. A null schema exists, but this source could not
 * determine it.
 */
export type GraphSchemas = { [K in SchemaKind]?: JsonObject | null };

/** By namespace, `parent|child`. The key of the graph itself is "". */
export type NamedSchemas = Record<string, GraphSchemas>;

/** Start data for the thread that reads types. */
export interface TypesWorkerData {
  /** Folder of langgraph.json. */
  root: string;
  /** Folder that keeps results across restarts. */
  cacheFolder: string;
  env: Record<string, string>;
}

/** Requests the schemas that the types in a graph's source define. */
export interface TypesCall {
  serial: number;
  file: string;
  exportName: string;
}

export type TypesReply = { serial: number } & (
  | { type: 'done'; schemas: NamedSchemas }
  | { type: 'failed'; message: string }
);
