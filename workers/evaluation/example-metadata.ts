import { joinBytes, type JsonBytes } from '../../src/base/json.js';
import { bytesOf, members, parse, wholeValue } from '../../src/base/json-slices.js';

export const SPLIT = 'dataset_split';
const BASE = ['base'];

/** One member changed: JSON text, or undefined to take it away. */
export type MemberChange = [name: string, json: Uint8Array | string | undefined];

/** The object with some members changed; all others stay the bytes they were. */
export function withMembers(object: JsonBytes | null, changes: readonly MemberChange[]): JsonBytes {
  const changed = new Map(changes);
  const kept: (Uint8Array | string)[] = [];
  const add = (name: string, json: Uint8Array | string): void => { kept.push(`${kept.length === 0 ? '{' : ','}${JSON.stringify(name)}:`, json); };
  if (object !== null) {
    for (const { key, value } of members(object, wholeValue(object))) if (!changed.has(key)) add(key, bytesOf(object, value));
  }
  for (const [name, json] of changed) if (json !== undefined) add(name, json);
  return joinBytes(kept.length === 0 ? ['{}'] : [...kept, '}']);
}

/** A member's value, or undefined. */
export function memberOf(object: JsonBytes | null, name: string): unknown {
  if (object === null) return undefined;
  let found: unknown;
  for (const { key, value } of members(object, wholeValue(object))) if (key === name) found = parse(object, value);
  return found;
}

/** Metadata with the split in it (evaluation-api.md, 2.2): what is said, else what was, else `base`. */
export function metadataWithSplit(metadata: JsonBytes | null, split: readonly string[] | null, before: JsonBytes | null): JsonBytes {
  const next = metadata ?? before;
  const own = memberOf(metadata, SPLIT);
  const chosen = split ?? (own === undefined ? memberOf(before, SPLIT) : own) ?? BASE;
  return withMembers(next, [[SPLIT, JSON.stringify(chosen)]]);
}

/** What an example without a name is called: the end of its id, since ids of one moment begin alike. */
export function nameOf(exampleId: string): string {
  return `#${exampleId.slice(-8)}`;
}
