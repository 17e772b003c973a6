import type { JsonBytes } from '../../src/base/json/json.js';
import { withMembers } from '../../src/base/json/members.js';
import { members, parse, wholeValue } from '../../src/base/json/slices.js';

export const SPLIT = 'dataset_split';
const BASE = ['base'];

/** Returns a member's value, or undefined. */
export function memberValue(object: JsonBytes | null, name: string): unknown {
  if (object === null) return undefined;
  let found: unknown;
  for (const { key, value } of members(object, wholeValue(object))) if (key === name) found = parse(object, value);
  return found;
}

/** Sets the split in the metadata (evaluation-api.md, 2.2): the given split, else the previous one, else `base`. */
export function metadataWithSplit(
  metadata: JsonBytes | null,
  split: readonly string[] | null,
  before: JsonBytes | null,
): JsonBytes {
  const next = metadata ?? before;
  const own = memberValue(metadata, SPLIT);
  const chosen = split ?? (own === undefined ? memberValue(before, SPLIT) : own) ?? BASE;
  return withMembers(next, [[SPLIT, JSON.stringify(chosen)]]);
}

/** Display name of an example without a name: the end of its id, because ids created at the same time start alike. */
export function defaultExampleName(exampleId: string): string {
  return `#${exampleId.slice(-8)}`;
}
