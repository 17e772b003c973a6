import {
  asObject,
  filterMembers,
  isObject,
  joinBytes,
  jsonBytes,
  parseJson,
  type JsonBytes,
  type JsonObject,
} from '../../base/json/json.js';
import { encodeOnce } from '../../base/json/encode-once.js';
import { clientMetadata } from '../../domain/run-config.js';
import type { RunRecord } from './runs.js';
import type { Durability, StreamMode } from '../../wire/runs/messages.js';

/** Parameters of a run under their API names; stored as JSON and returned as `kwargs`. */
export interface RunKwargs {
  input: unknown;
  command: JsonObject | null;
  config: JsonObject;
  context: unknown;
  stream_mode: StreamMode[];
  subgraphs: boolean;
  interrupt_before: string[] | '*' | null;
  interrupt_after: string[] | '*' | null;
  durability: Durability;
  resumable: boolean;
  temporary: boolean;
  webhook: string | null;
  feedback_keys: string[] | null;
  strict_resume: boolean;
}

const DEFAULTS: Partial<RunKwargs> = {
  input: null,
  command: null,
  context: null,
  stream_mode: ['values'],
  subgraphs: false,
  interrupt_before: null,
  interrupt_after: null,
  durability: 'async',
  resumable: false,
  temporary: false,
  webhook: null,
  feedback_keys: null,
  strict_resume: false,
};

const NAMES_WITH_DEFAULTS = Object.keys(DEFAULTS) as (keyof RunKwargs)[];

/** What the server adds to the config of every run, from the run's record (agent-server.md, 9.2). */
function serverConfig(record: RunRecord): { configurable: JsonObject; metadata: JsonObject } {
  const names = {
    run_id: record.runId,
    thread_id: record.threadId,
    graph_id: record.graphId,
    assistant_id: record.assistantId,
  };
  return { configurable: names, metadata: { ...clientMetadata(parseJson(record.metadata) as JsonObject), ...names } };
}

/** The complete config, from the values of the client and the assistant. */
export function completeConfig(config: JsonObject, record: RunRecord): JsonObject {
  const added = serverConfig(record);
  return {
    ...config,
    configurable: { ...asObject(config['configurable']), ...added.configurable },
    metadata: { ...asObject(config['metadata']), ...added.metadata },
  };
}

/** The stored form: without defaults and without values that the record already has. */
export function storedKwargs(kwargs: RunKwargs, record: RunRecord): JsonBytes {
  // Members are added instead of deleted: V8 turns an object with deleted members into a table.
  const kept: JsonObject = { config: withoutServerConfig(kwargs.config, record) };
  for (const name of NAMES_WITH_DEFAULTS) {
    const value = kwargs[name];
    if (name !== 'input' && !isDefault(name, value)) kept[name] = value;
  }
  if (kwargs.input === null || kwargs.input === undefined) return jsonBytes(kept);
  // The worker gets the same bytes of the input.
  return joinBytes([JSON.stringify(kept).slice(0, -1), ',"input":', encodeOnce(kwargs.input), '}']);
}

function withoutServerConfig(config: JsonObject, record: RunRecord): JsonObject {
  const added = serverConfig(record);
  return {
    ...config,
    configurable: withoutEqual(asObject(config['configurable']), added.configurable),
    metadata: withoutEqual(asObject(config['metadata']), added.metadata),
  };
}

function isDefault(name: keyof RunKwargs, value: unknown): boolean {
  if (name === 'stream_mode') return Array.isArray(value) && value.length === 1 && value[0] === 'values';
  return value === DEFAULTS[name];
}

export function readKwargs(bytes: JsonBytes, record: RunRecord): RunKwargs {
  const kept = parseJson(bytes) as Partial<RunKwargs>;
  return { ...DEFAULTS, ...kept, config: completeConfig(kept.config ?? {}, record) } as RunKwargs;
}

function withoutEqual(object: JsonObject, added: JsonObject): JsonObject {
  return filterMembers(object, (name, value) => !isEqualJson(added[name], value));
}

function isEqualJson(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

/** True if the value maps interrupt ids to values. LangGraph's ids are 32 hex digits (XXH3). */
export function isResumeMap(resume: unknown): resume is JsonObject {
  return (
    isObject(resume) && Object.keys(resume).length > 0 && Object.keys(resume).every((key) => /^[0-9a-f]{32}$/.test(key))
  );
}
