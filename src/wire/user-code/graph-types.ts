import type { JsonObject } from '../../base/json/json.js';

/** Which schemas a graph has. JavaScript cannot tell config and context apart: one schema for both (agent-server.md, section 4). */
export const SCHEMA_KINDS = ['state', 'input', 'output', 'config'] as const;
export type SchemaKind = (typeof SCHEMA_KINDS)[number];

/** A graph's JSON Schemas. Absent: there is none. Null: there is one, and who was asked could not tell it. */
export type GraphSchemas = { [K in SchemaKind]?: JsonObject | null };

/** By namespace, `parent|child`; the graph's own under "". */
export type NamedSchemas = Record<string, GraphSchemas>;

/** What the thread that reads types is started with. */
export interface TypesWorkerData {
  /** Folder of langgraph.json. */
  root: string;
  /** Where what was found is kept from one start to the next. */
  cacheFolder: string;
  env: Record<string, string>;
}

/** Asks what the types in a graph's source say. */
export interface TypesAsk {
  serial: number;
  file: string;
  exportName: string;
}

export type TypesAnswer = { serial: number } & (
  | { type: 'done'; schemas: NamedSchemas }
  | { type: 'failed'; message: string }
);
