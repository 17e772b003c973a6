import { SECRET_HEADERS } from './header-predicate.js';
import { asObject, filterMembers, type JsonObject } from '../base/json/json.js';

/**
 * Members of a config that a client or an assistant may set. LangGraph reads more from the same object, such as
 * `serverInfo` (the user), `store` and `callbacks`. An allowlist also blocks members that later releases add.
 */
const CLIENT_MEMBERS: ReadonlySet<string> = new Set([
  'tags',
  'recursion_limit',
  'run_name',
  'max_concurrency',
  'recursionLimit',
  'runName',
  'maxConcurrency',
  'timeout',
  'context',
]);

/** Members of a checkpoint that select a state. Its `thread_id` is always that of the request. */
const CHECKPOINT_MEMBERS = ['checkpoint_id', 'checkpoint_ns', 'checkpoint_map'] as const;

/** Names that identify the run. Only the server sets them. */
const RUN_NAMES: ReadonlySet<string> = new Set([
  'thread_id',
  'run_id',
  'graph_id',
  'assistant_id',
  'run_attempt',
  'langgraph_request_id',
]);

/** Values that the server adds to the client's config, and that take precedence. */
export interface ServerNames {
  configurable: JsonObject;
  metadata: JsonObject;
}

/**
 * The config for a graph or its factory. All code that calls a graph uses this function, so that no client can set what
 * only the server may set. `layers` come from clients and assistants; later ones take precedence.
 */
export function buildConfig(layers: readonly JsonObject[], server: ServerNames): JsonObject {
  return {
    ...merged(layers.map(clientMembers)),
    configurable: {
      ...merged(layers.map((layer) => clientConfigurable(asObject(layer['configurable'])))),
      ...server.configurable,
    },
    metadata: { ...merged(layers.map((layer) => clientMetadata(asObject(layer['metadata'])))), ...server.metadata },
  };
}

/** `configurable` from a client, without the user, the library's own names, secrets and the names of the run. */
export function clientConfigurable(configurable: JsonObject): JsonObject {
  return filterMembers(configurable, (name) => !isReserved(name));
}

/** Metadata from a client. Names that begin with `langgraph_` are reserved for the server and the library. */
export function clientMetadata(metadata: JsonObject): JsonObject {
  return filterMembers(metadata, (name) => !isReserved(name) && !name.startsWith('langgraph_'));
}

/** Values that a client's checkpoint adds to `configurable`. */
export function checkpointNames(checkpoint: JsonObject): JsonObject {
  return Object.fromEntries(
    CHECKPOINT_MEMBERS.flatMap((name) => {
      const value = Object.hasOwn(checkpoint, name) ? checkpoint[name] : null;
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

function clientMembers(config: JsonObject): JsonObject {
  return filterMembers(config, (name, value) => CLIENT_MEMBERS.has(name) && value !== null);
}

/** Names that only the server or the library may set, in any object (agent-server.md, 17.4 and trap 33). */
function isReserved(name: string): boolean {
  return (
    RUN_NAMES.has(name) ||
    name.startsWith('langgraph_auth_') ||
    name === 'graph_auth_user' ||
    name.startsWith('__') ||
    SECRET_HEADERS.has(name.toLowerCase())
  );
}

function merged(objects: readonly JsonObject[]): JsonObject {
  return Object.assign({}, ...objects) as JsonObject;
}
