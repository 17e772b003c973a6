import type { Caller } from '../../base/caller.js';
import { joinBytes, type JsonBytes } from '../../base/json.js';
import { withMembers } from '../../base/json-members.js';
import { bytesOf, isObjectSlice, memberMap, wholeValue } from '../../base/json-slices.js';

/** The `extra` of a record that came with metadata alone. */
export function addMetadata(metadata: JsonBytes): JsonBytes {
  return joinBytes(['{"metadata":', metadata, '}']);
}

/** Metadata inside an `extra`: the SDKs send a dataset's so, and an experiment keeps it there. */
export function metadataIn(extra: JsonBytes | null): JsonBytes | null {
  if (extra === null) return null;
  const slice = memberMap(extra, wholeValue(extra)).get('metadata');
  return slice === undefined || !isObjectSlice(extra, slice) ? null : bytesOf(extra, slice);
}

/** Metadata with what the access handler wants in it, such as the owner. */
export function stampMetadata({ stamp }: Caller, metadata: JsonBytes | null): JsonBytes | null {
  return stamp === null ? metadata : withMembers(metadata, Object.entries(stamp).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** The same for the metadata inside an `extra`. */
export function stampExtra(caller: Caller, extra: JsonBytes | null): JsonBytes | null {
  return caller.stamp === null ? extra : withMembers(extra, [['metadata', stampMetadata(caller, metadataIn(extra))!]]);
}
