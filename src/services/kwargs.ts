import { isObject, jsonBytes, parseJson, type JsonBytes, type JsonObject } from '../base/json.js';
import type { Durability, StreamMode } from '../wire/messages.js';

/** What a run was asked to do, in the names of the wire; stored as JSON and shown as `kwargs`. */
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

export function kwargsJson(kwargs: RunKwargs): JsonBytes {
  return jsonBytes(kwargs);
}

export function parseKwargs(bytes: JsonBytes): RunKwargs {
  return parseJson(bytes) as RunKwargs;
}

/** True when the answers name interrupts: LangGraph's ids are 32 hex digits (XXH3). */
export function isResumeMap(resume: unknown): resume is JsonObject {
  return isObject(resume) && Object.keys(resume).length > 0 && Object.keys(resume).every((key) => /^[0-9a-f]{32}$/.test(key));
}
